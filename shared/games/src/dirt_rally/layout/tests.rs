//! Offsets and literal bytes, taken from the protocol's tables and never from the layout.

use super::*;
use crate::dirt_rally::describe;
use crate::table::ONLY_VERSION;
use crate::{Value, flat_fields};

/// The list of channels: index, byte offset, name. Arrays and vectors are written out as in the description.
const LIST: [(usize, usize, &str); 66] = [
    (0, 0, "total_time"),
    (1, 4, "lap_time"),
    (2, 8, "lap_distance"),
    (3, 12, "progress"),
    (4, 16, "position.x"),
    (5, 20, "position.y"),
    (6, 24, "position.z"),
    (7, 28, "speed"),
    (8, 32, "velocity.x"),
    (9, 36, "velocity.y"),
    (10, 40, "velocity.z"),
    (11, 44, "right.x"),
    (12, 48, "right.y"),
    (13, 52, "right.z"),
    (14, 56, "forward.x"),
    (15, 60, "forward.y"),
    (16, 64, "forward.z"),
    (17, 68, "suspension_position.0"),
    (18, 72, "suspension_position.1"),
    (19, 76, "suspension_position.2"),
    (20, 80, "suspension_position.3"),
    (21, 84, "suspension_velocity.0"),
    (22, 88, "suspension_velocity.1"),
    (23, 92, "suspension_velocity.2"),
    (24, 96, "suspension_velocity.3"),
    (25, 100, "wheel_speed.0"),
    (26, 104, "wheel_speed.1"),
    (27, 108, "wheel_speed.2"),
    (28, 112, "wheel_speed.3"),
    (29, 116, "throttle"),
    (30, 120, "steer"),
    (31, 124, "brake"),
    (32, 128, "clutch"),
    (33, 132, "gear"),
    (34, 136, "g_lateral"),
    (35, 140, "g_longitudinal"),
    (36, 144, "lap"),
    (37, 148, "engine_rate"),
    (38, 152, "native_sli_support"),
    (39, 156, "race_position"),
    (40, 160, "kers_level"),
    (41, 164, "kers_level_max"),
    (42, 168, "drs"),
    (43, 172, "traction_control"),
    (44, 176, "abs"),
    (45, 180, "fuel_in_tank"),
    (46, 184, "fuel_capacity"),
    (47, 188, "in_pits"),
    (48, 192, "sector"),
    (49, 196, "sector_1_time"),
    (50, 200, "sector_2_time"),
    (51, 204, "brake_temp.0"),
    (52, 208, "brake_temp.1"),
    (53, 212, "brake_temp.2"),
    (54, 216, "brake_temp.3"),
    (55, 220, "tyre_pressure.0"),
    (56, 224, "tyre_pressure.1"),
    (57, 228, "tyre_pressure.2"),
    (58, 232, "tyre_pressure.3"),
    (59, 236, "laps_completed"),
    (60, 240, "total_laps"),
    (61, 244, "track_length"),
    (62, 248, "last_lap_time"),
    (63, 252, "max_rpm"),
    (64, 256, "idle_rpm"),
    (65, 260, "max_gears"),
];

/// A car standing on the line: only what makes a packet plausible.
fn standing(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; 264];
    let mut put = |place: usize, value: f32| bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
    put(44, 1.0);
    put(64, 1.0);
    put(252, 900.0);
    put(260, 6.0);
    bytes.truncate(len);
    bytes
}

/// A row of one of the other tables: byte offset, type, field.
type Row = (usize, &'static str, &'static str);

const MOTION: &[Row] = &[
    (0, "u32", "total_time"),
    (4, "f32", "angular_velocity.x"),
    (8, "f32", "angular_velocity.z"),
    (12, "f32", "angular_velocity.y"),
    (16, "f32", "yaw"),
    (20, "f32", "pitch"),
    (24, "f32", "roll"),
    (28, "f32", "acceleration.x"),
    (32, "f32", "acceleration.z"),
    (36, "f32", "acceleration.y"),
    (40, "f32", "velocity.x"),
    (44, "f32", "velocity.z"),
    (48, "f32", "velocity.y"),
    (52, "i32", "position.x"),
    (56, "i32", "position.z"),
    (60, "i32", "position.y"),
];

const OLDER_SINGLE: &[Row] = &[
    (0, "f32", "total_time"),
    (4, "f32", "lap_time"),
    (8, "f32", "lap_distance"),
    (12, "f32", "total_distance"),
    (16, "xyz", "position"),
    (28, "f32", "speed"),
    (32, "xyz", "velocity"),
    (44, "xyz", "roll"),
    (56, "xyz", "pitch"),
    (68, "f32x4", "suspension_position"),
    (84, "f32x4", "suspension_velocity"),
    (100, "f32x4", "wheel_speed"),
    (116, "f32", "throttle"),
    (120, "f32", "steer"),
    (124, "f32", "brake"),
    (128, "f32", "clutch"),
    (132, "f32", "handbrake"),
    (136, "i8", "gear"),
    (137, "f32", "g_lateral"),
    (141, "f32", "g_longitudinal"),
    (145, "f32", "lap"),
    (149, "f32", "rpm"),
    (153, "f32", "slip_front"),
    (157, "f32", "slip_rear"),
    (161, "xyz", "angular_velocity"),
];

const OLDER_MOTION: &[Row] = &[
    (1, "u8", "format"),
    (2, "xyz", "position"),
    (14, "xyz", "velocity"),
    (26, "xyz", "pitch"),
    (38, "xyz", "roll"),
    (50, "xyz", "yaw"),
    (62, "xyz", "angular_velocity"),
    (74, "f32", "g_lateral"),
    (78, "f32", "g_longitudinal"),
    (82, "f32", "g_vertical"),
    (86, "f32x4", "suspension_position"),
    (102, "f32x4", "suspension_velocity"),
    (118, "f32x4", "suspension_acceleration"),
    (134, "f32x4", "wheel_speed"),
    (150, "f32", "slip"),
];

const OLDER_CONTROLS: &[Row] = &[
    (1, "u8", "controls.format"),
    (2, "f32", "controls.speed"),
    (6, "u16", "controls.rpm"),
    (8, "u16", "controls.gear"),
    (10, "u16", "controls.suggested_gear"),
    (12, "u8", "controls.throttle"),
    (13, "i8", "controls.steer"),
    (14, "u8", "controls.brake"),
    (15, "u8", "controls.clutch"),
    (16, "u8", "controls.handbrake"),
    (17, "u8", "controls.fuel"),
    (18, "f32", "controls.engine_temp"),
    (22, "u16x4", "controls.brake_temp"),
    (30, "u16x4", "controls.tyre_surface_temp"),
    (38, "u16x4", "controls.tyre_inner_temp"),
];

const OLDER_TYRES: &[Row] = &[(46, "f32x4", "tyre_pressure"), (62, "f32x4", "surface_type")];

/// Sample bytes of a type, with the value they encode.
fn specimen(kind: &str) -> (&'static [u8], Value) {
    match kind {
        "u8" => (&[0xa7], Value::Unsigned(167)),
        "i8" => (&[0xa7], Value::Signed(-89)),
        "u16" => (&[0x34, 0xb2], Value::Unsigned(45_620)),
        "u32" => (&[0x78, 0x56, 0x34, 0xf2], Value::Unsigned(4_063_516_280)),
        "i32" => (&[0x00, 0x00, 0xff, 0xff], Value::Signed(-65_536)),
        "f32" => (&[0x00, 0x00, 0xc0, 0xbe], Value::Float(-0.375)),
        other => panic!("no specimen of {other}"),
    }
}

/// The numbers in a row: name, byte offset, type.
fn numbers(&(offset, kind, field): &Row) -> Vec<(String, usize, &'static str)> {
    let (kind, parts): (_, &[&str]) = match kind {
        "xyz" => ("f32", &[".x", ".y", ".z"]),
        "f32x4" => ("f32", &[".0", ".1", ".2", ".3"]),
        "u16x4" => ("u16", &[".0", ".1", ".2", ".3"]),
        kind => (kind, &[""]),
    };
    let size = specimen(kind).0.len();
    parts
        .iter()
        .enumerate()
        .map(|(place, part)| (format!("{field}{part}"), offset + place * size, kind))
        .collect()
}

/// All numbers and texts in a datagram, by path.
fn read(datagram: &[u8]) -> Vec<(String, Value)> {
    flat_fields::flat_fields(&describe(datagram).expect("a packet").fields)
}

/// The values of `after` that differ from `before`.
fn changed(before: &[u8], after: &[u8]) -> Vec<(String, Value)> {
    let was = read(before);
    read(after).into_iter().filter(|row| !was.contains(row)).collect()
}

#[test]
fn the_list_is_read_in_order_at_every_length() {
    for len in (152..=264).step_by(4) {
        let base = standing(len);
        let names: Vec<String> = read(&base).into_iter().map(|(name, _)| name).collect();
        let listed: Vec<&str> =
            LIST.iter().filter(|(_, byte, _)| *byte < len).map(|(_, _, name)| *name).collect();
        assert_eq!(names, listed, "{len} bytes");
        for (place, byte, name) in LIST.into_iter().filter(|(_, byte, _)| *byte < len) {
            assert_eq!(place * 4, byte);
            let mut other = base.clone();
            // Close enough to the original value that the packet stays plausible.
            let value = f32::from_le_bytes(base[byte..byte + 4].try_into().expect("four bytes")) + 0.0625;
            let value = if name == "gear" { 3.0 } else { value };
            other[byte..byte + 4].copy_from_slice(&value.to_le_bytes());
            assert_eq!(changed(&base, &other), [(name.to_owned(), Value::Float(value))], "{len} bytes");
        }
    }
}

#[test]
fn the_other_packets_are_read_where_their_tables_say() {
    let motion = [[0; 64].as_slice(), b"ToCA"].concat();
    let headed = |id: u8, len: usize| {
        let mut bytes = vec![0; len];
        bytes[0] = id;
        bytes
    };
    let telemetry: Vec<Row> = OLDER_CONTROLS.iter().chain(OLDER_TYRES).copied().collect();
    let packets: [(Vec<u8>, &[Row], usize); 5] = [
        (motion, MOTION, 16),
        (vec![0; 173], OLDER_SINGLE, 34 + 1 + 9),
        (headed(0, 154), OLDER_MOTION, 1 + 18 + 3 + 16 + 1),
        (headed(6, 78), &telemetry, 12 + 12 + 8),
        (headed(6, 62), OLDER_CONTROLS, 12 + 12),
    ];
    for (base, table, count) in packets {
        let all: Vec<_> = table.iter().flat_map(numbers).collect();
        assert_eq!(all.len(), count);
        for (name, byte, kind) in all {
            let (bytes, value) = specimen(kind);
            let mut other = base.clone();
            other[byte..byte + bytes.len()].copy_from_slice(bytes);
            assert_eq!(changed(&base, &other), [(name, value)]);
        }
    }
}

#[test]
fn layouts_begin_their_parts_where_the_tables_do() {
    let long = TELEMETRY_SIZES.at(1);
    for (place, byte) in [
        (Channels::place_of("brake_temp", ALL_CHANNELS), 204),
        (Channels::place_of("max_gears", ALL_CHANNELS), 260),
        (Motion::place_of("four_cc", ONLY_VERSION), 64),
        (OlderSingle::place_of("angular_velocity", ONLY_VERSION), 161),
        (OlderMotion::place_of("slip", ONLY_VERSION), 150),
        (OlderTelemetry::place_of("surface_type", long), 62),
    ] {
        assert_eq!(place.map(|place| place.start), Some(byte));
    }
}

#[test]
fn channels_are_written_as_these_bytes() {
    let channels = Channels {
        total_time: 23.186_48,
        position: Vec3 { x: 2701.706, y: 543.4812, z: -4328.852 },
        max_gears: Some(6.0),
        ..Channels::default()
    };
    let bytes = channels.bytes(ALL_CHANNELS);
    // The same numbers in a packet of a car waiting at the start of a stage.
    assert_eq!(bytes[..4], [0xe9, 0x7d, 0xb9, 0x41]);
    assert_eq!(bytes[16..28], [0x4c, 0xdb, 0x28, 0x45, 0xcc, 0xde, 0x07, 0x44, 0xd1, 0x46, 0x87, 0xc5]);
    assert_eq!(bytes[260..], [0x00, 0x00, 0xc0, 0x40]);
}

#[test]
fn the_motion_packet_is_written_as_these_bytes() {
    let motion = Motion {
        total_time: 537_320,
        angular_velocity: MotionVector { x: 1.0, z: 2.0, y: 3.0 },
        position: MotionPosition { y: -65_535, ..MotionPosition::default() },
        four_cc: Text(*b"ToCA"),
        ..Motion::default()
    };
    let bytes = motion.bytes(ONLY_VERSION);
    assert_eq!(bytes[..8], [0xe8, 0x32, 0x08, 0x00, 0x00, 0x00, 0x80, 0x3f]);
    assert_eq!(bytes[8..16], [0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40]);
    assert_eq!(bytes[60..], [0x01, 0x00, 0xff, 0xff, b'T', b'o', b'C', b'A']);
}

#[test]
fn whatever_was_sent_of_the_list_is_written_again() {
    let bytes: Vec<u8> = (0..66_u8).flat_map(|channel| (f32::from(channel) + 0.25).to_le_bytes()).collect();
    for version in (0..LAST_CHANNELS.len()).map(|place| LAST_CHANNELS.at(place)) {
        let sent = &bytes[..(usize::from(version.number()) + 1) * 4];
        assert_eq!(Channels::of_bytes(sent, version).bytes(version), sent);
    }
}
