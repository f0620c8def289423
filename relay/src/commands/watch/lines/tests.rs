use trailbrake_shared::sim::{DEMOS, Demo, Options, Request, Start, Truth};

use super::*;

const ALL: LineOptions = LineOptions { feed: None, json: true, samples_per_s: Some(10.0) };

/// A short race of three cars with many events.
fn race() -> Options {
    let requests = vec![
        (20.0, Request::Pause { seconds: 3.0 }),
        (60.0, Request::Rewind { seconds: 10.0 }),
        (70.0, Request::SafetyCar { virtually: true, seconds: 5.0 }),
    ];
    Options { start: Start::Grid, cars: 3, player: 1, laps: 2, again: false, requests, ..Options::default() }
}

/// The lines of a race, and the simulator's truth about it.
fn watched(wanted: LineOptions, options: Options, seconds: f64) -> (Vec<String>, Truth) {
    let mut demo = Demo::new(Feed::F1, options, Micros(1_000_000)).expect("a demo");
    let mut lines = Lines::new(wanted);
    let mut text = String::new();
    demo.drive(seconds, &mut |at, bytes| {
        let sender = ([127, 0, 0, 1], 5000).into();
        lines.take(&Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes }, &mut text);
    });
    assert_eq!(lines.complaints().collect::<Vec<_>>(), [""; 0]);
    (text.lines().map(str::to_owned).collect(), demo.truth().clone())
}

fn objects(lines: &[String]) -> Vec<Value> {
    lines.iter().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

fn named<'a>(objects: &'a [Value], name: &str) -> Vec<&'a Value> {
    objects.iter().filter(|object| object["event"] == name).collect()
}

#[test]
fn every_event_is_printed_once_with_its_details() {
    let (lines, truth) = watched(LineOptions { samples_per_s: None, ..ALL }, race(), 330.0);
    let objects = objects(&lines);
    assert!(objects.iter().all(|object| object["event"].is_string() && object.get("values").is_none()));
    let start = &objects[0];
    assert_eq!((&start["event"], &start["session_time"]), (&json!("on_session_start"), &json!(0.016667)));
    assert!(start["at"].as_u64().is_some_and(|at| at > 1_000_000), "{start}");
    for (name, times) in [
        ("on_session_start", 1),
        ("on_race_start", 1),
        ("on_pause", 1),
        ("on_resume", 1),
        ("on_rewind", 1),
        ("on_safety_car", 2),
        ("on_lap", 2),
        // The change to lap 2; none follows after the chequered flag.
        ("on_lap_change", 1),
        ("on_race_finish", 1),
        ("on_session_end", 1),
    ] {
        assert_eq!(named(&objects, name).len(), times, "{name}");
    }
    let known = truth.sessions[0].finished.iter().filter(|lap| lap.car == 1 && !lap.undone);
    let known: Vec<u64> = known.map(|lap| u64::from(lap.time_ms)).collect();
    let printed: Vec<u64> =
        named(&objects, "on_lap").iter().map(|lap| lap["time_ms"].as_u64().expect("a time")).collect();
    assert_eq!(printed, known);
    let change = named(&objects, "on_lap_change")[0];
    assert_eq!((&change["value"], &change["car"], &change["feed"]), (&json!(2), &json!(1), &json!("f1")));
    assert_eq!(change["driver"], truth.drivers[1]);
    assert!(named(&objects, "on_gear_change").len() > 40);
    // Exact to the frame: the first packet after a rewind only raises a suspicion.
    let rewind = truth.sessions[0].rewinds[0];
    let millis = named(&objects, "on_rewind")[0]["millis"].as_f64().expect("a time");
    assert!((millis / 1e3 - (rewind.from_s - rewind.to_s)).abs() < 0.04, "{millis} and {rewind:?}");
    assert_eq!(named(&objects, "on_safety_car")[0]["safety_car"], "Virtual");
}

#[test]
fn samples_come_at_their_rate_with_all_that_is_known() {
    for (rate, expected) in [(10.0, 120), (0.5, 6), (60.0, 720)] {
        let wanted = LineOptions { samples_per_s: Some(rate), ..ALL };
        let (lines, _) = watched(wanted, Options::default(), 12.0);
        let objects = objects(&lines);
        let samples: Vec<&Value> = objects.iter().filter(|object| object.get("values").is_some()).collect();
        let apart = samples.len().abs_diff(expected);
        assert!(apart <= 1 + expected / 50, "{} samples at {rate} a second", samples.len());
        let last = samples.last().expect("a sample");
        let values = last["values"].as_object().expect("values");
        let speed = values["speed"].as_f64().expect("a speed");
        assert!((10.0..100.0).contains(&speed), "{last}");
        assert!(values.contains_key("tyre_pressure_fl") && !values.contains_key("handbrake"), "{last}");
        assert_eq!((&last["lap"], &last["car"]), (&json!(1), &json!(7)));
        // No digits beyond single precision.
        assert!(values.values().all(|value| value.to_string().len() < 16), "{last}");
    }
}

#[test]
fn every_year_of_the_f1_games_is_watched() {
    for game in DEMOS.iter().filter(|game| game.feed == Feed::F1) {
        let options = Options { cars: 4, player: 1, year: game.year.expect("a year"), ..Options::default() };
        let (lines, _) = watched(ALL, options, 6.0);
        let objects = objects(&lines);
        assert_eq!(named(&objects, "on_session_start").len(), 1, "{}", game.id);
        let samples: Vec<&Value> = objects.iter().filter(|object| object.get("values").is_some()).collect();
        assert!((58..=62).contains(&samples.len()), "{}: {} samples", game.id, samples.len());
        let last = samples.last().expect("a sample");
        let value = |id: &str| last["values"][id].as_f64();
        assert!(value("speed").is_some_and(|speed| (10.0..100.0).contains(&speed)), "{}: {last}", game.id);
        for id in
            ["throttle", "rpm", "lap_distance", "position_x", "tyre_pressure_fl", "suspension_position_rr"]
        {
            assert!(value(id).is_some(), "{}: {id} in {last}", game.id);
        }
        assert_eq!(value("ride_height_front").is_some(), game.year >= Some(2024), "{}", game.id);
        assert_eq!((&last["lap"], &last["car"]), (&json!(1), &json!(1)), "{}", game.id);
    }
}

#[test]
fn people_read_words() {
    let (lines, _) = watched(LineOptions { json: false, ..ALL }, race(), 130.0);
    let found = |words: &str| lines.iter().any(|line| line.contains(words));
    for words in [
        "f1  on_session_start      Session started",
        "on_lap_change         Another lap: 2",
        "on_pause              Paused",
        "on_safety_car         Virtual safety car",
        "km/h  gear N",
        "throttle 100 %",
    ] {
        assert!(found(words), "{words}");
    }
    assert!(found("on_gear_change        Gear changed: 3"));
    assert!(lines.iter().all(|line| line.split_whitespace().count() > 2), "a line says nothing");
    // With one feed its name is not in each line.
    let one = LineOptions { feed: Some(Feed::F1), json: false, samples_per_s: None };
    let (lines, _) = watched(one, race(), 10.0);
    assert!(!lines.is_empty() && lines.iter().all(|line| !line.contains("f1")));
}

#[test]
fn only_the_wanted_feed_is_shown_and_nonsense_is_reported_once() {
    let wanted = LineOptions { feed: Some(Feed::GranTurismo), ..ALL };
    assert_eq!(watched(wanted, Options::default(), 3.0).0, [""; 0]);
    let mut lines = Lines::new(ALL);
    let mut text = String::new();
    for len in [3, 3, 3, 4] {
        let bytes = vec![0xe2; len];
        let sender = ([127, 0, 0, 1], 5000).into();
        lines.take(
            &Datagram { at: Micros(1), sender, port: 1, feed: Some(Feed::F1), bytes: &bytes },
            &mut text,
        );
    }
    assert_eq!((text.as_str(), lines.complaints().count(), lines.complaints().count()), ("", 2, 0));
}

#[test]
fn a_new_session_of_the_same_sender_is_printed_from_its_start() {
    let requests = vec![(40.0, Request::Restart { new_identity: true })];
    let options = Options { requests, ..race() };
    let (lines, _) = watched(LineOptions { samples_per_s: None, ..ALL }, options, 60.0);
    let objects = objects(&lines);
    assert_eq!(named(&objects, "on_session_start").len(), 2);
    assert_eq!(named(&objects, "on_race_start").len(), 2);
}

#[test]
fn arguments_of_signals_are_printed_in_words() {
    for (argument, value, expected) in [
        (Argument::Gear, Some(-1), Some("R")),
        (Argument::Gear, Some(0), Some("N")),
        (Argument::Switch, Some(1), Some("on")),
        (Argument::Switch, Some(-1), Some("unknown")),
        (Argument::Pedal, Some(255), Some("100 %")),
        (Argument::Millis, Some(83_456), Some("1:23.456")),
        (Argument::Millis, None, None),
        (Argument::Choice(Channel::FuelMix), Some(9), Some("9")),
        (Argument::Nothing, Some(1), None),
    ] {
        assert_eq!(argument_in_words(argument, value, None).as_deref(), expected);
    }
    assert_eq!(
        argument_in_words(Argument::Choice(Channel::FuelMix), Some(1), Some("Rich")).as_deref(),
        Some("Rich")
    );
}

#[test]
fn the_guide_for_scripts_names_every_signal_with_its_kind_of_value() {
    let guide = include_str!("../../../../../docs/watch.md");
    for signal in Signal::ALL {
        let row = guide.lines().find(|row| row.contains(&format!("`{}`", signal.name())));
        let row = row.unwrap_or_else(|| panic!("{} stands nowhere", signal.name()));
        let value = match signal.argument() {
            Argument::Nothing => "| null |",
            Argument::Gear => "the gear",
            Argument::Switch => "1 on, 0 off",
            Argument::Pedal => "0 to 255",
            Argument::Rpm => "| rpm |",
            Argument::Lap => "| the lap |",
            Argument::Sector => "the sector",
            Argument::Place => "the place",
            Argument::Percent => "per cent",
            Argument::Millis => "milliseconds",
            Argument::Choice(_) => "and its word",
        };
        assert!(row.contains(value), "{row}");
    }
}
