use std::path::PathBuf;

use serde_json::Value as Json;

use super::scratch::{Scratch, decode};

/// Compares figures at paths such as `/fields/car/0/speed`; numbers agree to a part in a hundred thousand.
fn check(line: &Json, figures: &[(&str, Json)]) {
    for (path, wanted) in figures {
        let found = line.pointer(path).unwrap_or_else(|| panic!("{path} is missing"));
        let agrees = match (found.as_f64(), wanted.as_f64()) {
            (Some(found), Some(wanted)) => (found - wanted).abs() <= wanted.abs() * 1e-5 + 1e-9,
            _ => found == wanted,
        };
        assert!(agrees, "{path}: {found} and not {wanted}");
    }
}

/// The one line of a captured packet; `None`, with a word about it, where there are no captures.
fn captured(name: &str) -> Option<Json> {
    let Some(folder) = std::env::var_os("TRAILBRAKE_CAPTURES") else {
        println!("skipped: TRAILBRAKE_CAPTURES is not set");
        return None;
    };
    let (lines, understood) =
        decode(&PathBuf::from(folder).join("f1-2018").join(name), &["--feed", "f1-2018"]);
    assert!(understood && lines.len() == 1, "{name}");
    check(
        &lines[0],
        &[("/feed", "f1-2018".into()), ("/at", Json::Null), ("/fields/header/packet_format", 2018.into())],
    );
    lines.into_iter().next()
}

macro_rules! figures {
    ($($test:ident $file:literal { $($path:literal: $value:expr,)* })*) => {$(
        #[test]
        fn $test() {
            if let Some(line) = captured($file) {
                check(&line, &[$(($path, serde_json::json!($value)),)*]);
            }
        }
    )*};
}

// The figures that the captures' own description gives for each packet.
figures! {
    setups_of_a_real_packet "00-carSetups-841.bin" {
        "/packet": "Car Setups",
        "/fields/header/session_uid": 11_493_542_495_172_851_079_u64,
        "/fields/header/session_time": 0.015_709_82,
        "/fields/header/frame_identifier": 0,
        "/fields/header/player_car_index": 19,
        "/fields/car/19/front_wing": 6,
        "/fields/car/19/rear_wing": 6,
        "/fields/car/19/on_throttle": 75,
        "/fields/car/19/off_throttle": 75,
        "/fields/car/19/front_camber": -3.0,
        "/fields/car/19/rear_camber": -1.5,
        "/fields/car/19/front_toe": 0.10,
        "/fields/car/19/rear_toe": 0.35,
        "/fields/car/19/front_tyre_pressure": 23.0,
        "/fields/car/19/rear_tyre_pressure": 21.5,
        "/fields/car/19/ballast": 6,
        "/fields/car/19/fuel_load": 11.0,
    }
    event_of_a_real_packet "01-event-25.bin" {
        "/packet": "Event",
        "/fields/header/session_uid": 11_493_542_495_172_851_079_u64,
        "/fields/header/session_time": 0.0,
        "/fields/code": "SSTA",
    }
    participants_of_a_real_packet "02-participants-1082.bin" {
        "/packet": "Participants",
        "/fields/header/session_uid": 11_493_542_495_172_851_079_u64,
        "/fields/num_cars": 20,
        "/fields/car/0/name": "R. GROSJEAN",
        "/fields/car/0/driver_id": 12,
        "/fields/car/0/team_id": 7,
        "/fields/car/0/race_number": 8,
        "/fields/car/0/nationality": 28,
        "/fields/car/14/name": "K. RÄIKKÖNEN",
        "/fields/car/15/name": "N. HÜLKENBERG",
        "/fields/car/17/name": "C. SAINZ",
        "/fields/car/17/nationality": 78,
        "/fields/car/19/name": "L. HAMILTON",
        "/fields/car/19/ai_controlled": 0,
        "/fields/car/19/driver_id": 7,
        "/fields/car/19/team_id": 0,
        "/fields/car/19/race_number": 44,
        "/fields/car/19/nationality": 10,
    }
    session_of_a_real_packet "03-session-147.bin" {
        "/packet": "Session",
        "/fields/header/session_uid": 11_493_542_495_172_851_079_u64,
        "/fields/weather": 3,
        "/fields/track_temperature": 29,
        "/fields/air_temperature": 25,
        "/fields/total_laps": 5,
        "/fields/track_length": 5798,
        "/fields/session_type": 10,
        "/fields/track_id": 11,
        "/fields/era": 0,
        "/fields/session_time_left": 7200,
        "/fields/session_duration": 7200,
        "/fields/pit_speed_limit": 80,
        "/fields/num_marshal_zones": 17,
        "/fields/spectator_car_index": 255,
    }
    status_of_a_real_packet "04-carStatus-1061.bin" {
        "/packet": "Car Status",
        "/fields/header/session_uid": 9_725_525_456_203_886_083_u64,
        "/fields/header/session_time": 18.0522,
        "/fields/header/frame_identifier": 382,
        "/fields/header/player_car_index": 0,
        "/fields/car/0/fuel_in_tank": 55.4613,
        "/fields/car/0/fuel_capacity": 105.0,
        "/fields/car/0/max_rpm": 13_500,
        "/fields/car/0/idle_rpm": 4300,
        "/fields/car/0/max_gears": 9,
        "/fields/car/0/tyres_wear": [9, 9, 7, 5],
        "/fields/car/0/tyre_compound": 2,
        "/fields/car/0/front_left_wing_damage": 40,
        "/fields/car/0/front_right_wing_damage": 86,
        "/fields/car/0/engine_damage": 46,
        "/fields/car/0/gear_box_damage": 64,
        "/fields/car/0/vehicle_fia_flags": 0,
        "/fields/car/0/ers_store_energy": 3_531_262.0,
        "/fields/car/0/ers_deploy_mode": 5,
        "/fields/car/0/ers_deployed_this_lap": 570_738.25,
    }
    telemetry_of_a_real_packet "05-carTelemetry-1085.bin" {
        "/packet": "Car Telemetry",
        "/fields/header/session_uid": 9_725_525_456_203_886_083_u64,
        "/fields/header/session_time": 0.68444,
        "/fields/header/frame_identifier": 14,
        "/fields/car/0/speed": 0,
        "/fields/car/0/gear": 0,
        "/fields/car/0/engine_rpm": 4317,
        "/fields/car/0/brakes_temperature": [33, 33, 33, 33],
        "/fields/car/0/engine_temperature": 88,
        "/fields/button_status": 0,
    }
    lap_of_a_real_packet "06-lapData-841.bin" {
        "/packet": "Lap Data",
        "/fields/header/session_uid": 9_725_525_456_203_886_083_u64,
        "/fields/header/session_time": 18.0522,
        "/fields/header/frame_identifier": 382,
        "/fields/car/0/current_lap_time": 12.57943,
        "/fields/car/0/lap_distance": 755.7599,
        "/fields/car/0/car_position": 10,
        "/fields/car/0/current_lap_num": 1,
        "/fields/car/0/sector": 0,
        "/fields/car/0/grid_position": 6,
        "/fields/car/0/driver_status": 4,
        "/fields/car/0/result_status": 2,
        "/fields/car/3/car_position": 1,
    }
    motion_of_a_real_packet "07-motion-1341.bin" {
        "/packet": "Motion",
        "/fields/header/session_uid": 9_725_525_456_203_886_083_u64,
        "/fields/header/session_time": 18.0522,
        "/fields/header/frame_identifier": 382,
        "/fields/car/0/world_position/x": -104.2125,
        "/fields/car/0/world_position/y": -84.0073,
        "/fields/car/0/world_position/z": 448.6541,
        "/fields/car/0/world_velocity/x": -32.2252,
        "/fields/car/0/world_velocity/z": 54.1226,
        "/fields/car/0/world_forward_dir/x": -16644,
        "/fields/car/0/world_forward_dir/y": -255,
        "/fields/car/0/world_forward_dir/z": 28223,
        "/fields/car/0/world_right_dir/x": -28214,
        "/fields/car/0/world_right_dir/y": -739,
        "/fields/car/0/world_right_dir/z": -16646,
        "/fields/car/0/yaw": -0.53299,
        "/fields/local_velocity/z": 62.994,
    }
}

/// Figures that are given with fewer digits, or as a whole.
#[test]
fn rounded_figures_of_real_packets() {
    let near = |line: &Json, path: &str, wanted: f64, by: f64| {
        let found = line.pointer(path).and_then(Json::as_f64).expect("a number");
        assert!((found - wanted).abs() <= by, "{path}: {found} and not {wanted}");
    };
    let (Some(motion), Some(telemetry)) =
        (captured("07-motion-1341.bin"), captured("05-carTelemetry-1085.bin"))
    else {
        return;
    };
    near(&motion, "/fields/car/0/world_velocity/y", -0.8038, 5e-5);
    for (name, wanted) in [("lateral", 1.1037), ("longitudinal", -1.7143), ("vertical", -0.1024)] {
        near(&motion, &format!("/fields/car/0/g_force_{name}"), wanted, 5e-5);
    }
    for (wheel, (travel, speed)) in
        [(15.383, 63.026), (20.953, 63.258), (3.895, 63.087), (6.827, 63.334)].iter().enumerate()
    {
        near(&motion, &format!("/fields/suspension_position/{wheel}"), *travel, 5e-4);
        near(&motion, &format!("/fields/wheel_speed/{wheel}"), *speed, 5e-4);
    }
    near(&motion, "/fields/angular_velocity/y", 0.1862, 5e-5);
    for (wheel, psi) in [21.1, 21.1, 23.0, 23.0].iter().enumerate() {
        near(&telemetry, &format!("/fields/car/0/tyres_pressure/{wheel}"), *psi, 0.05);
        for tyre in ["surface", "inner"] {
            near(&telemetry, &format!("/fields/car/0/tyres_{tyre}_temperature/{wheel}"), 83.5, 0.5);
        }
    }
    let Some(laps) = captured("06-lapData-841.bin") else { return };
    let mut places: Vec<u64> = (0..20)
        .filter_map(|car| laps.pointer(&format!("/fields/car/{car}/car_position"))?.as_u64())
        .collect();
    places.sort_unstable();
    assert_eq!(places, (1..=20).collect::<Vec<u64>>(), "positions are a permutation");
    let Some(session) = captured("03-session-147.bin") else { return };
    near(&session, "/fields/marshal_zones/0/zone_start", 0.0254, 5e-5);
    near(&session, "/fields/marshal_zones/16/zone_start", 0.9440, 5e-5);
}

/// Bytes that follow from a seed alone.
fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
    .take(len)
    .collect()
}

#[test]
fn noise_of_every_size_is_rejected_with_a_reason() {
    for len in 0..=2000 {
        let scratch = Scratch::new("noise", &noise(len as u64 + 1, len));
        let (lines, understood) = decode(&scratch.0, &["--feed", "f1-2018"]);
        assert!(!understood && lines.len() == 1, "{len} bytes");
        assert!(
            lines[0]["rejected"].as_str().is_some_and(|reason| reason.len() > 10),
            "{len} bytes: {}",
            lines[0]
        );
    }
}

#[test]
fn records_and_streams_are_cut_and_a_rest_is_named() {
    let packet = |id: u8, size: usize| {
        let mut packet = vec![0; size];
        packet[..4].copy_from_slice(&[0xe2, 0x07, 1, id]);
        packet
    };
    let [event, session] = [packet(3, 25), packet(1, 147)];
    let events = Scratch::new("records", &[event.clone(), event.clone(), vec![0; 7]].concat());
    let (lines, understood) = decode(&events.0, &["--feed", "f1-2018", "--record-size", "25"]);
    assert!(!understood && lines.len() == 3);
    assert_eq!(lines[1]["packet"], "Event");
    assert_eq!(
        (&lines[2]["rejected"], &lines[2]["offset"]),
        (&"the last 7 bytes are no whole record of 25".into(), &50.into())
    );

    let stream = Scratch::new("stream", &[event.clone(), session, event].concat());
    let (lines, understood) = decode(&stream.0, &["--feed", "f1-2018", "--stream"]);
    let kinds: Vec<_> = lines.iter().map(|line| line["packet"].as_str().unwrap_or_default()).collect();
    assert!(understood);
    assert_eq!(kinds, ["Event", "Session", "Event"]);

    let torn = Scratch::new("torn", &packet(1, 100));
    let (lines, _) = decode(&torn.0, &["--feed", "f1-2018", "--stream"]);
    assert_eq!(lines[0]["rejected"], "the file ends within a packet of 147 bytes");
}
