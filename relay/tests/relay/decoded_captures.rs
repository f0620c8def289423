//! Values decoded from captured F1 2018 packets match those in the captures' own description.

use serde_json::Value as Json;

use crate::captures;
use crate::race::{Folder, json_lines, run};

/// Compares values at paths such as `/fields/car/0/speed`. Numbers match to one part in a hundred thousand.
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

/// The one line that decoding a captured packet prints.
fn captured(name: &str) -> Json {
    let file = captures::path("f1-2018").join(name);
    let folder = Folder::new(&format!("decoded-{name}"));
    let file = file.to_str().expect("a path");
    let (printed, _) = run(&folder, "decode", file, &["--feed=f1-2018"]).expect("lines");
    let mut lines = json_lines(&printed);
    assert!(lines.len() == 1 && lines[0].get("rejected").is_none(), "{printed}");
    check(
        &lines[0],
        &[("/feed", "f1".into()), ("/at", Json::Null), ("/fields/header/packet_format", 2018.into())],
    );
    lines.remove(0)
}

macro_rules! figures {
    ($($test:ident $file:literal { $($path:literal: $value:expr,)* })*) => {$(
        #[test]
        #[ignore = "needs captures"]
        fn $test() {
            check(&captured($file), &[$(($path, serde_json::json!($value)),)*]);
        }
    )*};
}

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
        "/fields/formula": 0,
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

/// Values that the description gives with fewer digits, or as whole numbers.
#[test]
#[ignore = "needs captures"]
fn rounded_figures_of_real_packets() {
    let near = |line: &Json, path: &str, wanted: f64, by: f64| {
        let found = line.pointer(path).and_then(Json::as_f64).expect("a number");
        assert!((found - wanted).abs() <= by, "{path}: {found} and not {wanted}");
    };
    let (motion, telemetry) = (captured("07-motion-1341.bin"), captured("05-carTelemetry-1085.bin"));
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
    let laps = captured("06-lapData-841.bin");
    let mut places: Vec<u64> = (0..20)
        .filter_map(|car| laps.pointer(&format!("/fields/car/{car}/car_position"))?.as_u64())
        .collect();
    places.sort_unstable();
    assert_eq!(places, (1..=20).collect::<Vec<u64>>(), "positions are a permutation");
    let session = captured("03-session-147.bin");
    near(&session, "/fields/marshal_zones/0/zone_start", 0.0254, 5e-5);
    near(&session, "/fields/marshal_zones/16/zone_start", 0.9440, 5e-5);
}
