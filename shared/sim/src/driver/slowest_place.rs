//! The slowest place of a corner in a plan, and plans that brake at other places for it.

use super::super::car::{Car, GRAVITY};
use super::super::circuit::Circuit;
use super::constants::{AHEAD_S, AHEAD_STEPS, ENGINE_BRAKE_MS2, PEDAL_ON, REACTION_S};
use super::plan::Plan;

/// A driver who braked too late gets to the throttle this many times as much too late: the car runs wide first.
const RUNS_WIDE: f64 = 2.0;
/// The share of the speed that running wide costs in the corner, for each metre that was braked too late, and the most.
const WIDE_COSTS: f64 = 0.014;
const WIDE_COSTS_MOST: f64 = 0.3;

/// Squared speeds that differ by less are nearly the same.
const NEARLY: f64 = 1.1;

/// The brake pedal of a braking that is more than a touch.
const HARD: f64 = 0.25;

/// The slowest place of a corner in a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowestPlace {
    /// Where it is, in metres since the first crossing of the line.
    pub(crate) at_m: f64,
    /// Its squared speed, in m²/s².
    speed2: f64,
    /// Where the brake before it is released, in metres since the first crossing of the line.
    pub(crate) release_m: f64,
}

impl SlowestPlace {
    /// The slowest place between two distances, the first one if several are nearly as slow; `None` unless the plan
    /// covers all of them.
    pub(crate) fn find(plan: &Plan, circuit: &Circuit, car: &Car, from_m: f64, to_m: f64) -> Option<Self> {
        let (from, to) = (plan.index(from_m)?, plan.index(to_m)?);
        let within = plan.speeds2.get(from..to)?;
        let least2 = within.iter().copied().min_by(f64::total_cmp)?;
        let slow = within.iter().position(|speed2| *speed2 <= NEARLY * least2)?;
        let falls = within.iter().zip(within.iter().skip(1)).skip(slow);
        let slowest = from + slow + falls.take_while(|(here, next)| next < here).count();
        let speed2 = *plan.speeds2.get(slowest)?;
        let pedal = |index: usize| {
            let pedal_ms2 = slowing_ms2(plan, circuit, car, index) - coasting_ms2(plan, circuit, car, index);
            pedal_ms2 / car.model.brakes_ms2
        };
        let braked = (0..slowest).rev().find(|index| pedal(*index) > HARD).unwrap_or(0);
        let release = (braked..slowest).find(|index| pedal(*index) < PEDAL_ON).unwrap_or(slowest);
        Some(Self { at_m: plan.place_m(slowest), speed2, release_m: plan.place_m(release) })
    }

    /// The planned speed, in m/s.
    pub(crate) fn speed_ms(&self) -> f64 {
        self.speed2.sqrt()
    }

    /// Brakes `metres` later for it between two distances, and accelerates later from it.
    pub(crate) fn brake_later(&self, plan: &mut Plan, metres: f64, from_m: f64, to_m: f64) {
        let usual = plan.clone();
        let costs = (WIDE_COSTS * metres).min(WIDE_COSTS_MOST);
        let wide_m = (RUNS_WIDE * metres).max(0.1);
        for (index, speed2) in plan.speeds2.iter_mut().enumerate() {
            let at_m = usual.place_m(index);
            if !(from_m..to_m).contains(&at_m) {
                continue;
            }
            *speed2 = if at_m <= self.at_m + metres {
                self.speed2_near(&usual, at_m - metres)
            } else {
                let part = ((at_m - self.at_m - metres) / wide_m).min(1.0);
                let slower = 1.0 - costs * part;
                let leaves_m = (at_m - wide_m).max(self.at_m);
                speed2.min(self.speed2_near(&usual, leaves_m)) * slower * slower
            };
        }
    }

    /// Releases the brake `metres` earlier and rolls to it, braking as much earlier from a distance on.
    pub(crate) fn roll(&self, plan: &mut Plan, metres: f64, circuit: &Circuit, car: &Car, from_m: f64) {
        let Some(end) = plan.index(self.at_m) else { return };
        let release = plan.index(self.release_m - metres);
        let usual = plan.speeds2.clone();
        let mut rolled2 = self.speed2;
        for index in (release.unwrap_or(0)..end).rev() {
            rolled2 += 2.0 * coasting_ms2(plan, circuit, car, index) * plan.spacing_m;
            if let Some(speed2) = plan.speeds2.get_mut(index) {
                *speed2 = speed2.min(rolled2);
            }
        }
        let Some(release) = release else { return };
        // As much earlier as the brakes usually get to the speed of the release later.
        let shift = usual.iter().skip(release).take_while(|speed2| **speed2 > rolled2).count();
        let from = plan.index(from_m).unwrap_or(0);
        let earlier = usual.iter().skip(from + shift);
        for (speed2, earlier) in plan.speeds2.iter_mut().take(release).skip(from).zip(earlier) {
            *speed2 = speed2.min(*earlier);
        }
    }

    /// The squared speed at a distance, also shortly before the plan's first place, in m²/s².
    fn speed2_near(&self, plan: &Plan, travelled_m: f64) -> f64 {
        let begin_m = plan.place_m(0);
        let (Some(&first), Some(&second)) = (plan.speeds2.first(), plan.speeds2.get(1)) else { return 0.0 };
        match travelled_m {
            travelled_m if travelled_m >= begin_m => plan.speed2(travelled_m),
            travelled_m if self.at_m < begin_m => {
                let part = ((travelled_m - self.at_m) / (begin_m - self.at_m)).clamp(0.0, 1.0);
                self.speed2 + (first - self.speed2) * part
            }
            // As the brakes slow the car evenly.
            travelled_m => first + (first - second) * (begin_m - travelled_m) / plan.spacing_m,
        }
    }
}

/// Deceleration with which a driver passes a place: in a corner, the foot stays on the brake for what is ahead.
fn slowing_ms2(plan: &Plan, circuit: &Circuit, car: &Car, index: usize) -> f64 {
    let here2 = plan.speeds2.get(index).copied().unwrap_or_default();
    let (here_m, speed_ms) = (plan.place_m(index), here2.sqrt());
    let planned_ms2 = -plan.target(here_m + speed_ms * REACTION_S).change_ms2;
    let place = circuit.place(plan.first + index as i64);
    if here2 * place.line_curvature(1.0).abs() < car.model.corner_ms2 {
        return planned_ms2;
    }
    let ahead = (1..=AHEAD_STEPS).map(|step| {
        let seconds = AHEAD_S * f64::from(step) / f64::from(AHEAD_STEPS);
        (speed_ms - plan.target(here_m + speed_ms * seconds).speed_ms) / seconds
    });
    ahead.fold(planned_ms2, f64::max)
}

/// Deceleration at a place without any pedal, in m/s².
fn coasting_ms2(plan: &Plan, circuit: &Circuit, car: &Car, index: usize) -> f64 {
    let speed2 = plan.speeds2.get(index).copied().unwrap_or_default();
    let slope = circuit.place(plan.first + index as i64).slope;
    car.drag_ms2(speed2, 0.0) + ENGINE_BRAKE_MS2 + GRAVITY * slope
}
