//! Finding the laps that can be compared: those of the recording in playback, otherwise the live ones.

use leptos::prelude::*;

use super::{LapSource, SourceId};
use crate::analyse::{Analyse, Chosen, Loads, Measure, Selection};
use crate::cockpit::Cockpit;
use crate::telemetry::Telemetry;

impl Analyse {
    /// Checks for newly finished laps, opened recordings and restarted sessions.
    pub(crate) fn find_laps(self, cockpit: Cockpit) {
        let playing = cockpit.replay(|replay| SourceId::Recording(replay.id()));
        let before = self.sources.with_untracked(|sources| sources.played);
        // Another copy of the same recording may have other notes.
        let is_other_copy = playing.is_some_and(|name| {
            let opened = self.sources.with_untracked(|sources| sources.get(name)?.opened.clone());
            opened.and_then(|opened| cockpit.replay(|replay| replay.is_other_file(&opened.source)))
                == Some(true)
        });
        let is_opened = playing.is_some() && (playing != before || is_other_copy);
        if playing != before {
            let by_hand = self.selection.with_untracked(|selection| selection.chosen.by_hand);
            self.sources.update(|sources| {
                sources.played = playing;
                if playing.is_none() && sources.listed == before && !by_hand {
                    // The live session replaces a recording that was closed.
                    sources.listed = None;
                }
            });
        }
        let generation = cockpit.look(Telemetry::generation);
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
        let recorded = cockpit.replay(|replay| {
            let laps = &replay.player.recording().laps().laps;
            let finished = laps.iter().filter(|row| row.lap.ended_s.is_some()).count();
            let is_unchanged = !is_opened && is_known(SourceId::Recording(replay.id()), finished);
            (!is_unchanged).then(|| LapSource::of_recording(replay.opened().into()))
        });
        let found = match recorded {
            Some(recorded) => recorded,
            None => cockpit.look(|telemetry| {
                let source = telemetry.shown()?;
                let finished = source.session.seats().map(|seat| seat.state.laps.finished().len()).sum();
                let is_unchanged = is_known(SourceId::Live, finished);
                (!is_unchanged).then(|| LapSource::of_session(&source.session, source.origin.feed)).flatten()
            }),
        };
        if let Some(source) = found {
            self.add_source(cockpit, source, is_opened);
        }
    }

    /// Adds a source. Its laps are listed if it was just opened or no source is listed, so that new live laps do not
    /// replace the list of a recording.
    pub(crate) fn add_source(self, cockpit: Cockpit, source: LapSource, opened: bool) {
        let name = source.name;
        let (before, is_shorter) = self.sources.with_untracked(|sources| {
            let laps = |source: &LapSource| source.catalogue.laps().len();
            (sources.listed, sources.get(name).is_some_and(|known| laps(known) > laps(&source)))
        });
        if name == SourceId::Live && is_shorter {
            self.forget_live();
        }
        self.loads.update_value(|loads| {
            // Laps that failed to load may be available now.
            loads.forget_failures(|key| key.of == name && name != SourceId::Live);
        });
        if opened || before.is_none() {
            self.sources.update(|sources| sources.listed = Some(name));
        }
        let file = source.opened.as_ref().filter(|_| opened).map(|opened| opened.source.name());
        self.put_source(source);
        let is_listed = self.sources.with_untracked(|sources| sources.listed == Some(name));
        if !self.retry_link(cockpit, file) && is_listed {
            self.choose_automatically(before.is_some_and(|before| before != name));
        }
        self.settle(cockpit);
        self.find_all_time_best();
        self.ask_names(cockpit);
    }

    /// Chooses the latest lap and its best reference, unless laps were chosen by hand or a link is pending. For another
    /// source than before, the lanes and the map show the complete lap again.
    fn choose_automatically(self, other_source: bool) {
        let is_settled = |selection: &Selection| selection.chosen.by_hand || selection.pending.is_some();
        if self.selection.with_untracked(is_settled) {
            return;
        }
        if other_source {
            self.view.update(|view| *view = view.reset());
            self.measure.set(Measure::default());
            self.map.update(|map| map.look = Default::default());
        }
        self.choose_latest();
    }

    /// Forgets all live laps: from now on their serials belong to other laps.
    fn forget_live(self) {
        self.loads.update_value(Loads::forget_live);
        self.sources.update(|sources| {
            sources.excluded.forget_live();
            sources.underway.forget();
            sources.all.retain(|source| source.name != SourceId::Live);
        });
        if self
            .selection
            .with_untracked(|selection| selection.chosen.all().any(|key| key.of == SourceId::Live))
        {
            self.selection.update(|selection| selection.chosen = Chosen::default());
        }
    }
}
