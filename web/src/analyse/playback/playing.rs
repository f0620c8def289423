//! Playing and pausing.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;

use super::{ADDRESS_EVERY_MS, Playing};
use crate::analyse::driver_input::DriverInput;
use crate::analyse::{Axis, Gesture, ShownLaps, ViewStore};
use crate::reactive::LocalMemo;
use crate::replay::SPEEDS;

/// Playback of the laps on screen. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct PlaybackStore {
    pub(crate) state: RwSignal<Playing>,
    view: ViewStore,
    /// The laps on screen.
    shown: LocalMemo<Option<Rc<ShownLaps>>>,
    input: DriverInput,
}

impl PlaybackStore {
    pub(crate) fn new(view: ViewStore, shown: LocalMemo<Option<Rc<ShownLaps>>>, input: DriverInput) -> Self {
        Self { state: RwSignal::new(Playing::default()), view, shown, input }
    }

    /// Plays or pauses. Without a cursor, or at the end of the lap, playback starts from the line.
    pub(crate) fn play(self) {
        let plays = self.state.get_untracked().plays();
        let whole = untrack(|| self.view.whole());
        if !plays && self.view.state.with_untracked(|view| view.cursor.is_none_or(|cursor| cursor >= whole)) {
            self.view.state.update(|view| view.cursor = Some(0.0));
        }
        let moved_ms = (!plays && untrack(|| self.shown.get()).is_some()).then(crate::browser::now_ms);
        self.state.update(|playing| playing.moved_ms = moved_ms);
        self.input.note_change();
    }

    /// Changes the speed by a number of steps.
    pub(crate) fn change_speed(self, by: isize) {
        self.state.update(|playing| {
            let speed = playing.speed.saturating_add_signed(by);
            playing.speed = speed.min(SPEEDS.len().saturating_sub(1));
        });
    }

    /// Moves the cursor as far as the laps have played since the last frame.
    pub(crate) fn play_on(self, now_ms: f64) {
        let mut playing = self.state.get_untracked();
        let Some(shown) = untrack(|| self.shown.get()).filter(|_| playing.plays()) else { return };
        let passed_s = playing.passed_s(now_ms);
        let ended = Cell::new(false);
        self.view.move_by(Some(Gesture::Playing), &|view, whole| {
            let clock = view.cursor.and_then(|cursor| shown.place(view.axis, cursor));
            let clock = clock.and_then(|place| shown.on_axis(Axis::Time, place));
            // Without a cursor, or before the first row of the lap, the clock starts at 0.
            let clock = clock.unwrap_or_default() + passed_s;
            let at = match view.axis {
                Axis::Time => Some(clock),
                Axis::Distance => shown.place(Axis::Time, clock),
            };
            ended.set(clock >= shown.whole(Axis::Time));
            view.point(if ended.get() { whole } else { at.unwrap_or_default() }, whole);
        });
        if ended.get() {
            playing.moved_ms = None;
        }
        let is_address_due = now_ms - playing.address_ms > ADDRESS_EVERY_MS;
        if is_address_due {
            playing.address_ms = now_ms;
        }
        match ended.get() || is_address_due {
            true => self.state.set(playing),
            // Not each frame notifies views and the address.
            false => self.state.update_untracked(|clock| *clock = playing),
        }
    }
}
