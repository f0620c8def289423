//! The fastest laps and sectors of a session.

use trailbrake_analysis::laps::Lap;
use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, MOST_SECTORS};

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
        for (car, lap) in laps {
            let Some(time) = lap.counts() else { continue };
            better(&mut bests.lap, time, car);
            for (best, time) in bests.sectors.iter_mut().zip(lap.sectors) {
                if let Some(time) = time {
                    better(best, time, car);
                }
            }
        }
        bests
    }
}

fn better(best: &mut Option<(LapTime, Car)>, time: LapTime, car: Car) {
    if best.is_none_or(|(known, _)| time < known) {
        *best = Some((time, car));
    }
}
