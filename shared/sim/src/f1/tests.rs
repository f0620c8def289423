use std::collections::BTreeMap;

use trailbrake_games::f1::Packet;
use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;

use super::super::demo::Demo;
use super::super::race::{Options, Request, Start};
use super::*;

/// The packets of a demo's first seconds, by kind.
fn packets(options: Options, seconds: f64) -> BTreeMap<u8, Vec<Vec<u8>>> {
    let mut demo = Demo::new(Feed::F1, options, Micros(0)).expect("a demo");
    let mut packets: BTreeMap<u8, Vec<Vec<u8>>> = BTreeMap::new();
    demo.drive(seconds, &mut |_, datagram| {
        let packet = Packet::read(datagram).expect("a packet of the game");
        packets.entry(packet.0.kind().id()).or_default().push(datagram.to_vec());
    });
    packets
}

#[test]
fn every_kind_of_packet_comes_at_its_rate() {
    let packets = packets(Options::default(), 20.0);
    let count = |kind: Kind| packets.get(&kind.id()).map_or(0, Vec::len);
    for fast in [Kind::Motion, Kind::LapData, Kind::CarTelemetry] {
        assert_eq!(count(fast), 1200, "{fast:?}");
    }
    for slow in [Kind::Session, Kind::CarSetups, Kind::CarStatus] {
        assert!((39..=41).contains(&count(slow)), "{slow:?}: {}", count(slow));
    }
    assert!((4..=5).contains(&count(Kind::Participants)));
    assert_eq!(count(Kind::Event), 1, "the session's start");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = |seed| packets(Options { seed, ..Options::default() }, 3.0);
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

#[test]
fn a_pause_is_sent_and_nothing_else() {
    let options = Options { requests: vec![(1.0, Request::Pause { seconds: 5.0 })], ..Options::default() };
    let packets = packets(options, 5.0);
    assert!(packets[&Kind::Motion.id()].len() < 70, "the cars stand still in a pause");
    let sessions = &packets[&Kind::Session.id()];
    let paused = sessions.iter().filter(
        |packet| matches!(Packet::read(packet), Ok((Packet::Session(session), _)) if session.game_paused == 1),
    );
    assert!(paused.count() >= 7);
}

#[test]
fn a_lap_s_packets_add_up() {
    let options = Options { start: Start::Grid, laps: 2, cars: 6, player: 2, ..Options::default() };
    let mut demo = Demo::new(Feed::F1, options, Micros(0)).expect("a demo");
    let mut last = BTreeMap::new();
    demo.drive(130.0, &mut |_, datagram| {
        if let Ok((Packet::LapData(laps), _)) = Packet::read(datagram) {
            for (car, lap) in laps.car.all().map(|lap| lap.read()).enumerate().take(6) {
                if lap.last_lap_time > 0.0 {
                    last.entry(car).or_insert(lap.last_lap_time);
                }
            }
        }
    });
    let truth = demo.truth();
    let first = &truth.sessions[0].finished;
    assert!(!last.is_empty(), "somebody finished a lap");
    for (car, sent) in last {
        let known = first.iter().find(|lap| lap.car == car).expect("a lap of this car");
        assert_eq!(
            trailbrake_model::time::LapTime::from_seconds(sent).map(|time| time.0),
            Some(known.time_ms),
            "car {car}"
        );
    }
}
