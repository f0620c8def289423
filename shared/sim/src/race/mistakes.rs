//! Deliberate errors: planted mistakes, spins, and cars with understeer or oversteer.

use super::super::circuit::{Circuit, Corner};
use super::super::driver::{PEDAL_ON, Plan};
use super::options::{Balance, Mistake, MistakeKind};
use super::racer::{Conditions, Racer, corner_at};

/// Below this lateral acceleration front and rear slip alike, in m/s².
const GENTLE_MS2: f64 = 4.0;
/// Throttle from which it counts as being applied: more than a foot that rests on the pedal.
const TOUCHED: f64 = 0.08;
/// A planned acceleration below this needs the brakes, in m/s².
const BRAKING_MS2: f64 = -12.0;

impl Mistake {
    /// The mistake's corner, and the distances between which the mistake can happen, in metres since the first
    /// crossing of the line.
    fn corner<'a>(&self, own: usize, circuit: &'a Circuit) -> Option<(&'a Corner, [f64; 2])> {
        let corner = circuit.corners.iter().find(|corner| corner.number == self.corner && self.car == own)?;
        let begun_m = f64::from(self.lap.saturating_sub(1)) * circuit.length_m;
        let before = circuit.corners.iter().map(|other| other.exit_m).filter(|exit| *exit <= corner.entry_m);
        Some((corner, [begun_m + before.fold(0.0, f64::max), begun_m + corner.exit_m]))
    }

    /// How many metres earlier a driver brakes, and between which distances.
    pub(super) fn early_braking(&self, own: usize, circuit: &Circuit) -> Option<(f64, [f64; 2])> {
        let MistakeKind::BrakesEarly(metres) = self.what else { return None };
        Some((metres, self.corner(own, circuit)?.1))
    }

    /// The factor on the grip used in a corner. `lap` and `corner` count from 0.
    pub(super) fn hold_part(&self, own: usize, lap: i64, corner: i64) -> f64 {
        let here = self.car == own && i64::from(self.lap) == lap + 1 && i64::from(self.corner) == corner + 1;
        match self.what {
            // Cornering grip grows with the square of the speed.
            MistakeKind::DrivesSlowly(part) if here => part * part,
            _ => 1.0,
        }
    }
}

impl Racer {
    /// Applies a planted mistake that is not part of the plan. Returns whether the driver stays off the throttle.
    pub(super) fn err(&mut self, own: usize, plan: &Plan, now: &Conditions) -> bool {
        let Some(mistake) = now.mistake else { return false };
        let Some((_, [from_m, to_m])) = mistake.corner(own, now.circuit) else { return false };
        let travelled_m = self.car.travelled_m;
        match mistake.what {
            MistakeKind::WaitsWithThrottle(metres) if travelled_m >= from_m => {
                let touched = self.driver.throttle() > TOUCHED;
                // Throttle before the braking is not delayed.
                self.clumsy.braked |= self.car.brake > PEDAL_ON && !touched && travelled_m < to_m;
                if touched && self.clumsy.braked {
                    self.clumsy.waits_from_m.get_or_insert(travelled_m);
                }
                self.clumsy.waits_from_m.is_some_and(|waits_m| travelled_m < waits_m + metres)
            }
            MistakeKind::LiftsEarly(metres) if (from_m..to_m).contains(&travelled_m) => {
                // Where the plan asks for the brake this many metres ahead.
                let then = plan.target(travelled_m + metres);
                self.clumsy.lifted |= then.change_ms2 < BRAKING_MS2 && then.speed_ms < self.car.speed_ms;
                self.clumsy.lifted && !self.clumsy.braked && {
                    self.clumsy.braked |= self.car.brake > PEDAL_ON;
                    true
                }
            }
            _ => false,
        }
    }

    /// Starts a requested spin once its corner is passed.
    pub(super) fn spin_where_due(&mut self, circuit: &Circuit) {
        if self.spins_behind.is_some_and(|number| corner_at(circuit, self.car.travelled_m).0 > number) {
            self.spins_behind = None;
            self.car.spin();
        }
    }
}

impl Balance {
    /// The extra front wheel angle in radians, at a lap distance in metres and a lateral acceleration in m/s².
    pub(super) fn angle(&self, circuit: &Circuit, lap_m: f64, lateral_ms2: f64) -> f64 {
        self.at(circuit, lap_m) * (lateral_ms2.abs() - GENTLE_MS2).max(0.0)
    }

    fn at(&self, circuit: &Circuit, lap_m: f64) -> f64 {
        let inside = |corner: &&Corner| (corner.entry_m..corner.exit_m).contains(&lap_m);
        let Some(corner) = circuit.corners.iter().find(inside) else { return 0.0 };
        let [first_m, second_m] = [corner.entry_m, corner.exit_m].map(|end| (end + corner.apex_m) / 2.0);
        match lap_m {
            lap_m if lap_m < first_m => self.entry,
            lap_m if lap_m < second_m => self.middle,
            _ => self.exit,
        }
    }
}
