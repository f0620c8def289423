//! The driver's speed plan: cornering speeds, and braking computed backwards from them.

use super::super::car::{Car, GRAVITY, Grip};
use super::super::circuit::Circuit;

/// The planning distance, in metres: more than the longest braking distance in the rain.
const HORIZON_M: f64 = 560.0;

/// Distance after which the plan is renewed, in metres.
const REPLAN_M: f64 = 90.0;

/// The places to either side over which the planned acceleration is averaged.
const AVERAGED_PLACES: f64 = 1.5;

/// What a driver intends at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intent {
    /// Share of the grip used in the corner.
    pub(crate) cornering: f64,
    /// Share of the grip used in braking.
    pub(crate) braking: f64,
    /// Planned braking power relative to the possible one; above 1 the driver brakes too late.
    pub(crate) late: f64,
    /// The highest speed allowed here, in m/s.
    pub(crate) cap_ms: f64,
}

/// The planned speed at each place of the next few hundred metres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The circuit's place that is the plan's first.
    pub(super) first: i64,
    pub(super) spacing_m: f64,
    /// Squared speeds, in m²/s².
    pub(super) speeds2: Vec<f64>,
}

/// The plan at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The planned speed, in m/s.
    pub(crate) speed_ms: f64,
    /// The planned acceleration, in m/s².
    pub(crate) change_ms2: f64,
}

impl Plan {
    /// Whether the plan must be renewed.
    pub(crate) fn is_stale(&self, travelled_m: f64) -> bool {
        let driven_m = travelled_m - self.first as f64 * self.spacing_m;
        self.speeds2.is_empty() || !(0.0..REPLAN_M).contains(&driven_m)
    }

    /// Plans from the car's position. `part` is the driver's share of the racing line's offset, `hold` the expected
    /// share of the best friction, and `intent` returns the driver's intent at a distance.
    pub(crate) fn make(
        &mut self,
        circuit: &Circuit,
        car: &Car,
        part: f64,
        hold: f64,
        mut intent: impl FnMut(f64) -> Intent,
    ) {
        // The driver closes DRS before braking.
        let mut closed = car.clone();
        closed.drs = false;
        let car = &closed;
        let spacing_m = circuit.place_spacing_m();
        self.spacing_m = spacing_m;
        self.first = (car.travelled_m / spacing_m).floor() as i64;
        let count = (HORIZON_M / spacing_m) as usize;
        self.speeds2.clear();
        self.speeds2.resize(count, 0.0);
        let mut behind2 = f64::MAX;
        for (index, speed2) in self.speeds2.iter_mut().enumerate().rev() {
            let number = self.first + index as i64;
            let place = circuit.place(number);
            let Intent { cornering, braking, late, cap_ms } = intent(number as f64 * spacing_m);
            let curvature = place.line_curvature(part);
            let grip = Grip::new(car, hold * place.hold, place.dip);
            let corner2 = grip.cornering_speed2(curvature.abs().max(1e-5), cornering);
            // The deceleration available between this place and the next.
            let brakes = (braking * grip.braking(behind2.min(9_000.0), behind2.min(9_000.0) * curvature))
                .min(0.97 * car.model.brakes_ms2);
            let slowing = late * brakes + car.drag_ms2(behind2.min(9_000.0), 0.0) + GRAVITY * place.slope;
            let driven_m = spacing_m * (1.0 - part * place.offset_m * place.centre_curvature);
            *speed2 = corner2.min(cap_ms * cap_ms).min(behind2 + 2.0 * slowing.max(0.5) * driven_m);
            behind2 = *speed2;
        }
    }

    /// Brakes `metres` earlier for the slowest place between two distances, as far as the plan reaches.
    pub(crate) fn brake_earlier(&mut self, metres: f64, from_m: f64, to_m: f64) {
        let shift = (metres / self.spacing_m.max(0.1)).round() as usize;
        let index = |travelled_m: f64| {
            ((travelled_m / self.spacing_m.max(0.1)).floor() as i64 - self.first).max(0) as usize
        };
        // A corner that extends beyond the plan has no slowest place yet.
        let (from, to) = (index(from_m), index(to_m));
        let Some(within) = self.speeds2.get_mut(from..to) else { return };
        let slowest = within.iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((slowest, least)) = slowest.map(|(slowest, least)| (slowest, *least)) else { return };
        let later: Vec<f64> =
            within.iter().skip(shift).take(slowest.saturating_sub(shift)).copied().collect();
        let early = later.into_iter().chain(std::iter::repeat(least));
        for (speed2, early) in within.iter_mut().take(slowest).zip(early) {
            *speed2 = speed2.min(early);
        }
    }

    /// The plan at a distance.
    pub(crate) fn target(&self, travelled_m: f64) -> Target {
        let here = self.speed2(travelled_m);
        // Over a few metres, as the plan changes at every place.
        let averaged_m = (AVERAGED_PLACES * self.spacing_m).max(0.1);
        let change = self.speed2(travelled_m + averaged_m) - self.speed2(travelled_m - averaged_m);
        Target { speed_ms: here.max(0.0).sqrt(), change_ms2: change / (4.0 * averaged_m) }
    }

    /// The index of the place at a distance; `None` before the plan's first.
    pub(super) fn index(&self, travelled_m: f64) -> Option<usize> {
        usize::try_from((travelled_m / self.spacing_m.max(0.1)).floor() as i64 - self.first).ok()
    }

    /// Where a place of the plan is, in metres since the first crossing of the line.
    pub(super) fn place_m(&self, index: usize) -> f64 {
        (self.first + index as i64) as f64 * self.spacing_m
    }

    /// The squared speed at a distance, in m²/s².
    pub(super) fn speed2(&self, travelled_m: f64) -> f64 {
        let place = (travelled_m / self.spacing_m - self.first as f64).max(0.0);
        let index = place.floor();
        let at = |index: usize| self.speeds2.get(index).copied().unwrap_or(1e4);
        let (from, to) = (at(index as usize), at(index as usize + 1));
        from + (to - from) * (place - index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::car::SINGLE_SEATER;
    use super::super::super::circuit::{CIRCUITS, Circuit};
    use super::*;

    #[test]
    fn a_plan_slows_for_corners_as_the_brakes_can() {
        let circuit = Circuit::new(&CIRCUITS[0]);
        let mut car = Car::new(&SINGLE_SEATER, 40.0, Default::default());
        let mut slowest = f64::MAX;
        for start in 0..50 {
            car.travelled_m = f64::from(start) * 100.0;
            let mut plan = Plan::default();
            assert!(plan.is_stale(car.travelled_m));
            plan.make(&circuit, &car, 1.0, 1.0, |_| Intent {
                cornering: 0.95,
                braking: 0.9,
                late: 1.0,
                cap_ms: 90.0,
            });
            assert!(!plan.is_stale(car.travelled_m));
            for step in 0..500 {
                let target = plan.target(car.travelled_m + f64::from(step));
                assert!(target.speed_ms <= 90.0 && target.change_ms2 > -60.0, "{target:?}");
                slowest = slowest.min(target.speed_ms);
            }
        }
        assert!((18.0..30.0).contains(&slowest), "{slowest}");
    }
}
