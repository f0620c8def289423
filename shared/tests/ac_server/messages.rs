//! The decoder output of single messages and of sequences.

use trailbrake_shared::games::ac_server::layout::{
    CarCollision, CarInfo, CarUpdate, ClientLoaded, Connection, Error, LapCompleted, Row, Session, Version,
};
use trailbrake_shared::games::ac_server::{Flavour, Message};
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, EventKind, Presence, ResultStatus, SessionKind};
use trailbrake_shared::session::{log_words, timing_table};
use trailbrake_shared::time::LapTime;
use trailbrake_shared::units::Units;

use super::listener::Listener;

const RACE_TYPE: u8 = 3;
const QUALIFYING: u8 = 2;

fn bytes(message: Message) -> Vec<u8> {
    message.write(Flavour::Vanilla)
}

fn session(index: u8, kind: u8) -> Vec<u8> {
    bytes(Message::NewSession(body(index, kind)))
}

fn body(index: u8, kind: u8) -> Session {
    Session {
        protocol_version: 4,
        session_index: index,
        current_session_index: index,
        session_type: kind,
        track: "magione".into(),
        ..Session::default()
    }
}

fn who(slot: u8, name: &str, guid: &str) -> Connection {
    Connection {
        driver_name: name.into(),
        driver_guid: guid.into(),
        car_id: slot,
        car_model: "ks_a".into(),
        car_skin: "01".into(),
    }
}

fn update(slot: u8, share: f32) -> Vec<u8> {
    bytes(Message::CarUpdate(CarUpdate {
        car_id: slot,
        world_position: [share * 1000.0, 5.0, -7.0].into(),
        velocity: [30.0, 0.0, -40.0].into(),
        gear: 4,
        engine_rpm: 7_000,
        normalised_spline_position: share,
    }))
}

fn lap(slot: u8, millis: u32, cuts: u8, rows: &[(u8, u32, u16, u8)]) -> Vec<u8> {
    let row = |&(car_id, time, laps, completed): &(u8, u32, u16, u8)| Row {
        car_id,
        time,
        laps,
        has_completed: Some(completed),
    };
    bytes(Message::LapCompleted(LapCompleted {
        car_id: slot,
        lap_time: millis,
        cuts,
        leaderboard: rows.iter().map(row).collect(),
        grip_level: 0.97,
    }))
}

/// A session with drivers named after their slots, all on the track.
fn with_drivers(kind: u8, slots: &[u8]) -> Listener {
    let mut listener = Listener::default();
    listener.take(&session(0, kind));
    for &slot in slots {
        let name = format!("Driver {}", char::from(b'A' + slot));
        listener.take(&bytes(Message::NewConnection(who(slot, &name, &format!("765{slot}")))));
        listener.take(&bytes(Message::ClientLoaded(ClientLoaded { car_id: slot })));
    }
    listener
}

fn laps(listener: &Listener, slot: u8) -> Vec<u32> {
    let car = listener.session.car(Car(slot)).expect("a car");
    car.laps.finished().iter().filter_map(|lap| lap.time).map(|time| time.0).collect()
}

/// The laps of a slot: number, time in milliseconds, flags, and seconds from start to end.
fn lap_lines(listener: &Listener, slot: u8) -> Vec<String> {
    let car = listener.session.car(Car(slot)).expect("a car");
    let line = |lap: &Lap| {
        let millis = lap.time.map_or_else(|| "-".to_owned(), |time| time.0.to_string());
        let driven_s = lap.ended_s.expect("an end") - lap.began_s;
        format!("{} {millis} [{}] {driven_s:.0} s", lap.number, lap.flags)
    };
    car.laps.finished().iter().map(line).collect()
}

fn places(listener: &Listener) -> Vec<u8> {
    timing_table(&listener.session).iter().map(|row| row.car.0).collect()
}

#[test]
fn a_position_fills_the_channels_that_it_has_and_no_other() {
    let mut listener = with_drivers(QUALIFYING, &[7]);
    listener.take(&update(7, 0.25));
    let (car, values) = &listener.samples[0];
    let mut values: Vec<(&str, f32)> = values.iter().map(|(id, value)| (id.as_str(), *value)).collect();
    values.sort_by_key(|(id, _)| *id);
    let expected = [
        ("gear", 3.0),
        ("lap_share", 0.25),
        ("position_x", 250.0),
        ("position_y", 5.0),
        ("position_z", -7.0),
        ("rpm", 7000.0),
        ("speed", 50.0),
        ("velocity_x", 30.0),
        ("velocity_y", 0.0),
        ("velocity_z", -40.0),
    ];
    assert_eq!((car.0, values), (7, expected.to_vec()));
    let gear = |gear: u8| {
        let mut listener = with_drivers(QUALIFYING, &[7]);
        let mut message = update(7, 0.3);
        message[26] = gear;
        listener.take(&message);
        listener.samples[0].1.iter().find(|(id, _)| id == "gear").map(|(_, value)| *value)
    };
    assert_eq!([gear(0), gear(1), gear(2)], [Some(-1.0), Some(0.0), Some(1.0)]);
}

#[test]
fn what_is_no_number_is_counted_and_the_rest_is_used() {
    let mut listener = with_drivers(QUALIFYING, &[7]);
    let mut message = update(7, 0.3);
    message[2..6].copy_from_slice(&f32::NAN.to_le_bytes());
    let reason = listener.after(1.0, &message).expect_err("a reason").to_string();
    assert!(reason.contains("1 values are no numbers"), "{reason}");
    assert_eq!(listener.samples[0].1.len(), 9);
}

#[test]
fn a_lap_begins_where_the_car_was_seen_to_cross_the_line() {
    let mut listener = with_drivers(QUALIFYING, &[3]);
    for share in [0.5, 0.97] {
        listener.take(&update(3, share));
    }
    listener.after(0.1, &update(3, 0.01)).expect("a position");
    let crossed = listener.session.now().seconds();
    assert_eq!(laps(&listener, 3), [0; 0], "the server has not reported the lap");
    listener.after(0.3, &lap(3, 81_234, 0, &[(3, 81_234, 1, 0)])).expect("a lap");
    let car = listener.session.car(Car(3)).expect("a car");
    assert_eq!(laps(&listener, 3), [81_234]);
    let under_way = car.laps.current().expect("a lap");
    assert!((under_way.began_s - crossed).abs() < 1e-3, "{} {crossed}", under_way.began_s);
    assert_eq!(
        (under_way.number, car.traces.current().len()),
        (2, 1),
        "the place behind the line is the new lap's"
    );

    // A car that was moved across the line has not ended a lap.
    for share in [0.95, 0.02] {
        listener.after(1.0, &update(3, share)).expect("a position");
    }
    listener.after(30.0, &update(3, 0.4)).expect("a position");
    listener.after(1.0, &lap(3, 99_000, 2, &[(3, 81_234, 1, 0)])).expect("a lap");
    let car = listener.session.car(Car(3)).expect("a car");
    let began = car.laps.current().expect("a lap").began_s;
    assert!((began - listener.session.now().seconds()).abs() < 1e-3, "the crossing long before was none");
    let last = car.laps.finished().last().expect("a lap");
    assert!(last.flags.has(LapFlag::Invalid) && last.counts().is_none());
    assert_eq!(car.progress().and_then(|progress| progress.best_lap), Some(LapTime(81_234)));
}

#[test]
fn a_lap_that_is_reported_twice_is_one_lap() {
    for kind in [RACE_TYPE, QUALIFYING] {
        let mut listener = with_drivers(kind, &[0, 1]);
        let total = |laps: u16| if kind == RACE_TYPE { 80_000 * u32::from(laps) } else { 80_000 };
        let row = |slot, laps| (slot, total(laps), laps, 0);
        let first = lap(0, 80_000, 0, &[row(0, 1), row(1, 0)]);
        listener.after(80.0, &first).expect("a lap");
        let events = listener.events.len();
        listener.after(0.01, &first).expect("the same lap");
        listener.after(0.5, &lap(1, 80_500, 0, &[row(0, 1), row(1, 1)])).expect("another car's lap");
        listener.after(0.5, &first).expect("the same lap");
        assert_eq!(listener.events.len(), events, "nothing happened");
        // A second lap with a cut, and the same time to the millisecond.
        let clean = if kind == RACE_TYPE { 2 } else { 1 };
        let second = lap(0, 80_000, 1, &[row(0, clean), row(1, 1)]);
        listener.after(79.0, &second).expect("a lap");
        listener.after(0.01, &second).expect("the same lap");
        listener.after(80.0, &lap(0, 80_000, 0, &[row(0, clean + 1), row(1, 1)])).expect("a lap");
        let expected = ["1 80000 [valid] 80 s", "2 80000 [invalid] 80 s", "3 80000 [valid] 80 s"];
        assert_eq!(lap_lines(&listener, 0), expected, "kind {kind}");
        let car = listener.session.car(Car(0)).expect("a car");
        assert_eq!(car.laps.current().map(|lap| lap.number), Some(4));
        let cuts = listener.kinds().into_iter().filter(|(_, kind)| matches!(kind, EventKind::Cuts { .. }));
        assert_eq!(cuts.count(), 1);
    }
}

#[test]
fn laps_of_a_server_that_was_joined_late_have_their_times() {
    // Without its address nothing can be asked: the first message about a car is the report of its lap.
    for (known, counted) in [(false, 1), (false, 7), (true, 1), (true, 7)] {
        let mut listener = Listener::default();
        listener.after(1000.0, &[]).expect_err("no message");
        if known {
            listener.take(&session(0, RACE_TYPE));
        }
        let report = |slot, millis, laps| lap(slot, millis, 0, &[(slot, 900_000, laps, 0)]);
        listener.after(500.0, &report(0, 80_001, counted)).expect("a lap");
        let number = if known { counted } else { 1 };
        let first = format!("{number} 80001 [valid] 80 s");
        assert_eq!(lap_lines(&listener, 0), std::slice::from_ref(&first), "a lone lap");
        listener.after(1.0, &lap(1, 82_000, 2, &[(1, 900_000, 3, 0)])).expect("another car's lap");
        listener.after(79.0, &report(0, 80_002, counted + 1)).expect("a lap");
        let second = format!("{} 80002 [valid] 80 s", number + 1);
        assert_eq!(lap_lines(&listener, 0), [first, second]);
        let other = if known { 3 } else { 1 };
        assert_eq!(lap_lines(&listener, 1), [format!("{other} 82000 [invalid] 82 s")]);
    }
}

#[test]
fn a_report_that_is_lost_shifts_no_lap() {
    // Clean laps are counted outside of races, too.
    for kind in [RACE_TYPE, QUALIFYING] {
        let mut listener = with_drivers(kind, &[0]);
        let time = |laps: u16| if kind == RACE_TYPE { 80_000 * u32::from(laps) } else { 80_000 };
        for (seconds, laps) in [(80.0, 1), (160.0, 3), (80.0, 4)] {
            let report = lap(0, 80_000 + u32::from(laps), 0, &[(0, time(laps), laps, 0)]);
            listener.after(seconds, &report).expect("a lap");
        }
        let lines = lap_lines(&listener, 0);
        let begins: Vec<&str> = lines.iter().filter_map(|line| line.split(" [").next()).collect();
        assert_eq!(begins, ["1 80001", "2 -", "3 80003", "4 80004"], "kind {kind}");
        assert!(lines[1].contains("[incomplete]") && lines[3].contains("[valid] 80 s"), "{lines:?}");
    }
}

#[test]
fn a_lap_reported_only_by_the_leaderboard_has_no_time_of_another() {
    let mut listener = with_drivers(RACE_TYPE, &[0, 1]);
    let board = |own: u16, other: u16| {
        [(0, 80_000 * u32::from(own), own, 0), (1, 80_000 * u32::from(other), other, 0)]
    };
    listener.after(80.0, &lap(0, 80_000, 0, &board(1, 0))).expect("a lap");
    listener.after(1.0, &lap(1, 81_000, 0, &board(1, 1))).expect("a lap");
    // The report of the first car's second lap is lost.
    listener.after(80.0, &lap(1, 80_100, 0, &board(2, 2))).expect("a lap");
    listener.after(79.0, &lap(0, 79_900, 0, &board(3, 2))).expect("a lap");
    let expected = ["1 80000 [valid] 80 s", "2 - [incomplete] 81 s", "3 79900 [valid] 79 s"];
    assert_eq!(lap_lines(&listener, 0), expected);
    // The report of its fourth lap arrives after the other car's.
    listener.after(80.0, &lap(1, 80_200, 0, &board(4, 3))).expect("a lap");
    listener.after(0.1, &lap(0, 79_800, 0, &board(4, 2))).expect("a lap");
    assert_eq!(lap_lines(&listener, 0).last().map(String::as_str), Some("4 79800 [valid] 80 s"));
    let under_way = listener.session.car(Car(0)).and_then(|car| car.laps.current());
    assert_eq!(under_way.map(|lap| lap.number), Some(5));
}

#[test]
fn the_order_of_a_race_is_that_on_the_track_between_crossings() {
    let mut listener = with_drivers(RACE_TYPE, &[0, 1, 2]);
    // On the grid, before the line.
    for (slot, share) in [(0, 0.97), (1, 0.99), (2, 0.98)] {
        listener.take(&update(slot, share));
    }
    assert_eq!(places(&listener), [1, 2, 0]);
    // The first car over the line keeps its position.
    listener.take(&update(1, 0.01));
    assert_eq!(places(&listener), [1, 2, 0]);
    for (slot, share) in [(0, 0.02), (2, 0.015)] {
        listener.take(&update(slot, share));
    }
    assert_eq!(places(&listener), [0, 2, 1]);
    for (slot, share) in [(0, 0.93), (1, 0.92), (2, 0.94)] {
        listener.take(&update(slot, share));
    }
    listener.after(0.1, &update(2, 0.01)).expect("a position");
    assert_eq!(places(&listener), [2, 0, 1], "seen to cross the line, and not reported yet");
    listener.after(0.1, &lap(2, 90_000, 0, &[(2, 90_000, 1, 0), (0, 0, 0, 0), (1, 0, 0, 0)])).expect("a lap");
    assert_eq!(places(&listener), [2, 0, 1]);
    listener.after(0.1, &update(1, 0.96)).expect("a position");
    assert_eq!(places(&listener), [2, 1, 0]);
    // A finished car stays first, wherever it rolls.
    listener
        .after(0.1, &lap(2, 80_000, 0, &[(2, 170_000, 2, 1), (1, 0, 0, 0), (0, 0, 0, 0)]))
        .expect("a lap");
    listener
        .after(0.1, &lap(1, 80_000, 0, &[(2, 170_000, 2, 1), (1, 171_000, 2, 1), (0, 0, 0, 0)]))
        .expect("a lap");
    for (slot, share) in [(2, 0.05), (1, 0.3)] {
        listener.take(&update(slot, share));
    }
    assert_eq!(places(&listener), [2, 1, 0]);
    let result = |slot| listener.session.car(Car(slot)).and_then(|car| car.progress()).map(|p| p.result);
    assert_eq!([result(2), result(0)], [Some(ResultStatus::Finished), Some(ResultStatus::Active)]);
}

#[test]
fn another_session_keeps_the_people_and_forgets_what_they_drove() {
    let mut listener = with_drivers(QUALIFYING, &[4, 5]);
    listener.take(&lap(4, 80_000, 0, &[(4, 80_000, 1, 0)]));
    listener.take(&bytes(Message::ConnectionClosed(who(5, "Driver F", "7655"))));
    let result = listener.session.car(Car(5)).and_then(|car| car.progress()).map(|progress| progress.result);
    assert_eq!(result, Some(ResultStatus::Inactive));
    listener.take(&session(1, RACE_TYPE));
    assert_eq!(listener.present(), [(4, "Driver E")]);
    assert_eq!(listener.session.participants().len(), 1, "who left is not in it");
    assert_eq!(laps(&listener, 4), [0; 0]);
    let vehicle = listener.session.car(Car(4)).and_then(|car| car.vehicle.as_deref()).expect("a vehicle");
    assert_eq!(vehicle.id.as_deref(), Some("ks_a"));
    assert_eq!(listener.info().kind, SessionKind::Race(1));
    listener.take(&lap(4, 82_000, 0, &[(4, 95_000, 1, 0)]));
    assert_eq!(laps(&listener, 4), [82_000]);
    assert_eq!(listener.session.car(Car(4)).and_then(|car| Some(car.progress()?.lap)), Some(2));
}

#[test]
fn the_session_s_clock_runs_on_from_the_server_s_report() {
    let mut listener = Listener::default();
    let waiting = Session { elapsed_ms: -40_000, ..body(1, RACE_TYPE) };
    listener.take(&bytes(Message::NewSession(waiting.clone())));
    listener.after(10.5, &bytes(Message::NewConnection(who(1, "Ann", "76")))).expect("a connection");
    // A later answer about the same session does not set the clock back.
    listener.after(0.5, &bytes(Message::SessionInfo(waiting))).expect("an answer");
    listener.after(30.0, &bytes(Message::ClientLoaded(ClientLoaded { car_id: 1 }))).expect("a car");
    let times: Vec<Option<f64>> = listener.events.iter().map(|event| event.moment.session_time).collect();
    assert_eq!(times, [Some(-40.0), Some(-29.5), Some(1.0)]);
}

#[test]
fn who_comes_back_to_the_same_slot_goes_on_and_somebody_else_begins() {
    let mut listener = with_drivers(QUALIFYING, &[4]);
    listener.take(&lap(4, 80_000, 0, &[(4, 80_000, 1, 0)]));
    let closed = bytes(Message::ConnectionClosed(who(4, "Driver E", "7654")));
    let loaded = bytes(Message::ClientLoaded(ClientLoaded { car_id: 4 }));
    for message in [&closed, &bytes(Message::NewConnection(who(4, "Driver E", "7654"))), &loaded] {
        listener.take(message);
    }
    listener.take(&lap(4, 79_000, 0, &[(4, 79_000, 2, 0)]));
    assert_eq!(laps(&listener, 4), [80_000, 79_000]);
    // Two people without a guid are distinguished by their names.
    for (name, expected) in [("Guest", vec![70_000]), ("Visitor", vec![71_000])] {
        listener.take(&closed);
        listener.take(&bytes(Message::NewConnection(who(4, name, "0"))));
        listener.take(&loaded);
        assert_eq!(listener.participant(4).guid, None);
        listener.take(&lap(4, expected[0], 0, &[(4, expected[0], 1, 0)]));
        assert_eq!(laps(&listener, 4), expected);
    }
}

#[test]
fn a_server_that_ran_before_is_known_from_its_answers() {
    let mut listener = Listener::default();
    listener.take(&bytes(Message::SessionInfo(body(1, RACE_TYPE))));
    assert_eq!(listener.kinds(), [(None, EventKind::SessionStarted)]);
    let car = |slot, name: &str, is_connected| CarInfo {
        car_id: slot,
        is_connected,
        model: "ks_b".into(),
        skin: "red".into(),
        driver_name: name.into(),
        driver_team: if name.is_empty() { "" } else { "Team" }.into(),
        driver_guid: "77".into(),
    };
    for info in [car(0, "Ann", 1), car(1, "", 0), car(2, "Bo", 0)] {
        listener.take(&bytes(Message::CarInfo(info)));
    }
    assert_eq!(listener.present(), [(0, "Ann"), (2, "Bo")]);
    assert_eq!(listener.participant(0).presence, Some(Presence::There));
    assert_eq!(listener.participant(2).presence, Some(Presence::Loading));
    assert_eq!(listener.participant(0).team.name.as_deref(), Some("Team"));
    listener.take(&lap(0, 80_000, 0, &[(0, 400_000, 5, 0)]));
    let progress = listener.session.car(Car(0)).and_then(|car| car.progress()).expect("progress");
    assert_eq!((progress.lap, progress.race_time), (6, Some(LapTime(400_000))), "the server's count");

    // A repeated answer changes nothing, and neither does one about a session that is not running; another running
    // session begins a new one.
    let before = listener.events.len();
    let other = Session { current_session_index: 1, ..body(0, QUALIFYING) };
    for answer in [body(1, RACE_TYPE), other] {
        listener.take(&bytes(Message::SessionInfo(answer)));
    }
    assert_eq!((listener.events.len(), listener.info().kind), (before, SessionKind::Race(1)));
    assert_eq!(listener.info().grip, Some(0.97));
    listener.take(&bytes(Message::SessionInfo(body(0, QUALIFYING))));
    assert_eq!(listener.events.last().map(|event| event.kind.clone()), Some(EventKind::SessionStarted));

    // A car without a connection message counts as driving.
    listener.take(&update(9, 0.4));
    assert_eq!(listener.session.name(Car(9)), "Car 10");
    assert_eq!(listener.participant(9).presence, Some(Presence::There));
    listener.take(&bytes(Message::Version(Version { protocol_version: 4 })));
    assert_eq!(listener.present(), []);
}

#[test]
fn each_collision_is_listed_once_though_both_cars_report_it() {
    let hit = |car_id, other_car_id, x| {
        bytes(Message::CarCollision(CarCollision {
            car_id,
            other_car_id,
            impact_speed: 36.0,
            world_position: [x, 2.0, -3.5].into(),
            relative_position: [0.25, -0.5, 1.75].into(),
        }))
    };
    let mut listener = with_drivers(QUALIFYING, &[1, 2, 3]);
    let before = listener.events.len();
    for (wait, report) in [
        (1.0, hit(1, 2, 100.0)),
        (0.1, hit(3, 1, 101.0)),
        (0.3, hit(2, 1, 104.0)),
        // The first car's report again directly afterwards, and the second car's much too late.
        (0.1, hit(1, 2, 104.0)),
        (1.5, hit(2, 1, 104.0)),
        // Too far away.
        (0.1, hit(1, 3, 500.0)),
        // The other car is unknown.
        (0.1, hit(1, 255, 0.0)),
    ] {
        listener.after(wait, &report).expect("a report");
    }
    let listed: Vec<(Option<u8>, Option<u8>)> = listener
        .kinds()
        .into_iter()
        .skip(before)
        .map(|(car, kind)| match kind {
            EventKind::Collision(hit) => {
                assert_eq!((hit.mm_per_s, hit.on_car_cm), (10_000, [25, -50, 175]));
                assert_eq!(hit.place_cm[1..], [200, -350]);
                (car, hit.with.map(|car| car.0))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [(1, Some(2)), (3, Some(1)), (1, Some(2)), (2, Some(1)), (1, Some(3)), (1, None)]
        .map(|(car, with)| (Some(car), with));
    assert_eq!(listed, expected);
    let words: Vec<String> =
        listener.session.log().map(|entry| log_words(&listener.session, entry, Units::default())).collect();
    assert!(words.contains(&"B: Contact with C at 36 km/h".to_owned()), "{words:?}");
}

#[test]
fn refusals_and_another_version_are_reported() {
    let mut listener = Listener::default();
    listener.take(&bytes(Message::Error(Error { text: "no car 99".into() })));
    assert_eq!(listener.kinds(), [(None, EventKind::ServerRefused { text: "no car 99".into() })]);
    let version = bytes(Message::Version(Version { protocol_version: 5 }));
    let reason = listener.after(1.0, &version).expect_err("a caution").to_string();
    assert!(reason.contains("another version"), "{reason}");
    assert_eq!(listener.kinds().last(), Some(&(None, EventKind::ServerStarted { protocol: 5 })));
}
