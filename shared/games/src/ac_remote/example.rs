//! Hand-written packets for tests.

use super::layout::{Answer, Lap, Update};
use super::text::WideText;
use crate::Vec3;
use crate::table::ONLY_VERSION;

/// An update with this lap count and lap clock (ms): 50 m/s along z, on a lap of 5 km.
pub(crate) fn update(laps: i32, clock: i32, last_lap: i32) -> Update {
    let metres = clock as f32 * 0.05;
    Update {
        identifier: b'a',
        size: 328,
        speed_kmh: 180.0,
        speed_mph: 111.847,
        speed_ms: 50.0,
        lap_time: clock,
        lap_count: laps,
        last_lap,
        best_lap: last_lap,
        gear: 4,
        clutch: 1.0,
        engine_rpm: 6000.0,
        position_normalised: metres / 5000.0,
        position: Vec3 { x: 0.0, y: 1.0, z: metres },
        ..Update::default()
    }
}

/// The bytes of such an update.
pub(crate) fn update_bytes(laps: i32, clock: i32, last_lap: i32) -> Vec<u8> {
    update(laps, clock, last_lap).bytes(ONLY_VERSION)
}

/// An answer with this car, driver, track and layout.
pub(crate) fn answer(car: &str, driver: &str, track: &str, layout: &str) -> Vec<u8> {
    let answer = Answer {
        identifier: 4242,
        version: 1,
        car_name: WideText::write(car),
        driver_name: WideText::write(driver),
        track_name: WideText::write(track),
        track_config: WideText::write(layout),
    };
    answer.bytes(ONLY_VERSION)
}

/// A finished lap of the car at `place`.
pub(crate) fn lap(place: i32, number: i32, driver: &str, car: &str, time: i32) -> Vec<u8> {
    let (driver_name, car_name) = (WideText::write(driver), WideText::write(car));
    Lap { car_identifier: place, lap: number, driver_name, car_name, time }.bytes(ONLY_VERSION)
}
