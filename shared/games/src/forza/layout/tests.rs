//! Offsets and literal bytes, taken from the protocol's description and never from the layout.

use super::*;
use crate::forza::describe;
use crate::{Value, flat_fields};

/// The sled: offset and name. Arrays and vectors are written out.
const SLED: &[(usize, &str)] = &[
    (0, "is_race_on"),
    (4, "timestamp_ms"),
    (8, "engine_max_rpm"),
    (12, "engine_idle_rpm"),
    (16, "current_engine_rpm"),
    (20, "acceleration.x"),
    (24, "acceleration.y"),
    (28, "acceleration.z"),
    (32, "velocity.x"),
    (40, "velocity.z"),
    (44, "angular_velocity.x"),
    (48, "angular_velocity.y"),
    (52, "angular_velocity.z"),
    (56, "yaw"),
    (60, "pitch"),
    (64, "roll"),
    (68, "normalized_suspension_travel.0"),
    (80, "normalized_suspension_travel.3"),
    (84, "tire_slip_ratio.0"),
    (100, "wheel_rotation_speed.0"),
    (116, "wheel_on_rumble_strip.0"),
    (132, "wheel_in_puddle.0"),
    (148, "surface_rumble.0"),
    (164, "tire_slip_angle.0"),
    (180, "tire_combined_slip.0"),
    (196, "suspension_travel_meters.0"),
    (208, "suspension_travel_meters.3"),
    (212, "car_ordinal"),
    (216, "car_class"),
    (220, "car_performance_index"),
    (224, "drivetrain_type"),
    (228, "num_cylinders"),
];

/// What follows it in Motorsport: offset, size and name. In Horizon, each stands 12 bytes further on.
const DASH: &[(usize, usize, &str)] = &[
    (232, 4, "position.x"),
    (240, 4, "position.z"),
    (244, 4, "speed"),
    (248, 4, "power"),
    (252, 4, "torque"),
    (256, 4, "tire_temp.0"),
    (272, 4, "boost"),
    (276, 4, "fuel"),
    (280, 4, "distance_traveled"),
    (284, 4, "best_lap"),
    (288, 4, "last_lap"),
    (292, 4, "current_lap"),
    (296, 4, "current_race_time"),
    (300, 2, "lap_number"),
    (302, 1, "race_position"),
    (303, 1, "accel"),
    (304, 1, "brake"),
    (305, 1, "clutch"),
    (306, 1, "handbrake"),
    (307, 1, "gear"),
    (308, 1, "steer"),
    (309, 1, "normalized_driving_line"),
    (310, 1, "normalized_ai_brake_difference"),
];

/// Checks that the bytes at an offset are the field: they alone change it.
fn check(len: usize, offset: usize, size: usize, name: &str) {
    // Zeros throughout, but a driving car with an engine.
    let mut bytes = vec![0; len];
    (bytes[0], bytes[8]) = (1, 1);
    let described = |bytes: &[u8]| flat_fields(&describe(bytes).expect("a packet").fields);
    let before = described(&bytes);
    for (place, byte) in bytes.iter_mut().enumerate().skip(offset).take(size) {
        // Small enough to stay plausible in every field.
        *byte ^= if place == 0 { 1 } else { 2 };
    }
    let after = described(&bytes);
    let changed: Vec<&str> = before
        .iter()
        .zip(&after)
        .filter(|(before, after)| before != after)
        .map(|(_, (name, _))| name.as_str())
        .collect();
    assert_eq!(changed, [name], "{offset} of {len}");
}

#[test]
fn every_field_stands_at_its_offset() {
    for (len, shift) in [(232, None), (311, Some(0)), (323, Some(12)), (324, Some(12)), (331, Some(0))] {
        for &(offset, name) in SLED {
            // A changed byte of the first field would make it another packet.
            let size = if offset == 0 { 1 } else { 4 };
            check(len, offset, size, name);
        }
        for &(offset, size, name) in shift.map(|_| DASH).unwrap_or_default() {
            check(len, offset + shift.unwrap_or_default(), size, name);
        }
    }
    for (offset, name) in [(232, "car_group"), (236, "smashable_vel_diff"), (240, "smashable_mass")] {
        check(324, offset, 4, name);
    }
    check(324, 323, 1, "unused_323");
    for (offset, name) in [(311, "tire_wear.0"), (323, "tire_wear.3"), (327, "track_ordinal")] {
        check(331, offset, 4, name);
    }
}

#[test]
fn each_form_has_its_fields() {
    for (len, fields) in [(232, 58), (311, 58 + 27), (324, 58 + 3 + 27 + 1), (331, 58 + 27 + 5)] {
        let mut bytes = vec![0; len];
        (bytes[0], bytes[8]) = (1, 1);
        assert_eq!(flat_fields(&describe(&bytes).expect("a packet").fields).len(), fields, "{len}");
    }
}

/// The head of packet 0 of the captured lap of Laguna Seca, and its last bytes before the brake difference.
#[test]
fn literal_bytes_are_read_as_the_description_says() {
    let mut bytes = vec![0; 311];
    for (offset, part) in [
        // Driving; 105 962 421 ms; 14 999.992 rpm at most; 3 499.998 idle; 10 661.385 now.
        (0, &[1, 0, 0, 0, 0xb5, 0xdb, 0x50, 0x06, 0xf8, 0x5f, 0x6a, 0x46][..]),
        (12, &[0xf8, 0xbf, 0x5a, 0x45, 0x8a, 0x95, 0x26, 0x46]),
        // Lap 258, position 3, pedals, handbrake, gear 4, steering left, line far left.
        (300, &[2, 1, 3, 255, 128, 64, 32, 4, 0x81, 0xae]),
    ] {
        bytes[offset..offset + part.len()].copy_from_slice(part);
    }
    let packet = Packet::of_bytes(&bytes, LENGTHS.at(1));
    assert_eq!((packet.is_race_on, packet.timestamp_ms), (1, 105_962_421));
    assert_eq!((packet.engine_max_rpm, packet.engine_idle_rpm), (14_999.992, 3_499.998));
    assert_eq!(packet.current_engine_rpm, 10_661.385);
    assert_eq!((packet.lap_number, packet.race_position), (Some(258), Some(3)));
    assert_eq!(
        (packet.accel, packet.brake, packet.clutch, packet.handbrake),
        (Some(255), Some(128), Some(64), Some(32))
    );
    assert_eq!((packet.gear, packet.steer, packet.normalized_driving_line), (Some(4), Some(-127), Some(-82)));
    assert_eq!((packet.tire_wear, packet.car_group), (None, None));
    assert_eq!(packet.bytes(LENGTHS.at(1)), bytes);
}

#[test]
fn a_puddle_is_a_depth_in_motorsport_and_a_switch_in_horizon() {
    let mut bytes = vec![0; 331];
    bytes[0] = 1;
    bytes[132..136].copy_from_slice(&0.5_f32.to_le_bytes());
    let in_puddle = |bytes: &[u8]| describe(bytes).expect("a packet").fields.at("wheel_in_puddle.0").cloned();
    assert_eq!(in_puddle(&bytes), Some(Value::Float(0.5)));
    bytes.truncate(324);
    bytes[132..136].copy_from_slice(&1_i32.to_le_bytes());
    assert_eq!(in_puddle(&bytes), Some(Value::Signed(1)));
}
