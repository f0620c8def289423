//! The loading state of laps.

use std::rc::Rc;

use trailbrake_shared::recording::RecordingId;

use super::loaded_lap::LoadedLap;
use crate::analyse::{LapKey, SourceId};

/// The number of decoded laps to keep. Chosen laps are never dropped.
const KEPT: usize = 24;

/// The loading state of a lap.
pub(crate) enum LapLoad {
    /// The lap's recording is being opened.
    Requested,
    /// The lap is being read.
    Loading,
    Ready(Rc<LoadedLap>),
    /// The reason why it could not be loaded. It is requested again only once the failure is forgotten.
    Failed(String),
    /// No source has it.
    Missing,
}

/// The laps that were requested, each with its state.
#[derive(Default)]
pub(crate) struct Loads {
    laps: Vec<(LapKey, LapLoad)>,
}

impl Loads {
    pub(super) fn get(&self, key: LapKey) -> Option<&LapLoad> {
        self.laps.iter().find(|(other, _)| *other == key).map(|(_, load)| load)
    }

    pub(super) fn set(&mut self, key: LapKey, load: LapLoad) {
        self.laps.retain(|(other, _)| *other != key);
        self.laps.push((key, load));
    }

    pub(super) fn is_known(&self, key: LapKey) -> bool {
        self.get(key).is_some()
    }

    /// Whether a lap was not requested yet, or it or its recording is still loading.
    pub(super) fn is_pending(&self, key: LapKey) -> bool {
        !self.is_known(key) || self.is_under_way(key)
    }

    /// Whether no source had a lap when it was requested.
    pub(super) fn is_missing(&self, key: LapKey) -> bool {
        matches!(self.get(key), Some(LapLoad::Missing))
    }

    pub(super) fn is_opening(&self, id: RecordingId) -> bool {
        let of = SourceId::Recording(id);
        self.laps.iter().any(|(key, load)| key.of == of && matches!(load, LapLoad::Requested))
    }

    /// Whether a lap, or its recording, is still loading.
    pub(crate) fn is_under_way(&self, key: LapKey) -> bool {
        matches!(self.get(key), Some(LapLoad::Requested | LapLoad::Loading))
    }

    /// A decoded lap; `None` while it is loading, and if it failed.
    pub(crate) fn ready(&self, key: LapKey) -> Option<&Rc<LoadedLap>> {
        match self.get(key)? {
            LapLoad::Ready(loaded) => Some(loaded),
            LapLoad::Requested | LapLoad::Loading | LapLoad::Failed(_) | LapLoad::Missing => None,
        }
    }

    /// Why a lap could not be loaded.
    pub(crate) fn failure(&self, key: LapKey) -> Option<&str> {
        match self.get(key)? {
            LapLoad::Failed(why) => Some(why),
            LapLoad::Requested | LapLoad::Loading | LapLoad::Ready(_) | LapLoad::Missing => None,
        }
    }

    /// Forgets the failures of some laps, so that they are requested again.
    pub(crate) fn forget_failures(&mut self, of: impl Fn(LapKey) -> bool) {
        self.laps.retain(|(key, load)| !(matches!(load, LapLoad::Failed(_)) && of(*key)));
    }

    /// Forgets the live laps. After a restart of the live session their serials belong to other laps.
    pub(crate) fn forget_live(&mut self) {
        self.laps.retain(|(key, _)| key.of != SourceId::Live);
    }

    /// Takes the outcome of opening a recording. If it is open, its requests are dropped so that its laps can be
    /// loaded; otherwise its requested laps fail.
    pub(super) fn answer(&mut self, of: SourceId, failure: Option<&str>) {
        let requested = |(key, load): &(LapKey, LapLoad)| key.of == of && matches!(load, LapLoad::Requested);
        match failure {
            None => self.laps.retain(|lap| !requested(lap)),
            Some(why) => {
                for lap in self.laps.iter_mut().filter(|lap| requested(lap)) {
                    lap.1 = LapLoad::Failed(why.to_owned());
                }
            }
        }
    }

    /// Drops unused decoded laps until few enough are kept.
    pub(super) fn shrink(&mut self, wanted: &[LapKey]) {
        let is_ready = |(_, load): &(LapKey, LapLoad)| matches!(load, LapLoad::Ready(_));
        while self.laps.iter().filter(|lap| is_ready(lap)).count() > KEPT
            && let Some(place) = self.laps.iter().position(|lap| is_ready(lap) && !wanted.contains(&lap.0))
        {
            self.laps.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::comparison::pair::tests::decoded;
    use crate::analyse::sources::tests::{key, loaded};
    use crate::laps::seats::tests::catalogue;

    #[test]
    fn laps_of_a_recording_wait_for_it_and_fail_with_it() {
        let id = RecordingId(7);
        let [one, other] = [1, 2].map(|serial| LapKey { of: SourceId::Recording(id), ..key(1, serial) });
        let mut loads = Loads::default();
        loads.set(one, LapLoad::Requested);
        loads.set(other, LapLoad::Requested);
        assert!(loads.is_opening(id) && loads.is_under_way(one));
        loads.answer(one.of, Some("no relay"));
        assert_eq!([one, other].map(|key| loads.failure(key)), [Some("no relay"); 2]);
        assert!(loads.is_known(one) && !loads.is_under_way(one));
        loads.forget_failures(|key| key == one);
        assert!(!loads.is_known(one) && loads.is_known(other));
    }

    #[test]
    fn old_laps_make_room_for_new_ones_but_never_chosen_ones() {
        let times = vec![90_000; KEPT + 3];
        let sources = loaded(catalogue(&[(0, 1, Some("Ann"), &times)]));
        let keys: Vec<LapKey> = (1..).map(|serial| key(1, serial)).take(times.len()).collect();
        let mut loads = Loads::default();
        for key in &keys {
            loads.set(*key, LapLoad::Ready(decoded(&sources, *key)));
            loads.shrink(&keys[..1]);
        }
        assert_eq!(loads.laps.len(), KEPT);
        assert!(loads.ready(keys[0]).is_some() && loads.ready(keys[1]).is_none());
    }
}
