//! Loads the chosen laps: opens their recordings, then reads and decodes their packets.

use std::collections::BTreeMap;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::recording::{DecodedLap, RecordingId};

use super::Compared;
use super::loaded_lap::LoadedLap;
use super::loads::{LapLoad, Loads};
use crate::analyse::sources::live_lap;
use crate::analyse::{Analyse, LapKey, LapSource, SourceId};
use crate::cockpit::Cockpit;
use crate::replay::{Opened, read_lap};

impl Analyse {
    /// Loads the chosen laps that are not loaded yet. Once none is loading, compares them and updates what depends on
    /// the comparison.
    pub(crate) fn settle(self, cockpit: Cockpit) {
        self.open_recordings(cockpit);
        let chosen: Vec<LapKey> = self.selection.with_untracked(|selection| selection.chosen.all().collect());
        for key in &chosen {
            if !self.loads.with_value(|loads| loads.is_known(*key)) {
                self.load(cockpit, *key);
            }
        }
        if !self.loads.with_value(|loads| chosen.iter().any(|key| loads.is_under_way(*key))) {
            self.compare();
            self.place_notes();
            self.read_stint(cockpit);
            self.find_all_time_best_by_shape();
            self.name_live_laps(cockpit);
        }
    }

    /// Opens the recordings of chosen laps at the relay, unless they are open.
    fn open_recordings(self, cockpit: Cockpit) {
        let mut closed: Vec<RecordingId> = Vec::new();
        self.loads.update_value(|loads| {
            let is_open = |name| self.sources.with_untracked(|sources| sources.get(name).is_some());
            let chosen: Vec<LapKey> =
                self.selection.with_untracked(|selection| selection.chosen.all().collect());
            for key in chosen {
                let SourceId::Recording(id) = key.of else { continue };
                if is_open(key.of) || loads.is_known(key) {
                    continue;
                }
                if !loads.is_opening(id) {
                    closed.push(id);
                }
                loads.set(key, LapLoad::Requested);
            }
        });
        for id in closed {
            spawn_local(async move {
                let opened = Opened::at_relay(id).await;
                let of = SourceId::Recording(id);
                self.loads.update_value(|loads| {
                    let failure = opened.as_ref().err().map(|why| self.missing_recording(id, why));
                    loads.answer(of, failure.as_deref());
                });
                opened
                    .into_iter()
                    .for_each(|opened| self.put_source(LapSource::of_recording(Rc::new(opened))));
                self.settle(cockpit);
            });
        }
    }

    /// The error for a recording that the relay did not open: the reason, and the file to drop on the page.
    fn missing_recording(self, id: RecordingId, why: &str) -> String {
        let file = self.sources.with_untracked(|sources| sources.file(id)).unwrap_or_else(|| id.to_string());
        format!("{why} If you have the file {file}, drop it here.")
    }

    /// Decodes a lap. A live lap is in memory; a recorded one is read in the background.
    fn load(self, cockpit: Cockpit, key: LapKey) {
        let found = self.sources.with_untracked(|sources| {
            sources.entry(key).map(|(source, entry)| (source.opened.clone(), entry.clone()))
        });
        let Some((opened, entry)) = found else { return };
        let Some(opened) = opened else {
            let decoded = live_lap(cockpit, &entry).map(|decoded| self.loaded(key, &entry, decoded));
            return self.take_load(key, decoded.ok_or_else(|| {
                format!(
                    "Lap {} is not kept: of your own laps the oldest are dropped, of other drivers' all but the last \
                     and the best.",
                    entry.lap.number
                )
            }));
        };
        self.loads.update_value(|loads| loads.set(key, LapLoad::Loading));
        spawn_local(async move {
            let read = read_lap(&opened, entry.id).await;
            let loaded = read.map(|decoded| self.loaded(key, &entry, decoded));
            self.take_load(key, loaded.map_err(|trouble| trouble.words()));
            self.settle(cockpit);
        });
    }

    fn take_load(self, key: LapKey, loaded: Result<LoadedLap, String>) {
        let wanted: Vec<LapKey> = self.selection.with_untracked(|selection| selection.chosen.all().collect());
        self.loads.update_value(|loads| {
            loads.set(key, loaded.map_or_else(LapLoad::Failed, |loaded| LapLoad::Ready(Rc::new(loaded))));
            loads.shrink(&wanted);
        });
    }

    /// A decoded lap: a loaded one, otherwise read now without keeping it. `None` if it can't be read.
    pub(crate) async fn fetch(self, cockpit: Cockpit, key: LapKey) -> Option<Rc<LoadedLap>> {
        let decoded = self.loads.with_value(|loads| loads.ready(key).cloned());
        let decoded =
            decoded.or_else(|| self.comparison.with_untracked(|compared| compared.lap_of_stint(key)));
        if decoded.is_some() {
            return decoded;
        }
        let (opened, entry) = self.sources.with_untracked(|sources| {
            sources.entry(key).map(|(source, entry)| (source.opened.clone(), entry.clone()))
        })?;
        let decoded = match opened {
            Some(opened) => read_lap(&opened, entry.id).await.ok()?,
            None => live_lap(cockpit, &entry)?,
        };
        Some(Rc::new(self.loaded(key, &entry, decoded)))
    }

    /// A decoded lap, with the steering wheel's angle if the driver has set its range.
    fn loaded(self, key: LapKey, entry: &LapEntry, decoded: DecodedLap) -> LoadedLap {
        let range_deg = untrack(|| entry.session.feed.and_then(|feed| self.settings.steering_deg(feed)));
        LoadedLap::new(key, entry, decoded.with_steering_range(range_deg))
    }

    /// Decodes the laps again when the driver sets another steering range.
    pub(in crate::analyse) fn follow_steering_ranges(self, cockpit: Cockpit) {
        let ranges = Memo::new(move |_| self.settings.driver().with(|driver| driver.steering_deg.clone()));
        Effect::new(move |before: Option<BTreeMap<Feed, f64>>| {
            let now = ranges.get();
            if before.is_some_and(|before| before != now) {
                self.loads.set_value(Loads::default());
                self.comparison.set(Compared::default());
                untrack(|| self.settle(cockpit));
            }
            now
        });
    }
}
