//! The all-time best of the listed source, from the relay's library.

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;
use trailbrake_shared::analysis::{Combo, Fingerprint, TrackShape};

use super::{AllTimeBest, SourceId, Sources};
use crate::analyse::{ComparisonStore, LapKey, Names, SelectionStore};
use crate::laps::library_best;
use crate::laps::seats;
use crate::reactive::{LocalMemo, LocalSignal};

/// What the relay is asked for.
#[derive(Clone, PartialEq)]
struct BestRequest {
    of: SourceId,
    combo: Combo,
    /// The shape of a track without a name, once a lap on it is compared.
    shape: Option<Fingerprint>,
    /// The number of laps of the source, and of changes to the names of tracks: with either the answer may be another.
    laps: usize,
    names: u32,
}

/// The all-time best of the listed source. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct BestStore {
    request: LocalMemo<Option<BestRequest>>,
    /// The last answer, and the source that it is about.
    answer: RwSignal<Option<(SourceId, AllTimeBest)>>,
}

impl BestStore {
    pub(crate) fn new(
        sources: LocalSignal<Sources>,
        selection: SelectionStore,
        comparison: ComparisonStore,
        names: LocalSignal<Names>,
    ) -> Self {
        let request = LocalMemo::new(move |_| {
            let (of, combo, laps, is_named) = sources.with(|sources| {
                let source = sources.listed()?;
                // The first seat is the player's.
                let first = seats::at(&source.catalogue, 0)?;
                let laps = source.catalogue.laps().len();
                Some((source.name, first.combo(), laps, first.session.track.is_some()))
            })?;
            let is_compared = selection.main_lap().is_some_and(|main: LapKey| main.of == of);
            let shape = if is_compared && !is_named { comparison.track_shape() } else { None };
            Some(BestRequest { of, combo, shape, laps, names: names.with(Names::changes) })
        });
        Self { request, answer: RwSignal::new(None) }
    }

    /// Asks the relay whenever there is something else to ask.
    pub(crate) fn follow(self) {
        Effect::new(move |_| {
            let Some(BestRequest { of, combo, shape, .. }) = self.request.get() else { return };
            spawn_local_scoped_with_cancellation(async move {
                let recording = match of {
                    SourceId::Recording(id) => Some(id),
                    SourceId::Live => None,
                };
                let best = library_best::ask(recording, &combo, shape.map(TrackShape::Whole).as_ref()).await;
                self.answer.set(Some((of, best.map_or_else(AllTimeBest::None, AllTimeBest::Lap))));
            });
        });
    }

    /// The all-time best for the listed source.
    pub(crate) fn get(self) -> AllTimeBest {
        let of = self.request.with(|request| request.as_ref().map(|request| request.of));
        let answer = self.answer.get().filter(|(asked, _)| Some(*asked) == of);
        answer.map(|(_, best)| best).unwrap_or_default()
    }
}
