use trailbrake_model::time::LapTime;
use trailbrake_sink::Recorder;

use super::*;
use crate::ac_lua::describe;
use crate::{Value, flat_fields};

/// The smallest example in the older documentation.
const MINIMAL: &str = r#"{"speed_ms":42.5,"rpm":6500,"gear":4,"throttle":0.85,"brake":0.0,"fuel":0.72,"lap_time_ms":78123,"position":{"x":100.5,"y":2.3,"z":-50.7}}"#;

/// An app that sends 60 times a second.
#[derive(Default)]
struct App {
    decoder: Decoder,
    seen: Recorder,
    frames: u64,
}

impl App {
    fn send(&mut self, packet: &str) -> Result<(), Rejected> {
        self.frames += 1;
        self.decoder.receive(Micros(self.frames * 16_667), packet.as_bytes(), &mut self.seen)
    }

    fn sends(&mut self, packet: &str) {
        self.send(packet).expect("a packet that is understood");
    }
}

fn decoded(packet: &str) -> Recorder {
    let mut app = App::default();
    app.sends(packet);
    app.seen
}

#[test]
fn the_smallest_example_has_its_values_and_no_more() {
    let seen = decoded(MINIMAL);
    let (_, values) = &seen.samples[0];
    let expected = [
        ("brake", 0.0),
        ("fuel_level", 0.72),
        ("gear_number", 4.0),
        ("lap_clock", 78.123),
        ("position_x", 100.5),
        ("position_y", 2.3),
        ("position_z", -50.7),
        ("rpm", 6500.0),
        ("speed", 42.5),
        ("throttle", 0.85),
    ];
    let expected: Vec<_> =
        expected.into_iter().map(|(id, value): (&str, f32)| (id.to_owned(), value)).collect();
    assert_eq!(values.clone().into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(f64::from(seen.value("speed")) * 3.6, 153.0);
    let progress = seen.progress[0];
    assert_eq!((progress.lap, progress.clock, progress.inferred), (1, Some(78.123), true));
    assert_eq!((progress.last_lap, progress.distance, progress.position), (None, None, 0));
    assert_eq!(seen.kinds(), [EventKind::SessionStarted]);
    assert!(matches!(seen.facts[0], Fact::Player(Some(CAR))));
    let info = seen.session();
    assert_eq!((info.track_celsius, info.air_celsius, info.cars), (None, None, Some(1)));
}

#[test]
fn units_that_nobody_knows_stay_unread() {
    let seen = decoded(
        r#"{"speed_ms":1,"clutch":0.25,"steer":-180,"tyre_wear":[0.98,0.97,0.96,0.95],
            "suspension_travel":{"fl":0.01,"fr":0.02,"rl":0.03,"rr":0.04},"tyre_temps":[80,81,82,83],
            "damage":{"body":10,"suspension":0.2,"engine":0.3,"transmission":0.4,"aero":0.5}}"#,
    );
    for (id, value) in [
        ("clutch_level", 0.25),
        ("steering_level", -180.0),
        ("tyre_wear_level_rr", 0.95),
        ("suspension_position_rl", 0.03),
        ("tyre_temperature_fr", 81.0),
        ("damage_level_body", 10.0),
        ("damage_level_suspension", 0.2),
        ("damage_level_engine", 0.3),
        ("damage_level_gearbox", 0.4),
        ("damage_level_aero", 0.5),
    ] {
        assert_eq!(seen.value(id), value, "{id}");
    }
    for absent in [
        "clutch",
        "steering",
        "steering_angle",
        "gear",
        "fuel",
        "fuel_volume",
        "tyre_wear_fl",
        "tyre_inner_temperature_fl",
    ] {
        assert_eq!(seen.newest(absent), None, "{absent}");
    }
}

#[test]
fn weather_is_a_fact_and_a_channel() {
    let mut app = App::default();
    app.sends(r#"{"speed_ms":1,"weather":{"track_temp":31.6,"ambient_temp":24,"rain":0.25}}"#);
    assert_eq!((app.seen.value("track_temperature"), app.seen.value("rain")), (31.6, 0.25));
    let info = app.seen.session();
    assert_eq!((info.track_celsius, info.air_celsius), (Some(32), Some(24)));
    app.sends(r#"{"speed_ms":2,"weather":{"track_temp":31.7,"ambient_temp":24,"rain":0.25}}"#);
    let sessions = app.seen.facts.iter().filter(|fact| matches!(fact, Fact::Session(_))).count();
    assert_eq!(sessions, 1, "sent once");
}

#[test]
fn without_a_lap_clock_there_is_no_lap() {
    let seen = decoded(r#"{"speed_ms":1}"#);
    assert_eq!((seen.samples.len(), seen.progress.len()), (1, 0));
}

#[test]
fn bad_values_are_counted_and_the_others_are_used() {
    let mut app = App::default();
    let reason =
        app.send(r#"{"speed_ms":"42","rpm":1e999,"throttle":0.5}"#).expect_err("a reason").to_string();
    assert!(reason.contains("2 values are no numbers; the others were used"), "{reason}");
    assert_eq!((app.seen.value("throttle"), app.seen.newest("rpm")), (0.5, None));
    // Too large for `f32`.
    let reason = app.send(r#"{"speed_ms":1e300,"throttle":0.6}"#).expect_err("a reason").to_string();
    assert!(reason.contains("1 values are no numbers"), "{reason}");
    let reason = app.send(r#"{"speed_ms":1"#).expect_err("a reason").to_string();
    assert!(reason.contains("line 1 column 13"), "{reason}");
}

#[test]
fn laps_are_inferred_and_a_restart_resets_them() {
    let packet = |clock: u32, x: f64| {
        format!(r#"{{"speed_ms":50,"lap_time_ms":{clock},"position":{{"x":{x},"y":0,"z":0}}}}"#)
    };
    let mut app = App::default();
    for (clock, x) in [
        (0, 0.0),
        (16, 0.8),
        (90_000, 1.6),
        (90_000, 1.7),
        (90_001, 1.7),
        (90_002, 1.7),
        (90_003, 1.7),
        (90_004, 1.7),
        (90_005, 1.7),
    ] {
        app.sends(&packet(clock, x));
    }
    app.sends(&packet(10, 2.4));
    let line = *app.seen.progress.last().expect("progress");
    assert_eq!((line.lap, line.last_lap, line.best_lap), (2, Some(LapTime(90_005)), Some(LapTime(90_005))));
    assert_eq!((line.distance, app.seen.value("lap_distance")), (Some(0.5), 0.5));
    for clock in 0..7 {
        app.sends(&packet(9_000 + clock, 2.4));
    }
    app.sends(&packet(0, 900.0));
    assert_eq!(app.seen.kinds(), [EventKind::SessionStarted, EventKind::Restarted]);
    assert_eq!(app.seen.progress.last().map(|progress| (progress.lap, progress.last_lap)), Some((1, None)));
}

#[test]
fn a_packet_that_repeats_is_a_pause_and_no_sample() {
    let mut app = App::default();
    for _ in 0..60 {
        app.sends(MINIMAL);
    }
    app.sends(r#"{"speed_ms":1}"#);
    assert_eq!(app.seen.samples.len(), 2);
    assert_eq!(app.seen.kinds(), [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed]);
    assert_eq!(app.seen.session().paused, Some(false));
}

#[test]
fn described_by_the_older_descriptions_names() {
    let text =
        r#"{"speed_ms":42.5,"tyre_wear":{"fl":0.5},"pos":[1,2,3],"car":{"name":"x"},"tyre_temps":[1]}"#;
    let described = describe(text.as_bytes()).expect("a packet");
    let fields = described.fields;
    assert_eq!(described.packet, "JSON");
    for (path, value) in [
        ("speed_ms", Value::Double(42.5)),
        ("position.z", Value::Double(3.0)),
        ("tyre_wear.fl", Value::Double(0.5)),
        ("others.0", Value::Text("car.name: x".to_owned())),
    ] {
        assert_eq!(fields.at(path), Some(&value), "{path}");
    }
    let nothing = flat_fields::flat_fields(&fields)
        .iter()
        .filter(|(_, value)| matches!(value, Value::Double(number) if number.is_nan()))
        .count();
    assert_eq!(nothing, 32 - 5, "all other parts of all fields");
    let json = serde_json::to_string(&fields).expect("json");
    assert!(json.starts_with(r#"{"speed_ms":42.5,"rpm":null,"#), "{json}");
}
