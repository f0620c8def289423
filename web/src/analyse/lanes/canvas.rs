//! The canvas of the lanes: follows what is chosen and looked at, and is painted with each frame.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::plot::{Domain, TickKind};
use trailbrake_shared::units::Units;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::build::{Built, build};
use super::layout::Strip;
use crate::analyse::notes::note_ink;
use crate::analyse::status_bar::is_cut;
use crate::analyse::{Analyse, Axis, Braked, INKS, PlacedNote, ShownLaps, apart};
use crate::frame::{self, Tick};
use crate::painter::{Across, Along, Braking, Brakings, Flag, Ink, LaneStack, PeerMark, Reading, Sheet};
use crate::room::PeerCursor;

/// CSS pixels of the gutter; with more laps than the first three it has more columns of values.
const GUTTER: f32 = 118.0;
const WIDE_GUTTER: f32 = 166.0;
const NARROW_LAPS: usize = 3;

/// What lanes are built from.
struct Source {
    shown: Rc<ShownLaps>,
    axis: Axis,
    strips: Rc<Vec<Strip>>,
    fit: bool,
    units: Units,
}

impl Source {
    fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.shown, &other.shown)
            && Rc::ptr_eq(&self.strips, &other.strips)
            && (self.axis, self.fit, self.units) == (other.axis, other.fit, other.units)
    }
}

/// The canvas.
pub(crate) struct LaneCanvas {
    stack: LaneStack,
    gutter: f32,
    source: Option<Source>,
    built: Option<Built>,
}

impl LaneCanvas {
    /// Mounts it in an element; `None` when the browser cannot draw.
    pub(super) fn mount(host: &HtmlElement) -> Option<Self> {
        let stack = LaneStack::new(Sheet::mount(host)?, Vec::new(), Some(GUTTER));
        Some(Self { stack, gutter: GUTTER, source: None, built: None })
    }

    /// Follows the state. Whether the lanes are others than before.
    pub(super) fn follow(&mut self, analyse: Analyse) -> bool {
        let (view, lanes) = (analyse.view.read(), analyse.lanes.read());
        let source = analyse.shown().map(|shown| Source {
            shown,
            axis: view.axis,
            strips: Rc::clone(&lanes.strips),
            fit: lanes.fit,
            units: analyse.units.get(),
        });
        let same = match (&self.source, &source) {
            (Some(before), Some(source)) => before.is_same(source),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.build(source);
        }
        if let Some(Source { shown, .. }) = &self.source {
            let part = view.shown(shown.whole(view.axis));
            let kind = match view.axis {
                Axis::Distance => TickKind::Distance,
                Axis::Time => TickKind::Time,
            };
            self.stack.show(Across::Fixed { domain: Domain::new(part.from, part.to), kind });
            self.stack.fit(view.is_part());
            self.stack.point(view.cursor);
        }
        self.stack.measure(analyse.measured());
        self.stack.flag(flags(analyse));
        self.stack.show_peers(peers(analyse));
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
            self.gutter = if shown.laps.len() > NARROW_LAPS { WIDE_GUTTER } else { GUTTER };
            self.stack.widen_gutter(self.gutter);
        }
        self.source = source;
    }

    pub(super) fn paint(&mut self, tick: &Tick) {
        if let Some(built) = &self.built {
            self.stack.paint(tick, &built.lines);
        }
    }

    /// What the lanes say of the cursor's place.
    pub(super) fn readings(&self) -> Vec<Reading> {
        self.built.as_ref().map(|built| self.stack.readings(&built.lines)).unwrap_or_default()
    }

    /// The lanes that are missing since their channels were not sent.
    pub(super) fn missing(&self) -> &[String] {
        self.built.as_ref().map_or(&[], |built| &built.missing)
    }

    /// What addresses call the lanes with braking marks.
    pub(super) fn marked(&self) -> Vec<&str> {
        let lanes = self.built.iter().flat_map(|built| &built.marked);
        lanes.filter_map(|(lane, _)| self.id(*lane)).collect()
    }

    /// How many braking marks have words.
    pub(super) fn worded(&self) -> usize {
        self.stack.worded()
    }

    /// The gutter's width in CSS pixels: a press there means no place.
    pub(super) fn gutter(&self) -> f32 {
        self.gutter
    }

    /// What addresses call a lane, counted from the top.
    pub(super) fn id(&self, place: usize) -> Option<&str> {
        self.built.as_ref()?.ids.get(place).map(String::as_str)
    }

    /// The place of the axis so many CSS pixels from the canvas's left edge.
    pub(super) fn place_at(&self, css: f32) -> f64 {
        self.stack.place_at(css)
    }

    /// How many CSS pixels from the canvas's left edge a place of the axis is; `None` while it is not shown.
    pub(super) fn css_of(&self, at: f64) -> Option<f32> {
        self.stack.css_of(at)
    }

    /// How many CSS pixels from the canvas's upper edge each lane begins, and the last one ends.
    pub(super) fn edges(&self) -> Vec<f32> {
        self.stack.edges()
    }

    /// Shows which part is being chosen.
    pub(super) fn choose(&mut self, band: Option<(f64, f64)>) {
        self.stack.choose(band);
        frame::request();
    }

    /// The lanes as they are shown now, under a legend.
    pub(super) fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.stack.picture(legend)
    }
}

/// Where notes are about the laps that are shown, each with its number and in its colour.
fn flags(analyse: Analyse) -> Vec<Flag> {
    let (Some(shown), axis) = (analyse.shown(), analyse.view.with(|view| view.axis)) else {
        return Vec::new();
    };
    let flag = |(number, note): (usize, &PlacedNote)| {
        note.place?;
        Some(Flag { at: shown.on_axis(axis, note.at_m?)?, ink: note_ink(&note.note.colour), number })
    };
    analyse.notes.with(|notes| (1..).zip(notes.placed.iter()).filter_map(flag).collect())
}

/// The cursors of others who look at the same laps.
fn peers(analyse: Analyse) -> Vec<PeerMark> {
    let (Some(shown), axis) = (analyse.shown(), analyse.view.with(|view| view.axis)) else {
        return Vec::new();
    };
    let mark = |peer: PeerCursor| Some(PeerMark { at: shown.on_axis(axis, peer.at_m)?, name: peer.title });
    analyse.room.cursors().into_iter().filter_map(mark).collect()
}

/// Corners by name, how the laps braked and where the main one coasted, where data is missing or time was cut.
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

/// How the laps braked, the main one last; each braking of its own says how far it is from the reference's.
fn brakings(shown: &ShownLaps, axis: Axis) -> Vec<Braking> {
    let mut all = Vec::new();
    for ((lap, beside), ink) in shown.laps.iter().enumerate().zip(INKS).rev() {
        for braked in &beside.braked {
            let reference = shown.laps.get(1).filter(|_| lap == 0 && shown.compared);
            let same = |other: &&Braked| other.corner == braked.corner;
            let other = reference.and_then(|reference| reference.braked.iter().find(same));
            let says = other.map_or_else(String::new, |other| apart(braked.on_m(), other.on_m()));
            all.push(Braking { lap, ink, at: braked.on(axis), says });
        }
    }
    all
}
