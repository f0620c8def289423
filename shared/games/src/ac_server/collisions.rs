//! Collisions: both cars report each one, but it is passed on once.

use trailbrake_model::time::Micros;
use trailbrake_model::units::MPS_PER_KMH;
use trailbrake_model::{Car, Collision};

use super::layout::{CarCollision, NO_CAR, WallCollision};
use crate::Vec3;

/// Maximum time between both cars' reports, seconds.
const TOGETHER_S: f64 = 1.0;
/// Maximum distance between the reported places, metres: each game reports where its own car was when it saw the hit.
const NEAR_M: f32 = 20.0;
/// Maximum number of reports that wait for the other car's.
const MOST_WAITING: usize = 32;

/// Reports without the other car's report.
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
    /// A collision with a car; `None` if the other car has already reported it.
    pub(super) fn with_car(&mut self, at: Micros, hit: &CarCollision) -> Option<Collision> {
        self.waiting.retain(|report| at.seconds_since(report.at) <= TOGETHER_S);
        let now = Report { at, car: hit.car_id, other: hit.other_car_id, place: hit.world_position.into() };
        let other_half = self.waiting.iter().position(|report| report.mirrors(&now));
        if let Some(index) = other_half {
            self.waiting.remove(index);
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

/// A collision with the environment.
pub(super) fn with_wall(hit: &WallCollision) -> Collision {
    collision(None, hit.impact_speed, hit.world_position, hit.relative_position)
}

fn collision(with: Option<Car>, kmh: f32, world: Vec3<f32>, on_car: Vec3<f32>) -> Collision {
    // The casts turn NaN into 0 and clamp large values.
    let centimetres =
        |metres: Vec3<f32>| <[f32; 3]>::from(metres).map(|metres| (metres * 100.0).round() as i32);
    Collision {
        with,
        mm_per_s: (kmh * MPS_PER_KMH * 1e3).round() as u32,
        place_cm: centimetres(world),
        on_car_cm: centimetres(on_car),
    }
}
