//! Moves the view to another part of the lap, a corner or an event.

use std::rc::Rc;

use leptos::prelude::*;

use super::driver_input::DriverInput;
use super::{Axis, Gesture, Part, ShownLaps, View};
use crate::reactive::LocalMemo;

/// The margin shown before and after a corner, metres.
const AROUND_M: f64 = 80.0;
/// Corners and events this close to the cursor are skipped, since the cursor is there already. Metres.
const HERE_M: f64 = 1.0;

/// The axis, the visible part of it, and the cursor, over the laps on screen. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct ViewStore {
    pub(crate) state: RwSignal<View>,
    /// The laps on screen.
    shown: LocalMemo<Option<Rc<ShownLaps>>>,
    /// The number of the latest gesture.
    gestures: StoredValue<u32>,
    input: DriverInput,
}

impl ViewStore {
    pub(super) fn new(shown: LocalMemo<Option<Rc<ShownLaps>>>, input: DriverInput) -> Self {
        Self { state: RwSignal::new(View::default()), shown, gestures: StoredValue::new(0), input }
    }

    /// Begins a gesture.
    pub(crate) fn next_gesture(self) -> Gesture {
        self.gestures.update_value(|last| *last = last.wrapping_add(1));
        Gesture::Hands(self.gestures.get_value())
    }

    /// The length of the axis, metres or seconds; 1 while no laps are shown.
    pub(crate) fn whole(self) -> f64 {
        let axis = self.state.with(|view| view.axis);
        self.shown.with(|shown| shown.as_ref().map_or(1.0, |shown| shown.whole(axis)))
    }

    /// The lap distance at the cursor, metres.
    pub(crate) fn cursor_m(self) -> Option<f64> {
        self.place_m(self.state.with(|view| view.cursor)?)
    }

    /// The lap distance at a point of the axis, metres.
    pub(crate) fn place_m(self, at: f64) -> Option<f64> {
        let axis = self.state.with(|view| view.axis);
        self.shown.with(|shown| shown.as_ref()?.place(axis, at))
    }

    /// The point of the axis at a lap distance in metres.
    pub(crate) fn on_axis(self, place_m: f64) -> Option<f64> {
        let axis = self.state.with(|view| view.axis);
        self.shown.with(|shown| shown.as_ref()?.on_axis(axis, place_m))
    }

    /// Changes the view. `change` receives the view and the length of the axis.
    pub(crate) fn change(self, change: &dyn Fn(&mut View, f64)) {
        self.change_by(None, change);
    }

    /// Like `change`; changes of the same gesture are undone together.
    pub(crate) fn change_by(self, gesture: Option<Gesture>, change: &dyn Fn(&mut View, f64)) {
        let before = self.state.with_untracked(|view| (view.axis, view.part(), view.corner));
        self.move_by(gesture, change);
        // Following goes on if only the cursor moved: that happens with every move of the mouse.
        if self.state.with_untracked(|view| (view.axis, view.part(), view.corner)) != before {
            self.input.note_change();
        }
    }

    /// Like `change_by`, but goes on following another page.
    pub(crate) fn move_by(self, gesture: Option<Gesture>, change: &dyn Fn(&mut View, f64)) {
        let whole = untrack(|| self.whole());
        self.state.update(|view| {
            view.belongs_to(gesture);
            change(view, whole);
        });
    }

    /// Switches the axis between distance and time.
    pub(crate) fn toggle_axis(self) {
        let Some(shown) = untrack(|| self.shown.get()) else { return };
        self.change(&|view, _| match view.axis {
            Axis::Distance => view.turn(Axis::Time, |place| shown.on_axis(Axis::Time, place)),
            Axis::Time => view.turn(Axis::Distance, |clock| shown.place(Axis::Time, clock)),
        });
    }

    /// Shows a stretch of the lap on the lanes, with a margin: the lap distances of its start, its end and the cursor,
    /// metres.
    pub(crate) fn show_stretch(self, [from_m, to_m, at_m]: [f64; 3]) {
        if let Some(shown) = untrack(|| self.shown.get()) {
            self.show_metres(&shown, [from_m - AROUND_M, to_m + AROUND_M, at_m], None);
        }
    }

    /// Shows a lap distance, metres, on the lanes, and moves the cursor there.
    pub(crate) fn show_place(self, place_m: f64) {
        self.show_stretch([place_m; 3]);
    }

    /// Shows a corner on the lanes, moves the cursor to its apex, and opens its card.
    pub(crate) fn show_corner(self, number: u16) {
        let Some(shown) = untrack(|| self.shown.get()) else { return };
        let comparison = shown.comparison();
        let Some(corner) = comparison.corners.iter().find(|corner| corner.number == number) else { return };
        let loss = comparison.losses.iter().find(|loss| loss.number == number);
        let from_m = loss.map_or(corner.entry_m, |loss| loss.from_m.min(corner.entry_m)) - AROUND_M;
        self.show_metres(&shown, [from_m, corner.exit_m + AROUND_M, corner.apex_m], Some(number));
    }

    /// Shows the next corner or event after the cursor, or the last one before it.
    pub(crate) fn show_next_corner(self, forward: bool) {
        let Some(shown) = untrack(|| self.shown.get()) else { return };
        let at = untrack(|| self.cursor_m());
        let at = at.unwrap_or(if forward { f64::NEG_INFINITY } else { f64::INFINITY });
        let ahead = |place: &f64| if forward { *place > at + HERE_M } else { *place < at - HERE_M };
        let corners = shown.comparison().corners.iter().map(|corner| (corner.apex_m, Some(corner.number)));
        let events = shown.events().into_iter().map(|(place, _)| (place, None));
        let places = corners.chain(events).filter(|(place, _)| ahead(place));
        let far = |place: f64| if forward { place } else { -place };
        match places.min_by(|(one, _), (other, _)| far(*one).total_cmp(&far(*other))) {
            Some((_, Some(number))) => self.show_corner(number),
            Some((place, None)) => self.show_place(place),
            None => {}
        }
    }

    /// Shows the corner whose apex is nearest to the cursor.
    pub(crate) fn show_corner_here(self) {
        let Some((shown, at)) = untrack(|| self.shown.get().zip(self.cursor_m())) else { return };
        let off = |apex_m: f64| (apex_m - at).abs();
        let corners = shown.comparison().corners.iter();
        let nearest = corners.min_by(|one, other| off(one.apex_m).total_cmp(&off(other.apex_m)));
        nearest.into_iter().for_each(|corner| self.show_corner(corner.number));
    }

    /// Shows a lap distance, metres, with the track around it, and goes on following another page.
    pub(super) fn show_around(self, at_m: f64, around_m: f64) {
        let Some(shown) = untrack(|| self.shown.get()) else { return };
        self.move_by(Some(self.next_gesture()), &|view, whole| {
            let on_axis =
                |place: f64| shown.on_axis(view.axis, place.clamp(0.0, shown.comparison().length_m));
            if let [Some(from), Some(to), Some(at)] = [at_m - around_m, at_m + around_m, at_m].map(on_axis) {
                view.show(Some(Part { from, to }), whole);
                view.point(at, whole);
            }
        });
    }

    /// Shows a part of the lap: the lap distances of its start, its end and the cursor. Opens a corner's card if one is
    /// given.
    fn show_metres(self, shown: &ShownLaps, metres: [f64; 3], corner: Option<u16>) {
        self.change_by(Some(self.next_gesture()), &|view, whole| {
            view.open_corner(corner.or(view.corner));
            let places =
                metres.map(|metres| shown.on_axis(view.axis, metres.clamp(0.0, shown.comparison().length_m)));
            if let [Some(from), Some(to), Some(at)] = places {
                view.show(Some(Part { from, to }), whole);
                view.point(at, whole);
            }
        });
    }
}
