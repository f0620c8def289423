//! Finding live laps in the recording under way, which has its own ids for them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::Entry;

use super::{SourceId, Sources};
use crate::analyse::{Analyse, LapKey};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::http::{self, Failed, listing};

/// How often the relay is asked for a lap, as it may learn of the lap's end later than the page.
const TRIES: usize = 4;
/// The pause between two requests, milliseconds.
const BETWEEN_MS: i32 = 1500;

impl Analyse {
    /// Finds the chosen live laps in the recording under way, if there is one, so that links can name them.
    pub(crate) fn name_live_laps(self, cockpit: Cockpit) {
        // The page's own demo is not recorded.
        let records =
            || cockpit.look(|telemetry| telemetry.ports.underway().is_some_and(|ids| !ids.is_empty()));
        if cockpit.demonstrating.get_untracked() || !records() {
            return;
        }
        let chosen: Vec<LapKey> = self.selection.with_untracked(|selection| selection.chosen.all().collect());
        let wanted: Vec<LapKey> = self.sources.with_untracked(|sources| {
            let is_unknown =
                |key: &LapKey| sources.recorded(*key).is_none() && !sources.underway.asked.contains(key);
            chosen.into_iter().filter(is_unknown).collect()
        });
        let Some(first) = wanted.first().copied() else { return };
        self.sources.update(|sources| sources.underway.asked.extend(&wanted));
        spawn_local(async move {
            for _ in 0..TRIES {
                let found = self.find_underway(first).await.is_ok();
                let is_known = |sources: &Sources| wanted.iter().all(|key| sources.recorded(*key).is_some());
                if !found || self.sources.with_untracked(is_known) {
                    break;
                }
                browser::pause(BETWEEN_MS).await;
            }
        });
    }

    /// Finds the recording under way of a live lap, and takes in its notes, tasks and laps.
    pub(crate) async fn find_underway(self, lap: LapKey) -> Result<(), String> {
        let words = |failed: Failed| failed.words();
        let listing = listing(http::ask("GET", "/library?underway=1", None).await).map_err(words)?;
        let game = self
            .sources
            .with_untracked(|sources| sources.entry(lap).and_then(|(_, entry)| entry.combo().game));
        let own = |entry: &&Entry| {
            entry.underway && game.as_deref().is_none_or(|game| entry.game_word() == Some(game))
        };
        let nothing = "Nothing is being recorded: a note about this lap would be kept nowhere.";
        let entry = listing.recordings.iter().find(own).and_then(|entry| entry.id).ok_or(nothing)?;
        let known =
            http::ask("GET", &["/library/", &entry.to_string()].concat(), None).await.map_err(words)?;
        self.take_answer(SourceId::Live, entry, &known)
    }
}
