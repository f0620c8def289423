//! Detects contacts between cars, and with objects beside the track.

use trailbrake_games::ac_server::Message;
use trailbrake_games::ac_server::layout::{CarCollision, WallCollision};

use super::super::race::{Race, car_state};
use super::super::state::CarState;
use super::super::truth::ContactTruth;

/// Cars closer than this are in contact, in metres.
const NEAR_M: f64 = 3.0;
/// The least time between two contacts of a car, in seconds.
const REST_S: f64 = 8.0;
/// The second car's report arrives this much later, in seconds.
pub(super) const SECOND_S: f64 = 0.2;
/// Impact speed with an object beside the track, as a share of the car's speed.
const GLANCING: f64 = 0.2;
const KMH_PER_MS: f64 = 3.6;

/// Detects contacts of all cars.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    /// Time of each car's latest contact.
    last_s: Vec<f64>,
    /// Whether each car was off the track at the last look.
    off: Vec<bool>,
}

impl Contacts {
    /// The contacts since the last call, of cars for which `drives` is true.
    pub(super) fn look(
        &mut self,
        race: &Race,
        now_s: f64,
        drives: impl Fn(usize) -> bool,
    ) -> Vec<ContactTruth> {
        let cars: Vec<Option<CarState>> =
            (0..race.cars()).map(|car| car_state(race, car).filter(|_| drives(car))).collect();
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
                    ContactTruth { at_s: now_s, car, with: Some(with), kmh, place: state.motion.position },
                );
            }
            let off = state.lap.invalid;
            let left = self.off.get_mut(car).is_some_and(|before| !std::mem::replace(before, off) && off);
            if left {
                let kmh = state.motion.speed_ms * GLANCING * KMH_PER_MS;
                self.take(
                    &mut found,
                    ContactTruth { at_s: now_s, car, with: None, kmh, place: state.motion.position },
                );
            }
        }
        found
    }

    fn take(&mut self, found: &mut Vec<ContactTruth>, contact: ContactTruth) {
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

/// The server's reports: one for a contact with the environment, two for contact between cars.
pub(super) fn reports(contact: &ContactTruth) -> Vec<Message> {
    let impact_speed = contact.kmh as f32;
    let world = contact.place.map(|metres| metres as f32);
    let car_id = contact.car as u8;
    let Some(with) = contact.with else {
        let relative_position = [0.8, 0.1, 1.6].into();
        let hit = WallCollision { car_id, impact_speed, world_position: world.into(), relative_position };
        return vec![Message::WallCollision(hit)];
    };
    let half = |car_id, other_car_id, relative_position| {
        Message::CarCollision(CarCollision {
            car_id,
            other_car_id,
            impact_speed,
            world_position: world.into(),
            relative_position,
        })
    };
    vec![half(car_id, with as u8, [-0.8, 0.1, 1.4].into()), half(with as u8, car_id, [0.8, 0.1, -1.4].into())]
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
