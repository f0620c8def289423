//! Laps of which only the game's report is known: driven before the first packet, or missed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trailbrake_analysis::laps::{CarLaps, Lap};
use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, PastLap, PastLaps, SectorTimes};

/// A lap of which nothing was received but the game's report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedLap {
    /// The number of the sender's session, as in a [`LapRow`](crate::LapRow).
    #[serde(default)]
    pub session: u16,
    /// The car.
    pub car: Car,
    /// How often the session had been restarted before.
    #[serde(default)]
    pub run: u16,
    /// The lap's number, counted from 1 as in the game.
    pub number: u16,
    /// The time.
    pub time: LapTime,
    /// The sectors.
    pub sectors: SectorTimes,
    /// Whether it counts.
    pub valid: bool,
}

impl ReportedLap {
    /// The lap, flagged as reported.
    pub fn lap(&self) -> Lap {
        Lap::reported(self.number, self.run, self.time, self.sectors, self.valid)
    }

    /// The laps that a game reports of cars and that are not among their `laps`, of which the current driver's come
    /// last. `earlier` gives a car's last serial and its run that do not count as received.
    pub(super) fn of_cars<'a>(
        reports: &BTreeMap<Car, PastLaps>,
        laps: impl Iterator<Item = (Car, &'a CarLaps)>,
        earlier: impl Fn(Car) -> (u32, u16),
    ) -> Vec<Self> {
        if reports.is_empty() {
            return Vec::new();
        }
        let laps: Vec<(Car, &CarLaps)> = laps.collect();
        let of_car = |(car, report): (&Car, &PastLaps)| {
            let drivers = || laps.iter().filter(|(of, _)| of == car).map(|(_, laps)| *laps);
            Self::of_car(*car, &report.laps, drivers, earlier(*car))
        };
        reports.iter().flat_map(of_car).collect()
    }

    fn of_car<'a, Drivers: DoubleEndedIterator<Item = &'a CarLaps>>(
        car: Car,
        report: &[PastLap],
        drivers: impl Fn() -> Drivers,
        (earlier, earlier_runs): (u32, u16),
    ) -> Vec<Self> {
        let Some(current) = drivers().next_back() else { return Vec::new() };
        let received = drivers().flat_map(|laps| {
            let all = laps.finished().iter().chain(laps.current());
            all.filter(|lap| lap.run == laps.run() && lap.serial > earlier).map(|lap| lap.number)
        });
        let mut received: Vec<u16> = received.collect();
        received.sort_unstable();
        let reported = |(number, lap): (u16, &PastLap)| {
            let is_received = received.binary_search(&number).is_ok();
            Some(Self {
                session: 0,
                car,
                run: current.run().saturating_sub(earlier_runs),
                number,
                time: lap.time.filter(|_| !is_received)?,
                sectors: lap.sectors.into(),
                valid: lap.valid,
            })
        };
        // After a rewind the report may still hold laps that were undone.
        (1..=current.completed()).zip(report).filter_map(reported).collect()
    }
}
