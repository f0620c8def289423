//! Offsets and literal bytes, taken from the protocol's tables and never from the layout.

use super::*;
use crate::gran_turismo::describe;
use crate::{Value, flat_fields};

/// A row of the protocol's tables: offset from the packet's start, type, field.
type Row = (usize, &'static str, &'static str);

const A: &[Row] = &[
    (0x04, "f32x3", "position"),
    (0x10, "f32x3", "velocity"),
    (0x1c, "f32x3", "rotation"),
    (0x28, "f32", "rotation_w"),
    (0x2c, "f32x3", "angular_velocity"),
    (0x38, "f32", "body_height"),
    (0x3c, "f32", "engine_rpm"),
    (0x40, "u8x4", "seed"),
    (0x44, "f32", "fuel_level"),
    (0x48, "f32", "fuel_capacity"),
    (0x4c, "f32", "speed"),
    (0x50, "f32", "boost"),
    (0x54, "f32", "oil_pressure"),
    (0x58, "f32", "water_temperature"),
    (0x5c, "f32", "oil_temperature"),
    (0x60, "f32x4", "tyre_surface_temperature"),
    (0x70, "i32", "packet_id"),
    (0x74, "i16", "current_lap"),
    (0x76, "i16", "total_laps"),
    (0x78, "i32", "best_lap"),
    (0x7c, "i32", "last_lap"),
    (0x80, "i32", "time_of_day"),
    (0x84, "i16", "grid_position"),
    (0x86, "i16", "cars_before_start"),
    (0x88, "u16", "rpm_alert_min"),
    (0x8a, "u16", "rpm_alert_max"),
    (0x8c, "i16", "calculated_max_speed"),
    (0x8e, "u16", "flags"),
    (0x90, "u8", "gears"),
    (0x91, "u8", "throttle"),
    (0x92, "u8", "brake"),
    (0x93, "u8", "reserved_0x93"),
    (0x94, "f32x3", "road_normal"),
    (0xa0, "f32", "road_distance"),
    (0xa4, "f32x4", "wheel_angular_speed"),
    (0xb4, "f32x4", "tyre_radius"),
    (0xc4, "f32x4", "suspension_height"),
    (0xd4, "u8x32", "reserved_0xd4"),
    (0xf4, "f32", "clutch_pedal"),
    (0xf8, "f32", "clutch_engagement"),
    (0xfc, "f32", "rpm_after_clutch"),
    (0x100, "f32", "transmission_top_speed"),
    (0x104, "f32x8", "gear_ratios"),
    (0x124, "i32", "car_code"),
];

const B: &[Row] = &[
    (0x128, "f32", "steering_angle"),
    (0x12c, "f32", "steering_speed"),
    (0x130, "f32", "sway"),
    (0x134, "f32", "heave"),
    (0x138, "f32", "surge"),
];

const TILDE: &[Row] = &[
    (0x13c, "u8", "throttle_pedal"),
    (0x13d, "u8", "brake_applied"),
    (0x13e, "u8", "power_type"),
    (0x13f, "u8", "fuel_mark"),
    (0x140, "f32x4", "torque_vectoring"),
    (0x150, "f32", "energy_recovery"),
    (0x154, "f32", "unnamed_0x154"),
];

const C: &[Row] = &[
    (0x158, "u8x4", "surface"),
    (0x15c, "i32", "current_lap_time"),
    (0x160, "f32", "wheel_angle_fl"),
    (0x164, "f32", "wheel_angle_fr"),
    (0x168, "f32", "wheelbase"),
    (0x16c, "text", "car_category"),
];

/// The packets: size, tables, byte order.
const PACKETS: &[(usize, &[&[Row]], Order)] = &[
    (296, &[A], Order::Little),
    (316, &[A, B], Order::Little),
    (344, &[A, B, TILDE], Order::Little),
    (368, &[A, B, TILDE, C], Order::Little),
    (296, &[A], Order::Big),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Little,
    Big,
}

impl Order {
    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Little => [0x30, 0x53, 0x37, 0x47],
            Self::Big => [0x47, 0x36, 0x53, 0x30],
        }
    }
}

/// Sample bytes of a type, with the value they encode.
fn specimen(kind: &str, order: Order) -> (Vec<u8>, Value) {
    let (mut bytes, value): (Vec<u8>, _) = match kind {
        "u8" => (vec![0xa7], Value::Unsigned(167)),
        "u16" => (vec![0x34, 0xb2], Value::Unsigned(45_620)),
        "i16" => (vec![0x34, 0xb2], Value::Signed(-19_916)),
        "i32" => (vec![0x78, 0x56, 0x34, 0xf2], Value::Signed(-231_451_016)),
        "f32" => (vec![0x00, 0x50, 0x9a, 0xc4], Value::Float(-1234.5)),
        "text" => return (b"GRX\0".to_vec(), Value::Text("GRX".into())),
        other => panic!("no specimen of {other}"),
    };
    if order == Order::Big {
        bytes.reverse();
    }
    (bytes, value)
}

/// The numbers in a row: suffixes of the name, and the type.
fn numbers(kind: &'static str) -> (Vec<String>, &'static str) {
    match kind.rsplit_once('x') {
        Some((kind, "3")) => (["x", "y", "z"].map(|axis| format!(".{axis}")).to_vec(), kind),
        Some((kind, "4")) if kind != "te" => ((0..4).map(|part| format!(".{part}")).collect(), kind),
        Some((kind, "8")) => ((0..8).map(|part| format!(".{part}")).collect(), kind),
        Some((kind, "32")) => ((0..32).map(|part| format!(".{part}")).collect(), kind),
        _ => (vec![String::new()], kind),
    }
}

/// All numbers and texts after the magic that are not zero or empty, by path.
fn written(datagram: &[u8]) -> Vec<(String, Value)> {
    let mut found = flat_fields::written(&describe(datagram).expect("a packet").fields);
    found.retain(|(path, _)| !path.starts_with("magic."));
    found
}

#[test]
fn bytes_written_by_the_tables_read_as_that_field_and_no_other() {
    for &(size, tables, order) in PACKETS {
        let mut covered = vec![false; size];
        covered[..4].fill(true);
        for &(offset, kind, field) in tables.iter().copied().flatten() {
            let (names, kind) = numbers(kind);
            let (bytes, value) = specimen(kind, order);
            for (place, name) in names.iter().enumerate() {
                let at = offset + place * bytes.len();
                let mut datagram = order.magic().to_vec();
                datagram.resize(size, 0);
                datagram[at..at + bytes.len()].copy_from_slice(&bytes);
                assert_eq!(written(&datagram), [(format!("{field}{name}"), value.clone())], "{order:?}");
                covered[at..at + bytes.len()].fill(true);
            }
        }
        let missed: Vec<usize> = (0..size).filter(|&at| !covered[at]).collect();
        assert!(missed.is_empty(), "no row of the tables covers bytes {missed:?} of the {size}");
    }
}

#[test]
fn the_same_numbers_are_written_in_both_orders() {
    let packet = Packet {
        position: Vec3::from([1.0, 2.0, 3.0]),
        packet_id: 0x0102_0304,
        flags: 0x0506,
        gears: 0x78,
        ..Packet::default()
    };
    let (little, big) = (packet.bytes(SIZES.at(0)), packet.bytes(SIZES.at(0).in_big_endian()));
    assert_eq!((&little[4..8], &big[4..8]), (&[0, 0, 0x80, 0x3f][..], &[0x3f, 0x80, 0, 0][..]));
    assert_eq!((&little[0x70..0x74], &big[0x70..0x74]), (&[4, 3, 2, 1][..], &[1, 2, 3, 4][..]));
    assert_eq!((&little[0x8e..0x91], &big[0x8e..0x91]), (&[6, 5, 0x78][..], &[5, 6, 0x78][..]));
}

#[test]
fn whatever_was_sent_is_written_again() {
    let bytes: Vec<u8> = (0..92_u8).flat_map(|place| (f32::from(place) + 0.25).to_le_bytes()).collect();
    for version in (0..SIZES.len()).map(|place| SIZES.at(place)) {
        for version in [version, version.in_big_endian()] {
            let sent = &bytes[..Packet::size(version)];
            assert_eq!(Packet::of_bytes(sent, version).bytes(version), sent, "{version:?}");
        }
    }
}
