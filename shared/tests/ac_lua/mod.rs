//! A simulated race as the Lua app sends it, compared with the simulator's truth: laps are exact to the frame.

use std::net::SocketAddr;

use crate::network::arrivals;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, Channel, EventKind};
use trailbrake_shared::session::{LogKind, Receiver, Session};
use trailbrake_shared::sim::truth::SessionTruth;
use trailbrake_shared::sim::{Demo, Options, Request, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// The app sends one car only.
const CAR: Car = Car(0);
/// The car that the simulated app sends.
const PLAYER: usize = 1;
/// The time between two frames, within which the line is crossed.
const FRAME_MS: u32 = 17;

/// Receives a run; a bad network loses, duplicates and reorders datagrams.
fn decode(options: Options, seconds: f64, bad: bool) -> (Receiver, Demo) {
    let mut demo = Demo::new(Feed::AcLua, options, Micros(1_000_000)).expect("a demo");
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    demo.drive(seconds, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let mut receiver = Receiver::default();
    let mut now = Micros(0);
    for place in arrivals(sent.len(), bad) {
        let (at, bytes) = &sent[place];
        now = now.max(*at);
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let datagram = Datagram { at: now, sender, port: 5005, feed: Some(Feed::AcLua), bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
    }
    (receiver, demo)
}

fn session(receiver: &Receiver) -> &Session {
    receiver.session().expect("a session")
}

/// The timed laps of a run.
fn laps(receiver: &Receiver, run: u16) -> Vec<&Lap> {
    let laps = session(receiver).car(CAR).expect("the car").laps.finished();
    laps.iter().filter(|lap| lap.run == run && lap.time.is_some()).collect()
}

/// Compares the laps of a run with the truth, within `frames`; returns how many.
fn check(receiver: &Receiver, truth: &SessionTruth, run: u16, frames: u32) -> usize {
    let known: Vec<_> = truth.finished.iter().filter(|lap| lap.car == PLAYER).collect();
    let laps = laps(receiver, run);
    assert_eq!(
        laps.iter().map(|lap| u32::from(lap.number)).collect::<Vec<_>>(),
        known.iter().map(|lap| lap.number).collect::<Vec<_>>()
    );
    for (lap, known) in laps.iter().zip(&known) {
        let short_ms = known.time_ms - lap.time.expect("a time").0;
        assert!(short_ms <= frames * FRAME_MS, "lap {} is {short_ms} ms short", lap.number);
        assert!(lap.flags.has(LapFlag::Inferred), "{}", lap.flags);
        assert!(!lap.flags.has_any(&[LapFlag::Valid, LapFlag::Incomplete]), "{}", lap.flags);
        assert_eq!(lap.sectors.to_vec(), [None; 3], "none are sent");
    }
    known.len()
}

fn race(laps: u8) -> Options {
    Options { start: Start::Grid, cars: 3, laps, player: PLAYER, again: false, ..Options::default() }
}

#[test]
fn laps_are_known_to_the_frame() {
    for (bad, frames) in [(false, 1), (true, 5)] {
        let (receiver, demo) = decode(race(4), 400.0, bad);
        assert_eq!(check(&receiver, &demo.truth().sessions[0], 0, frames), 4);
        let seen = session(&receiver);
        assert_eq!((seen.player(), seen.cars().count()), (Some(CAR), 1));
        assert!(seen.live_comparison().finished().is_some(), "laps are compared");
    }
}

#[test]
fn a_restart_begins_another_run() {
    let requests = vec![(190.0, Request::Restart { new_identity: false })];
    let (receiver, demo) = decode(Options { requests, ..race(2) }, 400.0, false);
    let [first, second] = demo.truth().sessions.as_slice() else { panic!("two sessions") };
    assert_eq!(check(&receiver, first, 0, 1) + check(&receiver, second, 1, 1), 4);
    let count_events = |kind: EventKind| {
        session(&receiver).log().filter(|entry| entry.kind == LogKind::Game(kind.clone())).count()
    };
    assert_eq!(count_events(EventKind::Restarted), 1);
}

#[test]
fn the_way_is_reckoned_from_line_to_line() {
    let (receiver, demo) = decode(race(3), 300.0, false);
    let lap = laps(&receiver, 0)[1];
    let columns = session(&receiver).car(CAR).expect("a car").traces.lap(lap.serial).expect("columns");
    let metres = columns.latest(Channel::LapDistance.slot(), columns.len() - 1).expect("a distance");
    let length = demo.truth().circuit.length_m as f32;
    assert!((metres / length - 1.0).abs() < 0.02, "{metres} of {length}");
}

#[test]
fn every_packet_is_recognised() {
    let mut demo = Demo::new(Feed::AcLua, Options::default(), Micros(0)).expect("a demo");
    let mut packets = 0;
    demo.drive(5.0, &mut |_, bytes| {
        assert_eq!(feed::recognise(bytes).map(|known| known.feed), Ok(Feed::AcLua));
        assert!(bytes.len() < 700, "{} bytes", bytes.len());
        packets += 1;
    });
    assert_eq!(packets, 300);
}
