//! The cars of a session.

use trailbrake_model::Car;

use super::CarState;

/// The state of each car, in the order of their numbers.
///
/// A car is looked up for every value of every packet. Games number their cars from 0, so that a car's number mostly is
/// its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Cars(Vec<(Car, CarState)>);

impl Cars {
    pub(super) fn get(&self, car: Car) -> Option<&CarState> {
        self.0.get(self.place(car).ok()?).map(|(_, state)| state)
    }

    pub(super) fn get_mut(&mut self, car: Car) -> Option<&mut CarState> {
        let place = self.place(car).ok()?;
        self.0.get_mut(place).map(|(_, state)| state)
    }

    /// A car's state, which begins empty.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the car was just found at this place, or put there")]
    pub(super) fn of(&mut self, car: Car) -> &mut CarState {
        let own = usize::from(car.0);
        let is_there = self.0.get(own).is_some_and(|(there, _)| *there == car);
        let place = if is_there { own } else { self.find_or_insert(car) };
        &mut self.0[place].1
    }

    #[cold]
    fn find_or_insert(&mut self, car: Car) -> usize {
        self.place(car).unwrap_or_else(|place| {
            self.0.insert(place, (car, CarState::default()));
            place
        })
    }

    pub(super) fn contains(&self, car: Car) -> bool {
        self.place(car).is_ok()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Car, &CarState)> + Clone {
        self.0.iter().map(|(car, state)| (*car, state))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Car, &mut CarState)> {
        self.0.iter_mut().map(|(car, state)| (*car, state))
    }

    /// Where a car is, or where it belongs.
    #[inline]
    fn place(&self, car: Car) -> Result<usize, usize> {
        let own = usize::from(car.0);
        match self.0.get(own) {
            Some((there, _)) if *there == car => Ok(own),
            _ => self.0.binary_search_by_key(&car, |(there, _)| *there),
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_model::{Channel, Moment, Sample};

    use super::*;
    use crate::Retention;

    #[test]
    fn cars_are_found_whatever_their_numbers_are() {
        let mut cars = Cars::default();
        for number in [7, 0, 255, 1, 2, 7, 40] {
            let values = &[(Channel::Speed.slot(), f32::from(number))];
            let sample = Sample { car: Car(number), moment: Moment::default(), values };
            cars.of(Car(number)).take(&sample, false, &Retention::default());
        }
        let numbers: Vec<u8> = cars.iter().map(|(car, _)| car.0).collect();
        assert_eq!(numbers, [0, 1, 2, 7, 40, 255]);
        for number in 0..=255 {
            let found = cars.get(Car(number)).and_then(|state| state.value(Channel::Speed));
            assert_eq!(found, numbers.contains(&number).then_some(number.into()));
            assert_eq!(cars.contains(Car(number)), found.is_some());
            assert_eq!(cars.get_mut(Car(number)).is_some(), found.is_some());
        }
    }
}
