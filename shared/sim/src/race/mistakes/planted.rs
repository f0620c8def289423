//! One planted mistake, and how far it is.

use super::super::super::car::Car;
use super::super::super::circuit::Circuit;
use super::super::super::driver::{Demands, Intent, PEDAL_ON, Plan, SIDEWAYS_MS, SlowestPlace};
use super::stretch::Stretch;
use super::{Mistake, MistakeKind};

/// Throttle from which it counts as being applied: more than a foot that rests on the pedal.
const TOUCHED: f64 = 0.08;
/// A planned acceleration below this needs the brakes, in m/s².
const BRAKING_MS2: f64 = -12.0;
/// The throttle from which a driver comes off it again.
const LIFTS_FROM: f64 = 0.6;

/// The share of the braking that a driver leaves as a margin, for each second that the brake takes to its peak.
const MARGIN_PER_S: f64 = 0.15;
/// How soon a driver who is wide moves back for the track's edge, in seconds.
const BACK_S: f64 = 0.5;

/// A planted mistake with its progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlantedMistake {
    mistake: Mistake,
    stretch: Stretch,
    /// The corner's slowest place, as last planned before the corner.
    slowest: Option<SlowestPlace>,
    /// Whether the driver has lifted, early or again.
    lifted: bool,
    /// How long the driver has been off the throttle again, in seconds.
    off_throttle_s: f64,
    /// Whether the driver has braked for the corner.
    braked: bool,
    /// Where the driver would have been back on the throttle, in metres since the first crossing of the line.
    waits_from_m: Option<f64>,
    /// Whether the gear that was too high is the right one by now.
    gear_fits: bool,
}

/// What a mistake depends on at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'a> {
    pub(crate) car: &'a Car,
    pub(crate) circuit: &'a Circuit,
    pub(crate) plan: &'a Plan,
    /// The driver's throttle, 0–1.
    pub(crate) throttle: f64,
    /// Length of the step, in seconds.
    pub(crate) dt: f64,
}

impl PlantedMistake {
    /// A mistake that is still to come; `None` if the circuit has no such corner.
    pub(super) fn new(mistake: &Mistake, circuit: &Circuit) -> Option<Self> {
        Some(Self {
            mistake: *mistake,
            stretch: Stretch::of(mistake, circuit)?,
            slowest: None,
            lifted: false,
            off_throttle_s: 0.0,
            braked: false,
            waits_from_m: None,
            gear_fits: false,
        })
    }

    /// Changes what the driver intends in a corner. `lap` and `corner` count from 0.
    pub(super) fn change_intent(&self, lap: i64, corner: i64, intent: &mut Intent) {
        if i64::from(self.mistake.lap) != lap + 1 || i64::from(self.mistake.corner) != corner + 1 {
            return;
        }
        match self.mistake.what {
            // Cornering grip grows with the square of the speed.
            MistakeKind::DrivesSlowly(part) => intent.cornering *= part * part,
            MistakeKind::BrakesSoftly(share) => intent.late *= share,
            MistakeKind::BuildsUpSlowly(seconds) => intent.late *= (1.0 - MARGIN_PER_S * seconds).max(0.5),
            _ => {}
        }
    }

    /// Notes the corner's slowest place in a new plan, which no mistake has changed yet.
    pub(super) fn look_at(&mut self, plan: &Plan, circuit: &Circuit, car: &Car) {
        let Stretch { entry_m, exit_m, .. } = self.stretch;
        self.slowest = SlowestPlace::find(plan, circuit, car, entry_m, exit_m).or(self.slowest);
    }

    /// Changes where a new plan brakes.
    pub(super) fn change_plan(&self, plan: &mut Plan, circuit: &Circuit, car: &Car) {
        let Stretch { approach_m, exit_m, .. } = self.stretch;
        match (self.mistake.what, &self.slowest) {
            (MistakeKind::BrakesEarly(metres), _) => plan.brake_earlier(metres, approach_m, exit_m),
            (MistakeKind::BrakesLate(metres), Some(slowest)) => {
                slowest.brake_later(plan, metres, approach_m, exit_m);
            }
            (MistakeKind::ReleasesEarly(metres), Some(slowest)) => {
                slowest.roll(plan, metres, circuit, car, approach_m);
            }
            _ => {}
        }
    }

    /// Adds what it asks of the driver right now.
    pub(super) fn ask(&mut self, demands: &mut Demands, now: &Situation) {
        let comes = self.stretch.covers(now.car.travelled_m);
        let leaves = self.leaves(now.car);
        match self.mistake.what {
            MistakeKind::BrakesSoftly(share) if comes => {
                demands.most_brake = demands.most_brake.min(share);
            }
            MistakeKind::BuildsUpSlowly(seconds) if comes => {
                demands.build_up_s = demands.build_up_s.max(seconds);
            }
            MistakeKind::ReleasesEarly(metres) => demands.roll |= self.rolls(metres, now.car),
            MistakeKind::LiftsEarly(metres) => demands.lift |= self.lifts_early(metres, now),
            MistakeKind::DrivesWide(metres) => demands.shift_m += self.beside_line_m(metres, now),
            MistakeKind::WaitsWithThrottle(metres) => demands.lift |= self.waits(metres, now),
            MistakeKind::LiftsAgain(seconds) => demands.lift |= self.lifts_again(seconds, now),
            MistakeKind::HalfThrottle(share) if leaves => {
                demands.most_throttle = demands.most_throttle.min(share);
            }
            MistakeKind::HighGear(steps) => {
                demands.least_gear = demands.least_gear.max(self.least_gear(steps, now.car));
            }
            MistakeKind::DeploysLess => demands.saves_energy |= self.is_behind(now.car),
            // The plan alone, or not right now.
            _ => {}
        }
    }

    /// Whether the car is on the way out of the corner, past the slowest place.
    fn leaves(&self, car: &Car) -> bool {
        let from_m = self.slowest.map_or(self.stretch.exit_m, |slowest| slowest.at_m);
        (from_m..self.stretch.way_out_m).contains(&car.travelled_m)
    }

    /// Whether the car is between the corner and the next one.
    fn is_behind(&self, car: &Car) -> bool {
        (self.stretch.exit_m..self.stretch.next_entry_m).contains(&car.travelled_m)
    }

    fn waits(&mut self, metres: f64, now: &Situation) -> bool {
        let travelled_m = now.car.travelled_m;
        if travelled_m < self.stretch.approach_m {
            return false;
        }
        let touched = now.throttle > TOUCHED;
        // Throttle before the braking is not delayed.
        self.braked |= now.car.brake > PEDAL_ON && !touched && travelled_m < self.stretch.exit_m;
        if touched && self.braked {
            self.waits_from_m.get_or_insert(travelled_m);
        }
        self.waits_from_m.is_some_and(|waits_m| travelled_m < waits_m + metres)
    }

    fn lifts_early(&mut self, metres: f64, now: &Situation) -> bool {
        if !self.stretch.covers(now.car.travelled_m) {
            return false;
        }
        // Where the plan asks for the brake this many metres ahead.
        let then = now.plan.target(now.car.travelled_m + metres);
        self.lifted |= then.change_ms2 < BRAKING_MS2 && then.speed_ms < now.car.speed_ms;
        let lifts = self.lifted && !self.braked;
        self.braked |= lifts && now.car.brake > PEDAL_ON;
        lifts
    }

    fn lifts_again(&mut self, seconds: f64, now: &Situation) -> bool {
        self.lifted |= self.leaves(now.car) && now.throttle > LIFTS_FROM;
        let lifts = self.lifted && self.off_throttle_s < seconds;
        if lifts && now.throttle < PEDAL_ON {
            self.off_throttle_s += now.dt;
        }
        lifts
    }

    fn rolls(&self, metres: f64, car: &Car) -> bool {
        let rolls = |slowest: SlowestPlace| slowest.release_m - metres..slowest.at_m;
        self.slowest.is_some_and(|slowest| rolls(slowest).contains(&car.travelled_m))
    }

    /// How far to the left of the usual line to drive, in metres: as far as the track is wide there.
    fn beside_line_m(&self, metres: f64, now: &Situation) -> f64 {
        let Situation { circuit, car, .. } = now;
        let Stretch { entry_m, exit_m, left, .. } = self.stretch;
        let moves_m = car.along_ms * metres / SIDEWAYS_MS;
        if !(entry_m - moves_m..exit_m).contains(&car.travelled_m) {
            return 0.0;
        }
        let outward = if left { -1.0 } else { 1.0 };
        let room_m = [0.0, BACK_S]
            .map(|seconds| circuit.outside_line_m(car.travelled_m + car.along_ms * seconds, outward));
        outward * room_m.into_iter().fold(metres, f64::min).max(0.0)
    }

    /// The gear below which the driver does not shift down; 0 for any.
    fn least_gear(&mut self, steps: u8, car: &Car) -> i8 {
        let Some(slowest) = self.slowest else { return 0 };
        let passed = car.travelled_m > slowest.at_m;
        self.braked |= car.brake > PEDAL_ON && self.stretch.covers(car.travelled_m);
        if !self.braked && !passed {
            return 0;
        }
        let usual = car.engine.gear_downwards(slowest.speed_ms());
        let least = (usual + steps as i8).min(car.model.engine.gears() as i8);
        let brakes_again = car.travelled_m > self.stretch.exit_m && car.brake > PEDAL_ON;
        self.gear_fits |= brakes_again || (passed && car.engine.gear_upwards(car.speed_ms) >= least);
        if self.gear_fits { 0 } else { least }
    }
}
