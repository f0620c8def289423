//! The cars that matter most to the driver: their own, and the one that is watched.

use trailbrake_model::Car;

use super::cars::Cars;
use super::{CarState, Retention};

/// The player's car, and whom player and user watch.
#[derive(Clone, Debug, Default)]
pub(super) struct Focus {
    /// The player's car.
    pub(super) player: Option<Car>,
    /// The car that the player watches instead of their own.
    pub(super) watching: Option<Car>,
    /// The car that the user picked to watch.
    pub(super) picked: Option<Car>,
    pub(super) leader: Option<Car>,
}

impl Focus {
    /// The watched car: the one the user picked, else the one the player watches, else the player's own; without a
    /// player, the leader.
    pub(super) fn watched(&self, cars: &Cars) -> Option<Car> {
        let known = [self.picked, self.watching].into_iter().flatten().find(|car| cars.contains(*car));
        known.or(self.player).or_else(|| self.first(cars))
    }

    /// The leader, else the first car in the session.
    fn first(&self, cars: &Cars) -> Option<Car> {
        let there = |car: &Car| cars.get(*car).is_some_and(CarState::takes_part);
        self.leader.filter(there).or_else(|| cars.iter().map(|(car, _)| car).find(there))
    }

    #[cold]
    pub(super) fn is_watched(&self, car: Car, cars: &Cars) -> bool {
        self.watched(cars) == Some(car)
    }

    /// The car that the player watches, else drives.
    #[inline]
    pub(super) fn followed(&self) -> Option<Car> {
        self.watching.or(self.player)
    }

    /// Whether a car is the followed one. True for every car while none is known.
    #[inline]
    pub(super) fn follows(&self, car: Car) -> bool {
        self.followed().is_none_or(|followed| followed == car)
    }

    /// Whether all channels of a car are kept: the player's, else the watched one, the one the user picked, and those
    /// that the retention names.
    #[inline]
    pub(super) fn looks_closely(&self, car: Car, retention: &Retention, cars: &Cars) -> bool {
        retention.every_car
            || [self.player, self.picked, retention.closely].contains(&Some(car))
            || (self.player.is_none() && self.is_watched(car, cars))
    }
}
