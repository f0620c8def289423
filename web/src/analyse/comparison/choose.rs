//! Choosing the laps that are compared.

use leptos::prelude::*;

use super::Chosen;
use crate::analyse::{Analyse, LapKey};
use crate::cockpit::Cockpit;

impl Analyse {
    /// Changes the compared laps as the driver asks: compares them.
    pub(crate) fn choose(self, cockpit: Cockpit, change: impl FnOnce(&mut Chosen)) {
        self.selection.update(|selection| {
            change(&mut selection.chosen);
            selection.chosen.by_hand = true;
            // A choice cancels the pending link.
            selection.pending = None;
            selection.full = !selection.chosen.tidy();
        });
        self.loads.update_value(|loads| loads.forget_failures(|_| true));
        self.settle(cockpit);
        self.input.note_change();
    }

    /// Makes a lap the main one.
    pub(crate) fn show_lap(self, cockpit: Cockpit, key: LapKey) {
        self.choose(cockpit, |chosen| chosen.show(key));
    }

    /// Makes a lap the reference.
    pub(crate) fn refer_to(self, cockpit: Cockpit, key: LapKey) {
        self.choose(cockpit, |chosen| chosen.refer_to(key));
    }

    /// Overlays a lap, or removes it.
    pub(crate) fn toggle_overlay(self, cockpit: Cockpit, key: LapKey) {
        self.choose(cockpit, |chosen| chosen.toggle_overlay(key));
    }

    /// Selects the latest lap and its best reference, without loading them.
    pub(crate) fn choose_latest(self) {
        let chosen = self.sources.with_untracked(Chosen::latest);
        self.selection.update(|selection| selection.chosen = chosen);
    }
}
