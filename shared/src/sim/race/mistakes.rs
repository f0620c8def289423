//! What goes wrong on purpose: mistakes that are planted, spins, and cars that don't answer the wheel evenly.

use super::super::circuit::{Circuit, Corner};
use super::super::driver::{PEDAL_ON, Plan};
use super::options::{Balance, Mistake, MistakeKind};
use super::racer::{Conditions, Racer, corner_at};

/// Pushed across less hard than this, tyres slip alike, m/s².
const GENTLE_MS2: f64 = 4.0;
/// The throttle is about to be pressed once it is so far down.
const TOUCHED: f64 = 0.015;
/// A plan that slows the car by more than this is one for the brakes, m/s².
const BRAKING_MS2: f64 = -12.0;

impl Mistake {
    /// The corner that it is made in, and where the way to it begins and it ends, metres since the line was first crossed.
    fn corner<'a>(&self, own: usize, circuit: &'a Circuit) -> Option<(&'a Corner, [f64; 2])> {
        let corner = circuit.corners.iter().find(|corner| corner.number == self.corner && self.car == own)?;
        let begun_m = f64::from(self.lap.saturating_sub(1)) * circuit.length_m;
        let before = circuit.corners.iter().map(|other| other.exit_m).filter(|exit| *exit <= corner.entry_m);
        Some((corner, [begun_m + before.fold(0.0, f64::max), begun_m + corner.exit_m]))
    }

    /// By how many metres a driver brakes earlier, and between which distances.
    pub(super) fn early_braking(&self, own: usize, circuit: &Circuit) -> Option<(f64, [f64; 2])> {
        let MistakeKind::BrakesEarly(metres) = self.what else { return None };
        Some((metres, self.corner(own, circuit)?.1))
    }

    /// The part of the hold that a driver uses in a corner, given by its lap and its place among the corners, both from 0.
    pub(super) fn hold_part(&self, own: usize, lap: i64, corner: i64) -> f64 {
        let here = self.car == own && i64::from(self.lap) == lap + 1 && i64::from(self.corner) == corner + 1;
        match self.what {
            // The hold that a corner takes grows with the square of the speed.
            MistakeKind::DrivesSlowly(part) if here => part * part,
            _ => 1.0,
        }
    }
}

impl Racer {
    /// Makes the mistake that is planted, as far as it is not one of the plan; tells whether the foot stays off.
    pub(super) fn err(&mut self, own: usize, plan: &Plan, now: &Conditions) -> bool {
        let Some(mistake) = now.mistake else { return false };
        let Some((_, [from_m, to_m])) = mistake.corner(own, now.circuit) else { return false };
        let travelled_m = self.car.travelled_m;
        match mistake.what {
            MistakeKind::WaitsWithThrottle(metres) if travelled_m >= from_m => {
                let touched = self.driver.throttle() > TOUCHED;
                // What is driven before the braking is not what he waits for.
                self.clumsy.braked |= self.car.brake > PEDAL_ON && !touched && travelled_m < to_m;
                if touched && self.clumsy.braked {
                    self.clumsy.waits_from_m.get_or_insert(travelled_m);
                }
                self.clumsy.waits_from_m.is_some_and(|waits_m| travelled_m < waits_m + metres)
            }
            MistakeKind::LiftsEarly(metres) if (from_m..to_m).contains(&travelled_m) => {
                // Where the plan leads him onto the brake in so many metres.
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

    /// Turns the car around where that is asked for.
    pub(super) fn spin_where_due(&mut self, circuit: &Circuit) {
        if self.spins_behind.is_some_and(|number| corner_at(circuit, self.car.travelled_m).0 > number) {
            self.spins_behind = None;
            self.car.spin();
        }
    }
}

impl Balance {
    /// The angle at a place, metres from the line, while the car is pushed across so hard, m/s².
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
