//! The canvas of the lanes: follows the laps on screen and the view, and is painted in each frame.

use web_sys::{HtmlCanvasElement, HtmlElement};

use super::build::{Built, build};
use super::scene::{LaneScene, Source};
use crate::analyse::status_bar::is_cut;
use crate::analyse::{Axis, Braked, INKS, ShownLaps, apart};
use crate::frame::{self, Tick};
use crate::painter::{Across, Along, Braking, Brakings, Ink, LaneStack, Reading, Sheet};

/// Width of the gutter, CSS pixels. More than [`NARROW_LAPS`] laps need more columns of values.
const GUTTER: f32 = 118.0;
const WIDE_GUTTER: f32 = 166.0;
const NARROW_LAPS: usize = 3;

/// The lanes and their canvas.
pub(crate) struct LaneCanvas {
    stack: LaneStack,
    source: Option<Source>,
    built: Option<Built>,
}

impl LaneCanvas {
    /// Mounts the canvas in an element; `None` if the browser can't draw.
    pub(super) fn mount(host: &HtmlElement) -> Option<Self> {
        let stack = LaneStack::new(Sheet::mount(host)?, Vec::new(), Some(GUTTER));
        Some(Self { stack, source: None, built: None })
    }

    /// Updates the lanes. Returns whether they were rebuilt.
    pub(super) fn follow(&mut self, scene: LaneScene) -> bool {
        let LaneScene { source, part, is_part, cursor, measured, flags, peers, .. } = scene;
        let same = match (&self.source, &source) {
            (Some(before), Some(source)) => before.is_same(source),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.build(source);
        }
        if let Some((domain, kind)) = part {
            self.stack.show(Across::Fixed { domain, kind });
            self.stack.fit(is_part);
            self.stack.point(cursor);
        }
        self.stack.measure(measured);
        self.stack.flag(flags);
        self.stack.show_peers(peers);
        !same
    }

    fn build(&mut self, source: Option<Source>) {
        let lanes =
            |Source { shown, axis, strips, fit, units }: &Source| build(shown, *axis, strips, *fit, *units);
        self.built = source.as_ref().map(lanes);
        let specs = self.built.as_mut().map(|built| std::mem::take(&mut built.specs));
        self.stack.set_lanes(specs.unwrap_or_default());
        if let (Some(Source { shown, axis, .. }), Some(built)) = (&source, &self.built) {
            self.stack.mark(along(shown, *axis, built));
            let gutter = if shown.laps.len() > NARROW_LAPS { WIDE_GUTTER } else { GUTTER };
            self.stack.widen_gutter(gutter);
        }
        self.source = source;
    }

    pub(super) fn paint(&mut self, tick: &Tick) {
        if let Some(built) = &self.built {
            self.stack.paint(tick, &built.lines);
        }
    }

    /// The values at the cursor, lane by lane.
    pub(super) fn readings(&self) -> Vec<Reading> {
        self.built.as_ref().map(|built| self.stack.readings(&built.lines)).unwrap_or_default()
    }

    /// The names of the lanes that are missing because none of their channels was sent.
    pub(super) fn missing(&self) -> &[String] {
        self.built.as_ref().map_or(&[], |built| &built.missing)
    }

    /// The ids of the lanes with braking marks.
    pub(super) fn marked(&self) -> Vec<&str> {
        let lanes = self.built.iter().flat_map(|built| &built.marked);
        lanes.filter_map(|(lane, _)| self.id(*lane)).collect()
    }

    /// The number of braking marks that had room for their label.
    pub(super) fn worded(&self) -> usize {
        self.stack.worded()
    }

    /// CSS pixels from the left edge to the lanes. A press there is at no point of the axis.
    pub(super) fn left(&self) -> f32 {
        self.stack.left()
    }

    /// The id of a lane, by its index from the top.
    pub(super) fn id(&self, place: usize) -> Option<&str> {
        self.built.as_ref()?.ids.get(place).map(String::as_str)
    }

    /// The point of the axis at a distance from the canvas's left edge, CSS pixels.
    pub(super) fn place_at(&self, css: f32) -> f64 {
        self.stack.place_at(css)
    }

    /// The distance of a point of the axis from the canvas's left edge, CSS pixels; `None` outside the visible part.
    pub(super) fn css_of(&self, at: f64) -> Option<f32> {
        self.stack.css_of(at)
    }

    /// The upper edge of each lane, then the lower edge of the last, CSS pixels from the canvas's upper edge.
    pub(super) fn edges(&self) -> Vec<f32> {
        self.stack.edges()
    }

    /// Highlights the part of the axis that is being selected; `None` removes the highlight.
    pub(super) fn choose(&mut self, band: Option<(f64, f64)>) {
        self.stack.choose(band);
        frame::request();
    }

    /// A picture of the lanes as they are now, under a legend.
    pub(super) fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.stack.picture(legend)
    }
}

/// The marks along the axis: corner names, brakings, the main lap's coasting, its gaps, and its pauses and rewinds.
fn along(shown: &ShownLaps, axis: Axis, built: &Built) -> Along {
    let comparison = shown.comparison();
    let on_axis = |place: f64| shown.on_axis(axis, place);
    let names = comparison.corners.iter();
    let names = names.filter_map(|corner| Some((on_axis(corner.apex_m)?, shown.corner_name(corner.number))));
    let brakings = Brakings { of: brakings(shown, axis), lanes: built.marked.clone() };
    let cuts = shown.events().into_iter().filter(|(_, what)| is_cut(what)).filter_map(|(at, _)| on_axis(at));
    Along {
        names: names.collect(),
        brakings,
        coasts: shown.coasts(axis),
        pedals: built.pedals.clone(),
        gaps: shown.gaps(axis),
        cuts: cuts.collect(),
    }
}

/// The braking marks of all laps, the main lap's last. Only these have a label: how far they are from the reference's.
fn brakings(shown: &ShownLaps, axis: Axis) -> Vec<Braking> {
    let mut all = Vec::new();
    for ((lap, shown_lap), ink) in shown.laps.iter().enumerate().zip(INKS).rev() {
        for braked in &shown_lap.braked {
            let reference = shown.laps.get(1).filter(|_| lap == 0 && shown.compared);
            let same = |other: &&Braked| other.corner == braked.corner;
            let other = reference.and_then(|reference| reference.braked.iter().find(same));
            let says = other.map_or_else(String::new, |other| apart(braked.on_m(), other.on_m()));
            all.push(Braking { lap, ink, at: braked.on(axis), says });
        }
    }
    all
}
