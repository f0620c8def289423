//! What is driven stands in the recording under way, too: an address calls laps as they are called there, so that it leads
//! to them from everywhere.

use leptos::prelude::GetUntracked;
use leptos::task::spawn_local;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::RecordingId;

use super::{Analyse, Key, Name, State};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::http::{self, Failed};
use crate::library::listing;

/// The relay may hear of the end of a lap later than the page: it is asked so often, …
const TRIES: usize = 4;
/// … with so many milliseconds in between.
const BETWEEN_MS: i32 = 1500;

/// The laps that are driven, as they are called in recordings.
#[derive(Default)]
pub(crate) struct Underway {
    /// The lap here, and there.
    laps: Vec<(Key, Key)>,
    /// The laps about which the relay has been asked.
    asked: Vec<Key>,
}

impl Underway {
    /// Knows what a lap is called in a recording.
    pub(super) fn know(&mut self, live: Key, there: Key) {
        // What stands in a recording before this one is still there.
        match self.laps.iter_mut().find(|(other, _)| *other == live) {
            Some((_, known)) => *known = there,
            None => self.laps.push((live, there)),
        }
    }

    /// The laps of a session that began anew are others.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Whether a lap that was driven is one that the recording under way lists: serials are counted from where each began.
pub(super) fn is_same(live: &LapEntry, recorded: &LapEntry) -> bool {
    let what = |entry: &LapEntry| (entry.id.car, entry.lap.number, entry.lap.run, entry.lap.time);
    what(live) == what(recorded)
}

impl State {
    /// What everybody can call a lap; nothing for one that is driven and stands in no recording.
    pub(super) fn recorded(&self, key: Key) -> Option<Key> {
        match key.of {
            Name::Recording(_) => Some(key),
            Name::Live => self.underway.laps.iter().find(|(live, _)| *live == key).map(|(_, there)| *there),
        }
    }

    /// Knows what the recording under way has of the laps that are driven.
    pub(super) fn know_underway(&mut self, id: RecordingId, file: &str, recorded: &LapCatalogue) {
        self.know_file(id, file);
        let Some(live) = self.origins.iter().find(|origin| origin.name == Name::Live) else { return };
        for entry in live.catalogue.laps() {
            // Of two alike the one that was driven last is meant.
            if let Some(there) = recorded.laps().iter().rfind(|recorded| is_same(entry, recorded)) {
                self.underway.know(live.key(entry), Key { of: Name::Recording(id), id: there.id });
            }
        }
    }
}

impl Analyse {
    /// Finds out what the chosen laps of those that are driven are called in the recording under way, if there is one.
    pub(super) fn name_driven(&self, cockpit: Cockpit) {
        // What the page drives itself is not recorded.
        let records =
            || cockpit.look(|telemetry| telemetry.ports.underway().is_some_and(|ids| !ids.is_empty()));
        if cockpit.demonstrating.get_untracked() || !records() {
            return;
        }
        let mut wanted = Vec::new();
        self.change(&[], |state| {
            let unknown = |key: &Key| state.recorded(*key).is_none() && !state.underway.asked.contains(key);
            wanted.extend(state.chosen.all().filter(unknown));
            state.underway.asked.extend(&wanted);
        });
        let Some(first) = wanted.first().copied() else { return };
        let analyse = *self;
        spawn_local(async move {
            for _ in 0..TRIES {
                let found = analyse.find_underway(first).await.is_ok();
                let is_known = |state: &State| wanted.iter().all(|key| state.recorded(*key).is_some());
                if !found || analyse.read(is_known) {
                    break;
                }
                browser::pause(BETWEEN_MS).await;
            }
            analyse.say_address();
        });
    }

    /// Looks which recording is under way of what is driven now, and what it has.
    pub(super) async fn find_underway(&self, lap: Key) -> Result<(), String> {
        let heard = |failed: Failed| failed.words();
        let listing = listing(http::ask("GET", "/library?underway=1", None).await).map_err(heard)?;
        let game = self.read(|state| state.entry(lap).and_then(|(_, entry)| entry.combo().game));
        let own = |entry: &&Entry| {
            entry.underway && game.as_deref().is_none_or(|game| entry.game_word() == Some(game))
        };
        let nothing = "Nothing is being recorded, so that a note about this lap would be kept nowhere.";
        let entry = listing.recordings.iter().find(own).and_then(|entry| entry.id).ok_or(nothing)?;
        let known =
            http::ask("GET", &["/library/", &entry.to_string()].concat(), None).await.map_err(heard)?;
        self.take_answer(Name::Live, entry, &known)
    }
}
