//! What upsets a car now and then: wheels that spin, a floor that meets the road, a handbrake that is pulled.

use super::Car;

/// What can upset a car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The driven wheels spin, as on a patch of oil.
    Wheelspin,
    /// A bump presses all springs in until the floor is on the road.
    Bump,
    /// The driver pulls the handbrake.
    Handbrake,
}

/// How much faster driven wheels are than the road where they spin, as a part of the speed.
pub(super) const SPINS: f64 = 0.5;
/// How far a bump presses the springs in, mm.
pub(super) const BUMP_MM: f64 = 105.0;
/// Wheels can spin with the throttle this far down, and faster than this, m/s.
const SPINS_FROM: f64 = 0.6;
const FROM_MS: f64 = 12.0;

impl Car {
    /// Upsets the car for so many seconds, as soon as it can happen.
    pub(crate) fn upset(&mut self, what: Disturbance, seconds: f64) {
        self.upset = Some((what, seconds));
    }

    /// What upsets the car right now.
    pub fn upset_by(&self) -> Option<Disturbance> {
        self.upset.map(|(what, _)| what).filter(|what| match what {
            Disturbance::Wheelspin => self.throttle > SPINS_FROM && self.speed_ms > FROM_MS,
            Disturbance::Bump | Disturbance::Handbrake => self.speed_ms > FROM_MS,
        })
    }

    /// Lets the time pass for what upsets the car.
    pub(super) fn recover(&mut self, dt: f64) {
        if self.upset_by().is_some() {
            self.upset =
                self.upset.map(|(what, left_s)| (what, left_s - dt)).filter(|(_, left_s)| *left_s > 0.0);
        }
    }
}
