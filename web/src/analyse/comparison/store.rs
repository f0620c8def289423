//! The comparison on screen: it follows from the chosen laps, what is loaded of them, and the names of corners.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::analysis::{Fingerprint, NoComparison, TrackBook};

use super::compared::{Compared, ReadyLaps};
use super::{LoadedLap, Loads, Selection, ShownLaps};
use crate::analyse::{LapKey, Sources};
use crate::reactive::{LocalMemo, LocalSignal, is_same};

/// The comparison on screen. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct ComparisonStore {
    /// The chosen laps, compared. While one of them is loading, those before.
    compared: LocalMemo<Compared>,
    /// The rest of the main lap's stint, once it is read.
    pub(super) stint: LocalSignal<Option<Stint>>,
    /// How many laps of the main lap's stint are read besides those on screen, while they are read.
    pub(crate) stint_read: RwSignal<Option<usize>>,
    sources: LocalSignal<Sources>,
    /// The laps on screen, with the rest of the stint.
    shown: LocalMemo<Option<Rc<ShownLaps>>>,
}

impl ComparisonStore {
    pub(crate) fn new(
        sources: LocalSignal<Sources>,
        selection: LocalSignal<Selection>,
        loads: LocalSignal<Loads>,
        book: LocalMemo<Rc<TrackBook>>,
    ) -> Self {
        let ready = LocalMemo::new(move |before: Option<&ReadyLaps>| {
            let chosen = selection.with(|selection| selection.chosen.clone());
            let ready = loads.with(|loads| sources.with(|sources| ReadyLaps::of(&chosen, loads, sources)));
            ready.or_else(|| before.cloned()).unwrap_or_default()
        });
        let compared = LocalMemo::with_compare(
            move |_| ready.with(|ready| book.with(|book| Compared::of(ready, book))),
            Compared::is_same,
        );
        let stint = LocalSignal::new_local(None::<Stint>);
        let shown = LocalMemo::with_compare(
            move |_| {
                let shown = compared.with(|compared| compared.shown.clone());
                let whole = stint.with(|stint| stint.as_ref()?.of(shown.as_ref()?));
                whole.or(shown)
            },
            is_same,
        );
        Self { compared, stint, stint_read: RwSignal::new(None), sources, shown }
    }

    /// The laps on screen; `None` without any.
    pub(crate) fn shown(self) -> Option<Rc<ShownLaps>> {
        self.shown.get()
    }

    /// The memo of the laps on screen.
    pub(crate) fn memo(self) -> LocalMemo<Option<Rc<ShownLaps>>> {
        self.shown
    }

    /// The laps on screen without the rest of their stint.
    pub(super) fn compared(self) -> Option<Rc<ShownLaps>> {
        self.compared.with(|compared| compared.shown.clone())
    }

    /// Why a chosen lap can't be shown.
    pub(crate) fn trouble(self) -> Option<String> {
        self.compared.with(|compared| compared.trouble.clone())
    }

    /// Why the main lap can't be compared with the reference.
    pub(crate) fn refused(self) -> Option<NoComparison> {
        self.compared.with(|compared| compared.refused)
    }

    /// Other laps of the main lap's stint, once they are read.
    pub(crate) fn stint_laps(self) -> Vec<Rc<LoadedLap>> {
        let compared = self.compared();
        self.stint.with(|stint| match (stint, compared) {
            (Some(stint), Some(compared)) if stint.of(&compared).is_some() => stint.laps.clone(),
            _ => Vec::new(),
        })
    }

    /// A decoded lap of the stint.
    pub(crate) fn stint_lap(self, key: LapKey) -> Option<Rc<LoadedLap>> {
        self.stint_laps().into_iter().find(|loaded| loaded.key == key)
    }

    /// Whether the main lap is the driver's own. Also true while that is unknown. Games may send less of other cars.
    pub(crate) fn is_own(self) -> bool {
        let main = self.shown().and_then(|shown| Some(shown.laps.first()?.loaded.key));
        main.is_none_or(|main| self.sources.with(|sources| sources.is_own(main)))
    }

    /// Whether laps of one track are on screen.
    pub(crate) fn is_of_one_track(self) -> bool {
        self.compared().is_some_and(|shown| !shown.are_strangers())
    }

    /// The shape of the main lap's track; `None` without positions.
    pub(crate) fn track_shape(self) -> Option<Fingerprint> {
        self.shown()?.comparison().track.clone()
    }
}

/// The rest of the main lap's stint.
pub(crate) struct Stint {
    /// The laps on screen when it was read.
    pub(super) compared: Rc<ShownLaps>,
    /// The same laps, with the comparisons of the stint.
    pub(super) whole: Rc<ShownLaps>,
    /// The other laps.
    pub(super) laps: Vec<Rc<LoadedLap>>,
}

impl Stint {
    /// These laps with the rest of their stint; `None` if it is that of other laps.
    pub(super) fn of(&self, compared: &Rc<ShownLaps>) -> Option<Rc<ShownLaps>> {
        Rc::ptr_eq(&self.compared, compared).then(|| Rc::clone(&self.whole))
    }
}
