//! Offsets and literal bytes, taken from the protocol's tables and never from the layout.

use super::*;
use crate::f1::describe;
use crate::{Value, flat_fields};

/// A row of a protocol table, with the field's offset in the layout.
struct Row {
    offset: usize,
    kind: &'static str,
    field: &'static str,
    stands: fn(&str) -> Option<usize>,
}

/// A table of the protocol's description: offset, type, field.
macro_rules! table {
    ($name:ident of $layout:ident: $($offset:literal $kind:ident $field:ident;)*) => {
        const $name: &[Row] = &[$(Row {
            offset: $offset,
            kind: stringify!($kind),
            field: stringify!($field),
            stands: |field| Some($layout::place_of(field, YEAR_2018)?.start),
        },)*];
    };
}

table! { HEADER of Header:
    0 u16 packet_format;
    2 u8 packet_version;
    3 u8 packet_id;
    4 u64 session_uid;
    12 f32 session_time;
    16 u32 frame_identifier;
    20 u8 player_car_index;
}

table! { CAR_MOTION of CarMotion:
    0 f32x3 world_position;
    12 f32x3 world_velocity;
    24 i16x3 world_forward_dir;
    30 i16x3 world_right_dir;
    36 f32 g_force_lateral;
    40 f32 g_force_longitudinal;
    44 f32 g_force_vertical;
    48 f32 yaw;
    52 f32 pitch;
    56 f32 roll;
}

table! { MOTION of Motion:
    1221 f32x4 suspension_position;
    1237 f32x4 suspension_velocity;
    1253 f32x4 suspension_acceleration;
    1269 f32x4 wheel_speed;
    1285 f32x4 wheel_slip;
    1301 f32x3 local_velocity;
    1313 f32x3 angular_velocity;
    1325 f32x3 angular_acceleration;
    1337 f32 front_wheels_angle;
}

table! { SESSION of Session:
    21 u8 weather;
    22 i8 track_temperature;
    23 i8 air_temperature;
    24 u8 total_laps;
    25 u16 track_length;
    27 u8 session_type;
    28 i8 track_id;
    29 u8 formula;
    30 u16 session_time_left;
    32 u16 session_duration;
    34 u8 pit_speed_limit;
    35 u8 game_paused;
    36 u8 is_spectating;
    37 u8 spectator_car_index;
    38 u8 sli_pro_native_support;
    39 u8 num_marshal_zones;
    145 u8 safety_car_status;
    146 u8 network_game;
}

table! { MARSHAL_ZONE of MarshalZone:
    0 f32 zone_start;
    4 i8 zone_flag;
}

table! { CAR_LAP of CarLap:
    0 f32 last_lap_time;
    4 f32 current_lap_time;
    8 f32 best_lap_time;
    12 f32 sector1_time;
    16 f32 sector2_time;
    20 f32 lap_distance;
    24 f32 total_distance;
    28 f32 safety_car_delta;
    32 u8 car_position;
    33 u8 current_lap_num;
    34 u8 pit_status;
    35 u8 sector;
    36 u8 current_lap_invalid;
    37 u8 penalties;
    38 u8 grid_position;
    39 u8 driver_status;
    40 u8 result_status;
}

table! { EVENT of Event:
    21 text code;
}

table! { PARTICIPANTS of Participants:
    21 u8 num_cars;
}

table! { PARTICIPANT of Participant:
    0 u8 ai_controlled;
    1 u8 driver_id;
    2 u8 team_id;
    3 u8 race_number;
    4 u8 nationality;
    5 text name;
}

table! { CAR_SETUP of CarSetup:
    0 u8 front_wing;
    1 u8 rear_wing;
    2 u8 on_throttle;
    3 u8 off_throttle;
    4 f32 front_camber;
    8 f32 rear_camber;
    12 f32 front_toe;
    16 f32 rear_toe;
    20 u8 front_suspension;
    21 u8 rear_suspension;
    22 u8 front_anti_roll_bar;
    23 u8 rear_anti_roll_bar;
    24 u8 front_suspension_height;
    25 u8 rear_suspension_height;
    26 u8 brake_pressure;
    27 u8 brake_bias;
    28 f32 front_tyre_pressure;
    32 f32 rear_tyre_pressure;
    36 u8 ballast;
    37 f32 fuel_load;
}

table! { CAR_TELEMETRY of CarTelemetry:
    0 u16 speed;
    2 u8 throttle;
    3 i8 steer;
    4 u8 brake;
    5 u8 clutch;
    6 i8 gear;
    7 u16 engine_rpm;
    9 u8 drs;
    10 u8 rev_lights_percent;
    11 u16x4 brakes_temperature;
    19 u16x4 tyres_surface_temperature;
    27 u16x4 tyres_inner_temperature;
    35 u16 engine_temperature;
    37 f32x4 tyres_pressure;
}

table! { TELEMETRY of Telemetry:
    1081 u32 button_status;
}

table! { CAR_STATUS of CarStatus:
    0 u8 traction_control;
    1 u8 anti_lock_brakes;
    2 u8 fuel_mix;
    3 u8 front_brake_bias;
    4 u8 pit_limiter_status;
    5 f32 fuel_in_tank;
    9 f32 fuel_capacity;
    13 u16 max_rpm;
    15 u16 idle_rpm;
    17 u8 max_gears;
    18 u8 drs_allowed;
    19 u8x4 tyres_wear;
    23 u8 tyre_compound;
    24 u8x4 tyres_damage;
    28 u8 front_left_wing_damage;
    29 u8 front_right_wing_damage;
    30 u8 rear_wing_damage;
    31 u8 engine_damage;
    32 u8 gear_box_damage;
    33 u8 exhaust_damage;
    34 i8 vehicle_fia_flags;
    35 f32 ers_store_energy;
    39 u8 ers_deploy_mode;
    40 f32 ers_harvested_this_lap_mguk;
    44 f32 ers_harvested_this_lap_mguh;
    48 f32 ers_deployed_this_lap;
}

/// The tables that make up a packet, with its id and size. Each table has the field it belongs to, the offset of its
/// first entry, the distance between entries and their number.
struct Layout {
    id: u8,
    size: usize,
    parts: &'static [Part],
}

struct Part {
    rows: &'static [Row],
    within: Option<&'static str>,
    begin: usize,
    stride: usize,
    count: usize,
}

const fn whole(rows: &'static [Row]) -> Part {
    Part { rows, within: None, begin: 0, stride: 0, count: 1 }
}

const fn each(rows: &'static [Row], within: &'static str, begin: usize, stride: usize, count: usize) -> Part {
    Part { rows, within: Some(within), begin, stride, count }
}

const LAYOUTS: &[Layout] = &[
    Layout { id: 0, size: 1341, parts: &[each(CAR_MOTION, "car", 21, 60, 20), whole(MOTION)] },
    Layout { id: 1, size: 147, parts: &[whole(SESSION), each(MARSHAL_ZONE, "marshal_zones", 40, 5, 21)] },
    Layout { id: 2, size: 841, parts: &[each(CAR_LAP, "car", 21, 41, 20)] },
    Layout { id: 3, size: 25, parts: &[whole(EVENT)] },
    Layout { id: 4, size: 1082, parts: &[whole(PARTICIPANTS), each(PARTICIPANT, "car", 22, 53, 20)] },
    Layout { id: 5, size: 841, parts: &[each(CAR_SETUP, "car", 21, 41, 20)] },
    Layout { id: 6, size: 1085, parts: &[each(CAR_TELEMETRY, "car", 21, 53, 20), whole(TELEMETRY)] },
    Layout { id: 7, size: 1061, parts: &[each(CAR_STATUS, "car", 21, 52, 20)] },
];

/// Sample bytes of a type, with the value they encode.
fn specimen(kind: &str) -> (&'static [u8], Value) {
    match kind {
        "u8" => (&[0xa7], Value::Unsigned(167)),
        "i8" => (&[0xa7], Value::Signed(-89)),
        "u16" => (&[0x34, 0xb2], Value::Unsigned(45_620)),
        "i16" => (&[0x34, 0xb2], Value::Signed(-19_916)),
        "u32" => (&[0x78, 0x56, 0x34, 0xf2], Value::Unsigned(4_063_516_280)),
        "f32" => (&[0x00, 0x50, 0x9a, 0xc4], Value::Float(-1234.5)),
        "text" => (b"SEND", Value::Text("SEND".into())),
        other => panic!("no specimen of {other}"),
    }
}

/// The numbers in a row: suffix of the name, offset, type.
fn numbers(kind: &'static str) -> Vec<(&'static str, usize, &'static str)> {
    let (kind, names): (_, &[_]) = match kind.rsplit_once('x') {
        Some((kind, "3")) => (kind, &[".x", ".y", ".z"]),
        Some((kind, "4")) => (kind, &[".0", ".1", ".2", ".3"]),
        _ => (kind, &[""]),
    };
    let size = specimen(kind).0.len();
    names.iter().enumerate().map(|(place, name)| (*name, place * size, kind)).collect()
}

/// All numbers and texts after a packet's header that are not zero or empty, by path.
fn written(datagram: &[u8]) -> Vec<(String, Value)> {
    let mut found = flat_fields::written(&describe(datagram).expect("a packet").fields);
    found.retain(|(path, _)| !path.starts_with("header."));
    found
}

fn empty(id: u8, size: usize) -> Vec<u8> {
    let mut bytes = vec![0xe2, 0x07, 0x01, id];
    bytes.resize(size, 0);
    bytes
}

#[test]
fn every_field_stands_where_the_tables_say() {
    let tables = LAYOUTS.iter().flat_map(|layout| layout.parts).map(|part| part.rows).chain([HEADER]);
    for row in tables.flatten() {
        assert_eq!((row.stands)(row.field), Some(row.offset), "{}", row.field);
    }
    assert_eq!(Motion::place_of("car", YEAR_2018), Some(21..1221));
    assert_eq!(LapData::place_of("car", YEAR_2018), Some(21..841));
    assert_eq!(Participants::place_of("car", YEAR_2018), Some(22..1082));
    assert_eq!(CarSetups::place_of("car", YEAR_2018), Some(21..841));
    assert_eq!(Telemetry::place_of("car", YEAR_2018), Some(21..1081));
    assert_eq!(Status::place_of("car", YEAR_2018), Some(21..1061));
    assert_eq!(Session::place_of("marshal_zones", YEAR_2018), Some(40..145));
    assert_eq!(Session::place_of("nothing", YEAR_2018), None);
}

#[test]
fn bytes_written_by_the_tables_read_as_that_field_and_no_other() {
    let mut read = 0;
    for layout in LAYOUTS {
        for part in layout.parts {
            for index in 0..part.count {
                for row in part.rows {
                    let field = match part.within {
                        Some(within) => format!("{within}.{index}.{}", row.field),
                        None => row.field.to_owned(),
                    };
                    for (name, further, kind) in numbers(row.kind) {
                        let (bytes, value) = specimen(kind);
                        let at = part.begin + index * part.stride + row.offset + further;
                        let mut datagram = empty(layout.id, layout.size);
                        datagram[at..at + bytes.len()].copy_from_slice(bytes);
                        assert_eq!(written(&datagram), [(format!("{field}{name}"), value)]);
                        read += 1;
                    }
                }
            }
        }
    }
    // 20 cars of 18, 17, 6, 20, 26 and 32 numbers, the player's 30, the session's 18 with 21 zones of 2, the count of
    // cars, the buttons and the event's code.
    assert_eq!(read, 20 * (18 + 17 + 6 + 20 + 26 + 32) + 30 + 18 + 42 + 1 + 1 + 1);
}

#[test]
fn a_header_is_these_bytes() {
    const BYTES: [u8; 21] = [
        0xe2, 0x07, // format 2018
        0x01, // version 1
        0x06, // packet id 6
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, // session uid
        0x00, 0x00, 0x20, 0x41, // 10.0 s
        0x2c, 0x01, 0x00, 0x00, // frame 300
        0x13, // player 19
    ];
    let header = Header {
        packet_format: 2018,
        packet_version: 1,
        packet_id: 6,
        session_uid: 0x0102_0304_0506_0708,
        session_time: 10.0,
        frame_identifier: 300,
        player_car_index: 19,
        ..Header::default()
    };
    assert_eq!(header.bytes(YEAR_2018), BYTES);
    assert_eq!(Header::of_bytes(&BYTES, YEAR_2018), header);
}
