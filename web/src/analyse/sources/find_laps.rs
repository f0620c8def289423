//! Finding the laps that can be compared: those of the recording in playback, otherwise the live ones.

use std::rc::Rc;

use leptos::prelude::*;

use super::{LapSource, SourceId, Sources};
use crate::analyse::address::{AddressStore, Retried};
use crate::analyse::{Chosen, Loads, MapStore, Measure, MeasureStore, Selection, SelectionStore, ViewStore};
use crate::cockpit::{Playback, TelemetryStore};
use crate::reactive::LocalSignal;
use crate::replay::Opened;
use crate::telemetry::Telemetry;

/// Finds laps, and chooses those that are compared until the driver does. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct LapFinder {
    pub(crate) sources: LocalSignal<Sources>,
    pub(crate) selection: SelectionStore,
    pub(crate) loads: LocalSignal<Loads>,
    pub(crate) view: ViewStore,
    pub(crate) measure: MeasureStore,
    pub(crate) map: MapStore,
    pub(crate) address: AddressStore,
    pub(crate) telemetry: TelemetryStore,
    pub(crate) playback: Playback,
}

impl LapFinder {
    /// Looks for laps whenever the live session or the played recording may have new ones.
    pub(crate) fn follow(self) {
        let laps =
            self.telemetry.sampled(|telemetry| telemetry.session().map(|session| session.laps_changed()));
        let played = self.playback.sampled(|replay| (replay.id(), replay.lap_count()));
        Effect::new(move |_| {
            // A memo that was never read reports no change.
            let _ = (laps.get(), played.get());
            untrack(|| self.find());
        });
    }

    /// Checks for newly finished laps, opened recordings and restarted sessions.
    pub(crate) fn find(self) {
        let playing = self.playback.with(|replay| SourceId::Recording(replay.id()));
        let before = self.sources.with_untracked(|sources| sources.played);
        // Another copy of the same recording may have other notes.
        let is_other_copy = playing.is_some_and(|name| {
            let opened = self.sources.with_untracked(|sources| sources.get(name)?.opened.clone());
            opened.and_then(|opened| self.playback.with(|replay| replay.is_other_file(&opened.source)))
                == Some(true)
        });
        let is_opened = playing.is_some() && (playing != before || is_other_copy);
        if playing != before {
            let by_hand = self.selection.state.with_untracked(|selection| selection.chosen.by_hand);
            self.sources.update(|sources| {
                sources.played = playing;
                if playing.is_none() && sources.listed == before && !by_hand {
                    // The live session replaces a recording that was closed.
                    sources.listed = None;
                }
            });
        }
        let generation = self.telemetry.look(Telemetry::generation);
        if self.sources.with_untracked(|sources| sources.generation != generation) {
            self.sources.update(|sources| sources.generation = generation);
            self.forget_live();
        }
        let is_known = |name: SourceId, laps: usize| {
            self.sources.with_untracked(|sources| {
                let source = sources.get(name);
                sources.listed.is_some() && source.is_some_and(|source| source.catalogue.laps().len() == laps)
            })
        };
        let recorded = self.playback.with(|replay| {
            let laps = &replay.player.recording().laps().laps;
            let finished = laps.iter().filter(|row| row.lap.ended_s.is_some()).count();
            let is_unchanged = !is_opened && is_known(SourceId::Recording(replay.id()), finished);
            (!is_unchanged).then(|| LapSource::of_recording(replay.opened().into()))
        });
        let found = match recorded {
            Some(recorded) => recorded,
            None => self.telemetry.look(|telemetry| {
                let source = telemetry.shown()?;
                let finished = source.session.seats().map(|seat| seat.state.laps.finished().len()).sum();
                let is_unchanged = is_known(SourceId::Live, finished);
                (!is_unchanged).then(|| LapSource::of_session(&source.session, source.origin.feed)).flatten()
            }),
        };
        if let Some(source) = found {
            self.add(source, is_opened);
        }
    }

    /// Adds a recording that was opened, and lists its laps.
    pub(crate) fn add_opened(self, opened: Opened) {
        self.add(LapSource::of_recording(Rc::new(opened)), true);
    }

    /// Adds a source. Its laps are listed if it was just opened or no source is listed, so that new live laps do not
    /// replace the list of a recording.
    fn add(self, source: LapSource, opened: bool) {
        let name = source.name;
        let (before, is_shorter) = self.sources.with_untracked(|sources| {
            let laps = |source: &LapSource| source.catalogue.laps().len();
            (sources.listed, sources.get(name).is_some_and(|known| laps(known) > laps(&source)))
        });
        if name == SourceId::Live && is_shorter {
            self.forget_live();
        }
        let file = source.opened.as_ref().filter(|_| opened).map(|opened| opened.source.name());
        self.sources.update(|sources| {
            if opened || before.is_none() {
                sources.listed = Some(name);
            }
            sources.put(source);
        });
        if name != SourceId::Live {
            // Laps that failed to load may be available now.
            self.loads.update(|loads| loads.forget_failures(|key| key.of == name));
        }
        let is_listed = self.sources.with_untracked(|sources| sources.listed == Some(name));
        match self.address.retry_link(file.is_some()) {
            Retried::Shown => return,
            Retried::WithoutItsLap => return self.complain_of_lap(),
            Retried::OtherRecording => {
                let file = file.unwrap_or_default();
                let words = format!("{file} is another recording than the one that the link names.");
                self.telemetry.complain(words);
            }
            Retried::NoLink | Retried::Waiting => {}
        }
        if is_listed {
            self.choose_automatically(before.is_some_and(|before| before != name));
        }
    }

    /// Says that the recording doesn't have the lap of a link.
    pub(crate) fn complain_of_lap(self) {
        let words = "This recording doesn't have the lap of the link: showing the latest and the best.";
        self.telemetry.complain(words.to_owned());
    }

    /// Chooses the latest lap and its best reference, unless laps were chosen by hand or a link is pending. For another
    /// source than before, the lanes and the map show the complete lap again.
    fn choose_automatically(self, other_source: bool) {
        let is_settled = |selection: &Selection| selection.chosen.by_hand || selection.pending.is_some();
        if self.selection.state.with_untracked(is_settled) {
            return;
        }
        if other_source {
            self.view.state.update(|view| *view = view.reset());
            self.measure.state.set(Measure::default());
            self.map.state.update(|map| map.look = Default::default());
        }
        self.selection.choose_latest();
    }

    /// Forgets all live laps: from now on their serials belong to other laps.
    fn forget_live(self) {
        self.loads.update(Loads::forget_live);
        self.sources.update(Sources::forget_live);
        self.selection.state.update(|selection| {
            if selection.chosen.all().any(|key| key.of == SourceId::Live) {
                selection.chosen = Chosen::default();
            }
        });
    }
}
