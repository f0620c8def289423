//! Cars of a packet's arrays.

use trailbrake_model::Car;

use super::layout::MOST_CARS;

/// The cars in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsedCars {
    /// How many of the first ones.
    pub(super) first: usize,
    pub(super) player: Option<Car>,
}

impl UsedCars {
    /// The car at a place, if it is in use.
    #[inline]
    pub(super) fn car(self, place: usize) -> Option<Car> {
        let car = Car(place as u8);
        (place < self.first || Some(car) == self.player).then_some(car)
    }
}

/// Some of the cars: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CarSet(u32);

const _: () = assert!(MOST_CARS <= u32::BITS as usize, "a bit for each car");

impl CarSet {
    /// The cars for which `is_in` is true.
    pub(super) fn of(is_in: impl Fn(Car) -> bool) -> Self {
        let cars = (0..MOST_CARS as u8).map(Car).filter(|car| is_in(*car));
        cars.fold(Self::default(), |set, car| set.with(car))
    }

    /// The set with one more car.
    pub(super) fn with(self, car: Car) -> Self {
        Self(self.0 | Self::bit(car))
    }

    #[inline(always)]
    pub(super) fn contains(self, car: Car) -> bool {
        self.0 & Self::bit(car) != 0
    }

    #[inline(always)]
    fn bit(car: Car) -> u32 {
        1_u32.checked_shl(car.0.into()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_cars_that_were_put_into_it() {
        let set = CarSet::of(|car| car.0 == 3).with(Car(23)).with(Car(200));
        let cars: Vec<u8> = (0..=255).filter(|car| set.contains(Car(*car))).collect();
        assert_eq!(cars, [3, 23]);
    }
}
