//! The cursor going along at the pace of the main lap.

use std::cell::Cell;

use super::{Analyse, Aspect, Axis, Gesture};
use crate::replay::SPEEDS;

/// Whether the laps play, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Playing {
    /// Since when it goes along, in milliseconds of the page.
    since: Option<f64>,
    speed: usize,
    /// When the address said last where the cursor is.
    said_ms: f64,
}

/// While it plays the address follows so often.
const SAID_EVERY_MS: f64 = 1_000.0;

/// Real speed is the third of all.
const REAL: usize = 2;

impl Default for Playing {
    fn default() -> Self {
        Self { since: None, speed: REAL, said_ms: 0.0 }
    }
}

impl Playing {
    /// Whether the cursor goes along.
    pub(crate) fn plays(self) -> bool {
        self.since.is_some()
    }

    /// How many times faster than real.
    pub(crate) fn speed(self) -> f64 {
        SPEEDS.get(self.speed).copied().unwrap_or(1.0)
    }

    /// Seconds of the lap that have gone by until now.
    fn passed_s(&mut self, now_ms: f64) -> f64 {
        let since = self.since.replace(now_ms).unwrap_or(now_ms);
        (now_ms - since).max(0.0) / 1e3 * self.speed()
    }
}

impl Analyse {
    /// Plays or pauses; at the end it begins anew.
    pub(crate) fn play(&self) {
        let now_ms = crate::browser::now_ms();
        self.change(&[Aspect::Playing], |state| {
            let at_end = state.view.cursor.is_none_or(|cursor| cursor >= state.whole());
            let plays = state.playing.plays();
            if at_end && !plays {
                state.view.cursor = Some(0.0);
            }
            state.playing.since = (!plays && state.shown.is_some()).then_some(now_ms);
        });
        self.say_address();
    }

    /// Plays faster or slower.
    pub(crate) fn change_speed(&self, by: isize) {
        self.change(&[Aspect::Playing], |state| {
            let speed = state.playing.speed.saturating_add_signed(by);
            state.playing.speed = speed.min(SPEEDS.len().saturating_sub(1));
        });
    }

    /// Moves the cursor along as far as time has gone on.
    pub(crate) fn drive(&self, now_ms: f64) {
        if !self.read(|state| state.playing.plays()) {
            return;
        }
        let mut passed_s = 0.0;
        self.change(&[], |state| passed_s = state.playing.passed_s(now_ms));
        let Some(shown) = self.read(|state| state.shown.clone()) else { return };
        let ended = Cell::new(false);
        self.move_view(Some(Gesture::Playing), &|view, whole| {
            let clock = view.cursor.and_then(|cursor| shown.place(view.axis, cursor));
            let clock = clock.and_then(|place| shown.on_axis(Axis::Time, place));
            // Before the first row nothing was heard of the lap.
            let clock = clock.unwrap_or_default() + passed_s;
            let at = match view.axis {
                Axis::Time => Some(clock),
                Axis::Distance => shown.place(Axis::Time, clock),
            };
            ended.set(clock >= shown.whole(Axis::Time));
            view.point(if ended.get() { whole } else { at.unwrap_or_default() }, whole);
        });
        if ended.get() {
            self.change(&[Aspect::Playing], |state| state.playing.since = None);
        }
        let said = self.read(|state| state.playing.said_ms);
        if ended.get() || now_ms - said > SAID_EVERY_MS {
            self.change(&[], |state| state.playing.said_ms = now_ms);
            self.say_address();
        }
    }
}
