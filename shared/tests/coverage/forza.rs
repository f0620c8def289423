//! The forms of Forza's packet.

use std::ops::Range;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Vec3;
use trailbrake_shared::games::forza::Kind;
use trailbrake_shared::games::forza::layout::Packet;
use trailbrake_shared::games::table::FrontFirst;

use super::Row;

/// Fields of every form that become nothing.
const SLED: [&str; 5] = [
    // The same in another unit.
    "normalized_suspension_travel",
    // Force feedback.
    "surface_rumble",
    // It repeats and begins again; the race clock counts.
    "timestamp_ms",
    // Without a unit.
    "tire_slip_angle",
    // Without the tyres' radius.
    "wheel_rotation_speed",
];
/// The same with the dash.
const DASH: [&str; 8] = [
    SLED[0],
    // The game's own suggestions.
    "normalized_ai_brake_difference",
    "normalized_driving_line",
    SLED[1],
    SLED[2],
    SLED[3],
    // Power by engine speed.
    "torque",
    SLED[4],
];
/// The same in the Horizon games: what was hit, and a number of the car's group.
const HORIZON: [&str; 12] = [
    "car_group",
    SLED[0],
    DASH[1],
    DASH[2],
    "smashable_mass",
    "smashable_vel_diff",
    SLED[1],
    SLED[2],
    SLED[3],
    DASH[6],
    "unused_323",
    SLED[4],
];

pub(super) fn rows() -> Vec<Row> {
    let row = |kind: Kind, fields: usize, neither: &'static [&'static str], skipped: Vec<Range<usize>>| Row {
        feed: Feed::Forza,
        layout: kind.name().to_owned(),
        before: vec![driving(29.9).bytes(kind.version())],
        plain: driving(30.0).bytes(kind.version()),
        identity: Vec::new(),
        skipped,
        fields,
        neither,
    };
    vec![
        row(Kind::Sled, 25, &SLED, Vec::new()),
        row(Kind::Dash, 25 + 22, &DASH, Vec::new()),
        row(Kind::Horizon, 25 + 3 + 22 + 1, &HORIZON, Vec::new()),
        row(Kind::Dash2023, 25 + 22 + 2, &DASH, Vec::new()),
    ]
}

/// A car at 50 m/s in its second lap.
fn driving(lap_s: f32) -> Packet {
    let halves = || FrontFirst([0.5; 4]);
    Packet {
        is_race_on: 1,
        engine_max_rpm: 8000.0,
        engine_idle_rpm: 900.0,
        current_engine_rpm: 6000.0,
        velocity: Vec3 { x: 0.5, y: 0.5, z: 50.0 },
        yaw: 0.5,
        pitch: 0.5,
        roll: 0.5,
        tire_slip_ratio: halves(),
        wheel_rotation_speed: FrontFirst([150.0; 4]),
        tire_combined_slip: halves(),
        car_ordinal: 2000,
        car_class: 3,
        car_performance_index: 600,
        num_cylinders: 8,
        position: Some(Vec3::from([0.5; 3])),
        speed: Some(50.0),
        power: Some(0.5),
        torque: Some(0.5),
        tire_temp: Some(halves()),
        boost: Some(0.5),
        fuel: Some(0.5),
        distance_traveled: Some(-0.5),
        best_lap: Some(89.0),
        last_lap: Some(90.0),
        current_lap: Some(lap_s),
        current_race_time: Some(92.0 + lap_s),
        lap_number: Some(1),
        race_position: Some(3),
        gear: Some(3),
        tire_wear: Some(halves()),
        track_ordinal: Some(500),
        ..Packet::default()
    }
}
