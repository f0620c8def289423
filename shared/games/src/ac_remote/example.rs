//! Hand-written packets for tests.

use zerocopy::{FromZeros, IntoBytes};

use super::layout::{Answer, Lap, Update};
use super::text::WideText;
use crate::Vec3;

/// An update with this lap count and lap clock (ms): 50 m/s along z, on a lap of 5 km.
pub(crate) fn update(laps: i32, clock: i32, last_lap: i32) -> Update {
    let metres = clock as f32 * 0.05;
    let mut update = Update::new_zeroed();
    (update.identifier, update.size) = (b'a', 328.into());
    (update.speed_kmh, update.speed_mph, update.speed_ms) = (180.0.into(), 111.847.into(), 50.0.into());
    (update.lap_time, update.lap_count) = (clock.into(), laps.into());
    (update.last_lap, update.best_lap) = (last_lap.into(), last_lap.into());
    (update.gear, update.clutch, update.engine_rpm) = (4.into(), 1.0.into(), 6000.0.into());
    update.position_normalised = (metres / 5000.0).into();
    update.position = Vec3::new(0.0, 1.0, metres);
    update
}

/// An answer with this car, driver, track and layout.
pub(crate) fn answer(car: &str, driver: &str, track: &str, layout: &str) -> Vec<u8> {
    let mut answer = Answer::new_zeroed();
    (answer.identifier, answer.version) = (4242.into(), 1.into());
    (answer.car_name, answer.driver_name) = (WideText::write(car), WideText::write(driver));
    (answer.track_name, answer.track_config) = (WideText::write(track), WideText::write(layout));
    answer.as_bytes().to_vec()
}

/// A finished lap of the car at `place`.
pub(crate) fn lap(place: i32, number: i32, driver: &str, car: &str, time: i32) -> Vec<u8> {
    let mut lap = Lap::new_zeroed();
    (lap.car_identifier, lap.lap, lap.time) = (place.into(), number.into(), time.into());
    (lap.driver_name, lap.car_name) = (WideText::write(driver), WideText::write(car));
    lap.as_bytes().to_vec()
}
