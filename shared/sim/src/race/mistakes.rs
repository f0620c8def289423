//! Planted mistakes.

use super::super::car::Car;
use super::super::circuit::{Circuit, Corner};
use super::super::driver::{PEDAL_ON, Plan};
use super::options::{Mistake, MistakeKind};

/// Throttle from which it counts as being applied: more than a foot that rests on the pedal.
const TOUCHED: f64 = 0.08;
/// A planned acceleration below this needs the brakes, in m/s².
const BRAKING_MS2: f64 = -12.0;

/// The mistake's corner, and the distances between which the mistake can happen, in metres since the first
/// crossing of the line.
fn corner_of<'a>(mistake: &Mistake, own: usize, circuit: &'a Circuit) -> Option<(&'a Corner, [f64; 2])> {
    let corner =
        circuit.corners.iter().find(|corner| corner.number == mistake.corner && mistake.car == own)?;
    let begun_m = f64::from(mistake.lap.saturating_sub(1)) * circuit.length_m;
    let before = circuit.corners.iter().map(|other| other.exit_m).filter(|exit| *exit <= corner.entry_m);
    Some((corner, [begun_m + before.fold(0.0, f64::max), begun_m + corner.exit_m]))
}

/// How many metres earlier a driver brakes, and between which distances.
pub(super) fn early_braking(mistake: &Mistake, own: usize, circuit: &Circuit) -> Option<(f64, [f64; 2])> {
    let MistakeKind::BrakesEarly(metres) = mistake.what else { return None };
    Some((metres, corner_of(mistake, own, circuit)?.1))
}

/// The factor on the grip used in a corner. `lap` and `corner` count from 0.
pub(super) fn hold_part(mistake: &Mistake, own: usize, lap: i64, corner: i64) -> f64 {
    let here =
        mistake.car == own && i64::from(mistake.lap) == lap + 1 && i64::from(mistake.corner) == corner + 1;
    match mistake.what {
        // Cornering grip grows with the square of the speed.
        MistakeKind::DrivesSlowly(part) if here => part * part,
        _ => 1.0,
    }
}

/// The state of a driver's planted mistake.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MistakeProgress {
    /// Whether the driver has lifted early.
    lifted: bool,
    /// Whether the driver has braked for the corner.
    braked: bool,
    /// Where the driver would have been back on the throttle, in metres since the first crossing of the line.
    waits_from_m: Option<f64>,
}

impl MistakeProgress {
    /// Applies a planted mistake that is not part of the plan. Returns whether the driver stays off the throttle.
    pub(super) fn err(
        &mut self,
        mistake: &Mistake,
        own: usize,
        circuit: &Circuit,
        car: &Car,
        throttle: f64,
        plan: &Plan,
    ) -> bool {
        let Some((_, [from_m, to_m])) = corner_of(mistake, own, circuit) else { return false };
        let travelled_m = car.travelled_m;
        match mistake.what {
            MistakeKind::WaitsWithThrottle(metres) if travelled_m >= from_m => {
                let touched = throttle > TOUCHED;
                // Throttle before the braking is not delayed.
                self.braked |= car.brake > PEDAL_ON && !touched && travelled_m < to_m;
                if touched && self.braked {
                    self.waits_from_m.get_or_insert(travelled_m);
                }
                self.waits_from_m.is_some_and(|waits_m| travelled_m < waits_m + metres)
            }
            MistakeKind::LiftsEarly(metres) if (from_m..to_m).contains(&travelled_m) => {
                // Where the plan asks for the brake this many metres ahead.
                let then = plan.target(travelled_m + metres);
                self.lifted |= then.change_ms2 < BRAKING_MS2 && then.speed_ms < car.speed_ms;
                self.lifted && !self.braked && {
                    self.braked |= car.brake > PEDAL_ON;
                    true
                }
            }
            _ => false,
        }
    }
}
