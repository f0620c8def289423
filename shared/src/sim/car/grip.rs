//! What the tyres can hold: load, friction that falls with load, and the ellipse of braking and cornering.

use super::{Car, GRAVITY};

/// Friction of a fresh, warm, dry tyre under the car's own weight.
pub(crate) const FRICTION: f64 = 1.64;

/// How much friction is lost per car's weight of extra load.
const FRICTION_LOST: f64 = 0.045;

/// Downforce coefficient times area, m².
pub(crate) const DOWNFORCE_AREA_M2: f64 = 4.1;

/// Density of air, kg/m³.
pub(crate) const AIR_KG_M3: f64 = 1.2;

/// How much of the tyres' hold the driven rear tyres have under power.
const DRIVEN_PART: f64 = 0.7;

/// What the tyres of one car can hold right now.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grip {
    /// Friction times everything that tyres, weather and ground do to it.
    friction: f64,
    /// Extra load per square of speed, in the car's weight.
    load_per_speed2: f64,
}

impl Grip {
    /// The hold of a car where the ground curves by `dip` per metre, with `factor` of the best tyre's friction.
    pub(crate) fn new(car: &Car, factor: f64, dip: f64) -> Self {
        let wing = 0.5 * AIR_KG_M3 * DOWNFORCE_AREA_M2 * car.downforce_part() / (car.mass_kg() * GRAVITY);
        Self { friction: FRICTION * factor, load_per_speed2: (wing + dip / GRAVITY).max(2e-5) }
    }

    /// The hold in all directions at this square of the speed, m/s².
    pub(crate) fn limit(&self, speed2: f64) -> f64 {
        let extra = self.load_per_speed2 * speed2;
        self.friction * GRAVITY * (1.0 - FRICTION_LOST * extra).max(0.3) * (1.0 + extra)
    }

    /// The square of the speed at which a path of this curvature takes `part` of the hold.
    pub(crate) fn cornering_speed2(&self, curvature: f64, part: f64) -> f64 {
        // hold(w) = curvature · w is a quadratic in w, the square of the speed.
        let (hold, load) = (part * self.friction * GRAVITY, self.load_per_speed2);
        let square = hold * FRICTION_LOST * load * load;
        let linear = hold * (1.0 - FRICTION_LOST) * load - curvature.abs();
        (linear + (linear * linear + 4.0 * square * hold).sqrt()) / (2.0 * square)
    }

    /// What is left for braking while `lateral` m/s² go into the corner, m/s².
    pub(crate) fn braking(&self, speed2: f64, lateral: f64) -> f64 {
        let limit = self.limit(speed2);
        let used = (lateral / limit).clamp(-1.0, 1.0);
        0.97 * limit * (1.0 - used * used).sqrt()
    }

    /// What is left for driving forward while `lateral` m/s² go into the corner, m/s².
    pub(crate) fn traction(&self, speed2: f64, lateral: f64) -> f64 {
        DRIVEN_PART * self.braking(speed2, lateral)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grip(dip: f64) -> Grip {
        Grip::new(&Car::new(60.0, Default::default()), 1.0, dip)
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
