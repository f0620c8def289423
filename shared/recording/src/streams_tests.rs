//! The packets that the recording tests use: every real capture, and every simulated feed.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use trailbrake_games::feed::{self, FEEDS, Feed};
use trailbrake_model::time::Micros;
use trailbrake_session::Archive;
use trailbrake_sim::{Demo, Options};

use super::{Packet, UNCLAIMED};
use crate::export::{ImportedLap, ImportedLaps};
use crate::lap_catalogue::LapCatalogue;

/// When every stream begins.
pub(crate) const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// The packets of one sender, with a name.
pub(crate) struct Stream {
    pub(crate) name: String,
    pub(crate) packets: Vec<Packet>,
}

/// A file of concatenated packets.
struct File {
    path: &'static str,
    feed: Feed,
    /// The packets' size; `None` if the feed's layout defines it.
    size: Option<usize>,
    /// The number of packets used.
    most: usize,
    /// Packets per second when the file was captured.
    per_second: f64,
}

/// A file of packets of one size, sent at 60 Hz.
const fn file(feed: Feed, path: &'static str, size: usize) -> File {
    File { path, feed, size: Some(size), most: usize::MAX, per_second: 60.0 }
}

const FILES: &[File] = &[
    // After these the game stands still.
    File { most: 720, ..file(Feed::AcRemote, "assetto-corsa-ksudp/monza-packets-7441-8640.328xN.bin", 328) },
    File {
        size: None,
        per_second: 2.0,
        ..file(Feed::AcServer, "assetto-corsa-server/acsp-red-bull-ring-2016.bin", 0)
    },
    file(Feed::DirtRally, "dirt-rally-2/single-prestart-264.bin", 264),
    file(Feed::DirtRally, "dirt-rally-2/stage-first600.264xN.bin", 264),
    file(Feed::DirtRally, "dirt-rally-2/stage-last600.264xN.bin", 264),
    file(Feed::DirtRally, "dirt-rally-2/stage-every5th.264xN.bin", 264),
    // Every fifth packet was kept.
    File { per_second: 12.0, ..file(Feed::DirtRally, "dirt-rally-2/stage-every5th.264xN.bin", 264) },
    file(Feed::GranTurismo, "gran-turismo/gt7-A-encrypted-interlagos.296xN.bin", 296),
    file(Feed::GranTurismo, "gran-turismo/gt7-A-encrypted-single-296.bin", 296),
    file(Feed::GranTurismo, "gran-turismo/gt7-C-plain-replay.368xN.bin.gz", 368),
];

/// Folders in which each file is one packet.
const FOLDERS: &[&str] = &["f1-2018", "f1-2019", "f1-2020", "f1-2021", "f1-2022", "f1-2023"];

/// A packet as it would be received.
fn packet(number: u64, at: Micros, feed: Option<Feed>, bytes: Vec<u8>) -> Packet {
    let port = feed.and_then(|feed| feed.info().ports.first().copied()).unwrap_or(9996);
    let sender = SocketAddr::from(([192, 168, 1, 20], 33739));
    Packet { number, at, sender, port, feed: feed.map_or(UNCLAIMED, Feed::id).into(), bytes }
}

/// When a packet is received at this rate, some a little late.
fn received(number: u64, per_second: f64) -> Micros {
    Micros(BEGAN.0 + (number as f64 / per_second * 1e6) as u64 + number * 7919 % 400)
}

/// The real captures.
pub(crate) fn captured() -> Vec<Stream> {
    let mut streams: Vec<Stream> = FILES.iter().map(File::stream).collect();
    for &name in FOLDERS {
        let datagrams = (0..).zip(packets_in(&trailbrake_captures::path(name)));
        let packet = |(number, path): (u64, PathBuf)| {
            let bytes = std::fs::read(path).expect("a packet");
            let feed = feed::recognise(&bytes).ok().map(|recognised| recognised.feed);
            packet(number, received(number, 60.0), feed, bytes)
        };
        streams.push(Stream { name: name.to_owned(), packets: datagrams.map(packet).collect() });
    }
    streams
}

impl File {
    fn stream(&self) -> Stream {
        let codec = self.feed.info().codec.expect("a feed that is read");
        let own_size = |bytes: &[u8]| codec.datagram_size.and_then(|size| size(bytes).ok());
        let file = trailbrake_captures::read(self.path);
        let mut rest = file.as_slice();
        let mut packets = Vec::new();
        while !rest.is_empty() && packets.len() < self.most {
            let size = self.size.or_else(|| own_size(rest)).expect("where a packet ends");
            let (bytes, behind) = rest.split_at(size);
            rest = behind;
            let number = packets.len() as u64;
            packets.push(packet(number, received(number, self.per_second), Some(self.feed), bytes.to_vec()));
        }
        let name = self.path.trim_end_matches(".gz").trim_end_matches(".bin");
        let slowly = if self.per_second == 12.0 { ", 12/s" } else { "" };
        Stream { name: format!("{name}{slowly}"), packets }
    }
}

/// The packet files of a folder.
fn packets_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "bin" || ending == "gz"));
    paths.sort();
    paths
}

/// Every file with packets among the captures is read by the tests of recordings.
#[test]
#[ignore = "needs captures"]
fn no_capture_is_left_out() {
    let folder = trailbrake_captures::path("");
    for entry in std::fs::read_dir(&folder).expect("the captures") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if path.is_file() || FOLDERS.contains(&name.as_str()) {
            continue;
        }
        for path in packets_in(&path) {
            let within = path.strip_prefix(&folder).ok().and_then(Path::to_str).expect("a path");
            assert!(FILES.iter().any(|file| file.path == within), "{within} is in no test");
        }
    }
}

/// This many seconds of every simulated feed.
pub(crate) fn simulated(seconds: f64) -> Vec<Stream> {
    let spoken = Demo::feeds().map(|feed| of_the_simulator(feed, Options::default(), seconds));
    spoken.chain([imported(seconds)]).collect()
}

/// The laps of this many seconds of simulated F1, as laps imported from a file.
fn imported(seconds: f64) -> Stream {
    let mut archive = Archive::default();
    for packet in of_the_simulator(Feed::F1, Options::default(), seconds).packets {
        archive.take(&packet.datagram()).expect("a packet that is understood");
    }
    let catalogue = LapCatalogue::of_archive(&archive);
    let driven = catalogue.laps().iter().filter_map(|entry| Some((entry, entry.columns_in(&archive)?)));
    let laps = driven.map(|(lap, columns)| ImportedLap {
        driver: lap.driver_words(),
        car: lap.id.car,
        number: lap.lap.number,
        began_s: lap.lap.began_s,
        time: lap.lap.time,
        sectors: lap.lap.sectors,
        flags: lap.lap.flags,
        columns: columns.clone(),
        distance_from_speed: false,
    });
    let file = ImportedLaps { driven: Some(BEGAN), laps: laps.collect(), ..ImportedLaps::default() };
    let mut packets = Vec::new();
    let feed = Some(Feed::ImportedLaps);
    let Ok(()) = file.packets(9, Micros(0)).rest::<Infallible>(&mut |at, bytes| {
        packets.push(packet(packets.len() as u64, at, feed, bytes.to_vec()));
        Ok(())
    });
    Stream { name: "imported laps".to_owned(), packets }
}

/// This many seconds of a simulated feed, sent when a game would send.
pub(crate) fn of_the_simulator(feed: Feed, options: Options, seconds: f64) -> Stream {
    let mut demo = Demo::new(feed, options, BEGAN).expect("a feed that is spoken");
    let mut sent = Vec::new();
    let mut now = BEGAN;
    while now.seconds_since(BEGAN) < seconds {
        now = now.plus_seconds(0.5);
        demo.advance(now, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    }
    let name = format!("the simulator's {}", feed.info().game);
    let packets = (0..).zip(sent).map(|(number, (at, bytes))| packet(number, at, Some(feed), bytes));
    Stream { name, packets: packets.collect() }
}

#[test]
fn every_feed_is_recorded() {
    let spoken: Vec<Feed> = Demo::feeds().collect();
    // On a server the players must join first.
    for stream in simulated(5.0) {
        assert!(stream.packets.len() >= 30, "{}", stream.name);
    }
    let silent = FEEDS.iter().filter(|row| row.codec.is_some() && !spoken.contains(&row.feed));
    for row in silent {
        let captured = FILES.iter().any(|file| file.feed == row.feed) || row.feed == Feed::ImportedLaps;
        assert!(captured, "{} is neither simulated nor captured", row.id);
    }
}
