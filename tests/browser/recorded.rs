//! Recordings of the simulator's races, written for a test and gone with it.

use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{
    Follower, Info, LapRow, Opening, Reading, Recording, RecordingId, Writer,
};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// When every recording begins.
pub(crate) const BEGAN: Micros = Micros(1_795_000_000_000_000);

/// A recorded race of F1 2018 in a folder of its own.
pub(crate) struct Recorded {
    folder: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) id: RecordingId,
    /// The file's length.
    pub(crate) bytes: u64,
    /// Bytes of all its datagrams.
    pub(crate) raw: u64,
    /// The player's finished laps, as the lap table has them.
    pub(crate) laps: Vec<LapRow>,
    /// How many laps the table has of all cars.
    pub(crate) rows: usize,
    /// Into how many blocks the packets are packed.
    pub(crate) blocks: u64,
}

impl Recorded {
    /// A race of six cars for so many seconds: at least two laps in 240.
    pub(crate) fn new(name: &str, seconds: f64) -> Self {
        Self::race(name, seconds, Options { seed: 5, cars: 6, player: 3, ..Options::default() })
    }

    /// A race for so many seconds.
    pub(crate) fn race(name: &str, seconds: f64, options: Options) -> Self {
        let folder = std::env::temp_dir().join(format!("trailbrake-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{name}.trailbrake.mcap"));
        let mut out = BufWriter::new(std::fs::File::create(&file).expect("a file"));
        let id = RecordingId(0x7e57 << 64 | u128::from(seconds as u64));
        let info = Info {
            id,
            parent: None,
            created: BEGAN,
            feed: Feed::F12018.id().to_owned(),
            program: "the tests".to_owned(),
            others_left_out: false,
        };
        let (mut writer, mut receiver, mut follower) =
            (Writer::new(&info), Receiver::default(), Follower::default());
        let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
        let mut demo = Demo::new(Feed::F12018, options, BEGAN).expect("a demo");
        let (mut bytes, mut raw) = (0, 0);
        demo.drive(seconds, &mut |at, datagram| {
            raw += datagram.len() as u64;
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F12018), bytes: datagram };
            writer.take(&datagram);
            receiver.overhear(&datagram, &mut |event| follower.hear(event)).expect("a packet");
            follower.look(receiver.session().expect("a session"), at);
            let done = writer.bytes();
            bytes += done.len() as u64;
            out.write_all(&done).expect("room on the disk");
        });
        let (end, session) = (BEGAN.plus_seconds(seconds), receiver.session().expect("a session"));
        writer.write_last(end, &Follower::told(session));
        writer.write_last(end, &follower.laps());
        writer.write_last(end, follower.timeline());
        let done = writer.finish();
        bytes += done.len() as u64;
        out.write_all(&done).and_then(|()| out.flush()).expect("room on the disk");
        let laps = follower.laps().laps;
        let rows = laps.len();
        let own =
            laps.into_iter().filter(|row| Some(row.car) == session.player() && row.lap.ended_s.is_some());
        let blocks = open(&file, bytes).blocks();
        Self { folder, file, id, bytes, raw, laps: own.collect(), rows, blocks }
    }

    /// The folder, which holds nothing else.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The player's laps as the page lists them: number and milliseconds.
    pub(crate) fn lap_times(&self) -> Vec<(u64, u64)> {
        let timed = self.laps.iter().filter_map(|row| Some((row.lap.number, row.lap.time?.0)));
        timed.map(|(number, time)| (number.into(), time.into())).collect()
    }

    /// When a lap begins, in seconds from the recording's beginning.
    pub(crate) fn begins_s(&self, lap: usize) -> f64 {
        self.laps[lap].from.seconds_since(BEGAN)
    }
}

fn open(file: &Path, bytes: u64) -> Recording {
    let mut file = std::fs::File::open(file).expect("a file");
    let mut opening = Opening::new(bytes);
    while let Some(range) = opening.needs() {
        let mut piece = vec![0; (range.end - range.start) as usize];
        file.seek(SeekFrom::Start(range.start)).and_then(|_| file.read_exact(&mut piece)).expect("bytes");
        opening.give(&piece);
    }
    opening.finish().expect("a recording")
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
