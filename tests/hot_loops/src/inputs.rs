//! What the loops work on, simulated once and kept in files: under valgrind a simulated race takes minutes.

use std::fs;
use std::path::{Path, PathBuf};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

/// How much driving is decoded, and how much before that belongs to the preparation: a session has all its columns then.
const SECONDS: f64 = 5.0;
const BEFORE_S: f64 = 2.0;
/// How much is driven for two laps.
const LAPS_S: f64 = 250.0;
/// When it begins.
const BEGAN: Micros = Micros(1_795_000_000_000_000);
/// The file of the two laps. Those of races are named by their feeds.
const LAPS: &str = "two-laps";
/// The bytes of a packet's time and length in a file.
const TIME: usize = size_of::<u64>();
const LENGTH: usize = size_of::<u32>();

/// The feed whose laps are compared.
pub(crate) const FEED_OF_LAPS: Feed = Feed::F1;

/// What a game sent, each packet with the time at which it was received.
pub(crate) type Packets = Vec<(Micros, Vec<u8>)>;

/// A folder of inputs.
pub(crate) struct Inputs {
    folder: PathBuf,
}

impl Inputs {
    pub(crate) fn new(folder: impl AsRef<Path>) -> Self {
        Self { folder: folder.as_ref().to_owned() }
    }

    /// Simulates all inputs and writes them.
    pub(crate) fn make(&self) {
        fs::create_dir_all(&self.folder).expect("a folder for the inputs");
        let alone = Options { cars: 1, player: 0, ..Options::default() };
        self.write(LAPS, &simulated(FEED_OF_LAPS, alone, LAPS_S));
        for feed in Demo::feeds() {
            let race = Options { cars: 20, player: 3, ..Options::default() };
            self.write(feed.id(), &simulated(feed, race, BEFORE_S + SECONDS));
        }
    }

    /// What a game sends in a race until some seconds after the start, and from then on.
    pub(crate) fn race(&self, feed: Feed) -> [Packets; 2] {
        let mut before = self.read(feed.id());
        let later = before.partition_point(|(at, _)| *at < BEGAN.plus_seconds(BEFORE_S));
        let later = before.split_off(later);
        [before, later]
    }

    /// What a game sends in two laps of one car.
    pub(crate) fn laps(&self) -> Packets {
        self.read(LAPS)
    }

    fn write(&self, name: &str, packets: &Packets) {
        let mut bytes = Vec::new();
        for (at, packet) in packets {
            let length = u32::try_from(packet.len()).expect("a datagram");
            bytes.extend(at.0.to_le_bytes());
            bytes.extend(length.to_le_bytes());
            bytes.extend(packet);
        }
        fs::write(self.folder.join(name), bytes).expect("room for the inputs");
    }

    fn read(&self, name: &str) -> Packets {
        let bytes = fs::read(self.folder.join(name)).expect("an input made before");
        let (mut rest, mut packets) = (bytes.as_slice(), Packets::new());
        while let Some((at, behind)) = rest.split_first_chunk::<TIME>() {
            let (length, behind) = behind.split_first_chunk::<LENGTH>().expect("a length");
            let (packet, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
            packets.push((Micros(u64::from_le_bytes(*at)), packet.to_vec()));
            rest = behind;
        }
        packets
    }
}

/// What a game sends in so many seconds.
fn simulated(feed: Feed, options: Options, seconds: f64) -> Packets {
    Demo::packets(feed, Options { seed: 11, ..options }, BEGAN, seconds).expect("a simulated game")
}
