//! Changing which laps are listed.

use leptos::prelude::*;

use super::{AllTimeBest, LapSource, SourceId};
use crate::analyse::{Analyse, LapKey};
use crate::cockpit::Cockpit;
use crate::seats;

impl Analyse {
    /// Adds a source, or replaces its older version, and takes in its notes and track names.
    pub(crate) fn put_source(self, source: LapSource) {
        self.notes.update(|notes| {
            if let Some(merged) = notes.learn(&source) {
                notes.merged = Some(merged.sentences().join(" "));
            }
        });
        self.names.update(|names| names.learn(&source));
        self.sources.update(|sources| sources.put(source));
    }

    /// Lists the laps of another source.
    pub(crate) fn list_source(self, name: SourceId) {
        self.sources.update(|sources| {
            sources.listed = Some(name);
            sources.all_time_best = AllTimeBest::default();
        });
        self.find_all_time_best();
    }

    /// Lists the laps of another seat of the listed source, by its index among the seats.
    pub(crate) fn list_seat(self, place: usize) {
        self.sources.update(|sources| {
            let Some(source) = sources.listed.and_then(|listed| sources.get_mut(listed)) else { return };
            let seat = seats::at(&source.catalogue, place).map(|entry| entry.id);
            seat.into_iter().for_each(|seat| source.pick(seat));
        });
    }
}

impl Analyse {
    /// Excludes a lap, or includes it again.
    pub(crate) fn toggle_excluded(self, cockpit: Cockpit, key: LapKey) {
        let mut is_excluded = false;
        self.sources.update(|sources| {
            is_excluded = sources.excluded.toggle(key);
            if let Some(source) = sources.get_mut(key.of) {
                source.catalogue.exclude(key.id, is_excluded);
            }
            sources.excluded.keep(key.of);
        });
        if !self.selection.with_untracked(|selection| selection.chosen.by_hand) {
            self.choose_latest();
        }
        if key.of == SourceId::Live {
            // The live pages don't compare with an excluded lap either.
            cockpit.update_session(|session| {
                if session.player() == Some(key.id.car) {
                    session.exclude_lap(key.id.serial, is_excluded);
                }
            });
        }
        self.settle(cockpit);
        self.input.note_change();
    }
}
