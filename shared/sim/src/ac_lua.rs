//! Sends the race as a Lua app in Assetto Corsa would: one JSON object per frame, for the player's car.

use std::fmt::Write as _;

use super::car::WheelState;
use super::emitter::Emitter;
use super::race::{Race, Sky, car_state, session_state};
use super::state::CarState;

/// Steering wheel angle at full lock, in degrees.
const FULL_WHEEL_DEG: f64 = 270.0;

/// An app that uses the keys of the older format description.
#[derive(Debug, Default)]
pub(super) struct AcLua {
    json: String,
}

impl Emitter for AcLua {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let Some(car) = car_state(race, race.player()) else { return };
        self.json.clear();
        // Writing to a `String` can't fail.
        let _ = write(race, &car, &mut self.json);
        send(self.json.as_bytes());
    }
}

fn write(race: &Race, car: &CarState, json: &mut String) -> std::fmt::Result {
    let (motion, session) = (&car.motion, session_state(race));
    let [x, y, z] = motion.position;
    // The simulator's order starts with the rear wheels.
    let wheels = |value: fn(&WheelState) -> f64| {
        let [rear_left, rear_right, front_left, front_right] = car.wheels.each_ref().map(value);
        let [a, b, c, d] = [front_left, front_right, rear_left, rear_right].map(rounded);
        format!("[{a},{b},{c},{d}]")
    };
    let rain = match session.sky {
        Sky::LightRain => 0.3,
        Sky::HeavyRain => 0.7,
        Sky::Storm => 1.0,
        _ => 0.0,
    };
    write!(
        json,
        "{{\"speed_ms\":{},\"rpm\":{},\"gear\":{},\"throttle\":{},\"brake\":{},\"clutch\":{},\"steer\":{},\"fuel\":{},",
        rounded(motion.speed_ms),
        car.rpm.round(),
        car.gear,
        rounded(car.throttle),
        rounded(car.brake),
        // In the game, a released clutch is 1.
        rounded(1.0 - car.clutch),
        rounded(-car.steer * FULL_WHEEL_DEG),
        rounded(car.fuel_kg),
    )?;
    write!(
        json,
        "\"lap_time_ms\":{},\"position\":{{\"x\":{},\"y\":{},\"z\":{}}},\"suspension_travel\":{},\"tyre_wear\":{},",
        (car.lap.time_s * 1e3) as u32,
        rounded(x),
        rounded(y),
        rounded(z),
        wheels(|wheel| wheel.suspension_mm / 1e3),
        wheels(|wheel| 1.0 - wheel.wear / 100.0),
    )?;
    write!(
        json,
        "\"damage\":{{\"body\":{},\"suspension\":0,\"engine\":0,\"transmission\":0,\"aero\":0}},\
         \"weather\":{{\"track_temp\":{},\"ambient_temp\":{},\"rain\":{rain}}},\"tyre_temps\":{}}}",
        rounded(car.wing_damage / 100.0),
        rounded(session.track_c),
        rounded(session.air_c),
        wheels(|wheel| wheel.inner_c),
    )
}

/// Rounded to four decimals, as a script would print it.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e4).round() / 1e4;
    // Unlike Rust, Lua prints no sign before a zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}
