//! Finding the all-time best for the listed source.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::TrackShape;

use super::{AllTimeBest, SourceId};
use crate::analyse::Analyse;
use crate::bests;
use crate::cockpit::Cockpit;
use crate::seats;

impl Analyse {
    /// Asks the relay for the all-time best of the listed source's game, track and car.
    pub(crate) fn find_all_time_best(self) {
        let listed = self.sources.with_untracked(|sources| {
            let source = sources.listed()?;
            // The first seat is the player's.
            Some((source.name, seats::at(&source.catalogue, 0)?.combo()))
        });
        let Some((of, combo)) = listed else { return };
        // Once its laps are compared, their shape identifies a track without a name.
        let is_compared = untrack(|| self.main_lap()).is_some_and(|main| main.of == of);
        let shape =
            untrack(|| self.track()).filter(|_| is_compared).map(|(shape, _)| TrackShape::Whole(shape));
        self.sources.update(|sources| sources.best_by_shape = Some(of).filter(|_| shape.is_some()));
        spawn_local(async move {
            let recording = match of {
                SourceId::Recording(id) => Some(id),
                SourceId::Live => None,
            };
            let best = bests::ask(recording, &combo, shape.as_ref()).await;
            self.sources.update(|sources| {
                if sources.listed == Some(of) {
                    sources.all_time_best = best.map_or_else(AllTimeBest::None, AllTimeBest::Lap);
                }
            });
        });
    }

    /// Asks again, once, when the shape of an unnamed track becomes known.
    pub(crate) fn find_all_time_best_by_shape(self) {
        let is_missing = self.sources.with_untracked(|sources| {
            let first = sources.listed().and_then(|source| seats::at(&source.catalogue, 0));
            matches!(sources.all_time_best, AllTimeBest::None(_))
                && first.is_none_or(|first| first.session.track.is_none())
                && sources.best_by_shape != sources.listed
        });
        if is_missing && untrack(|| self.track()).is_some() {
            self.find_all_time_best();
        }
    }

    /// Makes the all-time best the reference.
    pub(crate) fn refer_to_all_time_best(self, cockpit: Cockpit) {
        let key = self.sources.with_untracked(|sources| sources.all_time_best.key());
        key.into_iter().for_each(|key| self.refer_to(cockpit, key));
    }
}
