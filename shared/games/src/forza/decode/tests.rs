//! The events of a race, with packets made for them.

use proptest::prelude::*;
use trailbrake_model::time::LapTime;
use trailbrake_model::{LapProgress, ResultStatus, SessionKind};
use trailbrake_sink::Recorder;

use super::*;
use crate::Vec3;
use crate::table::FrontFirst;

/// A decoder, what it has pushed, and the time.
#[derive(Default)]
struct Drive {
    decoder: Decoder,
    recorder: Recorder,
    at: Micros,
}

impl Drive {
    /// Receives a packet so many seconds after the one before.
    fn take(&mut self, seconds: f64, kind: Kind, packet: &Packet) -> Result<(), Rejected> {
        self.at = self.at.plus_seconds(seconds);
        self.decoder.receive(self.at, &packet.bytes(kind.version()), &mut self.recorder)
    }

    /// Drives at 50 m/s from one lap clock to another, ten packets per second. The race began 2 s before the lap.
    fn lap(&mut self, kind: Kind, first: Packet, from_s: f64, to_s: f64) {
        let race_s = f64::from(first.current_race_time.unwrap_or_default());
        for step in 0..=((to_s - from_s) * 10.0).round() as u32 {
            let passed = f64::from(step) / 10.0;
            let packet = Packet {
                current_lap: Some((from_s + passed) as f32),
                current_race_time: Some((race_s + passed) as f32),
                ..first
            };
            self.take(0.1, kind, &packet).expect("a packet");
        }
    }

    fn last(&self) -> LapProgress {
        *self.recorder.progress.last().expect("progress")
    }
}

/// A car in third place at this time of its race.
fn racing(race_s: f64, laps: u16, lap_s: f64) -> Packet {
    Packet {
        is_race_on: 1,
        engine_max_rpm: 8000.0,
        velocity: Vec3 { x: 0.0, y: 0.0, z: 50.0 },
        car_ordinal: 2000,
        car_class: 4,
        car_performance_index: 800,
        drivetrain_type: 1,
        num_cylinders: 8,
        position: Some(Vec3::default()),
        speed: Some(50.0),
        current_race_time: Some(race_s as f32),
        current_lap: Some(lap_s as f32),
        lap_number: Some(laps),
        race_position: Some(3),
        ..Packet::default()
    }
}

#[test]
fn a_lap_ends_in_the_packet_that_counts_it_and_has_its_official_time() {
    let mut drive = Drive::default();
    drive.lap(Kind::Dash, racing(2.0, 0, 0.0), 0.0, 60.0);
    assert_eq!((drive.last().lap, drive.last().position, drive.last().last_lap), (1, 3, None));
    assert!((drive.last().distance.expect("a distance") - 3000.0).abs() < 1.0);
    let second = Packet { last_lap: Some(60.047), best_lap: Some(60.047), ..racing(62.1, 1, 0.053) };
    drive.take(0.1, Kind::Dash, &second).expect("a packet");
    let now = drive.last();
    assert_eq!((now.lap, now.last_lap, now.best_lap), (2, Some(LapTime(60_047)), Some(LapTime(60_047))));
    assert!((now.distance.expect("a distance") - 2.65).abs() < 0.01, "50 m/s since the line");
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted]);
}

#[test]
fn the_last_lap_of_a_race_ends_with_its_time_alone() {
    let mut drive = Drive::default();
    let lap = Packet { last_lap: Some(61.5), ..racing(62.0, 1, 0.1) };
    drive.lap(Kind::Dash2023, lap, 0.1, 60.0);
    assert_eq!(drive.last().result, ResultStatus::Active);
    let finish = Packet { last_lap: Some(60.047), ..racing(122.0, 1, 60.05) };
    drive.take(0.1, Kind::Dash2023, &finish).expect("a packet");
    assert_eq!(drive.last().result, ResultStatus::Active, "one packet alone may say anything");
    let finish = Packet { current_race_time: Some(122.1), ..finish };
    drive.take(0.1, Kind::Dash2023, &finish).expect("a packet");
    let now = drive.last();
    assert_eq!((now.lap, now.last_lap, now.result), (2, Some(LapTime(60_047)), ResultStatus::Finished));
    let time = Some(LapTime(60_047));
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted, EventKind::Finished { time }]);
    // Results are no pause.
    drive.take(1.0, Kind::Dash2023, &Packet::default()).expect("a packet");
    assert_eq!(drive.recorder.kinds().len(), 2);
    // The next race begins a session.
    drive.lap(Kind::Dash2023, racing(0.1, 0, 0.0), 0.0, 0.2);
    assert_eq!(drive.recorder.kinds().last(), Some(&EventKind::SessionStarted));
}

#[test]
fn a_time_that_comes_late_finishes_nothing() {
    let mut drive = Drive::default();
    drive.lap(Kind::Horizon, racing(2.0, 0, 0.0), 0.0, 60.0);
    drive.lap(Kind::Horizon, racing(62.1, 1, 0.1), 0.1, 0.5);
    drive.lap(Kind::Horizon, Packet { last_lap: Some(60.0), ..racing(62.6, 1, 0.6) }, 0.6, 9.0);
    assert_eq!((drive.last().result, drive.last().last_lap), (ResultStatus::Active, Some(LapTime(60_000))));
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted]);
}

#[test]
fn a_restart_begins_the_race_again_and_a_rewind_goes_back_in_it() {
    let mut drive = Drive::default();
    drive.lap(Kind::Horizon, racing(2.0, 0, 0.0), 0.0, 30.0);
    drive.lap(Kind::Horizon, racing(22.0, 0, 20.0), 20.0, 21.0);
    let rewound = EventKind::Rewound { millis: 10_000 };
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted, rewound]);
    assert!((drive.last().distance.expect("a distance") - 1050.0).abs() < 12.0);
    drive.lap(Kind::Horizon, racing(0.1, 0, 0.0), 0.0, 1.0);
    assert_eq!(drive.recorder.kinds().last(), Some(&EventKind::Restarted));
    assert_eq!(drive.last().moment.session_time.map(|seconds| seconds as f32), Some(1.1));
}

#[test]
fn a_menu_is_a_pause_until_the_race_goes_on() {
    let mut drive = Drive::default();
    drive.take(0.1, Kind::Dash, &Packet::default()).expect("a packet");
    assert_eq!(drive.recorder, Recorder::default(), "nothing is known of a car");
    drive.lap(Kind::Dash, racing(2.0, 0, 0.0), 0.0, 10.0);
    for _ in 0..3 {
        drive.take(0.1, Kind::Dash, &Packet::default()).expect("a packet");
    }
    assert_eq!(drive.recorder.session().paused, Some(true));
    drive.lap(Kind::Dash, racing(12.1, 0, 10.1), 10.1, 11.0);
    let expected = [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed];
    assert_eq!(drive.recorder.kinds(), expected);
    assert_eq!(drive.recorder.session().paused, Some(false));
    assert_eq!(drive.recorder.samples.len(), 101 + 10);
}

#[test]
fn free_roam_has_samples_and_no_laps() {
    let mut drive = Drive::default();
    let roam = Packet { race_position: Some(0), ..racing(0.5, 0, 0.0) };
    for step in 0..50_u8 {
        let race_s = 0.5 + f32::from(step) / 10.0;
        let packet = Packet { current_race_time: Some(race_s), ..roam };
        drive.take(0.1, Kind::Horizon, &packet).expect("a packet");
    }
    assert_eq!((drive.recorder.samples.len(), drive.recorder.progress.len()), (50, 0));
    assert_eq!([drive.recorder.newest("lap_clock"), drive.recorder.newest("race_position")], [None, None]);
    // A race begins: its clock starts at 0.
    drive.lap(Kind::Horizon, racing(0.1, 0, 0.0), 0.0, 5.0);
    assert_eq!(drive.last().lap, 1);
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
}

#[test]
fn a_route_without_laps_is_finished_at_its_end() {
    let route = |along: f32| {
        let mut drive = Drive::default();
        drive.lap(Kind::Horizon, Packet { distance_traveled: Some(along), ..racing(2.0, 0, 0.0) }, 0.0, 95.5);
        // Twelve seconds later the car is parked.
        drive.lap(Kind::Horizon, Packet { speed: Some(0.0), ..racing(109.5, 0, 0.0) }, 0.0, 0.0);
        drive.lap(Kind::Horizon, Packet { speed: Some(0.0), ..racing(109.6, 0, 0.0) }, 0.0, 0.0);
        drive.recorder
    };
    let recorder = route(5_950.0);
    let time = Some(LapTime(95_500));
    let kinds = [EventKind::SessionStarted, EventKind::Finished { time }, EventKind::SessionStarted];
    assert_eq!(recorder.kinds(), kinds);
    let finish = recorder.progress.iter().find(|progress| progress.last_lap == time).expect("the finish");
    assert_eq!(finish.result, ResultStatus::Finished);
    let is_stage = |fact: &Fact| matches!(fact, Fact::Session(info) if info.kind == SessionKind::Stage);
    assert!(recorder.facts.iter().any(is_stage));
    // Left on the way.
    assert_eq!(route(3_000.0).kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
}

#[test]
fn a_complete_lap_shows_a_track_to_be_named_and_a_named_one_is_detected() {
    /// Laps of an oval, 600 steps of 0.1 s each, from a standing start before the line.
    fn oval(named: &[TrackPrint]) -> Drive {
        let mut drive = Drive::default();
        drive.decoder.know_tracks(named);
        for step in 0..2000_u16 {
            let (lap, passed) = (step / 600, f32::from(step % 600) / 10.0);
            let angle = (f32::from(step % 600) + 0.5) / 600.0 * std::f32::consts::TAU;
            let packet = Packet {
                position: Some(Vec3 { x: 500.0 * angle.cos(), y: 3.0, z: 300.0 * angle.sin() }),
                last_lap: Some(if lap > 0 { 60.0 } else { 0.0 }),
                ..racing(2.0 + f64::from(step) / 10.0, lap, f64::from(passed))
            };
            drive.take(0.1, Kind::Dash, &packet).expect("a packet");
        }
        drive
    }
    let drive = oval(&[]);
    let prints: Vec<&TrackPrint> = drive
        .recorder
        .facts
        .iter()
        .filter_map(|fact| if let Fact::Track(print) = fact { Some(print) } else { None })
        .collect();
    let [print] = prints[..] else { panic!("{prints:?}") };
    assert!(
        (print.bounds.low[0] + 500.0).abs() < 1.0 && (print.bounds.high[1] - 300.0).abs() < 1.0,
        "{print:?}"
    );
    let named = print.named("Oval").expect("a name");
    let drive = oval(&[named]);
    assert!(drive.recorder.kinds().contains(&EventKind::TrackDetected { name: "Oval".to_owned() }));
    let track = drive.recorder.session().track.clone().expect("a track");
    assert_eq!(track.name.as_deref(), Some("Oval"));
}

#[test]
fn another_car_begins_a_session_with_its_facts() {
    let mut drive = Drive::default();
    drive.lap(Kind::Dash2023, Packet { track_ordinal: Some(1640), ..racing(2.0, 0, 0.0) }, 0.0, 1.0);
    let vehicle = drive.recorder.newest_vehicle().expect("a car").clone();
    assert_eq!((vehicle.id.as_deref(), vehicle.class.as_deref()), (Some("2000"), Some("A 800")));
    assert_eq!((vehicle.drivetrain.as_deref(), vehicle.cylinders), (Some("RWD"), Some(8)));
    assert_eq!(drive.recorder.session().track.as_ref().map(|track| track.id.as_str()), Some("1640"));
    let other = Packet { car_ordinal: 2001, track_ordinal: Some(1640), ..racing(3.1, 0, 1.1) };
    drive.lap(Kind::Dash2023, other, 1.1, 2.0);
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
    assert_eq!(drive.recorder.newest_vehicle().and_then(|car| car.id.clone()).as_deref(), Some("2001"));
}

#[test]
fn a_sled_is_shown_as_far_as_it_goes_with_a_warning() {
    let mut drive = Drive::default();
    let sled = Packet { velocity: Vec3 { x: 3.0, y: 0.0, z: 4.0 }, ..racing(0.0, 0, 0.0) };
    let outcome = drive.take(0.1, Kind::Sled, &sled);
    assert!(matches!(outcome, Err(Rejected::Caution { .. })), "{outcome:?}");
    assert_eq!(drive.take(0.1, Kind::Sled, &sled), Ok(()));
    assert_eq!((drive.recorder.value("speed"), drive.recorder.samples.len()), (5.0, 2));
    assert_eq!(drive.recorder.kinds(), [EventKind::SessionStarted]);
    assert!(drive.recorder.progress.is_empty() && drive.recorder.newest("position_x").is_none());
    assert_eq!(drive.recorder.samples[0].0.session_time, None, "it has no clock");
}

#[test]
fn values_have_the_models_units_signs_and_axes() {
    let mut drive = Drive::default();
    let packet = Packet {
        acceleration: Vec3 { x: 9.806_65, y: 19.613_3, z: -9.806_65 },
        velocity: Vec3 { x: 1.0, y: 2.0, z: 3.0 },
        angular_velocity: Vec3 { x: 0.1, y: 0.2, z: 0.3 },
        yaw: std::f32::consts::FRAC_PI_2,
        pitch: 0.25,
        roll: 0.125,
        tire_slip_ratio: FrontFirst([-1.5, 0.0, 0.0, 2.0]),
        wheel_on_rumble_strip: FrontFirst([1, 0, 0, 0]),
        wheel_in_puddle: FrontFirst([0.0, 0.0, 0.0, 0.5]),
        position: Some(Vec3 { x: 10.0, y: 20.0, z: 30.0 }),
        tire_temp: Some(FrontFirst([212.0, 32.0, 50.0, 68.0])),
        boost: Some(10.0),
        accel: Some(255),
        brake: Some(51),
        gear: Some(0),
        steer: Some(-127),
        ..racing(2.0, 0, 1.0)
    };
    drive.take(0.1, Kind::Dash, &packet).expect("a packet");
    for (id, expected) in [
        ("g_lateral", -1.0),
        ("g_vertical", 2.0),
        ("g_longitudinal", -1.0),
        ("local_velocity_x", -1.0),
        ("local_velocity_z", 3.0),
        ("angular_velocity_x", 0.1),
        ("angular_velocity_y", -0.2),
        ("angular_velocity_z", -0.3),
        ("yaw", -std::f32::consts::FRAC_PI_2),
        ("pitch", -0.25),
        ("roll", -0.125),
        ("forward_x", -(0.25_f32.cos())),
        ("forward_y", -(0.25_f32.sin())),
        ("forward_z", 0.0),
        ("position_x", -10.0),
        ("position_z", 30.0),
        ("slip_level_fl", 1.5),
        ("slip_level_rr", 2.0),
        ("surface_fl", 8.0),
        ("surface_fr", 256.0),
        ("surface_rr", 12.0),
        ("tyre_temperature_fl", 100.0),
        ("tyre_temperature_fr", 0.0),
        ("tyre_temperature_rl", 10.0),
        ("tyre_temperature_rr", 20.0),
        ("boost", 68_947.57),
        ("throttle", 1.0),
        ("brake", 0.2),
        ("gear", -1.0),
        ("steering", -1.0),
        ("race_position", 3.0),
        ("lap_clock", 1.0),
    ] {
        let value = drive.recorder.value(id);
        assert!(
            (value - expected).abs() <= 1e-6 * expected.abs().max(1.0),
            "{id}: {value} is not {expected}"
        );
    }
    let shifting = Packet { gear: Some(11), steer: Some(127), ..racing(2.1, 0, 1.1) };
    drive.take(0.1, Kind::Dash, &shifting).expect("a packet");
    assert_eq!([drive.recorder.value("gear"), drive.recorder.value("steering")], [0.0, 1.0]);
}

#[test]
fn values_that_are_no_numbers_are_left_out_and_reported() {
    let mut drive = Drive::default();
    let packet = Packet { power: Some(f32::NAN), ..racing(2.0, 0, 1.0) };
    let outcome = drive.take(0.1, Kind::Dash, &packet);
    assert!(matches!(outcome, Err(Rejected::BadContent { .. })), "{outcome:?}");
    assert_eq!((drive.recorder.newest("power_engine"), drive.recorder.value("speed")), (None, 50.0));
    let clockless = Packet { current_race_time: Some(f32::INFINITY), ..racing(2.0, 0, 1.0) };
    assert!(drive.take(0.1, Kind::Dash, &clockless).is_err());
    assert_eq!(drive.recorder.samples.len(), 1);
}

proptest! {
    #[test]
    fn nothing_received_panics(
        packets in prop::collection::vec((0_usize..5, prop::collection::vec(any::<u8>(), 331)), 1..30)
    ) {
        let mut decoder = Decoder::default();
        let mut recorder = Recorder::default();
        for (place, (form, mut bytes)) in packets.into_iter().enumerate() {
            bytes.truncate([232, 311, 323, 324, 331][form]);
            // Recognisable, whatever else it says.
            bytes[..4].copy_from_slice(&[u8::from(place % 5 != 4), 0, 0, 0]);
            bytes[8..12].copy_from_slice(&7000.0_f32.to_le_bytes());
            bytes[56..60].copy_from_slice(&1.0_f32.to_le_bytes());
            let _ = decoder.receive(Micros(place as u64 * 16_000), &bytes, &mut recorder);
            let _ = super::super::describe(&bytes);
        }
    }

    #[test]
    fn any_clock_and_lap_is_taken(
        points in prop::collection::vec((any::<f32>(), any::<f32>(), any::<u16>(), any::<f32>(), 0_u8..3), 1..60)
    ) {
        let mut drive = Drive::default();
        for (race_s, lap_s, laps, last_lap, position) in points {
            let packet = Packet {
                current_race_time: Some(race_s),
                current_lap: Some(lap_s),
                lap_number: Some(laps),
                last_lap: Some(last_lap),
                race_position: Some(position),
                ..racing(0.0, 0, 0.0)
            };
            let _ = drive.take(0.016, Kind::Horizon, &packet);
        }
    }
}
