//! Changing how the track map is shown.

use leptos::prelude::*;

use super::MapView;
use crate::analyse::Analyse;

impl Analyse {
    /// Changes how the track map is shown.
    pub(crate) fn change_map(self, change: impl FnOnce(&mut MapView)) {
        self.map.update(change);
        self.input.note_change();
    }

    /// Colours the track by the next quantity that the game sends; after the last comes the first.
    pub(crate) fn colour_by_next(self) {
        let Some(shown) = self.shown() else { return };
        let here = self.map.get_untracked().by(&shown);
        let mut colourings = shown.colourings();
        colourings.retain(|(by, why)| why.is_none() || *by == here);
        let place = colourings.iter().position(|(by, _)| *by == here);
        let next = place.and_then(|place| colourings.into_iter().cycle().nth(place + 1));
        if let Some((by, _)) = next {
            self.change_map(|map| map.by = Some(by));
        }
    }
}
