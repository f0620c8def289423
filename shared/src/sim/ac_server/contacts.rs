//! Cars that touch, and cars that leave the track and hit what stands there.

use super::super::race::Race;
use super::super::state::CarState;
use crate::games::ac_server::Message;
use crate::games::ac_server::layout::{CarCollision, WallCollision};

/// Cars this near each other rub.
const NEAR_M: f64 = 3.0;
/// The same car has no contact again for so long.
const REST_S: f64 = 8.0;
/// The second car's game tells of it so much later.
pub(super) const SECOND_S: f64 = 0.2;
/// What stands beside the track is hit with this part of the speed.
const GLANCING: f64 = 0.2;
const KMH_PER_MS: f64 = 3.6;

/// One contact, as the simulator knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// When, seconds since the start of the run.
    pub at_s: f64,
    /// The car.
    pub car: usize,
    /// The car that it touched; `None` for anything else.
    pub with: Option<usize>,
    /// How fast, km/h.
    pub kmh: f64,
    /// Where, metres.
    pub place: [f64; 3],
}

/// Watches all cars.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    /// When each car last had one.
    last_s: Vec<f64>,
    /// Which cars were off the course.
    off: Vec<bool>,
}

impl Contacts {
    /// Those that have happened since the cars were last looked at, among cars that drive.
    pub(super) fn look(&mut self, race: &Race, now_s: f64, drives: impl Fn(usize) -> bool) -> Vec<Contact> {
        let cars: Vec<Option<CarState>> =
            (0..race.cars()).map(|car| race.car(car).filter(|_| drives(car))).collect();
        self.last_s.resize(cars.len(), f64::NEG_INFINITY);
        self.off.resize(cars.len(), false);
        let mut found = Vec::new();
        for (car, state) in cars.iter().enumerate() {
            let Some(state) = state else { continue };
            let other = cars.iter().enumerate().skip(car + 1).find(|(_, other)| {
                other
                    .as_ref()
                    .is_some_and(|other| apart(state.motion.position, other.motion.position) < NEAR_M)
            });
            if let Some((with, Some(other))) = other {
                let kmh = apart(state.motion.velocity, other.motion.velocity) * KMH_PER_MS;
                self.take(
                    &mut found,
                    Contact { at_s: now_s, car, with: Some(with), kmh, place: state.motion.position },
                );
            }
            let off = state.lap.invalid;
            let left = self.off.get_mut(car).is_some_and(|before| !std::mem::replace(before, off) && off);
            if left {
                let kmh = state.motion.speed_ms * GLANCING * KMH_PER_MS;
                self.take(
                    &mut found,
                    Contact { at_s: now_s, car, with: None, kmh, place: state.motion.position },
                );
            }
        }
        found
    }

    fn take(&mut self, found: &mut Vec<Contact>, contact: Contact) {
        let involved = [Some(contact.car), contact.with];
        let rested = |car: &usize| self.last_s.get(*car).is_some_and(|last| contact.at_s - last >= REST_S);
        if contact.kmh < 1.0 || !involved.iter().flatten().all(rested) {
            return;
        }
        for car in involved.into_iter().flatten() {
            if let Some(last) = self.last_s.get_mut(car) {
                *last = contact.at_s;
            }
        }
        found.push(contact);
    }
}

impl Contact {
    /// The reports that the server passes on: of one car, or of both.
    pub(super) fn reports(&self) -> Vec<Message> {
        let impact_speed = self.kmh as f32;
        let world = self.place.map(|metres| metres as f32);
        let car_id = self.car as u8;
        let Some(with) = self.with else {
            let relative_position = [0.8, 0.1, 1.6];
            let hit = WallCollision { car_id, impact_speed, world_position: world, relative_position };
            return vec![Message::WallCollision(hit)];
        };
        let half = |car_id, other_car_id, relative_position| {
            Message::CarCollision(CarCollision {
                car_id,
                other_car_id,
                impact_speed,
                world_position: world,
                relative_position,
            })
        };
        vec![half(car_id, with as u8, [-0.8, 0.1, 1.4]), half(with as u8, car_id, [0.8, 0.1, -1.4])]
    }
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
