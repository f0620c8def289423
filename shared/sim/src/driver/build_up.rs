//! A brake pedal that is pressed slowly, and therefore sooner.

use super::constants::REACTION_S;
use super::view::View;

/// The moments of the build-up at which the driver compares the speed with the plan.
const MOMENTS: u8 = 8;
/// How close to the planned speed the build-up leads, in m/s.
const CLOSE_MS: f64 = 0.15;
/// A planned deceleration that exceeds that of coasting by less needs no brake, in m/s².
const WORTH_MS2: f64 = 4.0;

/// Whether a driver must begin now: the pedal grows evenly to a deceleration of `peak_ms2`, and without any pedal the
/// acceleration is `coasting_ms2`.
pub(super) fn is_due(view: &View, coasting_ms2: f64, peak_ms2: f64) -> bool {
    let (car, lasts_s) = (view.car, view.wish.demands.build_up_s);
    let growth = peak_ms2 / lasts_s;
    (1..=MOMENTS).any(|moment| {
        let seconds = lasts_s * f64::from(moment) / f64::from(MOMENTS);
        let square = seconds * seconds;
        let speed_ms = car.speed_ms + coasting_ms2 * seconds - 0.5 * growth * square;
        let driven_m = car.along_ms * seconds + 0.5 * coasting_ms2 * square - growth * square * seconds / 6.0;
        let then = view.plan.target(car.travelled_m + driven_m + REACTION_S * car.along_ms);
        speed_ms > then.speed_ms - CLOSE_MS && then.change_ms2 < coasting_ms2 - WORTH_MS2
    })
}
