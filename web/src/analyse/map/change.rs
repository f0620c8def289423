//! Changing how the track map is shown.

use std::rc::Rc;

use leptos::prelude::*;

use super::MapView;
use super::view::colourings;
use crate::analyse::ShownLaps;
use crate::analyse::driver_input::DriverInput;
use crate::reactive::LocalMemo;

/// How the track map is shown. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct MapStore {
    pub(crate) state: RwSignal<MapView>,
    /// The laps on screen.
    shown: LocalMemo<Option<Rc<ShownLaps>>>,
    input: DriverInput,
}

impl MapStore {
    pub(crate) fn new(shown: LocalMemo<Option<Rc<ShownLaps>>>, input: DriverInput) -> Self {
        Self { state: RwSignal::new(MapView::default()), shown, input }
    }

    /// Changes how the track map is shown.
    pub(crate) fn change(self, change: impl FnOnce(&mut MapView)) {
        self.state.update(change);
        self.input.note_change();
    }

    /// Colours the track by the next quantity that the game sends; after the last comes the first.
    pub(crate) fn colour_by_next(self) {
        let Some(shown) = untrack(|| self.shown.get()) else { return };
        let here = self.state.get_untracked().by(&shown);
        let mut colourings = colourings(&shown);
        colourings.retain(|(by, why)| why.is_none() || *by == here);
        let place = colourings.iter().position(|(by, _)| *by == here);
        let next = place.and_then(|place| colourings.into_iter().cycle().nth(place + 1));
        if let Some((by, _)) = next {
            self.change(|map| map.by = Some(by));
        }
    }
}
