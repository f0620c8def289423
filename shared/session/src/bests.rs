//! The fastest laps and sectors of a session.

use trailbrake_analysis::laps::Lap;
use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, MOST_SECTORS};

use super::ReportedLap;

/// The fastest lap and sectors of all cars, from counted laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bests {
    /// The fastest lap, and its car.
    pub lap: Option<(LapTime, Car)>,
    /// The fastest sectors, and their cars.
    pub sectors: [Option<(LapTime, Car)>; MOST_SECTORS],
}

impl Bests {
    /// The bests of these laps.
    pub fn of(laps: &mut dyn Iterator<Item = (Car, &Lap)>) -> Self {
        let mut bests = Self::default();
        laps.for_each(|(car, lap)| bests.take(car, lap));
        bests
    }

    /// The bests of these and of laps that the game reports.
    #[must_use]
    pub fn with(mut self, reported: &[ReportedLap]) -> Self {
        reported.iter().for_each(|reported| self.take(reported.car, &reported.lap()));
        self
    }

    fn take(&mut self, car: Car, lap: &Lap) {
        let Some(time) = lap.counts() else { return };
        better(&mut self.lap, time, car);
        for (best, time) in self.sectors.iter_mut().zip(lap.sectors) {
            if let Some(time) = time {
                better(best, time, car);
            }
        }
    }
}

fn better(best: &mut Option<(LapTime, Car)>, time: LapTime, car: Car) {
    if best.is_none_or(|(known, _)| time < known) {
        *best = Some((time, car));
    }
}
