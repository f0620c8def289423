//! What the tests of recordings record: every real capture, and every feed that the simulator speaks.

use std::io::Read;
use std::net::SocketAddr;
use std::path::Path;

use super::Packet;
use crate::feed::{FEEDS, Feed};
use crate::sim::{Options, Show};
use crate::time::Micros;

/// When every stream begins.
pub(crate) const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// Packets of one sender with a name.
pub(crate) struct Stream {
    pub(crate) name: String,
    pub(crate) packets: Vec<Packet>,
}

/// A file of packets that stand one after the other: where, whose, the packets' size where no layout tells it, how
/// many packets of it, and how many of them came in a second.
const FILES: &[(&str, Feed, Option<usize>, usize, f64)] = &[
    ("assetto-corsa-ksudp/monza-packets-7441-8640.328xN.bin", Feed::AcRemote, Some(328), 720, 60.0),
    ("assetto-corsa-server/acsp-red-bull-ring-2016.bin", Feed::AcServer, None, usize::MAX, 2.0),
    ("dirt-rally-2/stage-first600.264xN.bin", Feed::DirtRally, Some(264), usize::MAX, 60.0),
    ("dirt-rally-2/stage-last600.264xN.bin", Feed::DirtRally, Some(264), usize::MAX, 60.0),
    ("dirt-rally-2/stage-every5th.264xN.bin", Feed::DirtRally, Some(264), usize::MAX, 60.0),
    ("gran-turismo/gt7-A-encrypted-interlagos.296xN.bin", Feed::GranTurismo, Some(296), usize::MAX, 60.0),
    ("gran-turismo/gt7-C-plain-replay.368xN.bin.gz", Feed::GranTurismo, Some(368), usize::MAX, 60.0),
];

/// Folders in which each file is one packet.
const FOLDERS: &[(&str, Feed)] = &[("f1-2018", Feed::F12018)];

/// Packets that came so many in a second, some of them a little late.
pub(crate) fn stream(name: &str, feed: Feed, per_second: f64, datagrams: Vec<Vec<u8>>) -> Stream {
    let packet = |(number, bytes): (u64, Vec<u8>)| Packet {
        number,
        at: Micros(BEGAN.0 + (number as f64 / per_second * 1e6) as u64 + number * 7919 % 400),
        sender: SocketAddr::from(([192, 168, 1, 20], 33739)),
        port: feed.info().ports.first().copied().unwrap_or(9996),
        feed: feed.id().into(),
        bytes,
    };
    Stream { name: name.to_owned(), packets: (0..).zip(datagrams).map(packet).collect() }
}

/// The real captures; none, said aloud, where there are none.
pub(crate) fn captures() -> Vec<Stream> {
    let Some(folder) = std::env::var_os("TRAILBRAKE_CAPTURES") else {
        eprintln!("skipped: TRAILBRAKE_CAPTURES names no folder with captures");
        return Vec::new();
    };
    let folder = Path::new(&folder);
    let mut streams = Vec::new();
    for &(name, feed, size, most, per_second) in FILES {
        let tells_size = feed.info().codec.and_then(|codec| codec.datagram_size);
        let mut rest = unpacked(&folder.join(name));
        let mut datagrams = Vec::new();
        while !rest.is_empty() && datagrams.len() < most {
            let len = match (size, tells_size) {
                (Some(size), _) => size,
                (None, Some(tells_size)) => tells_size(&rest).expect("a packet"),
                (None, None) => {
                    eprintln!("{name}: nothing in this version tells where its packets end");
                    break;
                }
            };
            let behind = rest.split_off(len);
            datagrams.push(std::mem::replace(&mut rest, behind));
        }
        streams.push(stream(name, feed, per_second, datagrams));
    }
    for &(name, feed) in FOLDERS {
        let entries = std::fs::read_dir(folder.join(name)).expect("a folder");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "bin"));
        paths.sort();
        let datagrams = paths.iter().map(|path| unpacked(path)).collect();
        streams.push(stream(name, feed, 60.0, datagrams));
    }
    streams.retain(|stream| !stream.packets.is_empty());
    streams
}

fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("the file");
    if path.extension().is_none_or(|ending| ending != "gz") {
        return bytes;
    }
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked).expect("gzip");
    unpacked
}

/// So many seconds of every feed that the simulator speaks.
pub(crate) fn simulated(seconds: f64) -> Vec<Stream> {
    Show::feeds().map(|feed| of_the_simulator(feed, Options::default(), seconds)).collect()
}

/// So many seconds of a feed of the simulator, which sends when a game would.
pub(crate) fn of_the_simulator(feed: Feed, options: Options, seconds: f64) -> Stream {
    let mut show = Show::new(feed, options, BEGAN).expect("a feed that is spoken");
    let mut sent = Vec::new();
    let mut now = BEGAN;
    while now.seconds_since(BEGAN) < seconds {
        now = now.plus_seconds(0.5);
        show.advance(now, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    }
    let name = format!("the simulator's {}", feed.info().game);
    let mut stream = stream(&name, feed, 60.0, sent.iter().map(|(_, bytes)| bytes.clone()).collect());
    stream.packets.iter_mut().zip(sent).for_each(|(packet, (at, _))| packet.at = at);
    stream
}

#[test]
fn every_feed_is_recorded() {
    let spoken: Vec<Feed> = Show::feeds().collect();
    // On a server everybody has to come first.
    for stream in simulated(5.0) {
        assert!(stream.packets.len() >= 30, "{}", stream.name);
    }
    let silent = FEEDS.iter().filter(|row| row.codec.is_some() && !spoken.contains(&row.feed));
    for row in silent {
        let captured = FILES.iter().any(|(_, feed, ..)| *feed == row.feed);
        assert!(captured, "{} is neither simulated nor captured", row.id);
    }
}
