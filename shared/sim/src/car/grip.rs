//! Tyre grip: friction that falls with load, and the friction ellipse of braking and cornering.

use super::constants::AIR_KG_M3;
use super::{Car, GRAVITY};

/// Friction lost per extra load of one car's weight.
const FRICTION_LOST: f64 = 0.045;

/// The grip available to a car right now.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grip {
    /// Friction, including the factors for tyres, weather and ground.
    friction: f64,
    /// Extra load per squared speed, in car weights.
    load_per_speed2: f64,
    /// The driven tyres' share.
    driven_part: f64,
}

impl Grip {
    /// The grip where the slope changes by `dip` per metre, with `factor` of the best tyre's friction.
    pub(crate) fn new(car: &Car, factor: f64, dip: f64) -> Self {
        let model = car.model;
        let wing =
            0.5 * AIR_KG_M3 * model.downforce_area_m2 * car.downforce_part() / (car.mass_kg() * GRAVITY);
        Self {
            friction: model.friction * factor,
            load_per_speed2: (wing + dip / GRAVITY).max(2e-5),
            driven_part: model.driven_part,
        }
    }

    /// Grip in any one direction at this squared speed, in m/s².
    pub(crate) fn limit(&self, speed2: f64) -> f64 {
        let extra = self.load_per_speed2 * speed2;
        self.friction * GRAVITY * (1.0 - FRICTION_LOST * extra).max(0.3) * (1.0 + extra)
    }

    /// Squared speed at which a path of this curvature uses `part` of the grip.
    pub(crate) fn cornering_speed2(&self, curvature: f64, part: f64) -> f64 {
        // grip(w) = curvature · w is a quadratic in the squared speed w.
        let (hold, load) = (part * self.friction * GRAVITY, self.load_per_speed2);
        let square = hold * FRICTION_LOST * load * load;
        let linear = hold * (1.0 - FRICTION_LOST) * load - curvature.abs();
        (linear + (linear * linear + 4.0 * square * hold).sqrt()) / (2.0 * square)
    }

    /// Grip left for braking at a lateral acceleration of `lateral`, in m/s².
    pub(crate) fn braking(&self, speed2: f64, lateral: f64) -> f64 {
        let limit = self.limit(speed2);
        let used = (lateral / limit).clamp(-1.0, 1.0);
        0.97 * limit * (1.0 - used * used).sqrt()
    }

    /// Grip left for accelerating at a lateral acceleration of `lateral`, in m/s².
    pub(crate) fn traction(&self, speed2: f64, lateral: f64) -> f64 {
        self.driven_part * self.braking(speed2, lateral)
    }
}

#[cfg(test)]
mod tests {
    use super::super::SINGLE_SEATER;
    use super::*;

    fn grip(dip: f64) -> Grip {
        Grip::new(&Car::new(&SINGLE_SEATER, 60.0, Default::default()), 1.0, dip)
    }

    #[test]
    fn the_cornering_speed_is_where_the_hold_is_just_enough() {
        for dip in [-1e-3, 0.0, 2e-3] {
            for radius in [20.0, 35.0, 90.0, 240.0] {
                let speed2 = grip(dip).cornering_speed2(1.0 / radius, 0.97);
                let needed = speed2 / radius;
                let held = 0.97 * grip(dip).limit(speed2);
                assert!((needed - held).abs() < 1e-6 * held || held > 1e3, "{radius} m: {needed} {held}");
            }
        }
    }

    #[test]
    fn cornering_is_that_of_a_formula_car() {
        let g_at = |kmh: f64| grip(0.0).limit((kmh / 3.6_f64).powi(2)) / GRAVITY;
        assert!((1.6..2.1).contains(&g_at(80.0)), "{}", g_at(80.0));
        assert!((3.8..5.4).contains(&g_at(280.0)), "{}", g_at(280.0));
    }

    #[test]
    fn cornering_leaves_less_for_braking() {
        let grip = grip(0.0);
        let alone = grip.braking(3600.0, 0.0);
        let limit = grip.limit(3600.0);
        assert!((grip.braking(3600.0, 0.6 * limit) / alone - 0.8).abs() < 1e-9);
        assert_eq!(grip.braking(3600.0, 2.0 * limit), 0.0);
        assert!(grip.traction(3600.0, 0.0) < alone);
    }
}
