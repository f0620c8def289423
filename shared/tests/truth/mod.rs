//! A simulated race, received as datagrams, compared with the simulator's truth.

mod f1;

use std::net::SocketAddr;

use crate::decoded::{count_events, timed_laps};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, EventKind};
use trailbrake_shared::session::{Receiver, Session};
use trailbrake_shared::sim::car::Compound;
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::truth::{LapTruth, SessionTruth};
use trailbrake_shared::sim::{Demo, Options, Request, Start, Truth};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// The faults of a network.
#[derive(Clone, Copy, Default)]
struct Network {
    /// The fraction of datagrams that are lost.
    loses: f64,
    /// The fraction of datagrams that arrive twice.
    doubles: f64,
    /// The most later datagrams that can overtake one.
    shuffles: usize,
}

const BAD: Network = Network { loses: 0.05, doubles: 0.05, shuffles: 8 };

/// A run as it was received.
struct DecodedRun {
    receiver: Receiver,
    truth: Truth,
    /// The player's deltas whenever a lap ended: the last one while driving, and the final one.
    lines: Vec<Line>,
}

/// The player crossing the line.
#[derive(Debug)]
struct Line {
    serial: u32,
    against: u32,
    driving_s: f32,
    behind_ms: i64,
}

fn decode(options: Options, seconds: f64, network: Network) -> DecodedRun {
    let mut demo = Demo::new(Feed::F1, options, Micros(1_000_000)).expect("a demo");
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    demo.drive(seconds, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let mut chance = Random::new(99);
    let mut arriving: Vec<(usize, usize)> = Vec::new();
    for place in 0..sent.len() {
        let mut late = || place + (chance.unit() * (network.shuffles + 1) as f64) as usize;
        let (first, second) = (late(), late());
        if chance.unit() >= network.loses {
            arriving.push((first, place));
        }
        if chance.unit() < network.doubles {
            arriving.push((second, place));
        }
    }
    arriving.sort();
    let mut receiver = Receiver::default();
    let mut lines: Vec<Line> = Vec::new();
    for (_, place) in arriving {
        let (at, bytes) = &sent[place];
        let driving = receiver.session().and_then(|session| session.live_comparison().delta().ok());
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let datagram = Datagram { at: *at, sender, port: 20777, feed: Some(Feed::F1), bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
        let finished = receiver.session().and_then(|session| session.live_comparison().finished());
        let known = lines.last().map(|line| line.serial);
        if let Some((finished, driving_s)) = finished.filter(|lap| Some(lap.serial) != known).zip(driving) {
            let (serial, behind_ms) = (finished.serial, finished.behind_ms);
            let against = finished.reference.expect("a lap of this session");
            lines.push(Line { serial, against, driving_s, behind_ms });
        }
    }
    DecodedRun { receiver, truth: demo.truth().clone(), lines }
}

impl DecodedRun {
    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    /// The timed laps of a car in one run.
    fn laps(&self, car: usize, run: u16) -> Vec<&Lap> {
        timed_laps(self.session(), Car(car as u8), run)
    }
}

/// Compares every car's laps of a run with the truth: numbers, times, sectors, flags. Returns how many.
fn check(decoded: &DecodedRun, truth: &SessionTruth, run: u16) -> usize {
    let mut checked = 0;
    for car in 0..decoded.truth.drivers.len() {
        let known: Vec<&LapTruth> =
            truth.finished.iter().filter(|lap| lap.car == car && !lap.undone).collect();
        let laps = decoded.laps(car, run);
        let numbers = |numbers: Vec<u32>| format!("car {car}, laps {numbers:?}");
        assert_eq!(
            numbers(laps.iter().map(|lap| u32::from(lap.number)).collect()),
            numbers(known.iter().map(|lap| lap.number).collect())
        );
        for (lap, known) in laps.iter().zip(known) {
            let context = format!("car {car}, lap {}: {} and {:?}", lap.number, lap.flags, known.marks);
            assert_eq!(lap.time, Some(LapTime(known.time_ms)), "{context}");
            assert_eq!(
                lap.sectors,
                known.sectors_ms.iter().map(|millis| Some(LapTime(*millis))).collect(),
                "{context}"
            );
            assert_eq!(lap.flags.has(LapFlag::Invalid), known.marks.invalid, "{context}");
            assert_eq!(lap.flags.has(LapFlag::Valid), !known.marks.invalid, "{context}");
            assert_eq!(lap.flags.has(LapFlag::Rewound), known.marks.rewound, "{context}");
            if truth.race {
                // In practice the driver status also marks laps into the pits.
                assert_eq!(lap.flags.has(LapFlag::In), known.marks.in_lap, "{context}");
                assert_eq!(lap.flags.has(LapFlag::Out), known.marks.out_lap, "{context}");
            }
            assert!(!lap.flags.has_any(&[LapFlag::Incomplete, LapFlag::Restarted]), "{context}");
            checked += 1;
        }
    }
    checked
}

fn race(cars: usize, laps: u8) -> Options {
    Options { start: Start::Grid, cars, laps, player: 1, again: false, ..Options::default() }
}

fn check_race(options: Options, seconds: f64, least: usize) {
    for network in [Network::default(), BAD] {
        let decoded = decode(options.clone(), seconds, network);
        let checked = check(&decoded, &decoded.truth.sessions[0], 0);
        assert!(checked >= least, "{checked} laps");
    }
}

#[test]
fn a_race_of_twenty_cars_has_the_known_laps_to_its_flag() {
    check_race(race(20, 3), 420.0, 60);
}

#[test]
fn each_year_has_the_laps_that_were_driven() {
    for year in 2019..=2026 {
        let mut options = Options { year, ..race(4, 4) };
        let pit = Request::Pit { car: 1, tyres: Compound::Medium };
        options.requests = vec![
            (40.0, Request::RunWide { car: 0 }),
            (130.0, pit),
            (230.0, Request::Rewind { seconds: 12.0 }),
        ];
        check_race(options, 540.0, 14);
    }
}

#[test]
fn what_a_year_lists_of_all_laps_is_what_was_driven() {
    for year in [2021, 2023, 2025, 2026] {
        let decoded = decode(Options { year, ..race(4, 3) }, 420.0, Network::default());
        let (session, truth) = (decoded.session(), &decoded.truth.sessions[0]);
        let reported = session.reported();
        for car in 0..4 {
            let driven = truth.finished.iter().filter(|lap| lap.car == car);
            let driven: Vec<Option<LapTime>> = driven.map(|lap| Some(LapTime(lap.time_ms))).collect();
            let past = &reported.past_laps[&Car(car as u8)];
            let listed: Vec<Option<LapTime>> = past.laps.iter().map(|lap| lap.time).collect();
            assert_eq!(listed[..driven.len()], driven, "{year}, car {car}");
            let result = &reported.results[car];
            assert_eq!((result.car, usize::from(result.laps)), (Car(car as u8), driven.len()), "{year}");
            assert_eq!(result.best_lap, driven.iter().copied().flatten().min(), "{year}");
        }
        let mut places: Vec<u8> = reported.results.iter().map(|result| result.position).collect();
        places.sort_unstable();
        assert_eq!(places, [1, 2, 3, 4], "{year}");
        assert_eq!(session.info().map(|info| info.forecast.len()), Some(5), "{year}");
    }
}

#[test]
fn practice_has_the_known_laps() {
    let options = Options { cars: 6, player: 2, again: false, ..Options::default() };
    check_race(options, 400.0, 18);
}

#[test]
fn struck_laps_and_stops_are_flagged() {
    let pit = Request::Pit { car: 1, tyres: Compound::Medium };
    let mut options = race(4, 5);
    options.requests = vec![(40.0, Request::RunWide { car: 0 }), (120.0, pit)];
    for network in [Network::default(), BAD] {
        let decoded = decode(options.clone(), 620.0, network);
        let truth = &decoded.truth.sessions[0];
        assert!(check(&decoded, truth, 0) >= 16);
        assert!(truth.finished.iter().any(|lap| lap.marks.invalid), "nobody ran wide");
        assert_eq!(truth.pit_stops.iter().map(|stop| stop.car).collect::<Vec<_>>(), [1]);
        let stints: Vec<u16> = decoded.laps(1, 0).iter().map(|lap| lap.stint).collect();
        let into = truth.finished.iter().find(|lap| lap.car == 1 && lap.marks.in_lap).expect("an in-lap");
        let expected: Vec<u16> =
            decoded.laps(1, 0).iter().map(|lap| 1 + u16::from(u32::from(lap.number) > into.number)).collect();
        assert_eq!(stints, expected);
        assert!(decoded.laps(0, 0).iter().all(|lap| lap.stint == 1));
    }
}

#[test]
fn going_back_leaves_each_lap_once() {
    let mut options = race(4, 3);
    // Within the first lap, then from the second across the line into the first, then within the second.
    let back = |at: f64, seconds: f64| (at, Request::Rewind { seconds });
    options.requests = vec![back(50.0, 10.0), back(125.0, 25.0), back(150.0, 5.0)];
    for network in [Network::default(), BAD] {
        let decoded = decode(options.clone(), 480.0, network);
        let truth = &decoded.truth.sessions[0];
        assert_eq!(truth.rewinds.len(), 3);
        assert!(check(&decoded, truth, 0) >= 8);
        assert_eq!(count_events(decoded.session(), |kind| matches!(kind, EventKind::Rewound { .. })), 3);
        let session = decoded.session();
        for (_, car) in session.cars() {
            for serial in car.traces.serials() {
                let columns = car.traces.lap(serial).expect("columns");
                assert!(columns.seconds().is_sorted_by(|a, b| a < b));
                let lap = car.laps.lap(serial).expect("its lap");
                let long = lap.time.map_or(0.0, LapTime::seconds);
                let received_s = columns.seconds().last().expect("a row") - columns.seconds()[0];
                assert!((long - received_s).abs() < 0.5, "{received_s} of {long}");
            }
        }
    }
}

#[test]
fn a_pause_changes_no_lap() {
    let mut options = race(3, 2);
    options.requests = vec![(60.0, Request::Pause { seconds: 20.0 })];
    for network in [Network::default(), BAD] {
        let decoded = decode(options.clone(), 330.0, network);
        assert!(check(&decoded, &decoded.truth.sessions[0], 0) >= 6);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Paused), 1);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Resumed), 1);
        let paused = |lap: &&Lap| lap.flags.has(LapFlag::Paused);
        assert!((0..3).all(|car| decoded.laps(car, 0).iter().filter(|lap| paused(lap)).count() == 1));
    }
}

#[test]
fn a_restart_begins_another_run() {
    let mut options = race(3, 2);
    options.requests = vec![(150.0, Request::Restart { new_identity: false })];
    for network in [Network::default(), BAD] {
        let decoded = decode(options.clone(), 450.0, network);
        let [first, second] = decoded.truth.sessions.as_slice() else { panic!("two sessions") };
        assert!(check(&decoded, first, 0) >= 3);
        assert!(check(&decoded, second, 1) >= 6);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Restarted), 1);
        let broken = decoded.session().car(Car(1)).expect("a car").laps.finished();
        assert_eq!(broken.iter().filter(|lap| lap.flags.has(LapFlag::Restarted)).count(), 1);
    }
}

#[test]
fn another_identity_is_another_session() {
    let mut options = race(3, 2);
    options.requests = vec![(150.0, Request::Restart { new_identity: true })];
    for network in [Network::default(), BAD] {
        let decoded = decode(options.clone(), 450.0, network);
        let second = decoded.truth.sessions.last().expect("a session");
        assert!(check(&decoded, second, 0) >= 6);
        assert_eq!(decoded.session().info().and_then(|info| info.uid), Some(second.uid));
    }
}

#[test]
fn joined_late_everything_from_the_next_lap_on_is_known() {
    let options = race(4, 3);
    let mut demo = Demo::new(Feed::F1, options, Micros(0)).expect("a demo");
    let mut receiver = Receiver::default();
    demo.drive(70.0, &mut |_, _| {});
    demo.drive(420.0, &mut |at, bytes| {
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let datagram = Datagram { at, sender, port: 20777, feed: None, bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
    });
    let session = receiver.session().expect("a session");
    for car in 0..4 {
        let laps = session.car(Car(car as u8)).expect("a car").laps.finished();
        let known = demo.truth().sessions[0].finished.iter().filter(|lap| lap.car == car);
        let known: Vec<_> = known.map(|lap| (lap.number, Some(LapTime(lap.time_ms)))).collect();
        let received: Vec<_> = laps.iter().map(|lap| (u32::from(lap.number), lap.time)).collect();
        assert_eq!(received, known);
        assert!(laps[0].flags.has(LapFlag::Incomplete) && laps[0].counts().is_none());
        assert!(laps[1..].iter().all(|lap| !lap.flags.has(LapFlag::Incomplete)));
    }
}

#[test]
fn the_delta_at_the_line_is_the_difference_of_the_laps() {
    for (network, near_s) in [(Network::default(), 0.005), (BAD, 0.02)] {
        let options = Options { cars: 3, player: 1, again: false, ..Options::default() };
        let decoded = decode(options, 640.0, network);
        let known: Vec<&LapTruth> =
            decoded.truth.sessions[0].finished.iter().filter(|lap| lap.car == 1).collect();
        let laps = decoded.laps(1, 0);
        assert!(decoded.lines.len() >= 4, "{:?}", decoded.lines);
        for line in &decoded.lines {
            let time = |serial: u32| {
                let place = laps.iter().position(|lap| lap.serial == serial).expect("a lap");
                i64::from(known[place].time_ms)
            };
            assert_eq!(line.behind_ms, time(line.serial) - time(line.against), "{line:?}");
            // The last live delta is that of the last packet before the line.
            let apart = (line.driving_s - line.behind_ms as f32 / 1e3).abs();
            assert!(apart < near_s, "{line:?}");
        }
    }
}

#[test]
fn braking_begins_where_it_is_known_to() {
    let options = Options { cars: 2, player: 0, again: false, ..Options::default() };
    let decoded = decode(options, 330.0, Network::default());
    let reference = decoded.session().live_comparison().reference().expect("a reference");
    let laps = decoded.laps(0, 0);
    let place = laps.iter().position(|lap| Some(lap.serial) == reference.serial()).expect("a lap");
    let known =
        decoded.truth.sessions[0].finished.iter().filter(|lap| lap.car == 0).nth(place).expect("a lap");
    let brakings: Vec<f64> =
        known.corners.iter().filter_map(|corner| Some(corner.braking.as_ref()?.on_m)).collect();
    assert!(brakings.len() >= 5, "{brakings:?}");
    for on_m in &brakings {
        let near = reference.zones.iter().map(|zone| (f64::from(zone.start_m) - on_m).abs());
        let near = near.min_by(f64::total_cmp).expect("a zone");
        assert!(near < 3.0, "{on_m} is {near} m off");
    }
}
