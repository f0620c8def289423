//! Loads the chosen laps: opens their recordings, then reads and decodes their packets.

use std::collections::BTreeMap;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::recording::{DecodedLap, RecordingId};

use super::choosing::SelectionStore;
use super::loaded_lap::LoadedLap;
use super::loads::{LapLoad, Loads};
use crate::analyse::sources::live_lap;
use crate::analyse::{LapKey, LapSource, SourceId, Sources};
use crate::cockpit::TelemetryStore;
use crate::driver_settings::SettingsStore;
use crate::reactive::LocalSignal;
use crate::replay::{Opened, read_lap};

/// Loads laps. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct LapLoader {
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    /// The decoded laps, and those that are loading.
    loads: LocalSignal<Loads>,
    settings: SettingsStore,
    telemetry: TelemetryStore,
}

impl LapLoader {
    pub(crate) fn new(
        sources: LocalSignal<Sources>,
        selection: SelectionStore,
        loads: LocalSignal<Loads>,
        settings: SettingsStore,
        telemetry: TelemetryStore,
    ) -> Self {
        Self { sources, selection, loads, settings, telemetry }
    }

    /// Loads the chosen laps whenever one of them is not loaded.
    pub(crate) fn follow(self) {
        let chosen = Memo::new(move |_| {
            self.selection.state.with(|selection| selection.chosen.all().collect::<Vec<_>>())
        });
        Effect::new(move |_| {
            self.sources.track();
            self.loads.track();
            let chosen = chosen.get();
            untrack(|| self.request(&chosen));
        });
        self.follow_steering_ranges();
    }

    fn request(self, chosen: &[LapKey]) {
        for key in chosen {
            let is_there = self.sources.with_untracked(|sources| sources.entry(*key).is_some());
            let (is_known, is_missing) =
                self.loads.with_untracked(|loads| (loads.is_known(*key), loads.is_missing(*key)));
            if is_there && (!is_known || is_missing) {
                self.load(*key);
            } else if !is_known {
                self.open(*key);
            }
        }
    }

    /// Opens the recording of a lap at the relay, unless it is open.
    fn open(self, key: LapKey) {
        let closed = match key.of {
            SourceId::Recording(id) => Some(id),
            SourceId::Live => None,
        };
        let is_open = self.sources.with_untracked(|sources| sources.get(key.of).is_some());
        let Some(id) = closed.filter(|_| !is_open) else {
            return self.loads.update(|loads| loads.set(key, LapLoad::Missing));
        };
        let is_opening = self.loads.with_untracked(|loads| loads.is_opening(id));
        self.loads.update(|loads| loads.set(key, LapLoad::Requested));
        if is_opening {
            return;
        }
        spawn_local(async move {
            let opened = Opened::at_relay(id).await;
            let failure = opened.as_ref().err().map(|why| self.missing_recording(id, why));
            if let Ok(opened) = opened {
                let source = LapSource::of_recording(Rc::new(opened));
                self.sources.update(|sources| sources.put(source));
            }
            self.loads.update(|loads| loads.answer(key.of, failure.as_deref()));
        });
    }

    /// The error for a recording that the relay did not open: the reason, and the file to drop on the page.
    fn missing_recording(self, id: RecordingId, why: &str) -> String {
        let file = self.sources.with_untracked(|sources| sources.file(id)).unwrap_or_else(|| id.to_string());
        format!("{why} If you have the file {file}, drop it here.")
    }

    /// Decodes a lap. A live lap is in memory; a recorded one is read in the background.
    fn load(self, key: LapKey) {
        let Some((opened, entry)) = self.find(key) else { return };
        let Some(opened) = opened else {
            let decoded = live_lap(self.telemetry, &entry).map(|decoded| self.loaded(key, &entry, decoded));
            return self.take(key, decoded.ok_or_else(|| {
                format!(
                    "Lap {} is not kept: of your own laps the oldest are dropped, of other drivers' all but the last \
                     and the best.",
                    entry.lap.number
                )
            }));
        };
        self.loads.update(|loads| loads.set(key, LapLoad::Loading));
        spawn_local(async move {
            let read = read_lap(&opened, entry.id).await;
            let loaded = read.map(|decoded| self.loaded(key, &entry, decoded));
            self.take(key, loaded.map_err(|trouble| trouble.words()));
        });
    }

    fn take(self, key: LapKey, loaded: Result<LoadedLap, String>) {
        let chosen: Vec<LapKey> =
            self.selection.state.with_untracked(|selection| selection.chosen.all().collect());
        self.loads.update(|loads| {
            loads.set(key, loaded.map_or_else(LapLoad::Failed, |loaded| LapLoad::Ready(Rc::new(loaded))));
            loads.shrink(&chosen);
        });
    }

    /// A decoded lap: a loaded one, otherwise read now without keeping it. `None` if it can't be read.
    pub(crate) async fn fetch(self, key: LapKey) -> Option<Rc<LoadedLap>> {
        let decoded = self.loads.with_untracked(|loads| loads.ready(key).cloned());
        if decoded.is_some() {
            return decoded;
        }
        let (opened, entry) = self.find(key)?;
        let decoded = match opened {
            Some(opened) => read_lap(&opened, entry.id).await.ok()?,
            None => live_lap(self.telemetry, &entry)?,
        };
        Some(Rc::new(self.loaded(key, &entry, decoded)))
    }

    /// The recording of a lap, if it is of one, and its catalogue entry.
    fn find(self, key: LapKey) -> Option<(Option<Rc<Opened>>, LapEntry)> {
        self.sources.with_untracked(|sources| {
            sources.entry(key).map(|(source, entry)| (source.opened.clone(), entry.clone()))
        })
    }

    /// A decoded lap, with the steering wheel's angle if the driver has set its range.
    fn loaded(self, key: LapKey, entry: &LapEntry, decoded: DecodedLap) -> LoadedLap {
        let range_deg = untrack(|| entry.session.feed.and_then(|feed| self.settings.steering_deg(feed)));
        LoadedLap::new(key, entry, decoded.with_steering_range(range_deg))
    }

    /// Decodes the laps again when the driver sets another steering range.
    fn follow_steering_ranges(self) {
        let ranges = Memo::new(move |_| self.settings.driver().with(|driver| driver.steering_deg.clone()));
        Effect::new(move |before: Option<BTreeMap<Feed, f64>>| {
            let now = ranges.get();
            if before.is_some_and(|before| before != now) {
                self.loads.set(Loads::default());
            }
            now
        });
    }
}
