//! The choice of laps that are compared.

use leptos::prelude::*;

use super::{Chosen, Loads, Selection};
use crate::analyse::driver_input::DriverInput;
use crate::analyse::{LapKey, Sources};
use crate::reactive::LocalSignal;

/// Which laps are compared. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct SelectionStore {
    pub(crate) state: LocalSignal<Selection>,
    sources: LocalSignal<Sources>,
    loads: LocalSignal<Loads>,
    input: DriverInput,
}

impl SelectionStore {
    pub(crate) fn new(sources: LocalSignal<Sources>, loads: LocalSignal<Loads>, input: DriverInput) -> Self {
        Self { state: LocalSignal::new_local(Selection::default()), sources, loads, input }
    }

    /// Changes the compared laps as the driver asks.
    pub(crate) fn choose(self, change: impl FnOnce(&mut Chosen)) {
        self.state.update(|selection| {
            change(&mut selection.chosen);
            selection.chosen.by_hand = true;
            // A choice cancels the pending link.
            selection.pending = None;
            selection.full = !selection.chosen.tidy();
        });
        self.loads.update(|loads| loads.forget_failures(|_| true));
        self.input.note_change();
    }

    /// Makes a lap the main one.
    pub(crate) fn show_lap(self, key: LapKey) {
        self.choose(|chosen| chosen.show(key));
    }

    /// Makes a lap the reference.
    pub(crate) fn refer_to(self, key: LapKey) {
        self.choose(|chosen| chosen.refer_to(key));
    }

    /// Overlays a lap, or removes it.
    pub(crate) fn toggle_overlay(self, key: LapKey) {
        self.choose(|chosen| chosen.toggle_overlay(key));
    }

    /// Selects the latest lap and its best reference.
    pub(crate) fn choose_latest(self) {
        let chosen = self.sources.with_untracked(Chosen::latest);
        self.state.update(|selection| selection.chosen = chosen);
    }

    /// Excludes a lap, or includes it again. Returns whether it is excluded now.
    pub(crate) fn toggle_excluded(self, key: LapKey) -> bool {
        let is_excluded = self.sources.try_update(|sources| sources.toggle_excluded(key)) == Some(true);
        if !self.state.with_untracked(|selection| selection.chosen.by_hand) {
            self.choose_latest();
        }
        self.input.note_change();
        is_excluded
    }

    /// The main lap, whether it is loaded or not.
    pub(crate) fn main_lap(self) -> Option<LapKey> {
        self.state.with(|selection| selection.chosen.main)
    }

    /// The name of a lap: its number, and what [`Sources::whose`] adds.
    pub(crate) fn lap_name(self, key: LapKey) -> String {
        let main = self.main_lap();
        self.sources.with(|sources| sources.lap_name(key, main))
    }

    /// Like [`Sources::whose`], against the current main lap.
    pub(crate) fn whose(self, key: LapKey) -> Option<String> {
        let main = self.main_lap();
        self.sources.with(|sources| sources.whose(key, main))
    }

    /// Ends "compare anyway" as soon as the laps on screen are of one track, so that the next laps of different tracks
    /// are refused again.
    pub(crate) fn end_anyway(self, is_same_track: impl Fn() -> bool + 'static) {
        Effect::new(move |_| {
            if is_same_track() && self.state.with(|selection| selection.chosen.anyway) {
                self.state.update(|selection| selection.chosen.anyway = false);
            }
        });
    }
}
