//! Disturbances of a car: wheelspin, a bump, the handbrake.

use super::Car;

/// A disturbance of a car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The driven wheels spin, as on a patch of oil.
    Wheelspin,
    /// A bump compresses the springs until the car bottoms out.
    Bump,
    /// The driver pulls the handbrake.
    Handbrake,
}

/// Slip ratio of spinning driven wheels.
pub(super) const SPINS: f64 = 0.5;
/// Spring compression by a bump, in mm.
pub(super) const BUMP_MM: f64 = 105.0;
/// Wheelspin needs more throttle than this, and every disturbance more speed than this (m/s).
const SPINS_FROM: f64 = 0.6;
const FROM_MS: f64 = 12.0;

impl Car {
    /// Disturbs the car for `seconds`, from the moment that the conditions allow it.
    pub(crate) fn upset(&mut self, what: Disturbance, seconds: f64) {
        self.upset = Some((what, seconds));
    }

    /// The disturbance acting right now.
    pub fn upset_by(&self) -> Option<Disturbance> {
        self.upset.map(|(what, _)| what).filter(|what| match what {
            Disturbance::Wheelspin => self.throttle > SPINS_FROM && self.speed_ms > FROM_MS,
            Disturbance::Bump | Disturbance::Handbrake => self.speed_ms > FROM_MS,
        })
    }

    /// Counts down the current disturbance.
    pub(super) fn recover(&mut self, dt: f64) {
        if self.upset_by().is_some() {
            self.upset =
                self.upset.map(|(what, left_s)| (what, left_s - dt)).filter(|(_, left_s)| *left_s > 0.0);
        }
    }
}
