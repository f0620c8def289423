//! The same driving in every simulated feed, and its laps where packets are missing or wrong.

mod partial_laps;
mod stale_times;

use std::net::SocketAddr;
use std::sync::{LazyLock, OnceLock};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::Car;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::gran_turismo::{Dialect, GranTurismo};
use trailbrake_shared::sim::{Demo, Options, SPOKEN, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const DIALECTS: [Dialect; 6] = [
    Dialect::Gt7,
    Dialect::Gt7With(Letter::Tilde),
    Dialect::Gt7With(Letter::B),
    Dialect::Gt7With(Letter::A),
    Dialect::Sport,
    Dialect::Gt6,
];
const END_S: f64 = 300.0;
/// A stage is longer than a lap.
const RALLY_END_S: f64 = 600.0;

/// Practice with a flying start.
static PRACTICE: LazyLock<Vec<Stream>> = LazyLock::new(|| streams(Start::Flying));

type Packets = Vec<(Micros, Vec<u8>)>;

/// The packets of a game.
struct Stream {
    name: String,
    feed: Feed,
    packets: Packets,
    whole: OnceLock<Vec<Lap>>,
    ends: OnceLock<Vec<f64>>,
}

/// Takes what a game sends.
type Send<'a> = &'a mut dyn FnMut(Micros, &[u8]);

/// The packets of each feed.
fn streams(start: Start) -> Vec<Stream> {
    let began = Micros(1_000_000);
    let options = Options { start, cars: 3, laps: 9, player: 0, again: false, ..Options::default() };
    let mut streams = Vec::new();
    let mut add = |name: String, feed: Feed, drive: &mut dyn FnMut(Send<'_>)| {
        let mut packets = Packets::new();
        drive(&mut |at, bytes| packets.push((at, bytes.to_vec())));
        streams.push(Stream { name, feed, packets, whole: OnceLock::new(), ends: OnceLock::new() });
    };
    for feed in SPOKEN {
        let name = format!("{feed:?}");
        match feed {
            Feed::GranTurismo => {
                for dialect in DIALECTS {
                    let speaker = Box::new(GranTurismo::new(dialect));
                    let mut demo = Demo::speaking(speaker, options.clone(), began);
                    add(format!("{dialect:?}"), feed, &mut |send| demo.drive(END_S, send));
                }
            }
            Feed::DirtRally | Feed::EaWrc => {
                let mut demo = Demo::new(feed, Options::default(), began).expect("a demo");
                add(name, feed, &mut |send| demo.drive(RALLY_END_S, send));
            }
            feed => {
                let mut demo = Demo::new(feed, options.clone(), began).expect("a simulated feed");
                add(name, feed, &mut |send| demo.drive(END_S, send));
            }
        }
    }
    streams
}

/// The timed laps of the first car, from the packets for which `keep` is true, by seconds since the first.
fn laps(feed: Feed, packets: &Packets, keep: impl Fn(f64) -> bool) -> Vec<Lap> {
    let mut receiver = Receiver::default();
    let began = packets[0].0;
    for (at, bytes) in packets.iter().filter(|(at, _)| keep(at.seconds_since(began))) {
        receiver.receive(&datagram(feed, *at, bytes)).expect("a packet");
    }
    let session = receiver.session().expect("a session");
    let car = session.player().unwrap_or(Car(0));
    let laps = &session.car(car).expect("the car").laps;
    assert!(laps.best().is_none_or(|best| !best.flags.has(LapFlag::Incomplete)));
    laps.finished().iter().filter(|lap| lap.time.is_some()).cloned().collect()
}

impl Stream {
    /// The timed laps of the first car, from all packets.
    fn whole(&self) -> &[Lap] {
        self.whole.get_or_init(|| laps(self.feed, &self.packets, |_| true))
    }

    /// When the first car's second timed lap of a run begins and ends, in seconds since the first packet.
    fn second_lap(&self) -> Option<(f64, f64)> {
        let ends = self.ends();
        Some((*ends.first()?, *ends.get(1)?))
    }

    /// When the first car's timed laps of the first run end, in seconds since the first packet.
    fn ends(&self) -> &[f64] {
        self.ends.get_or_init(|| {
            let mut receiver = Receiver::default();
            let mut ends = Vec::new();
            for (at, bytes) in &self.packets {
                receiver.receive(&datagram(self.feed, *at, bytes)).expect("a packet");
                let session = receiver.session().expect("a session");
                let Some(car) = session.car(session.player().unwrap_or(Car(0))) else { continue };
                let timed = car.laps.finished().iter().filter(|lap| lap.time.is_some() && lap.run == 0);
                if timed.count() > ends.len() {
                    ends.push(at.seconds_since(self.packets[0].0));
                }
            }
            ends
        })
    }
}

fn datagram(feed: Feed, at: Micros, bytes: &[u8]) -> Datagram<'_> {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    Datagram { at, sender, port: 20777, feed: Some(feed), bytes }
}
