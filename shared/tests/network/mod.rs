//! A simulated network between sender and receiver.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;

use trailbrake_shared::model::Car;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{DEMOS, Demo, DemoGame, Options};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

const BEGAN: Micros = Micros(1_795_000_000_000_000);
/// Three laps and more, or a stage.
const DRIVEN_S: f64 = 320.0;

/// The order in which datagrams arrive. A bad network loses, duplicates and reorders them.
pub(crate) fn arrivals(sent: usize, bad: bool) -> impl Iterator<Item = usize> {
    let mut chance = Random::new(99);
    let mut arriving: Vec<(usize, usize)> = Vec::new();
    for place in 0..sent {
        let mut late = || place + if bad { (chance.unit() * 4.0) as usize } else { 0 };
        let (first, second) = (late(), late());
        if !bad || chance.unit() >= 0.05 {
            arriving.push((first, place));
        }
        if bad && chance.unit() < 0.05 {
            arriving.push((second, place));
        }
    }
    arriving.sort_unstable();
    arriving.into_iter().map(|(_, place)| place)
}

/// When each datagram of a game arrives: on a bad network up to 80 ms late, each by itself.
fn received(feed: Feed, packets: &[(Micros, Vec<u8>)], bad: bool) -> Receiver {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    let port = feed.info().ports.first().copied().unwrap_or(5000);
    let mut receiver = Receiver::default();
    let mut late = Random::new(7);
    let mut at = Micros(0);
    for place in arrivals(packets.len(), bad) {
        let Some((sent, bytes)) = packets.get(place) else { continue };
        let delay_s = if bad { late.unit() * 0.08 } else { 0.0 };
        // A relay's clock never runs back.
        at = at.max(sent.plus_seconds(delay_s));
        let _ = receiver.receive(&Datagram { at, sender, port, feed: Some(feed), bytes });
    }
    receiver
}

/// The timed laps of all cars, by car and number.
fn times(receiver: &Receiver) -> BTreeMap<(Car, u16), LapTime> {
    let session = receiver.session().expect("a session");
    let mut times = BTreeMap::new();
    for (car, state) in session.cars() {
        let finished = state.laps.finished().iter();
        times.extend(finished.filter_map(|lap| Some(((car, lap.number), lap.time?))));
    }
    times
}

#[test]
fn a_bad_network_changes_no_lap_time_of_any_game() {
    for DemoGame { id, feed, year } in DEMOS {
        let year = year.unwrap_or_default();
        let options = Options { seed: 12, cars: 4, player: 2, year, keep_truth: false, ..Options::default() };
        let packets = Demo::packets(feed, options, BEGAN, DRIVEN_S).expect("a simulated game");
        let [good, bad] = [false, true].map(|bad| times(&received(feed, &packets, bad)));
        println!("{id}: {} laps, {} on a bad network", good.len(), bad.len());
        assert!(!good.is_empty(), "{id}");
        assert_eq!(bad, good, "{id}");
    }
}
