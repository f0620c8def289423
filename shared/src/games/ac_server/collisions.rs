//! Collisions: each car reports the same one, and it is told once.

use super::layout::{CarCollision, NO_CAR, WallCollision};
use crate::model::{Car, Collision};
use crate::time::Micros;
use crate::units::MPS_PER_KMH;

/// The reports of both cars come within so many seconds of each other.
const TOGETHER_S: f64 = 1.0;
/// And say places at most so far apart: each tells where it was hit when its own game saw that.
const NEAR_M: f32 = 20.0;
/// So many reports wait for the other car's at most.
const MOST_WAITING: usize = 32;

/// The reports whose other half has not come.
#[derive(Debug, Default)]
pub(super) struct Collisions {
    waiting: Vec<Report>,
}

#[derive(Clone, Copy, Debug)]
struct Report {
    at: Micros,
    car: u8,
    other: u8,
    place: [f32; 3],
}

impl Collisions {
    /// A collision with a car; `None` when the other car has told of it already.
    pub(super) fn with_car(&mut self, at: Micros, hit: &CarCollision) -> Option<Collision> {
        self.waiting.retain(|report| at.seconds_since(report.at) <= TOGETHER_S);
        let now = Report { at, car: hit.car_id, other: hit.other_car_id, place: hit.world_position };
        let other_half = self.waiting.iter().position(|report| report.mirrors(&now));
        if let Some(told) = other_half {
            self.waiting.remove(told);
            return None;
        }
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push(now);
        }
        let with = (hit.other_car_id != NO_CAR).then_some(Car(hit.other_car_id));
        Some(collision(with, hit.impact_speed, hit.world_position, hit.relative_position))
    }
}

impl Report {
    fn mirrors(&self, other: &Self) -> bool {
        let squares = self.place.iter().zip(other.place).map(|(own, other)| (own - other) * (own - other));
        self.car == other.other && self.other == other.car && squares.sum::<f32>() <= NEAR_M * NEAR_M
    }
}

/// A collision with what is no car.
pub(super) fn with_wall(hit: &WallCollision) -> Collision {
    collision(None, hit.impact_speed, hit.world_position, hit.relative_position)
}

fn collision(with: Option<Car>, kmh: f32, world: [f32; 3], on_car: [f32; 3]) -> Collision {
    // What is no number becomes nought, and what is too large as large as can be.
    let centimetres = |metres: [f32; 3]| metres.map(|metres| (metres * 100.0).round() as i32);
    Collision {
        with,
        mm_per_s: (kmh * MPS_PER_KMH * 1e3).round() as u32,
        place_cm: centimetres(world),
        on_car_cm: centimetres(on_car),
    }
}
