//! The fastest laps and sectors of a session.

use crate::laps::Lap;
use crate::model::{Car, MOST_SECTORS};
use crate::time::LapTime;

/// The fastest of everyone's laps and sectors, of laps that count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bests {
    /// The lap, and whose it is.
    pub lap: Option<(LapTime, Car)>,
    /// The sectors, and whose they are.
    pub sectors: [Option<(LapTime, Car)>; MOST_SECTORS],
}

impl Bests {
    /// The fastest of these laps and of their sectors.
    pub fn of(laps: &mut dyn Iterator<Item = (Car, &Lap)>) -> Self {
        let mut bests = Self::default();
        for (car, lap) in laps {
            let Some(time) = lap.counts() else { continue };
            better(&mut bests.lap, time, car);
            for (best, time) in bests.sectors.iter_mut().zip(lap.sectors) {
                time.into_iter().for_each(|time| better(best, time, car));
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
