//! Real packets of the game, whose values an independent decoder has read.

use std::collections::BTreeSet;

use super::Recorder;
use crate::model::{Car, DriverStatus, EventKind, PitStatus, ResultStatus, SafetyCar, SessionKind, Weather};
use crate::time::Micros;

/// A captured datagram, read where the captures are; `None`, said aloud, where there are none.
fn capture(file: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("TRAILBRAKE_CAPTURES") else {
        eprintln!("skipped: TRAILBRAKE_CAPTURES names no folder with captures");
        return None;
    };
    Some(std::fs::read(std::path::Path::new(&folder).join("f1-2018").join(file)).expect("the capture"))
}

fn near(value: f32, expected: f32) {
    assert!((value - expected).abs() <= expected.abs() * 1e-5 + 1e-6, "{value} is not {expected}");
}

#[test]
fn captured_motion_keeps_its_signs_and_units() {
    let Some(datagram) = capture("07-motion-1341.bin") else { return };
    let seen = Recorder::of(&datagram);
    for (id, expected) in [
        ("position_x", -104.2125),
        ("position_y", -84.0073),
        ("position_z", 448.6541),
        ("velocity_x", -32.2252),
        ("velocity_z", 54.1226),
        ("forward_x", -16_644.0 / 32_767.0),
        ("forward_z", 28_223.0 / 32_767.0),
        ("right_x", -28_214.0 / 32_767.0),
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
    // Yaw is the direction ahead, and turning left (positive about y) pulls to the left (positive).
    near((seen.value(0, "forward_x").atan2(seen.value(0, "forward_z")) * 100.0).round(), -53.0);
    assert!(seen.value(0, "angular_velocity_y") > 0.0 && seen.value(0, "g_lateral") > 0.0);
    assert!((18.05..18.06).contains(&seen.moments[0].session_time.expect("a session time")));
    assert_eq!((seen.moments[0].frame, seen.moments[0].at), (Some(382), Micros(7_000_000)));
    assert_eq!(seen.player(), Some(Car(0)));
}

#[test]
fn captured_telemetry_puts_each_wheel_in_its_place() {
    let Some(datagram) = capture("05-carTelemetry-1085.bin") else { return };
    let seen = Recorder::of(&datagram);
    for (id, expected) in [
        ("speed", 0.0),
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
    let temperatures = ["fl", "fr", "rl", "rr"].map(|wheel| {
        (
            seen.value(0, &format!("tyre_surface_temperature_{wheel}")),
            seen.value(0, &format!("tyre_inner_temperature_{wheel}")),
        )
    });
    assert!(temperatures.iter().all(|&(surface, inner)| [83.0, 84.0].contains(&surface.max(inner))));
}

#[test]
fn captured_status_reads_fuel_wear_damage_and_energy() {
    let Some(datagram) = capture("04-carStatus-1061.bin") else { return };
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
fn captured_lap_data_tells_where_everyone_is() {
    let Some(datagram) = capture("06-lapData-841.bin") else { return };
    let seen = Recorder::of(&datagram);
    let player = &seen.progress[0];
    near(player.clock.expect("a clock"), 12.57943);
    near(player.distance.expect("a distance"), 755.7599);
    assert_eq!((player.car, player.lap, player.sector), (Car(0), 1, 0));
    assert_eq!((player.position, player.grid), (10, 6));
    assert_eq!((player.driver, player.result), (DriverStatus::OnTrack, ResultStatus::Active));
    assert_eq!((player.pit, player.last_lap, player.invalid), (PitStatus::OnTrack, None, false));
    let places: BTreeSet<u8> = seen.progress.iter().map(|progress| progress.position).collect();
    assert_eq!(places, (1..=20).collect());
    let leader = seen.progress.iter().find(|progress| progress.position == 1).map(|progress| progress.car);
    assert_eq!(leader, Some(Car(3)));
}

#[test]
fn captured_session_is_a_race_at_monza() {
    let Some(datagram) = capture("03-session-147.bin") else { return };
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
    assert_eq!((info.spectating, info.safety_car), (None, Some(SafetyCar::None)));
    assert_eq!(info.marshal_zones.len(), 17);
    assert!((info.marshal_zones[0].start - 0.0254).abs() < 1e-4);
    assert!((info.marshal_zones[16].start - 0.9440).abs() < 1e-4);
}

#[test]
fn captured_participants_have_names_teams_and_nations() {
    let Some(datagram) = capture("02-participants-1082.bin") else { return };
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
    assert_eq!((all[0].driver_id, all[0].race_number, all[0].ai), (12, 8, true));
    assert_eq!(all[0].team, (7, Some("Haas".into())));
    assert_eq!(all[0].nationality, (28, Some("French".into())));
    assert_eq!(all[17].nationality, (78, Some("Spanish".into())));
    assert_eq!((all[19].driver_id, all[19].race_number, all[19].ai), (7, 44, false));
    assert_eq!(all[19].team, (0, Some("Mercedes".into())));
    assert_eq!(all[19].nationality, (10, Some("British".into())));
    assert_eq!(seen.player(), Some(Car(19)));
}

#[test]
fn captured_setups_show_the_players_own() {
    let Some(datagram) = capture("00-carSetups-841.bin") else { return };
    let setups = Recorder::of(&datagram).setups();
    let setup = setups[&19].expect("the player's setup");
    assert_eq!((setup.front_wing, setup.rear_wing), (6, 6));
    assert_eq!((setup.differential_on_throttle_percent, setup.differential_off_throttle_percent), (75, 75));
    near(setup.front_camber_deg, -3.0);
    near(setup.rear_camber_deg, -1.5);
    near(setup.front_toe_deg, 0.10);
    near(setup.rear_toe_deg, 0.35);
    near(setup.front_tyre_psi, 23.0);
    near(setup.rear_tyre_psi, 21.5);
    assert_eq!((setup.ballast, setup.fuel_load_kg), (6, 11.0));
}

#[test]
fn a_captured_start_starts_one_session() {
    let Some(datagram) = capture("01-event-25.bin") else { return };
    assert_eq!(Recorder::of(&datagram).kinds(), [EventKind::SessionStarted]);
}
