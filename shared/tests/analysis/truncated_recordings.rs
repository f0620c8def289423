//! The data of a finished lap does not change with what follows, wherever a recording is cut.
//!
//! A lap is finished once it has ended and its game has sent the official time. Until then the game may add to it: its
//! time and last sector can arrive some packets after the line, and with them its validity. After that nothing changes:
//! neither number, stint, time, sectors and flags, nor a value of its columns, and so no result of a comparison. A
//! rewind is no exception: it reopens the lap, which is then not finished any more.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use proptest::prelude::*;
use trailbrake_shared::analysis::{LapColumns, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Columns;
use trailbrake_shared::session::{Archive, Receiver, Retention, Session};
use trailbrake_shared::sim::car::Compound;
use trailbrake_shared::sim::{Demo, Options, Request};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use super::captures;
use crate::circuit_feeds::CIRCUIT_FEEDS;

type TimedPackets = Vec<(Micros, Vec<u8>)>;

/// What a game sends in four laps, one of them through the pits.
fn sent(feed: Feed) -> TimedPackets {
    let requests = vec![(120.0, Request::Pit { car: 0, tyres: Compound::Soft })];
    let options = Options { cars: 2, player: 0, seed: 900, again: false, requests, ..Options::default() };
    let mut demo = Demo::new(feed, options, Micros(1_000_000)).expect("a demo");
    let mut sent = Vec::new();
    demo.drive(340.0, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    sent
}

fn datagram(feed: Feed, (at, bytes): &(Micros, Vec<u8>)) -> Datagram<'_> {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes }
}

/// The finished laps of the player, with their columns.
fn finished(session: &Session) -> impl Iterator<Item = (&Lap, &Columns)> {
    let state = session.player().or(session.watched()).and_then(|car| session.car(car));
    state.into_iter().flat_map(|state| {
        let laps = state.laps.finished().iter().filter(|lap| lap.time.is_some());
        laps.filter_map(move |lap| Some((lap, state.traces.lap(lap.serial)?)))
    })
}

/// All data of a lap except the times of observation, so that laps with the same content are equal.
fn summary_of(lap: &Lap) -> String {
    let Lap { serial, number, run, stint, time, sectors, flags, began_s, ended_s, .. } = lap;
    format!("{serial} {number} {run} {stint} {time:?} {sectors:?} {flags} {began_s} {ended_s:?}")
}

/// Compares every value of two laps' columns.
fn assert_same(one: &Columns, other: &Columns, context: &str) {
    assert_eq!(one.seconds(), other.seconds(), "{context}");
    let slots: Vec<_> = one.slots().collect();
    assert_eq!(slots, other.slots().collect::<Vec<_>>(), "{context}");
    for slot in slots {
        for row in 0..one.len() {
            let [a, b] = [one, other].map(|columns| columns.value(slot, row).map(f32::to_bits));
            assert_eq!(a, b, "{context}: {slot:?} in row {row}");
        }
    }
}

/// The deltas of all laps to the first.
fn deltas(laps: &[(&Lap, &Columns)]) -> Vec<Vec<(f64, f64)>> {
    let columns: Vec<LapColumns<'_>> =
        laps.iter().map(|(lap, columns)| LapColumns::new(lap, columns)).collect();
    let compared = |lap| compare(lap, columns.first()?).ok().map(|comparison| comparison.delta);
    columns.iter().filter_map(compared).collect()
}

/// Receives packets one by one and checks after each; returns the number of finished laps at the end.
fn cut_behind_every_packet(feed: Feed, sent: &TimedPackets) -> usize {
    let mut receiver = Receiver::new(Retention { player_bytes: usize::MAX, ..Retention::default() });
    let mut first: BTreeMap<u32, (Lap, Columns)> = BTreeMap::new();
    for (nth, packet) in sent.iter().enumerate() {
        let _ = receiver.receive(&datagram(feed, packet));
        for (lap, columns) in receiver.session().into_iter().flat_map(finished) {
            let known = first.entry(lap.serial).or_insert_with(|| (lap.clone(), columns.clone()));
            assert_eq!(summary_of(lap), summary_of(&known.0), "{feed:?}, packet {nth}");
            assert_eq!(columns.len(), known.1.len(), "{feed:?}, packet {nth}, lap {}", lap.number);
        }
    }
    let now: Vec<(&Lap, &Columns)> = receiver.session().into_iter().flat_map(finished).collect();
    assert_eq!(now.len(), first.len(), "{feed:?}: a lap is no more");
    for (lap, columns) in &now {
        assert_same(&first[&lap.serial].1, columns, &format!("{feed:?}, lap {}", lap.number));
    }
    let then: Vec<(&Lap, &Columns)> = first.values().map(|(lap, columns)| (lap, columns)).collect();
    assert_eq!(deltas(&then), deltas(&now), "{feed:?}");
    now.len()
}

#[test]
fn a_lap_that_is_over_stays_as_it_is_behind_every_packet() {
    for feed in CIRCUIT_FEEDS {
        let laps = cut_behind_every_packet(feed, &sent(feed));
        assert!(laps >= 3, "{feed:?}: {laps} laps");
    }
}

#[test]
#[ignore = "needs captures"]
fn a_captured_lap_that_is_over_stays_as_it_is() {
    let captured = [
        (Feed::GranTurismo, "gran-turismo/gt7-C-plain-replay.368xN.bin.gz", 368, 60),
        (Feed::DirtRally, "dirt-rally-2/stage-every5th.264xN.bin", 264, 12),
        (Feed::AcRemote, "assetto-corsa-ksudp/monza-packets-7441-8640.328xN.bin", 328, 60),
    ];
    for (feed, file, size, hz) in captured {
        let mut packets = captures::packets(file, size);
        if feed == Feed::DirtRally {
            // The game marks the end of the stage with packets of zeros.
            packets.extend([vec![0; size], vec![0; size]]);
        }
        let at = |nth: u64| Micros(1_000_000 + nth * 1_000_000 / hz);
        let sent: TimedPackets = (0..).map(at).zip(packets).collect();
        assert_eq!(cut_behind_every_packet(feed, &sent), 1, "{feed:?}");
    }
}

/// The finished laps of a file that ends there.
fn archived(feed: Feed, sent: &[(Micros, Vec<u8>)]) -> Vec<(String, Lap, Columns)> {
    let mut archive = Archive::default();
    for packet in sent {
        let _ = archive.take(&datagram(feed, packet));
    }
    let sessions = archive.sources().iter().flat_map(|source| source.session.iter());
    let laps = sessions.flat_map(finished);
    laps.map(|(lap, columns)| (summary_of(lap), lap.clone(), columns.clone())).collect()
}

#[test]
fn a_file_cut_anywhere_has_the_same_finished_laps_as_the_whole() {
    for feed in CIRCUIT_FEEDS {
        let sent = sent(feed);
        let whole = archived(feed, &sent);
        let config = ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |(cut in 0..sent.len())| {
            let some = archived(feed, &sent[..cut]);
            prop_assert!(some.len() <= whole.len());
            for ((summary, _, columns), (known, lap, known_columns)) in some.iter().zip(&whole) {
                prop_assert_eq!(summary, known);
                assert_same(columns, known_columns, &format!("{feed:?} cut at {cut}, lap {}", lap.number));
            }
        });
    }
}
