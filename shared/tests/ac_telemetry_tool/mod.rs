//! A simulated race as the Telemetry Tool sends it, compared with the simulator's truth.

use std::net::SocketAddr;

use crate::decoded::{count_events, timed_laps};
use crate::network::arrivals;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, Channel, EventKind};
use trailbrake_shared::session::{Receiver, Session, timing_table};
use trailbrake_shared::sim::ac_telemetry_tool::AcTelemetryTool;
use trailbrake_shared::sim::car::Compound;
use trailbrake_shared::sim::truth::SessionTruth;
use trailbrake_shared::sim::{Demo, Options, Request, Start, Truth};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// A run as it was received.
struct DecodedRun {
    receiver: Receiver,
    demo: Demo,
}

/// Receives a run; a bad network loses, duplicates and reorders datagrams.
fn decode(options: Options, seconds: f64, bad: bool) -> DecodedRun {
    let mut demo = Demo::new(Feed::AcTelemetryTool, options, Micros(1_000_000)).expect("a demo");
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    demo.drive(seconds, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let mut receiver = Receiver::default();
    let mut now = Micros(0);
    for place in arrivals(sent.len(), bad) {
        let (at, bytes) = &sent[place];
        // The packets contain no time: the time of receipt counts, which never runs back.
        now = now.max(*at);
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let datagram = Datagram { at: now, sender, port: 10101, feed: Some(Feed::AcTelemetryTool), bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
    }
    DecodedRun { receiver, demo }
}

impl DecodedRun {
    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    fn truth(&self) -> &Truth {
        self.demo.truth()
    }

    /// The timed laps of a driver in one run.
    fn laps(&self, driver_id: usize, run: u16) -> Vec<&Lap> {
        timed_laps(self.session(), Car(driver_id as u8), run)
    }
}

/// Compares every car's laps of a run with the truth: numbers, times, sectors, flags.
fn check(decoded: &DecodedRun, truth: &SessionTruth, run: u16) -> usize {
    let mut checked = 0;
    for id in 0..decoded.truth().drivers.len() {
        let car = AcTelemetryTool::car_of(decoded.demo.race(), id);
        let known: Vec<_> = truth.finished.iter().filter(|lap| lap.car == car).collect();
        let laps = decoded.laps(id, run);
        let received: Vec<_> = laps.iter().map(|lap| (u32::from(lap.number), lap.time)).collect();
        let expected: Vec<_> = known.iter().map(|lap| (lap.number, Some(LapTime(lap.time_ms)))).collect();
        assert_eq!(received, expected, "driver {id}");
        for (lap, known) in laps.iter().zip(known) {
            let context = format!("driver {id}, lap {}: {} and {:?}", lap.number, lap.flags, known.marks);
            assert_eq!(
                lap.sectors,
                known.sectors_ms.iter().map(|millis| Some(LapTime(*millis))).collect(),
                "{context}"
            );
            assert_eq!(lap.flags.has(LapFlag::Invalid), known.marks.invalid, "{context}");
            assert_eq!(lap.flags.has(LapFlag::In), known.marks.in_lap, "{context}");
            assert_eq!(lap.flags.has(LapFlag::Out), known.marks.out_lap, "{context}");
            assert!(!lap.flags.has_any(&[LapFlag::Incomplete, LapFlag::Restarted]), "{context}");
            checked += 1;
        }
    }
    checked
}

fn race(cars: usize, laps: u8) -> Options {
    Options { start: Start::Grid, cars, laps, player: 2, again: false, ..Options::default() }
}

#[test]
fn a_race_of_twenty_cars_has_the_known_laps_to_its_flag() {
    for bad in [false, true] {
        let decoded = decode(race(20, 3), 420.0, bad);
        assert!(check(&decoded, &decoded.truth().sessions[0], 0) >= 60);
        assert_eq!(decoded.session().player(), Some(Car(0)), "the game's first car");
        let names: Vec<String> = (0..3).map(|car| decoded.session().name(Car(car))).collect();
        let entries = [2, 0, 1].map(|car| decoded.truth().drivers[car].clone());
        assert_eq!(names, entries);
        assert_eq!(timing_table(decoded.session()).len(), 20);
    }
}

#[test]
fn struck_laps_and_stops_are_flagged() {
    let pit = Request::Pit { car: 1, tyres: Compound::Medium };
    let options = Options { requests: vec![(40.0, Request::RunWide { car: 0 }), (120.0, pit)], ..race(4, 5) };
    for bad in [false, true] {
        let decoded = decode(options.clone(), 620.0, bad);
        let truth = &decoded.truth().sessions[0];
        assert!(check(&decoded, truth, 0) >= 16);
        assert!(truth.finished.iter().any(|lap| lap.marks.invalid), "nobody ran wide");
        // After the first two packets, the second driver's car is the player's.
        let stints = |id| decoded.laps(id, 0).last().map(|lap| lap.stint);
        assert_eq!([0, 1, 2, 3].map(stints), [Some(1), Some(1), Some(2), Some(1)]);
        let tyres = decoded.session().car(Car(2)).and_then(|car| car.vehicle.as_ref()?.tyres.clone());
        assert_eq!(tyres.as_deref(), Some("M"));
    }
}

#[test]
fn pauses_and_restarts_come_through() {
    let requests =
        vec![(50.0, Request::Pause { seconds: 10.0 }), (150.0, Request::Restart { new_identity: false })];
    let decoded = decode(Options { requests, ..race(3, 2) }, 450.0, false);
    let [first, second] = decoded.truth().sessions.as_slice() else { panic!("two sessions") };
    assert!(check(&decoded, first, 0) >= 3);
    assert!(check(&decoded, second, 1) >= 6);
    assert_eq!(
        count_events(decoded.session(), |kind| *kind == EventKind::Restarted),
        1,
        "of all cars at once"
    );
    assert!(count_events(decoded.session(), |kind| *kind == EventKind::Paused) >= 1);
    assert!(decoded.laps(0, 0).iter().any(|lap| lap.flags.has(LapFlag::Paused)));
}

#[test]
fn the_way_is_reckoned_from_line_to_line() {
    let decoded = decode(Options { cars: 3, player: 1, again: false, ..Options::default() }, 420.0, false);
    let length = decoded.truth().circuit.length_m as f32;
    for id in 0..3 {
        let car = decoded.session().car(Car(id)).expect("a car");
        let laps = decoded.laps(usize::from(id), 0);
        let columns = car.traces.lap(laps.last().expect("a lap").serial).expect("its columns");
        let rows = columns.len();
        let metres = columns.latest(Channel::LapDistance.slot(), rows - 1).expect("a distance");
        assert!((metres / length - 1.0).abs() < 0.02, "{metres} of {length}");
    }
    let against = decoded.session().live_comparison();
    let finished = against.finished().expect("a lap against the best");
    let time = |serial: u32| {
        let laps = decoded.laps(0, 0);
        i64::from(laps.iter().find(|lap| lap.serial == serial).and_then(|lap| lap.time).expect("a time").0)
    };
    assert_eq!(finished.behind_ms, time(finished.serial) - time(finished.reference.expect("a lap")));
}

#[test]
fn every_packet_is_recognised_and_holds_all_cars() {
    let mut demo = Demo::new(Feed::AcTelemetryTool, Options::default(), Micros(0)).expect("a demo");
    let (mut telemetry, mut versions) = (0, 0);
    demo.drive(5.0, &mut |_, bytes| {
        let known = feed::recognise(bytes).expect("a packet of a game");
        assert_eq!(known.feed, Feed::AcTelemetryTool);
        match known.packet {
            "Telemetry" => telemetry += usize::from(bytes.len() == 1 + 20 * 357),
            _ => versions += usize::from(bytes.len() == 5),
        }
    });
    assert_eq!((telemetry, versions), (300, 3));
}
