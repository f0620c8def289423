//! The lanes: painted with each frame from what is chosen and looked at.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::document;
use trailbrake_shared::number;
use trailbrake_shared::plot::{Domain, TickKind};
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::foot::is_cut;
use super::things::corner_name;
use crate::analyse::{
    Analyse, Axis, Braked, Built, INKS, PlacedNote, Shown, State, Strip, View, apart, build,
};
use crate::dom::{fill_id, part};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Across, Along, Braking, Brakings, Flag, Ink, LaneStack, Reading, Sheet};

/// Values in words change this often at most.
const SAID_MS: f64 = 150.0;
/// The gutter's width in CSS pixels.
const GUTTER: f32 = 118.0;

thread_local! {
    /// The lanes that are shown, for whoever has to know what lies under a finger.
    static STACK: RefCell<Option<LaneStack>> = const { RefCell::new(None) };
    /// What addresses call them.
    static IDS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What the lanes were built from.
struct Painted {
    of: Option<(Rc<Shown>, Axis, Rc<Vec<Strip>>)>,
    built: Option<Built>,
    /// The cursor of which the values were said, and when.
    said: Option<(Option<f64>, f64)>,
    /// Beside how many marks there are words.
    worded: usize,
}

/// Paints the lanes until what comes back is dropped.
pub(super) fn paint(analyse: Analyse) -> Option<Subscription> {
    let host = document().get_element_by_id("lanes")?.dyn_into::<HtmlElement>().ok()?;
    let stack = LaneStack::new(Sheet::mount(&host)?, Vec::new(), Some(GUTTER));
    STACK.with_borrow_mut(|shown| *shown = Some(stack));
    let mut painted = Painted { of: None, built: None, said: None, worded: 0 };
    let subscription = frame::on(Phase::Draw, move |tick| {
        analyse.drive(tick.now_ms);
        let (shown, view, lanes, measured) = analyse.read(|state| {
            (state.shown.clone(), state.view.clone(), Rc::clone(&state.lanes), state.measured())
        });
        STACK.with_borrow_mut(|stack| {
            if let Some(stack) = stack {
                let own = analyse.read(State::drives_own);
                painted.follow(stack, shown, own, &view, &lanes);
                stack.measure(measured);
                stack.flag(analyse.read(flags));
                if let Some(built) = &painted.built {
                    stack.paint(tick, &built.lines);
                }
                painted.say_values(stack, view.cursor, tick.now_ms);
                painted.say_worded(stack.worded());
            }
        });
    });
    frame::request();
    Some(subscription)
}

/// Which place of the axis lies at so many CSS pixels from the lanes' left edge.
pub(super) fn place_at(css: f32) -> Option<f64> {
    STACK.with_borrow(|stack| stack.as_ref().map(|stack| stack.place_at(css)))
}

/// The lanes as they are seen now.
pub(super) fn picture(legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
    STACK.with_borrow(|stack| stack.as_ref()?.picture(legend))
}

/// So many CSS pixels from the lanes' left edge a place of the axis lies, if it is shown.
pub(super) fn css_of(at: f64) -> Option<f32> {
    STACK.with_borrow(|stack| stack.as_ref().and_then(|stack| stack.css_of(at)))
}

/// So many CSS pixels from the lanes' upper edge each lane begins, and the last one ends.
pub(super) fn edges() -> Vec<f32> {
    STACK.with_borrow(|stack| stack.as_ref().map(LaneStack::edges).unwrap_or_default())
}

/// What addresses call a lane, counted from the top.
pub(super) fn id(place: usize) -> Option<String> {
    IDS.with_borrow(|ids| ids.get(place).cloned())
}

/// Shows which stretch is being chosen.
pub(super) fn choose(band: Option<(f64, f64)>) {
    STACK.with_borrow_mut(|stack| stack.iter_mut().for_each(|stack| stack.choose(band)));
    frame::request();
}

/// The gutter's width in CSS pixels: a press there means no place.
pub(super) const fn gutter() -> f32 {
    GUTTER
}

impl Painted {
    fn follow(
        &mut self,
        stack: &mut LaneStack,
        shown: Option<Rc<Shown>>,
        own: bool,
        view: &View,
        lanes: &Rc<Vec<Strip>>,
    ) {
        let same = match (&self.of, &shown) {
            (Some((before, axis, kept)), Some(shown)) => {
                Rc::ptr_eq(before, shown) && *axis == view.axis && Rc::ptr_eq(kept, lanes)
            }
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.built = shown.as_ref().map(|shown| build(shown, view.axis, lanes));
            let specs = self.built.as_mut().map(|built| std::mem::take(&mut built.specs));
            stack.set_lanes(specs.unwrap_or_default());
            if let (Some(shown), Some(built)) = (&shown, &self.built) {
                stack.mark(along(shown, view.axis, built));
                say(built, own);
                say_brakings(shown, view.axis, built);
                IDS.with_borrow_mut(|ids| ids.clone_from(&built.ids));
            }
            self.said = None;
            self.of = shown.clone().map(|shown| (shown, view.axis, Rc::clone(lanes)));
        }
        let Some(shown) = shown else { return };
        let part = view.shown(shown.whole(view.axis));
        let kind = match view.axis {
            Axis::Distance => TickKind::Distance,
            Axis::Time => TickKind::Time,
        };
        stack.show(Across::Fixed { domain: Domain::new(part.from, part.to), kind });
        stack.point(view.cursor);
    }
}

impl Painted {
    /// Says in words what the gutter shows: a drawing tells nothing to whoever does not see it.
    fn say_values(&mut self, stack: &LaneStack, cursor: Option<f64>, now_ms: f64) {
        if self.said.is_some_and(|(at, _)| at == cursor) {
            return;
        }
        if self.said.is_some_and(|(_, ms)| (0.0..SAID_MS).contains(&(now_ms - ms))) {
            // What the cursor has come to rest on is said too.
            return frame::request();
        }
        self.said = Some((cursor, now_ms));
        let readings = self.built.as_ref().map(|built| stack.readings(&built.lines)).unwrap_or_default();
        let line = |reading: &Reading| {
            let rows = reading.rows.iter().map(|words| part("span", "").says(words)).collect();
            part("p", "")
                .set("data-lane", &reading.name)
                .says(&reading.name)
                .with_all(rows)
                .says(reading.unit)
        };
        fill_id("values", readings.iter().map(line).collect());
    }
}

impl Painted {
    /// Says beside how many marks there was room for words.
    fn say_worded(&mut self, worded: usize) {
        let host = document().get_element_by_id("brakings").filter(|_| worded != self.worded);
        if let Some(host) = host {
            let _ = host.set_attribute("data-worded", &worded.to_string());
            self.worded = worded;
        }
    }
}

/// Where notes stand about the laps that are shown, each in the colour of its lap.
fn flags(state: &State) -> Vec<Flag> {
    let Some(shown) = &state.shown else { return Vec::new() };
    let flag = |note: &PlacedNote| {
        let ink = INKS.get(note.place?).copied()?;
        Some(Flag { at: shown.on_axis(state.view.axis, note.at_m?)?, ink })
    };
    state.notes.placed.iter().filter_map(flag).collect()
}

/// Says which lanes are missing, and why.
fn say(built: &Built, own: bool) {
    let words = match built.missing.as_slice() {
        [] => String::new(),
        missing => [not_sent(own), ": ", &missing.join(", "), "."].concat(),
    };
    fill_id("missing", vec![part("span", "").says(&words)]);
}

/// Who sends nothing: of other drivers' cars a game may send less than of one's own.
pub(super) const fn not_sent(own: bool) -> &'static str {
    if own { "Not sent by this game" } else { "Not sent of this driver's car" }
}

/// Corners by name, how the laps braked and where the main one coasted, where nothing was heard or time was cut.
fn along(shown: &Shown, axis: Axis, built: &Built) -> Along {
    let comparison = shown.comparison();
    let on_axis = |place: f64| shown.on_axis(axis, place);
    let names = comparison.corners.iter();
    let names = names.filter_map(|corner| Some((on_axis(corner.apex_m)?, corner_name(shown, corner.number))));
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

/// How the laps braked, the main one last; of each braking of its own it says how far it is from the reference's.
fn brakings(shown: &Shown, axis: Axis) -> Vec<Braking> {
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

/// Tells of the marks of braking to whoever does not see them: where on the axis each brake came on, was pressed most and
/// was let go.
fn say_brakings(shown: &Shown, axis: Axis, built: &Built) {
    let mut told = part("div", "");
    for (place, lap) in shown.laps.iter().enumerate() {
        for braked in &lap.braked {
            let mut at = String::new();
            for point in braked.on(axis) {
                at.push(' ');
                at.push_str(&number::write(point, 3));
            }
            let line = part("p", "").set("data-corner", &braked.corner.to_string());
            let words = [&corner_name(shown, braked.corner), ": brake on, most, off at", &at].concat();
            told = told.with(line.set("data-place", &place.to_string()).set("data-at", &at).says(&words));
        }
    }
    let mut lanes = String::new();
    for (lane, _) in &built.marked {
        lanes.push(' ');
        lanes.push_str(built.ids.get(*lane).map_or("", String::as_str));
    }
    fill_id("brakings", vec![told.set("data-lanes", &lanes)]);
}
