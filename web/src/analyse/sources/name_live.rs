//! Finding live laps in the recording under way, which has its own ids for them.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Sources;
use crate::analyse::{BookStore, LapKey, SelectionStore};
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::reactive::LocalSignal;
use crate::telemetry::Connection;

/// How often the relay is asked for a lap, as it may learn of the lap's end later than the page.
const TRIES: usize = 4;
/// The pause between two requests, milliseconds.
const BETWEEN_MS: i32 = 1500;

/// Finds the chosen live laps in the recording under way, whenever there is one, so that links can name them.
pub(crate) fn name_live_laps(
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    books: BookStore,
    telemetry: TelemetryStore,
) {
    // The page's own demo is not recorded.
    let records =
        telemetry.sampled(|telemetry| telemetry.ports.underway().is_some_and(|ids| !ids.is_empty()));
    let wanted = Memo::new(move |_| {
        if !telemetry.shows(Connection::Relay) || !records.get() {
            return Vec::new();
        }
        let chosen: Vec<LapKey> = selection.state.with(|selection| selection.chosen.all().collect());
        sources.with(|sources| {
            let is_unknown = |key: &LapKey| {
                sources.entry(*key).is_some()
                    && sources.recorded(*key).is_none()
                    && !sources.underway.asked.contains(key)
            };
            chosen.into_iter().filter(is_unknown).collect()
        })
    });
    Effect::new(move |_| {
        let wanted = wanted.get();
        let Some(first) = wanted.first().copied() else { return };
        sources.update(|sources| sources.underway.asked.extend(&wanted));
        spawn_local(async move {
            for _ in 0..TRIES {
                let found = books.find_underway(first).await.is_ok();
                let is_known = |sources: &Sources| wanted.iter().all(|key| sources.recorded(*key).is_some());
                if !found || sources.with_untracked(is_known) {
                    break;
                }
                browser::pause(BETWEEN_MS).await;
            }
        });
    });
}
