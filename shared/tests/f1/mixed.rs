//! Formats that change or mix: a setting that is changed in the menu, two games at once, and two games that a repeater
//! sends on as one.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Rejected;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::session::Archive;
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// A packet, when it was received, and the last number of its sender's address.
type SentPacket = (Micros, Vec<u8>, u8);
/// The time of each lap, by car and number.
type LapTimes = BTreeSet<(u8, u16, LapTime)>;

fn race(year: u16, seed: u64) -> Options {
    Options {
        year,
        seed,
        start: Start::Grid,
        cars: 3,
        laps: 3,
        player: 1,
        again: false,
        ..Options::default()
    }
}

/// What a game sends in a race of three laps, and the time of each lap of each car.
fn sent(options: Options, sender: u8) -> (Vec<SentPacket>, LapTimes) {
    let mut demo = Demo::new(Feed::F1, options, Micros(1_000_000)).expect("a demo");
    let mut packets = Vec::new();
    demo.drive(420.0, &mut |at, bytes| packets.push((at, bytes.to_vec(), sender)));
    let driven = demo.truth().sessions[0].finished.iter();
    let laps = driven.map(|lap| (lap.car as u8, lap.number as u16, LapTime(lap.time_ms))).collect();
    (packets, laps)
}

/// The timed laps of each sender, in the order of their first packets, and the warnings. Every packet
/// has to be understood.
fn laps(packets: &[SentPacket]) -> (Vec<LapTimes>, Vec<String>) {
    let mut archive = Archive::default();
    let (mut addresses, mut warnings): (Vec<u8>, Vec<String>) = Default::default();
    for (at, bytes, sender) in packets {
        if !addresses.contains(sender) {
            addresses.push(*sender);
        }
        let address = SocketAddr::from(([127, 0, 0, *sender], 5000));
        let datagram = Datagram { at: *at, sender: address, port: 20777, feed: Some(Feed::F1), bytes };
        match archive.take(&datagram) {
            Ok(()) => {}
            Err(caution @ Rejected::Caution { .. }) => warnings.push(caution.to_string()),
            Err(reason) => panic!("{reason}"),
        }
    }
    assert_eq!(archive.sources().len(), addresses.len(), "a source for each sender");
    let catalogue = LapCatalogue::of_archive(&archive);
    let mut of_senders = vec![BTreeSet::new(); addresses.len()];
    let mut senders: BTreeMap<u16, usize> = BTreeMap::new();
    for entry in catalogue.laps() {
        // The sessions of the senders are numbered one after the other.
        let next = senders.len();
        let sender = *senders.entry(entry.id.session).or_insert(next);
        if let Some(time) = entry.lap.time {
            let place = sender.min(addresses.len() - 1);
            of_senders[place].insert((entry.id.car.0, entry.lap.number, time));
        }
    }
    (of_senders, warnings)
}

#[test]
fn a_format_that_is_changed_in_the_menu_goes_on_with_the_session() {
    for (before, after) in [(2018, 2025), (2025, 2020), (2022, 2023)] {
        let (first, driven) = sent(race(before, 5), 1);
        let (second, same) = sent(race(after, 5), 1);
        assert_eq!(driven, same, "one race in two formats");
        // In the middle of the second lap.
        let change = Micros(1_000_000).plus_seconds(130.0);
        let mut packets: Vec<SentPacket> = first.into_iter().filter(|(at, ..)| *at < change).collect();
        packets.extend(second.into_iter().filter(|(at, ..)| *at >= change));
        assert_eq!(laps(&packets), (vec![driven], vec![]), "{before}, then {after}");
    }
}

#[test]
fn two_games_at_once_have_their_own_laps() {
    let (one, of_one) = sent(race(2019, 5), 1);
    let (other, of_other) = sent(race(2025, 8), 2);
    let mut packets: Vec<SentPacket> = one.into_iter().chain(other).collect();
    packets.sort_by_key(|(at, ..)| *at);
    assert_eq!(laps(&packets), (vec![of_one, of_other], vec![]));
}

#[test]
fn of_two_games_from_one_address_one_has_its_laps_and_the_driver_is_told() {
    let (one, _) = sent(race(2019, 5), 1);
    let (other, driven) = sent(race(2025, 8), 1);
    let mut packets: Vec<SentPacket> = one.into_iter().chain(other).collect();
    packets.sort_by_key(|(at, ..)| *at);
    let (listed, warnings) = laps(&packets);
    assert_eq!(listed, [driven]);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(warning.contains("two games send from one address"), "{warning}");
}
