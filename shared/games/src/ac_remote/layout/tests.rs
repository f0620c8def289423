//! Tests offsets and literal bytes, taken from the protocol's tables and never from the layout.

use super::*;
use crate::ac_remote::{Kind, describe};
use crate::table::ONLY_VERSION;
use crate::{Value, flat_fields};

/// A row of the protocol's tables: offset, type, field.
type Row = (usize, &'static str, &'static str);

const ANSWER: &[Row] = &[
    (0, "name", "car_name"),
    (100, "name", "driver_name"),
    (208, "name", "track_name"),
    (308, "name", "track_config"),
];

const UPDATE: &[Row] = &[
    (8, "f32", "speed_kmh"),
    (12, "f32", "speed_mph"),
    (16, "f32", "speed_ms"),
    (20, "u8", "abs_enabled"),
    (21, "u8", "abs_acting"),
    (22, "u8", "tc_acting"),
    (23, "u8", "tc_enabled"),
    (24, "u8", "in_pit"),
    (25, "u8", "engine_limiter_on"),
    (28, "f32", "g_lateral"),
    (32, "f32", "g_vertical"),
    (36, "f32", "g_longitudinal"),
    (40, "i32", "lap_time"),
    (44, "i32", "last_lap"),
    (48, "i32", "best_lap"),
    (52, "i32", "lap_count"),
    (56, "f32", "gas"),
    (60, "f32", "brake"),
    (64, "f32", "clutch"),
    (68, "f32", "engine_rpm"),
    (72, "f32", "steer"),
    (76, "i32", "gear"),
    (80, "f32", "cg_height"),
    (84, "f32x4", "wheel_angular_speed"),
    (100, "f32x4", "slip_angle"),
    (116, "f32x4", "slip_angle_contact_patch"),
    (132, "f32x4", "slip_ratio"),
    (148, "f32x4", "tyre_slip"),
    (164, "f32x4", "nd_slip"),
    (180, "f32x4", "load"),
    (196, "f32x4", "dy"),
    (212, "f32x4", "mz"),
    (228, "f32x4", "tyre_dirty_level"),
    (244, "f32x4", "camber"),
    (260, "f32x4", "tyre_radius"),
    (276, "f32x4", "tyre_loaded_radius"),
    (292, "f32x4", "suspension_height"),
    (308, "f32", "position_normalised"),
    (312, "f32", "slope"),
    (316, "f32x3", "position"),
];

const LAP: &[Row] = &[(4, "i32", "lap"), (8, "name", "driver_name"), (108, "name", "car_name")];

/// Packets with only their identifying fields filled.
fn bare(kind: Kind) -> Vec<u8> {
    let mut bytes = vec![0; kind.size()];
    let known: &[(usize, &[u8])] = match kind {
        Kind::Answer => &[(200, &4242_i32.to_le_bytes()), (204, &[1])],
        Kind::Update => &[(0, b"a"), (4, &328_i32.to_le_bytes())],
        Kind::Lap => &[(8, b"A\0"), (108, b"b\0"), (208, &[1])],
    };
    for (place, known) in known {
        bytes[*place..place + known.len()].copy_from_slice(known);
    }
    bytes
}

/// Sample bytes of a type, with their value.
fn sample(kind: &str) -> (Vec<u8>, Value) {
    match kind {
        "u8" => (vec![1], Value::Unsigned(1)),
        "i32" => (0x0000_1234_i32.to_le_bytes().to_vec(), Value::Signed(0x1234)),
        "f32" => (1.5_f32.to_le_bytes().to_vec(), Value::Float(1.5)),
        "name" => (b"K\0o\0\x5b\x01%\0".to_vec(), Value::Text("Koś".into())),
        other => panic!("{other}"),
    }
}

#[test]
fn every_field_stands_where_the_protocol_says() {
    for (kind, rows) in [(Kind::Answer, ANSWER), (Kind::Update, UPDATE), (Kind::Lap, LAP)] {
        let was = flat_fields::flat_fields(&describe(&bare(kind)).expect("a packet").fields);
        for &(offset, row, field) in rows {
            let (single, count) = row.split_once('x').unwrap_or((row, "1"));
            let (bytes, value) = sample(single);
            for part in 0..count.parse().expect("a number") {
                let mut packet = bare(kind);
                let place = offset + part * bytes.len();
                packet[place..place + bytes.len()].copy_from_slice(&bytes);
                let now = flat_fields::flat_fields(&describe(&packet).expect("a packet").fields);
                let changed: Vec<_> = now.into_iter().filter(|leaf| !was.contains(leaf)).collect();
                let path = match count {
                    "1" => field.to_owned(),
                    "3" => format!("{field}.{}", ["x", "y", "z"][part]),
                    _ => format!("{field}.{part}"),
                };
                assert_eq!(changed, [(path, value.clone())], "{kind:?} {offset}");
            }
        }
    }
}

#[test]
fn what_a_packet_is_known_by_stands_where_the_protocol_says() {
    let field = |kind: Kind, path: &str| describe(&bare(kind)).expect("a packet").fields.at(path).cloned();
    assert_eq!(field(Kind::Answer, "identifier"), Some(Value::Signed(4242)));
    assert_eq!(field(Kind::Answer, "version"), Some(Value::Signed(1)));
    assert_eq!(field(Kind::Update, "identifier"), Some(Value::Unsigned(0x61)));
    assert_eq!(field(Kind::Update, "size"), Some(Value::Signed(328)));
    let mut lap = bare(Kind::Lap);
    lap[0] = 3;
    lap[208..212].copy_from_slice(&344_684_i32.to_le_bytes());
    let lap = describe(&lap).expect("a packet").fields;
    assert_eq!(lap.at("car_identifier"), Some(&Value::Signed(3)));
    assert_eq!(lap.at("time"), Some(&Value::Signed(344_684)));
}

#[test]
fn requests_are_the_protocols_bytes() {
    let request = Request { identifier: 1, version: 1, operation: 2 };
    assert_eq!(request.bytes(ONLY_VERSION), [1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
}
