//! The lanes: painted with each frame from what is chosen and looked at.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::document;
use trailbrake_shared::plot::{Domain, TickKind};
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::foot::is_cut;
use super::things::corner_name;
use crate::analyse::{Analyse, Axis, Built, INKS, PlacedNote, Shown, State, Strip, View, build};
use crate::dom::{fill_id, part};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Across, Along, Flag, Ink, LaneStack, Mark, Reading, Sheet};

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
}

/// Paints the lanes until what comes back is dropped.
pub(super) fn paint(analyse: &Analyse) -> Option<Subscription> {
    let host = document().get_element_by_id("lanes")?.dyn_into::<HtmlElement>().ok()?;
    let stack = LaneStack::new(Sheet::mount(&host)?, Vec::new(), Some(GUTTER));
    STACK.with_borrow_mut(|shown| *shown = Some(stack));
    let analyse = analyse.clone();
    let mut painted = Painted { of: None, built: None, said: None };
    let subscription = frame::on(Phase::Draw, move |tick| {
        analyse.drive(tick.now_ms);
        let (shown, view, lanes, measured) = analyse.read(|state| {
            (state.shown.clone(), state.view.clone(), Rc::clone(&state.lanes), state.measured())
        });
        STACK.with_borrow_mut(|stack| {
            if let Some(stack) = stack {
                painted.follow(stack, shown, &view, &lanes);
                stack.measure(measured);
                stack.flag(analyse.read(flags));
                if let Some(built) = &painted.built {
                    stack.paint(tick, &built.lines);
                }
                painted.say_values(stack, view.cursor, tick.now_ms);
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
pub(super) fn picture() -> Option<HtmlCanvasElement> {
    STACK.with_borrow(|stack| stack.as_ref()?.picture())
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
                say(built);
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
fn say(built: &Built) {
    let words = match built.missing.as_slice() {
        [] => String::new(),
        missing => format!("Not sent by this game: {}.", missing.join(", ")),
    };
    fill_id("missing", vec![part("span", "").says(&words)]);
}

/// Corners by name, where the laps began to brake and the main one coasted, where nothing was heard or time was cut.
fn along(shown: &Shown, axis: Axis, built: &Built) -> Along {
    let comparison = &shown.comparison;
    let on_axis = |place: f64| shown.on_axis(axis, place);
    let names = comparison.corners.iter();
    let names = names.filter_map(|corner| Some((on_axis(corner.apex_m)?, corner_name(shown, corner.number))));
    let mut marks = Vec::new();
    if let Some(lane) = built.marked {
        let count = if shown.compared { 2 } else { 1 };
        let tables = comparison.tables.iter().zip(INKS).take(count).rev();
        for (table, ink) in tables {
            let brakes = table.rows.iter().filter_map(|row| on_axis(row.brake_on_m?));
            // The main lap's are red as its brake is.
            let ink = if ink == Ink::Main { Ink::Brake } else { ink };
            marks.extend(brakes.map(|at| Mark { lane, at, ink }));
        }
    }
    let coasts = built.marked.map(|lane| (lane, shown.coasts(axis)));
    let cuts = shown.events().into_iter().filter(|(_, what)| is_cut(what)).filter_map(|(at, _)| on_axis(at));
    Along { names: names.collect(), marks, coasts, gaps: shown.gaps(axis), cuts: cuts.collect() }
}
