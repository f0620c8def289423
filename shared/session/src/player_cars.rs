//! The cars that the player drove: a game may give them another one within a session.

use trailbrake_analysis::laps::Lap;
use trailbrake_model::Car;

/// Maximum changes that are kept; the oldest are forgotten.
const MOST_CHANGES: usize = 256;

/// The player's cars of a session, each with the time from which they drove it, in seconds on the game's clock.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayerCars(Vec<(f64, Car)>);

impl PlayerCars {
    /// From now on the player drives this car.
    pub(super) fn drive(&mut self, car: Car, seconds: f64) {
        if self.0.last().is_none_or(|(_, last)| *last != car) {
            if self.0.len() == MOST_CHANGES {
                self.0.remove(0);
            }
            self.0.push((seconds, car));
        }
    }

    /// The game went back in time.
    pub(super) fn go_back(&mut self, seconds: f64) {
        // What the player drives now, they drive from there on.
        let Some((_, now)) = self.0.last().copied() else { return };
        while self.0.pop_if(|(from_s, _)| *from_s > seconds).is_some() {}
        self.drive(now, seconds);
    }

    /// Whether the player drove all of a car's lap. `None` if they never changed cars.
    pub(super) fn drove(&self, car: Car, lap: &Lap) -> Option<bool> {
        if self.0.len() < 2 {
            return None;
        }
        let ended_s = lap.ended_s.unwrap_or(f64::INFINITY);
        let next_s = self.0.iter().skip(1).map(|(from_s, _)| *from_s).chain([f64::INFINITY]);
        let mut drivers =
            self.0.iter().zip(next_s).enumerate().filter(|(place, ((from_s, _), to_s))| {
                (*place == 0 || *from_s < ended_s) && *to_s > lap.began_s
            });
        Some(drivers.all(|(_, ((_, driven), _))| *driven == car))
    }
}
