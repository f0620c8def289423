//! A driver who brakes too early in one corner, and a coaching task against it that they follow in some laps.

use super::super::circuit::Circuit;
use super::super::random::Random;

/// Keeps the choice of laps apart from other random numbers.
const CHOICE: u64 = 0x7A5C;

/// A planted habit of braking too early in one corner, and a task to brake later there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantedTask {
    /// The car, from 0.
    pub car: usize,
    /// The corner's number.
    pub corner: u8,
    /// How many metres too early the driver brakes by habit.
    pub habit_m: f64,
    /// The first lap with the task, from 1.
    pub from_lap: u32,
    /// The part of the laps from then on in which the driver follows it.
    pub share: f64,
    /// How many metres later the driver brakes in those laps.
    pub brakes_later_m: f64,
}

impl PlantedTask {
    /// Whether a car follows the task in a lap.
    pub(super) fn is_followed(&self, car: usize, lap: u32, seed: u64) -> bool {
        let place = [car as u64, u64::from(lap), u64::from(self.corner), CHOICE];
        self.car == car && lap >= self.from_lap && Random::of(seed, place).unit() < self.share
    }

    /// How many metres too early the driver brakes in the lap at a distance and in the next one, and between which
    /// distances, in metres since the first crossing of the line.
    pub(super) fn early_braking(
        &self,
        own: usize,
        circuit: &Circuit,
        seed: u64,
        travelled_m: f64,
    ) -> [Option<(f64, [f64; 2])>; 2] {
        let lap = (travelled_m / circuit.length_m).floor().max(0.0) as u32 + 1;
        [lap, lap + 1].map(|lap| {
            let corner = circuit.corners.iter().find(|corner| corner.number == self.corner);
            let corner = corner.filter(|_| self.car == own)?;
            let later_m = if self.is_followed(own, lap, seed) { self.brakes_later_m } else { 0.0 };
            let begun_m = f64::from(lap - 1) * circuit.length_m;
            let before =
                circuit.corners.iter().map(|other| other.exit_m).filter(|exit| *exit <= corner.entry_m);
            let stretch = [begun_m + before.fold(0.0, f64::max), begun_m + corner.exit_m];
            Some(((self.habit_m - later_m).max(0.0), stretch))
        })
    }
}
