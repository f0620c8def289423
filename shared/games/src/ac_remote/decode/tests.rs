use trailbrake_model::{Car, Participant, ResultStatus};
use trailbrake_sink::Recorder;

use super::*;
use crate::ac_remote::example::{answer, lap, update, update_bytes};
use crate::table::ONLY_VERSION;

/// Decodes packets, each with its receive time in seconds.
fn decoded(packets: &[(f64, Vec<u8>)]) -> Recorder {
    let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
    take(&mut decoder, packets, &mut recorder);
    recorder
}

fn take(decoder: &mut Decoder, packets: &[(f64, Vec<u8>)], sink: &mut dyn Sink) {
    for (seconds, packet) in packets {
        decoder.receive(Micros(0).plus_seconds(*seconds), packet, sink).expect("a whole packet");
    }
}

/// Updates at 60 Hz over a range of the lap clock in seconds.
fn run(laps: i32, from_s: f64, to_s: f64, last_lap: i32, at_s: f64) -> Vec<(f64, Vec<u8>)> {
    let frames = ((to_s - from_s) * 60.0) as i32;
    (0..frames)
        .map(|frame| {
            let seconds = f64::from(frame) / 60.0;
            let clock = ((from_s + seconds) * 1e3).round() as i32;
            (at_s + seconds, update_bytes(laps, clock, last_lap))
        })
        .collect()
}

fn participants(seen: &Recorder) -> Vec<Participant> {
    let mut facts = seen.facts.iter().rev();
    facts
        .find_map(|fact| if let Fact::Participants(all) = fact { Some(all.clone()) } else { None })
        .expect("participants")
}

#[test]
fn signs_units_and_numbers_are_the_models() {
    let mut packet = update(2, 20_000, 90_000);
    packet.clutch = 0.75;
    packet.steer = -180.0;
    packet.g_lateral = 1.5;
    (packet.abs_enabled, packet.abs_acting, packet.tc_acting, packet.tc_enabled) = (1, 0, 1, 0);
    packet.engine_limiter_on = 1;
    packet.wheel_angular_speed = FrontFirst([150.0, 151.0, 152.0, 153.0]);
    packet.tyre_radius = FrontFirst([0.34, 0.34, 0.355, 0.355]);
    packet.slip_angle = FrontFirst([-7.5, 0.0, 1.0, 2.0]);
    packet.load = FrontFirst([3000.0, 3100.0, 3200.0, 3300.0]);
    let seen = decoded(&[(1.0, packet.bytes(ONLY_VERSION))]);
    for (id, expected) in [
        ("speed", 50.0),
        ("clutch", 0.25),
        ("steering_angle", -std::f32::consts::PI),
        ("gear", 3.0),
        ("g_lateral", 1.5),
        ("abs", 1.0),
        ("abs_active", 0.0),
        ("tcs_active", 1.0),
        ("traction_control", 0.0),
        ("rev_limiter", 1.0),
        ("wheel_speed_fl", 51.0),
        ("wheel_speed_rr", 153.0 * 0.355),
        ("slip_angle_fl", -7.5 * std::f32::consts::PI / 180.0),
        ("tyre_load_fr", 3100.0),
        ("tyre_load_rl", 3200.0),
        ("lap_clock", 20.0),
        ("lap_share", 0.2),
        ("position_z", 1000.0),
    ] {
        let value = seen.value(id);
        assert!((value - expected).abs() <= expected.abs() * 1e-6, "{id}: {value} is not {expected}");
    }
    for (sent, gear) in [(0, -1.0), (1, 0.0), (2, 1.0), (8, 7.0)] {
        packet.gear = sent;
        assert_eq!(decoded(&[(1.0, packet.bytes(ONLY_VERSION))]).value("gear"), gear);
    }
    let progress = seen.progress[0];
    assert_eq!((progress.lap, progress.clock, progress.pit), (3, Some(20.0), PitStatus::OnTrack));
    assert_eq!((progress.last_lap, progress.best_lap), (Some(LapTime(90_000)), Some(LapTime(90_000))));
    assert_eq!(progress.distance, None, "the line crossing was not received");
    assert_eq!((progress.position, progress.moment.session_time), (0, Some(20.0)));
}

#[test]
fn what_the_game_does_not_send_has_no_value() {
    let seen = decoded(&run(1, 0.0, 5.0, 90_000, 0.0));
    for id in ["fuel", "tyre_surface_temperature_fl", "tyre_pressure_fl", "brake_temperature_fl", "steering"]
    {
        assert_eq!(seen.newest(id), None, "{id}");
    }
    assert_eq!(seen.newest("velocity_x"), None, "nor is it made up from what is sent");
}

#[test]
fn the_answer_names_car_driver_and_track_and_begins_a_session() {
    let answered = answer("bmw_m3_e30_gra", "Ada Lovelace", "ks_monza66", "ks_monza66");
    let mut packets = vec![(0.0, answered.clone())];
    let at_once = decoded(&packets);
    assert_eq!(at_once.kinds(), [EventKind::SessionStarted]);
    packets.extend(run(0, 1.0, 2.0, 0, 0.1));
    assert_eq!(decoded(&packets).facts, at_once.facts, "the first update adds nothing");
    let seen = decoded(&packets);
    assert_eq!(seen.kinds(), [EventKind::SessionStarted]);
    let track = seen.session().track.clone().expect("a track");
    assert_eq!((track.id.as_str(), track.name.as_deref()), ("ks_monza66", Some("Monza 1966")));
    assert_eq!(seen.session().track_length_m, None, "which is never sent");
    let vehicle = seen.newest_vehicle().expect("a car");
    assert_eq!(
        (vehicle.id.as_deref(), vehicle.name.as_deref()),
        (Some("bmw_m3_e30_gra"), Some("BMW M3 E30 Group A"))
    );
    assert_eq!(participants(&seen)[0].name, "Ada Lovelace");
    assert!(seen.facts.contains(&Fact::Player(Some(PLAYER))) && seen.facts.contains(&facts::game()));
    // A repeated answer changes nothing; a late answer still counts.
    let twice = [packets.clone(), vec![(2.0, answered.clone())]].concat();
    assert_eq!(decoded(&twice), seen);
    let late = [run(0, 1.0, 2.0, 0, 0.1), vec![(2.0, answered)]].concat();
    assert_eq!(decoded(&late).session(), seen.session());
}

#[test]
fn another_car_or_track_is_another_session() {
    let first = [vec![(0.0, answer("a", "Ada", "spa", ""))], run(1, 30.0, 32.0, 90_000, 0.1)].concat();
    let other = [vec![(9.0, answer("a", "Ada", "imola", ""))], run(0, 1.0, 2.0, 0, 9.1)].concat();
    let seen = decoded(&[first.clone(), other].concat());
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
    assert_eq!(seen.session().track.as_ref().map(|track| track.id.as_str()), Some("imola"));
    // The same car and track again with a lower lap count: the same session, restarted.
    let again = [vec![(9.0, answer("a", "Ada", "spa", ""))], run(0, 1.0, 2.0, 0, 9.1)].concat();
    let seen = decoded(&[first, again].concat());
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Restarted]);
}

#[test]
fn a_frozen_frame_is_a_pause() {
    let still: Vec<_> =
        (0..60).map(|frame| (1.0 + f64::from(frame) / 60.0, update_bytes(0, 1000, 0))).collect();
    let packets = [run(0, 0.0, 1.0, 0, 0.0), still, run(0, 1.016, 2.0, 0, 2.0)].concat();
    let seen = decoded(&packets);
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed]);
    assert_eq!(seen.samples.len(), 60 + 1 + 59, "what does not move is not sampled");
}

#[test]
fn without_an_answer_the_player_is_known_by_the_lap_of_the_same_time() {
    // The lap packet arrives before the update that counts the lap.
    let packets = [
        run(0, 80.0, 90.0, 0, 0.0),
        vec![(10.0, lap(7, 1, "Ada", "a", 90_012))],
        run(1, 0.008, 1.0, 90_012, 10.0),
    ];
    let seen = decoded(&packets.concat());
    assert_eq!(
        participants(&seen).iter().map(|one| (one.car, one.name.as_str())).collect::<Vec<_>>(),
        [(PLAYER, "Ada")]
    );
    let gone: Vec<Car> =
        seen.progress.iter().filter(|one| one.result == ResultStatus::Invalid).map(|one| one.car).collect();
    assert_eq!(gone, [Car(8)], "there is no such car beside the player's");
    // A lap packet after the update is matched at once.
    let packets = [
        run(0, 80.0, 90.0, 0, 0.0),
        run(1, 0.008, 1.0, 90_012, 10.0),
        vec![(11.0, lap(7, 1, "Ada", "a", 90_012)), (11.1, lap(8, 1, "Grace", "b", 90_012))],
    ];
    let seen = decoded(&packets.concat());
    let named: Vec<_> = participants(&seen).into_iter().map(|one| (one.car, one.name)).collect();
    assert_eq!(named, [(PLAYER, "Ada".into()), (Car(9), "Grace".into())]);
}

#[test]
fn invalid_numbers_are_left_out_and_reported() {
    let mut packet = update(0, 1000, 0);
    packet.engine_rpm = f32::NAN;
    let mut recorder = Recorder::default();
    let reason = Decoder::default().receive(Micros(0), &packet.bytes(ONLY_VERSION), &mut recorder);
    assert!(reason.expect_err("a reason").to_string().contains("1 values are no numbers"));
    assert_eq!((recorder.newest("rpm"), recorder.value("speed")), (None, 50.0));
}
