//! Checks the decoder against real packets whose values an independent decoder has read, and verifies signs, units and
//! wheel order with them.

use std::collections::BTreeSet;

use trailbrake_model::time::Micros;
use trailbrake_model::{
    Car, DriverStatus, EventKind, NamedId, PitStatus, ResultStatus, SafetyCar, SessionKind, Weather,
};

use super::Recorder;
use crate::Value;
use crate::f1::describe;

/// The session of the first four packets, and that of the other four.
const SESSIONS: [u64; 2] = [11_493_542_495_172_851_079, 9_725_525_456_203_886_083];

fn capture(file: &str) -> Vec<u8> {
    trailbrake_captures::read(&format!("f1-2018/{file}"))
}

fn near(value: f32, expected: f32) {
    assert!((value - expected).abs() <= expected.abs() * 1e-5 + 1e-6, "{value} is not {expected}");
}

/// A field of a captured packet, as sent.
fn raw(datagram: &[u8], path: &str) -> i64 {
    match describe(datagram).expect("a packet").fields.at(path) {
        Some(Value::Signed(number)) => *number,
        Some(Value::Unsigned(number)) => i64::try_from(*number).expect("a small number"),
        other => panic!("{path}: {other:?}"),
    }
}

#[test]
#[ignore = "needs captures"]
fn captured_headers_say_when_it_was_and_who_plays() {
    for (file, session, seconds, frame, player) in [
        ("00-carSetups-841.bin", 0, 0.01571, 0, 19),
        ("01-event-25.bin", 0, 0.0, 0, 19),
        ("02-participants-1082.bin", 0, 0.0157, 0, 19),
        ("03-session-147.bin", 0, 0.0157, 0, 19),
        ("04-carStatus-1061.bin", 1, 18.0522, 382, 0),
        ("05-carTelemetry-1085.bin", 1, 0.68444, 14, 0),
        ("06-lapData-841.bin", 1, 18.0522, 382, 0),
        ("07-motion-1341.bin", 1, 18.0522, 382, 0),
    ] {
        let datagram = capture(file);
        let moment = Recorder::of(&datagram).events[0].moment;
        let apart = moment.session_time.expect("a session time") - seconds;
        assert!(apart.abs() < 1e-4, "{file}: {apart}");
        assert_eq!((moment.frame, moment.at), (Some(frame), Micros(7_000_000)), "{file}");
        assert_eq!(Recorder::of(&datagram).player(), Some(Car(player)), "{file}");
        let fields = describe(&datagram).expect("a packet").fields;
        assert_eq!(fields.at("header.session_uid"), Some(&Value::Unsigned(SESSIONS[session])), "{file}");
    }
}

#[test]
#[ignore = "needs captures"]
fn captured_motion_keeps_its_signs_and_units() {
    let datagram = capture("07-motion-1341.bin");
    let seen = Recorder::of(&datagram);
    for (id, expected) in [
        ("position_x", -104.2125),
        ("position_y", -84.0073),
        ("position_z", 448.6541),
        ("velocity_x", -32.2252),
        ("velocity_y", -0.8038),
        ("velocity_z", 54.1226),
        ("forward_x", -16_644.0 / 32_767.0),
        ("forward_y", -255.0 / 32_767.0),
        ("forward_z", 28_223.0 / 32_767.0),
        ("right_x", -28_214.0 / 32_767.0),
        ("right_y", -739.0 / 32_767.0),
        ("right_z", -16_646.0 / 32_767.0),
        ("g_lateral", 1.1037),
        ("g_longitudinal", -1.7143),
        ("g_vertical", -0.1024),
        ("yaw", -0.53299),
        // The packet's order is rear left, rear right, front left, front right, in millimetres.
        ("suspension_position_rl", 0.015_383),
        ("suspension_position_rr", 0.020_953),
        ("suspension_position_fl", 0.003_895),
        ("suspension_position_fr", 0.006_827),
        ("wheel_speed_rl", 63.026),
        ("wheel_speed_rr", 63.258),
        ("wheel_speed_fl", 63.087),
        ("wheel_speed_fr", 63.334),
        ("local_velocity_z", 62.994),
        ("angular_velocity_y", 0.1862),
    ] {
        let value = seen.value(0, id);
        assert!((value - expected).abs() < 2e-4 * expected.abs().max(0.2), "{id}: {value} is not {expected}");
    }
}

#[test]
#[ignore = "needs captures"]
fn captured_cars_prove_the_signs_of_motion() {
    let datagram = capture("07-motion-1341.bin");
    let seen = Recorder::of(&datagram);
    for car in 0..20 {
        let value = |id: &str| seen.value(car, id);
        // Yaw is the direction ahead. Roll is positive with the right side down. Pitch is negative with the nose down.
        assert!((value("forward_x").atan2(value("forward_z")) - value("yaw")).abs() < 1e-3);
        assert!((value("roll") + value("right_y").asin()).abs() < 2e-3);
        assert!(value("pitch") < 0.0 && value("forward_y") < 0.0);
        // Right of a car that looks along z is −x.
        let right = -value("forward_z") * value("right_x") + value("forward_x") * value("right_z");
        assert!(right > 0.99, "{right}");
        // Cars drive forwards.
        let ahead: f32 = ["x", "y", "z"]
            .iter()
            .map(|axis| value(&format!("forward_{axis}")) * value(&format!("velocity_{axis}")))
            .sum();
        assert!(ahead > 40.0, "{ahead}");
    }
    // Turning left is positive about y, and its lateral g is positive: speed times yaw rate.
    let felt = seen.value(0, "angular_velocity_y") * seen.value(0, "local_velocity_z") / 9.81;
    assert!((felt - seen.value(0, "g_lateral")).abs() < 0.1 && felt > 1.0, "{felt}");
    // In a left turn the right wheels are on the outside, and faster.
    for axle in ["f", "r"] {
        let [left, right] = ["l", "r"].map(|side| seen.value(0, &format!("wheel_speed_{axle}{side}")));
        let track_m = (right - left) / seen.value(0, "angular_velocity_y");
        assert!((1.0..2.0).contains(&track_m), "{track_m}");
    }
    // A car standing on its wheels has no vertical g: weight is not included.
    let mean = (0..20).map(|car| seen.value(car, "g_vertical")).sum::<f32>() / 20.0;
    assert!(mean.abs() < 0.1, "{mean}");
}

#[test]
#[ignore = "needs captures"]
fn captured_braking_is_negative_and_brings_the_field_together() {
    let (motion, laps) = (capture("07-motion-1341.bin"), capture("06-lapData-841.bin"));
    // Both are of one frame, in which all cars brake for the first corner: a car further ahead is slower.
    let (motion, laps) = (Recorder::of(&motion), Recorder::of(&laps));
    let speed = |car: u8| motion.value(car, "velocity_x").hypot(motion.value(car, "velocity_z"));
    assert!((0..20).all(|car| motion.value(car, "g_longitudinal") < -0.6));
    let mean = |ahead: bool| {
        let near = (0..20).filter(|car| (laps.value(*car, "lap_distance") > 765.0) == ahead);
        let speeds: Vec<f32> = near.map(speed).collect();
        speeds.iter().sum::<f32>() / speeds.len() as f32
    };
    assert!(mean(false) - mean(true) > 15.0, "{} and {}", mean(false), mean(true));
}

#[test]
#[ignore = "needs captures"]
fn captured_drivers_of_the_next_year_prove_the_clutch() {
    // Nobody drives in the 2018 packet of telemetry. The 2019 packet has a clutch byte with the same meaning, at offset
    // 14 of each car's 66 bytes: it is zero for every fast car in gear, so zero means a released pedal.
    let datagram = trailbrake_captures::read("f1-2019/02-carTelemetry-1347.bin");
    let driving: Vec<&[u8]> = datagram[23..23 + 20 * 66].chunks_exact(66).collect();
    assert!(driving.iter().all(|car| u16::from_le_bytes([car[0], car[1]]) > 140 && car[15] >= 3));
    assert!(driving.iter().all(|car| car[14] == 0));
}

#[test]
#[ignore = "needs captures"]
fn captured_telemetry_puts_each_wheel_in_its_place() {
    let datagram = capture("05-carTelemetry-1085.bin");
    let seen = Recorder::of(&datagram);
    for (id, expected) in [
        ("speed", 0.0),
        ("clutch", 0.0),
        ("gear", 0.0),
        ("rpm", 4317.0),
        ("brake_temperature_fl", 33.0),
        ("engine_temperature", 88.0),
        ("tyre_pressure_rl", 21.1 * 6_894.757),
        ("tyre_pressure_rr", 21.1 * 6_894.757),
        ("tyre_pressure_fl", 23.0 * 6_894.757),
        ("tyre_pressure_fr", 23.0 * 6_894.757),
        ("buttons", 0.0),
    ] {
        near(seen.value(0, id), expected);
    }
    for wheel in ["fl", "fr", "rl", "rr"] {
        let value = |channel: &str| seen.value(0, &format!("{channel}_{wheel}"));
        assert_eq!((value("tyre_surface_temperature"), value("tyre_inner_temperature")), (83.0, 84.0));
        assert_eq!(value("brake_temperature"), 33.0);
    }
}

#[test]
#[ignore = "needs captures"]
fn captured_setups_prove_which_wheels_are_the_front_ones() {
    let (telemetry, setups) = (capture("05-carTelemetry-1085.bin"), capture("00-carSetups-841.bin"));
    // All cars but the player's race with the default setup.
    let (telemetry, setups) = (Recorder::of(&telemetry), Recorder::of(&setups).setups());
    for car in 1..20 {
        let setup = setups[&car].expect("a setup");
        for (wheel, psi) in [
            ("fl", setup.front_tyre_psi),
            ("fr", setup.front_tyre_psi),
            ("rl", setup.rear_tyre_psi),
            ("rr", setup.rear_tyre_psi),
        ] {
            near(
                telemetry.value(car, &format!("tyre_pressure_{wheel}")),
                psi.expect("a pressure") * 6_894.757,
            );
        }
    }
}

#[test]
#[ignore = "needs captures"]
fn captured_status_reads_fuel_wear_damage_and_energy() {
    let datagram = capture("04-carStatus-1061.bin");
    let seen = Recorder::of(&datagram);
    for (id, expected) in [
        ("fuel", 55.4613),
        ("fuel_capacity", 105.0),
        ("max_rpm", 13_500.0),
        ("idle_rpm", 4300.0),
        ("max_gears", 9.0),
        ("tyre_wear_rl", 0.09),
        ("tyre_wear_rr", 0.09),
        ("tyre_wear_fl", 0.07),
        ("tyre_wear_fr", 0.05),
        ("tyre_compound", 2.0),
        ("damage_front_left_wing", 0.40),
        ("damage_front_right_wing", 0.86),
        ("damage_engine", 0.46),
        ("damage_gearbox", 0.64),
        ("flag", 0.0),
        ("ers_store", 3_531_262.0),
        ("ers_mode", 5.0),
        ("ers_deployed", 570_738.25),
    ] {
        near(seen.value(0, id), expected);
    }
}

#[test]
#[ignore = "needs captures"]
fn captured_lap_data_gives_every_position() {
    let datagram = capture("06-lapData-841.bin");
    let seen = Recorder::of(&datagram);
    let player = &seen.progress[0];
    near(player.clock.expect("a clock"), 12.57943);
    near(player.distance.expect("a distance"), 755.7599);
    assert_eq!((player.car, player.lap, player.sector), (Car(0), 1, 0));
    // Grid positions are counted from 0: the twenty cars have 0 to 19, and the leader started from 0.
    assert_eq!((player.position, raw(&datagram, "car.0.grid_position"), player.grid), (10, 6, 7));
    let grid: BTreeSet<i64> =
        (0..20).map(|car| raw(&datagram, &format!("car.{car}.grid_position"))).collect();
    assert_eq!(grid, (0..20).collect());
    assert_eq!((seen.progress[3].position, seen.progress[3].grid), (1, 1));
    assert_eq!((player.driver, player.result), (DriverStatus::OnTrack, ResultStatus::Active));
    assert_eq!((player.pit, player.last_lap, player.invalid), (PitStatus::OnTrack, None, false));
    let places: BTreeSet<u8> = seen.progress.iter().map(|progress| progress.position).collect();
    assert_eq!(places, (1..=20).collect());
    let leader = seen.progress.iter().find(|progress| progress.position == 1).map(|progress| progress.car);
    assert_eq!(leader, Some(Car(3)));
}

#[test]
#[ignore = "needs captures"]
fn captured_session_is_a_race_at_monza() {
    let datagram = capture("03-session-147.bin");
    let seen = Recorder::of(&datagram);
    let info = seen.session();
    assert_eq!(info.uid, Some(11_493_542_495_172_851_079));
    assert_eq!((info.kind, info.weather), (SessionKind::Race(1), Some(Weather::LightRain)));
    assert_eq!((info.track_celsius, info.air_celsius, info.total_laps), (Some(29), Some(25), Some(5)));
    let track = info.track.as_ref().expect("a track");
    assert_eq!((track.id.as_str(), track.name.as_deref()), ("11", Some("Monza")));
    assert_eq!((info.track_length_m, info.classic), (Some(5798.0), Some(false)));
    assert_eq!((info.seconds_left, info.duration_s), (Some(7200), Some(7200)));
    near(info.pit_limit_mps.expect("a limit") * 3.6, 80.0);
    assert_eq!((info.spectating, info.watching, info.safety_car), (Some(false), None, Some(SafetyCar::None)));
    assert_eq!(info.marshal_zones.len(), 17);
    assert!((info.marshal_zones[0].start - 0.0254).abs() < 1e-4);
    assert!((info.marshal_zones[16].start - 0.9440).abs() < 1e-4);
}

#[test]
#[ignore = "needs captures"]
fn captured_participants_have_names_teams_and_nations() {
    let datagram = capture("02-participants-1082.bin");
    let seen = Recorder::of(&datagram);
    let all = seen.participants();
    assert_eq!(all.len(), 20);
    let names = [
        (0, "R. GROSJEAN"),
        (14, "K. RÄIKKÖNEN"),
        (15, "N. HÜLKENBERG"),
        (17, "C. SAINZ"),
        (19, "L. HAMILTON"),
    ];
    for (car, name) in names {
        assert_eq!((all[car].name.as_str(), all[car].car), (name, Car(car as u8)));
    }
    assert_eq!((all[0].race_number, all[0].ai), (Some(8), Some(true)));
    assert_eq!(all[0].driver, NamedId::numbered(12_u8, Some("Romain Grosjean")));
    assert_eq!(all[0].team, NamedId::numbered(7_u8, Some("Haas")));
    assert_eq!(all[0].nationality, NamedId::numbered(28_u8, Some("French")));
    assert_eq!(all[17].nationality, NamedId::numbered(78_u8, Some("Spanish")));
    assert_eq!((all[19].race_number, all[19].ai), (Some(44), Some(false)));
    assert_eq!(all[19].driver, NamedId::numbered(7_u8, Some("Lewis Hamilton")));
    // Every driver of the season has the name that belongs to their number.
    for driver in all {
        let surname = driver.name.trim_start_matches(|letter| letter != ' ').trim().to_uppercase();
        let known = driver.driver.name.as_deref().expect("a driver of the season").to_uppercase();
        assert!(known.ends_with(&surname), "{known} is not {surname}");
    }
    assert_eq!(all[19].team, NamedId::numbered(0_u8, Some("Mercedes")));
    assert_eq!(all[19].nationality, NamedId::numbered(10_u8, Some("British")));
    assert_eq!(seen.player(), Some(Car(19)));
}

#[test]
#[ignore = "needs captures"]
fn captured_setups_show_the_players_own() {
    let datagram = capture("00-carSetups-841.bin");
    let setups = Recorder::of(&datagram).setups();
    let setup = setups[&19].expect("the player's setup");
    assert_eq!((setup.front_wing, setup.rear_wing), (6, 6));
    assert_eq!((setup.differential_on_throttle_percent, setup.differential_off_throttle_percent), (75, 75));
    near(setup.front_camber_deg, -3.0);
    near(setup.rear_camber_deg, -1.5);
    near(setup.front_toe_deg, 0.10);
    near(setup.rear_toe_deg, 0.35);
    near(setup.front_tyre_psi.expect("a pressure"), 23.0);
    near(setup.rear_tyre_psi.expect("a pressure"), 21.5);
    assert_eq!((setup.ballast, setup.fuel_load_kg), (6, 11.0));
    assert_eq!(Recorder::of(&datagram).player(), Some(Car(19)));
}

#[test]
#[ignore = "needs captures"]
fn a_captured_start_starts_one_session() {
    let datagram = capture("01-event-25.bin");
    assert_eq!(&datagram[21..], b"SSTA");
    assert_eq!(Recorder::of(&datagram).kinds(), [EventKind::SessionStarted]);
}
