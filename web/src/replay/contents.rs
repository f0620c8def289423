//! What the page reads from a recording's index, once.

use trailbrake_shared::analysis::KnownTrack;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{Recording, SessionSummary};
use trailbrake_shared::session::Bests;
use trailbrake_shared::time::Micros;

/// The facts of a recording that playing it needs.
#[derive(Default)]
pub(crate) struct Contents {
    pub(super) catalogue: LapCatalogue,
    /// See [`Replay::driver`](super::Replay::driver).
    pub(super) driver: Option<Car>,
    pub(super) bests: Bests,
    pub(super) track: Option<KnownTrack>,
    pub(super) has_notes: bool,
}

impl Contents {
    /// Reads them.
    pub(super) fn of(recording: &Recording) -> Self {
        let facts = recording.facts();
        // A later version's summary is ignored if it can't be read: the packets still can.
        let summary: Option<SessionSummary> = facts.get().ok().flatten();
        let catalogue = LapCatalogue::of_recording(recording);
        let first = catalogue.laps().first().map(|entry| entry.id.car);
        let driver = summary.and_then(|summary| summary.player).or(first);
        let laps = catalogue.laps().iter().chain(catalogue.reported());
        let bests = Bests::of(&mut laps.map(|entry| (entry.id.car, &entry.lap)));
        let (track, has_notes) = (facts.get().ok().flatten(), !notes(facts).is_empty());
        Self { catalogue, driver, bests, track, has_notes }
    }

    /// The laps of the driver who was in a car at a moment: the driver of the last lap begun by then, else of the first
    /// lap.
    pub(super) fn laps(&self, car: Option<Car>, at: Micros) -> impl Iterator<Item = &LapEntry> {
        let in_car = move || self.catalogue.laps().iter().filter(move |entry| Some(entry.id.car) == car);
        let begun = in_car().rfind(|entry| began(entry).is_some_and(|began| began <= at));
        let here = begun.or_else(|| in_car().next());
        in_car().filter(move |entry| here.is_some_and(|here| here.driver == entry.driver))
    }
}

/// When the first packet of a lap was received.
pub(super) fn began(entry: &LapEntry) -> Option<Micros> {
    entry.received.as_ref().map(|received| *received.start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laps::seats::tests::catalogue;

    #[test]
    fn the_laps_in_a_car_are_those_of_its_driver_at_the_moment() {
        let catalogue = catalogue(&[(0, 3, Some("Cid"), &[80_000, 79_000]), (0, 3, Some("Bea"), &[95_000])]);
        let contents = Contents { catalogue, ..Contents::default() };
        let serials = |seconds: f64| -> Vec<u32> {
            let laps = contents.laps(Some(Car(3)), Micros(0).plus_seconds(seconds));
            laps.map(|entry| entry.id.serial).collect()
        };
        // Each lap's packets begin at a thousand seconds times its serial.
        assert_eq!(serials(0.0), [1, 2]);
        assert_eq!(serials(2_010.0), [1, 2]);
        assert_eq!(serials(3_010.0), [3]);
        assert_eq!(contents.laps(Some(Car(4)), Micros(0)).count(), 0);
    }
}
