//! Which laps are compared: the main lap, the reference and others.

use trailbrake_shared::laps::LapFlag;

use crate::analyse::{LapKey, MOST, PendingLink, Sources};

/// The selected laps, and the link that is still to be followed.
#[derive(Default)]
pub(crate) struct Selection {
    pub(crate) chosen: Chosen,
    /// Whether the last choice had more laps than fit; the extra ones were dropped.
    pub(crate) full: bool,
    /// The link whose recording is not open yet.
    pub(crate) pending: Option<PendingLink>,
}

/// The laps that are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) main: Option<LapKey>,
    pub(crate) reference: Option<LapKey>,
    pub(crate) others: Vec<LapKey>,
    /// Whether the driver has chosen the laps. Until then the latest lap is compared with the best.
    pub(crate) by_hand: bool,
    /// Whether laps of different tracks are compared, too, by lap fraction.
    pub(crate) anyway: bool,
}

impl Chosen {
    /// The latest timed lap of the driver, and its best reference. Excluded and untimed laps only count if there is no
    /// other. Empty if the listed laps are another driver's live laps that nobody picked.
    pub(crate) fn latest(sources: &Sources) -> Self {
        let Some(source) = sources.listed().filter(|source| source.is_own()) else { return Self::default() };
        let included = || source.listed().filter(|entry| !entry.lap.flags.has(LapFlag::Excluded));
        let latest = included().rfind(|entry| entry.lap.time.is_some());
        let main = latest.or(included().next_back()).or(source.listed().next_back());
        let best = main.and_then(|main| source.catalogue.best_reference(main, None));
        let (main, reference) =
            (main.map(|entry| source.key(entry)), best.map(|(entry, _)| source.key(entry)));
        Self { main, reference, ..Self::default() }
    }

    /// All compared laps: the main lap, the reference, the others.
    pub(crate) fn all(&self) -> impl Iterator<Item = LapKey> + use<'_> {
        self.main.into_iter().chain(self.reference).chain(self.others.iter().copied())
    }

    /// Removes a lap; the main one stays.
    pub(crate) fn remove(&mut self, key: LapKey) {
        self.reference = self.reference.filter(|reference| *reference != key);
        self.others.retain(|other| *other != key);
    }

    /// A lap's index among the compared laps, which gives it its colour: 0 the main lap, 1 the reference.
    pub(crate) fn place(&self, key: LapKey) -> Option<usize> {
        if self.main == Some(key) {
            Some(0)
        } else if self.reference == Some(key) {
            Some(1)
        } else {
            self.others.iter().position(|other| *other == key).map(|place| place + 2)
        }
    }

    /// Makes a lap the main one. If it was the reference, the two are swapped.
    pub(super) fn show(&mut self, key: LapKey) {
        if self.reference == Some(key) {
            self.reference = self.main;
        }
        self.main = Some(key);
    }

    /// Makes a lap the reference. If it was the main lap, the two are swapped.
    pub(super) fn refer_to(&mut self, key: LapKey) {
        if self.main == Some(key) {
            self.main = self.reference.or(self.main);
        }
        self.reference = Some(key).filter(|_| self.main != Some(key));
    }

    /// Overlays a lap, or removes it.
    pub(super) fn toggle_overlay(&mut self, key: LapKey) {
        match self.place(key) {
            None => self.others.push(key),
            Some(_) => self.remove(key),
        }
    }

    /// Restores the invariants: no lap twice, a reference if there are other laps, and at most [`MOST`] laps. Returns
    /// whether all laps fit.
    pub(super) fn tidy(&mut self) -> bool {
        let (main, reference) = (self.main, self.reference);
        self.others.retain(|other| Some(*other) != main && Some(*other) != reference);
        if reference.is_none() && !self.others.is_empty() {
            // Overlaid laps need a reference: the first of them.
            self.reference = Some(self.others.remove(0));
        }
        let has_room = self.others.len() <= MOST - 2;
        self.others.truncate(MOST - 2);
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::sources::tests::key;

    #[test]
    fn main_lap_and_reference_change_places() {
        let pair = |main, reference| Chosen {
            main: Some(key(1, main)),
            reference: Some(key(1, reference)),
            ..Chosen::default()
        };
        let mut chosen = pair(3, 2);
        chosen.show(key(1, 1));
        assert_eq!(chosen, pair(1, 2));
        chosen.show(key(1, 2));
        assert_eq!(chosen, pair(2, 1));
        chosen.refer_to(key(1, 2));
        assert_eq!(chosen, pair(1, 2));
        chosen.refer_to(key(1, 5));
        assert_eq!(chosen, pair(1, 5));
    }

    #[test]
    fn a_lap_alone_is_not_its_own_reference() {
        let alone = Chosen { main: Some(key(1, 3)), ..Chosen::default() };
        let mut chosen = alone.clone();
        chosen.refer_to(key(1, 3));
        assert_eq!(chosen, alone);
    }

    #[test]
    fn an_overlaid_lap_is_removed_by_the_same_press() {
        let mut chosen = Chosen { main: Some(key(1, 3)), reference: Some(key(1, 2)), ..Chosen::default() };
        let before = chosen.clone();
        chosen.toggle_overlay(key(1, 1));
        assert_eq!(chosen.others, [key(1, 1)]);
        chosen.toggle_overlay(key(1, 1));
        assert_eq!(chosen, before);
        chosen.toggle_overlay(key(1, 2));
        assert_eq!(chosen.reference, None);
    }

    #[test]
    fn there_is_room_for_six_laps_each_once() {
        let others: Vec<LapKey> = (1..=6).map(|serial| key(1, serial)).collect();
        let mut chosen = Chosen { main: Some(key(1, 1)), others, ..Chosen::default() };
        assert!(chosen.tidy());
        assert_eq!(chosen.all().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6].map(|serial| key(1, serial)));
        chosen.others.push(key(1, 7));
        assert!(!chosen.tidy());
        assert_eq!(chosen.all().count(), MOST);
    }
}
