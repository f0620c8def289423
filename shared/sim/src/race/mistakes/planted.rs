//! One planted mistake, and how far it is.

use super::super::super::car::Car;
use super::super::super::circuit::Circuit;
use super::super::super::driver::{Demands, Intent, PEDAL_ON, Plan};
use super::stretch::Stretch;
use super::{Mistake, MistakeKind};

/// Throttle from which it counts as being applied: more than a foot that rests on the pedal.
const TOUCHED: f64 = 0.08;
/// A planned acceleration below this needs the brakes, in m/s².
const BRAKING_MS2: f64 = -12.0;

/// A planted mistake with its progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlantedMistake {
    mistake: Mistake,
    stretch: Stretch,
    /// Whether the driver has lifted early.
    lifted: bool,
    /// Whether the driver has braked for the corner.
    braked: bool,
    /// Where the driver would have been back on the throttle, in metres since the first crossing of the line.
    waits_from_m: Option<f64>,
}

impl PlantedMistake {
    /// A mistake that is still to come; `None` if the circuit has no such corner.
    pub(super) fn new(mistake: &Mistake, circuit: &Circuit) -> Option<Self> {
        let stretch = Stretch::of(mistake, circuit)?;
        Some(Self { mistake: *mistake, stretch, lifted: false, braked: false, waits_from_m: None })
    }

    /// Changes what the driver intends in a corner. `lap` and `corner` count from 0.
    pub(super) fn change_intent(&self, lap: i64, corner: i64, intent: &mut Intent) {
        if i64::from(self.mistake.lap) != lap + 1 || i64::from(self.mistake.corner) != corner + 1 {
            return;
        }
        if let MistakeKind::DrivesSlowly(part) = self.mistake.what {
            // Cornering grip grows with the square of the speed.
            intent.cornering *= part * part;
        }
    }

    /// Changes where a new plan brakes.
    pub(super) fn change_plan(&self, plan: &mut Plan) {
        if let MistakeKind::BrakesEarly(metres) = self.mistake.what {
            plan.brake_earlier(metres, self.stretch.approach_m, self.stretch.exit_m);
        }
    }

    /// Adds what it asks of the driver, whose throttle is given, right now.
    pub(super) fn ask(&mut self, demands: &mut Demands, car: &Car, throttle: f64, plan: &Plan) {
        match self.mistake.what {
            MistakeKind::WaitsWithThrottle(metres) => demands.lift |= self.waits(metres, car, throttle),
            MistakeKind::LiftsEarly(metres) => demands.lift |= self.lifts_early(metres, car, plan),
            MistakeKind::BrakesEarly(_) | MistakeKind::DrivesSlowly(_) => {}
        }
    }

    fn waits(&mut self, metres: f64, car: &Car, throttle: f64) -> bool {
        let travelled_m = car.travelled_m;
        if travelled_m < self.stretch.approach_m {
            return false;
        }
        let touched = throttle > TOUCHED;
        // Throttle before the braking is not delayed.
        self.braked |= car.brake > PEDAL_ON && !touched && travelled_m < self.stretch.exit_m;
        if touched && self.braked {
            self.waits_from_m.get_or_insert(travelled_m);
        }
        self.waits_from_m.is_some_and(|waits_m| travelled_m < waits_m + metres)
    }

    fn lifts_early(&mut self, metres: f64, car: &Car, plan: &Plan) -> bool {
        if !self.stretch.covers(car.travelled_m) {
            return false;
        }
        // Where the plan asks for the brake this many metres ahead.
        let then = plan.target(car.travelled_m + metres);
        self.lifted |= then.change_ms2 < BRAKING_MS2 && then.speed_ms < car.speed_ms;
        let lifts = self.lifted && !self.braked;
        self.braked |= lifts && car.brake > PEDAL_ON;
        lifts
    }
}
