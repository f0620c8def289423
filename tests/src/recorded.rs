//! Recordings for tests: simulated races, and minimal recordings.

use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::recording::{
    DecodedLap, Facts, Follower, Info, LapReading, LapRow, Opening, Reading, Recording, RecordingId, Tail,
    Writer, read_whole,
};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// When the first recording begins.
pub const BEGAN: Micros = Micros(1_795_000_000_000_000);

/// The sender of every datagram.
const SENDER: ([u8; 4], u16) = ([127, 0, 0, 1], 50_000);
/// The demo advances in steps: after a long one it assumes that the machine was asleep.
const STEP_S: f64 = 0.5;

/// What a game sends in so many seconds of a race with twenty cars, where it has them.
pub fn packets(feed: Feed, seconds: f64) -> Vec<(Micros, Vec<u8>)> {
    let options = Options { seed: 11, cars: 20, player: 3, ..Options::default() };
    Demo::packets(feed, options, BEGAN, seconds).expect("a demo")
}

/// What is known about a race that has been written.
struct RaceFacts {
    /// Bytes of all its datagrams.
    raw: u64,
    /// The player's finished laps, as the lap table has them.
    laps: Vec<LapRow>,
    /// How many laps of all cars the table has.
    rows: usize,
}

impl RaceFacts {
    /// Runs a game's demo for `seconds`, and passes the recording's bytes on as they become ready.
    fn show(feed: Feed, info: &Info, seconds: f64, options: Options, mut out: impl FnMut(&[u8])) -> Self {
        let mut writer = Writer::new(info);
        let (mut receiver, mut follower) = (Receiver::default(), Follower::default());
        let sender = SocketAddr::from(SENDER);
        // A game that sends on request answers to the port of the request.
        let port = feed.info().ports.first().copied().unwrap_or(SENDER.1);
        let mut demo = Demo::new(feed, options, info.created).expect("a demo");
        let (mut raw, mut until_s) = (0, 0.0);
        while until_s < seconds {
            until_s = (until_s + STEP_S).min(seconds);
            demo.advance(info.created.plus_seconds(until_s), &mut |at, bytes| {
                raw += bytes.len() as u64;
                let datagram = Datagram { at, sender, port, feed: Some(feed), bytes };
                writer.take(&datagram);
                receiver.receive_with(&datagram, &mut |event| follower.event(event)).expect("a packet");
                if let Some(session) = receiver.session() {
                    follower.look(session, at);
                }
                out(&writer.bytes());
            });
        }
        let (end, session) = (info.created.plus_seconds(seconds), receiver.session().expect("a session"));
        writer.write_last(end, &session.summary());
        writer.write_last(end, &follower.laps());
        writer.write_last(end, follower.timeline());
        writer.write_last(end, &follower.events());
        writer.write_last(end, &follower.traffic());
        out(&writer.finish());
        let laps = follower.laps().laps;
        let rows = laps.len();
        // Without a player, the car of the first lap counts.
        let car = session.player().or(laps.first().map(|row| row.car));
        let own = |row: &LapRow| Some(row.car) == car && row.lap.ended_s.is_some();
        Self { raw, laps: laps.into_iter().filter(own).collect(), rows }
    }
}

/// A recorded race in memory.
pub struct Race {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// The player's laps, number and milliseconds.
    pub laps: Vec<(u64, u64)>,
}

impl Race {
    /// A race of `seconds`, beginning `minutes` after the first.
    pub fn drive(id: u128, minutes: u64, seconds: f64) -> Self {
        let began = Micros(BEGAN.0 + minutes * 60_000_000);
        let options = Options { seed: 5, cars: 6, ..Options::default() };
        let mut bytes = Vec::new();
        let written = RaceFacts::show(Feed::F1, &info(Feed::F1, id, began), seconds, options, |done| {
            bytes.extend_from_slice(done)
        });
        Self { bytes, laps: lap_times(&written.laps) }
    }
}

/// The shortest recording possible: one datagram and a name.
pub fn shortest(id: u128, name: &str) -> Vec<u8> {
    let began = Micros(BEGAN.0 + id as u64 * 60_000_000);
    let mut writer = Writer::new(&info(Feed::F1, id, began));
    let sender = SocketAddr::from(SENDER);
    writer.take(&Datagram { at: began, sender, port: 20777, feed: None, bytes: &[7; 300] });
    let tags = vec![if id.is_multiple_of(2) { "even" } else { "odd" }.to_owned()];
    writer.write_last(began, &Labels { name: Some(name.to_owned()), tags });
    writer.finish()
}

/// A recorded race in a folder of its own, deleted with the test.
pub struct RecordedRace {
    folder: PathBuf,
    /// The file.
    pub file: PathBuf,
    /// The recording's id.
    pub id: RecordingId,
    /// The file's length in bytes.
    pub bytes: u64,
    /// Bytes of all its datagrams.
    pub raw: u64,
    /// The player's finished laps, as the lap table has them.
    pub laps: Vec<LapRow>,
    /// How many laps of all cars the table has.
    pub rows: usize,
    /// How many blocks hold the packets.
    pub blocks: u64,
}

impl RecordedRace {
    /// A race of six cars; 240 seconds hold at least two laps.
    pub fn new(name: &str, seconds: f64) -> Self {
        Self::race(name, seconds, Options { seed: 5, cars: 6, player: 3, ..Options::default() })
    }

    /// A race of F1 2018.
    pub fn race(name: &str, seconds: f64, options: Options) -> Self {
        Self::show(name, Feed::F1, seconds, options)
    }

    /// A recording of a game's demo.
    pub fn show(name: &str, feed: Feed, seconds: f64, options: Options) -> Self {
        let folder = std::env::temp_dir().join(format!("trailbrake-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{name}.trailbrake.mcap"));
        let mut out = BufWriter::new(std::fs::File::create(&file).expect("a file"));
        let id = RecordingId(0x7e57 << 64 | u128::from(seconds as u64));
        let mut bytes = 0;
        let written = RaceFacts::show(feed, &info(feed, id.0, BEGAN), seconds, options, |done| {
            bytes += done.len() as u64;
            out.write_all(done).expect("room on the disk");
        });
        out.flush().expect("room on the disk");
        let blocks = open(&file, bytes).blocks();
        let RaceFacts { raw, laps, rows } = written;
        Self { folder, file, id, bytes, raw, laps, rows, blocks }
    }

    /// The folder, which holds only this recording.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The player's laps as the page lists them: number and milliseconds.
    pub fn lap_times(&self) -> Vec<(u64, u64)> {
        lap_times(&self.laps)
    }

    /// Decodes one of the laps from the file.
    pub fn driven(&self, row: &LapRow) -> DecodedLap {
        let mut reading = LapReading::new(&open(&self.file, self.bytes), row);
        read_whole(&mut reading, &std::fs::read(&self.file).expect("the file"));
        reading.finish().expect("the lap")
    }

    /// When a lap begins, in seconds from the recording's beginning.
    pub fn begins_s(&self, lap: usize) -> f64 {
        self.laps[lap].from.seconds_since(BEGAN)
    }
}

impl Drop for RecordedRace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn lap_times(laps: &[LapRow]) -> Vec<(u64, u64)> {
    let timed = laps.iter().filter_map(|row| Some((row.lap.number, row.lap.time?.0)));
    timed.map(|(number, time)| (number.into(), time.into())).collect()
}

/// Opens a recording file.
pub fn open(file: &Path, bytes: u64) -> Recording {
    let mut file = std::fs::File::open(file).expect("a file");
    let mut opening = Opening::new(bytes);
    while let Some(range) = opening.needs() {
        let mut piece = vec![0; (range.end - range.start) as usize];
        file.seek(SeekFrom::Start(range.start)).and_then(|_| file.read_exact(&mut piece)).expect("bytes");
        opening.give(&piece);
    }
    opening.finish().expect("a recording")
}

/// The bytes of a recording file with changed facts.
pub fn with_facts(file: &Path, change: impl FnOnce(&mut Facts)) -> Vec<u8> {
    let mut bytes = std::fs::read(file).expect("a file");
    let recording = open(file, bytes.len() as u64);
    let mut facts = recording.facts().clone();
    change(&mut facts);
    let tail = Tail::with(&recording, &facts);
    bytes.truncate(usize::try_from(tail.from).expect("a place"));
    bytes.extend(&tail.bytes);
    bytes
}

fn info(feed: Feed, id: u128, created: Micros) -> Info {
    Info {
        id: RecordingId(id),
        parent: None,
        created,
        feed: feed.id().to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    }
}

/// A folder that is deleted with the test.
pub struct Folder(pub PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
