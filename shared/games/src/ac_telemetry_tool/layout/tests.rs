//! Tests offsets and literal bytes, taken from the protocol's table and never from the layout.

use super::*;
use crate::Value;
use crate::ac_telemetry_tool::describe;
use crate::ac_telemetry_tool::specimens::two_cars;
use crate::table::ONLY_VERSION;

/// A row of the protocol's table: offset within the record, type, field.
type Row = (usize, &'static str, &'static str);

const RECORD: &[Row] = &[
    (0, "u32", "driver_id"),
    (4, "u32", "lap_time"),
    (8, "u32", "last_lap"),
    (12, "u32", "best_lap"),
    (16, "i32x3", "current_sectors"),
    (28, "i32x3", "last_sectors"),
    (40, "f32", "steer"),
    (44, "u8", "unknown_44"),
    (45, "f32", "throttle"),
    (49, "f32", "brake"),
    (53, "f32", "clutch"),
    (57, "i16", "gear"),
    (59, "f32", "engine_rpm"),
    (63, "f32", "speed_kmh"),
    (67, "i16", "track_position"),
    (69, "i16", "leaderboard_position"),
    (71, "i16", "lap_count"),
    (73, "f32xyz", "position"),
    (85, "f64", "spline_position"),
    (93, "f32", "test_float"),
    (97, "text33", "driver_name"),
    (130, "text4", "nationality"),
    (134, "text33", "car_name"),
    (167, "text10", "tyre_compound"),
    (177, "u32", "test_int"),
    (181, "u8", "connected"),
    (182, "u8", "in_pit"),
    (183, "u8", "in_pit_lane"),
    (184, "u8", "lap_invalidated"),
    (185, "f32x3", "acc_g"),
    (197, "u8", "drs_available"),
    (198, "u8", "drs_enabled"),
    (199, "u8", "race_finished"),
    (200, "u8x5", "unknown_200"),
    (205, "f32", "ers_max_kj"),
    (209, "f32", "ers_current_kj"),
    (213, "f32x4", "tyre_dirt"),
    (229, "f32", "turbo_boost"),
    (233, "f32x2", "ride_height"),
    (241, "f32x4", "tyre_core_temperature"),
    (257, "f32x4", "slip_ratio"),
    (273, "f32x4", "slip_angle_deg"),
    (289, "f32x4", "nd_slip"),
    (305, "f32x4", "wheel_slip"),
    (321, "f32xyz", "world_velocity"),
    (333, "f32xyz", "local_velocity"),
    (345, "u8x12", "unknown_345"),
];

/// The size of one number of a type, and the names of its parts.
fn parts(kind: &str) -> (usize, Vec<String>) {
    if kind.starts_with("text") {
        return (size(kind), vec![String::new()]);
    }
    let (number, count) = match kind.split_once('x') {
        Some((number, "yz")) => return (size(number), ["x", "y", "z"].map(str::to_owned).to_vec()),
        Some((number, count)) => (number, count.parse().expect("a count")),
        None => return (size(kind), vec![String::new()]),
    };
    (size(number), (0..count).map(|place: usize| place.to_string()).collect())
}

fn size(number: &str) -> usize {
    match number {
        "u8" => 1,
        "i16" => 2,
        "u32" | "i32" | "f32" => 4,
        "f64" => 8,
        text => text.strip_prefix("text").and_then(|room| room.parse().ok()).expect("a type"),
    }
}

/// The value of bytes, parsed by hand.
fn read(kind: &str, bytes: &[u8]) -> Value {
    match (kind.get(..3).unwrap_or(kind).trim_end_matches('x'), bytes) {
        ("u8", &[byte]) => Value::Unsigned(byte.into()),
        ("i16", &[a, b]) => Value::Signed(i16::from_le_bytes([a, b]).into()),
        ("u32", &[a, b, c, d]) => Value::Unsigned(u32::from_le_bytes([a, b, c, d]).into()),
        ("i32", &[a, b, c, d]) => Value::Signed(i32::from_le_bytes([a, b, c, d]).into()),
        ("f32", &[a, b, c, d]) => Value::Float(f32::from_le_bytes([a, b, c, d])),
        ("f64", _) => Value::Double(f64::from_le_bytes(bytes.try_into().expect("eight bytes"))),
        (_, text) => {
            let text: Vec<u8> = text.iter().copied().take_while(|&byte| byte != 0).collect();
            let latin = || text.iter().copied().map(char::from).collect();
            Value::Text(String::from_utf8(text.clone()).unwrap_or_else(|_| latin()))
        }
    }
}

#[test]
fn the_table_leaves_no_gap() {
    let mut end = 0;
    for &(offset, kind, name) in RECORD {
        assert_eq!(offset, end, "{name}");
        let (size, parts) = parts(kind);
        end += size * parts.len();
    }
    assert_eq!((end, Driver::size(ONLY_VERSION), Version::size(ONLY_VERSION)), (357, 357, 5));
}

#[test]
fn every_field_stands_where_the_table_says() {
    let packet = two_cars();
    let fields = describe(&packet).expect("a packet").fields;
    assert_eq!(fields.at("packet_type"), Some(&Value::Unsigned(22)));
    for (car, begin) in [1, 358].into_iter().enumerate() {
        for &(offset, kind, name) in RECORD {
            let (size, parts) = parts(kind);
            for (place, part) in parts.iter().enumerate() {
                let bytes = &packet[begin + offset + place * size..][..size];
                let path = format!("drivers.{car}.{name}.{part}");
                let path = path.trim_end_matches('.');
                assert_eq!(fields.at(path), Some(&read(kind, bytes)), "{path}");
            }
        }
    }
}

#[test]
fn literal_numbers_are_read() {
    let fields = describe(&two_cars()).expect("a packet").fields;
    let text = |text: &str| Value::Text(text.to_owned());
    for (path, value) in [
        ("drivers.0.lap_time", Value::Unsigned(43_217)),
        ("drivers.0.current_sectors.0", Value::Signed(28_111)),
        ("drivers.0.steer", Value::Float(-42.5)),
        ("drivers.0.unknown_44", Value::Unsigned(7)),
        ("drivers.0.gear", Value::Signed(4)),
        ("drivers.0.speed_kmh", Value::Float(162.0)),
        ("drivers.0.position.z", Value::Float(-50.75)),
        ("drivers.0.spline_position", Value::Double(0.4375)),
        ("drivers.0.driver_name", text("Mara Löwe")),
        ("drivers.0.nationality", text("ITA")),
        ("drivers.0.car_name", text("abarth500")),
        ("drivers.0.tyre_compound", text("SM")),
        ("drivers.0.unknown_200.4", Value::Unsigned(5)),
        ("drivers.0.ers_current_kj", Value::Float(1250.0)),
        ("drivers.0.ride_height.1", Value::Float(0.078_125)),
        ("drivers.0.local_velocity.z", Value::Float(45.0)),
        ("drivers.0.unknown_345.11", Value::Unsigned(0x1b)),
        ("drivers.1.driver_id", Value::Unsigned(1)),
        ("drivers.1.driver_name", text("José")),
        ("drivers.1.gear", Value::Signed(0)),
        ("drivers.1.race_finished", Value::Unsigned(1)),
    ] {
        assert_eq!(fields.at(path), Some(&value), "{path}");
    }
}

#[test]
fn the_version_is_shown_as_bytes_as_a_number_and_as_a_float() {
    let described = describe(&[23, 0x00, 0x00, 0x48, 0x41]).expect("a packet");
    let fields = described.fields;
    assert_eq!(described.packet, "Version");
    assert_eq!(fields.at("content.3"), Some(&Value::Unsigned(0x41)));
    assert_eq!(fields.at("as_u32"), Some(&Value::Unsigned(0x4148_0000)));
    assert_eq!(fields.at("as_f32"), Some(&Value::Float(12.5)));
}

#[test]
fn text_keeps_to_its_room() {
    let Words(room) = Words::<4>::write("ITALY");
    assert_eq!(room, *b"ITA\0");
    assert_eq!(Words::<10>::write("SM").read(), "SM");
    assert_eq!(Words(*b"J\xfc\xdf\0").read(), "Jüß");
}
