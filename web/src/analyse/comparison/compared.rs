//! The chosen laps that are loaded, and what they are compared to.

use std::rc::Rc;

use trailbrake_shared::analysis::{NoComparison, TrackBook};

use super::pair::Pair;
use super::selection::Chosen;
use super::{LoadedLap, Loads, ShownLaps};
use crate::analyse::{LapKey, Sources};
use crate::reactive::is_same;

/// The chosen laps as far as they are loaded, with what the sources know of them.
#[derive(Clone, Default)]
pub(super) struct ReadyLaps {
    main: Option<MainLap>,
    others: Vec<Rc<LoadedLap>>,
    /// Why a chosen lap can't be shown.
    trouble: Option<String>,
}

/// The main lap with its reference, and alone.
#[derive(Clone)]
struct MainLap {
    pair: Rc<Pair>,
    alone: Rc<Pair>,
}

impl ReadyLaps {
    /// The chosen laps that are loaded; `None` while one is loading.
    pub(super) fn of(chosen: &Chosen, loads: &Loads, sources: &Sources) -> Option<Self> {
        if chosen.all().any(|key| loads.is_pending(key)) {
            return None;
        }
        let ready = |key: LapKey| loads.ready(key).cloned();
        let reference = chosen.reference.and_then(ready);
        let main = chosen.main.and_then(ready).map(|main| {
            let pair = |reference: Option<&Rc<LoadedLap>>, anyway| {
                Rc::new(Pair::new(sources, &main, reference, anyway))
            };
            MainLap { pair: pair(reference.as_ref(), chosen.anyway), alone: pair(None, false) }
        });
        Some(Self {
            main,
            others: chosen.others.iter().filter_map(|key| ready(*key)).collect(),
            trouble: chosen.all().find_map(|key| loads.failure(key)).map(str::to_owned),
        })
    }
}

impl PartialEq for ReadyLaps {
    fn eq(&self, other: &Self) -> bool {
        let same_main = match (&self.main, &other.main) {
            (Some(one), Some(other)) => one.pair == other.pair && one.alone == other.alone,
            (None, None) => true,
            _ => false,
        };
        let same_others = self.others.len() == other.others.len()
            && self.others.iter().zip(&other.others).all(|(one, other)| Rc::ptr_eq(one, other));
        same_main && same_others && self.trouble == other.trouble
    }
}

/// The comparison on screen, or why there is none.
#[derive(Clone, Default)]
pub(crate) struct Compared {
    pub(crate) shown: Option<Rc<ShownLaps>>,
    /// Why a chosen lap can't be shown.
    pub(crate) trouble: Option<String>,
    /// Why the main lap can't be compared with the reference.
    pub(crate) refused: Option<NoComparison>,
}

impl Compared {
    /// Compares the laps.
    pub(super) fn of(ready: &ReadyLaps, book: &TrackBook) -> Self {
        let trouble = ready.trouble.clone();
        let Some(MainLap { pair, alone }) = &ready.main else { return Self { trouble, ..Self::default() } };
        let (shown, refused) = match ShownLaps::new(Rc::clone(pair), &ready.others, book) {
            Ok(shown) => (Ok(shown), None),
            // Without a comparison the main lap is shown alone.
            Err(why) => (ShownLaps::new(Rc::clone(alone), &[], book), Some(why)),
        };
        match shown {
            Ok(shown) => Self { shown: Some(Rc::new(shown)), trouble, refused },
            Err(why) => Self { shown: None, trouble: Some(format!("Nothing can be shown: {why}.")), refused },
        }
    }

    /// Whether both have the same laps on screen.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        is_same(&self.shown, &other.shown) && (&self.trouble, self.refused) == (&other.trouble, other.refused)
    }
}
