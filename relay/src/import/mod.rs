//! `trailbrake import`: makes recordings of captures, of bare packets, and of other recordings.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::recording::{Follower, Info, RecordingId, Timeline, Writer};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::file;
use crate::options::Import;

/// A silence this long is marked in a recording.
const SILENCE_US: u64 = 2_000_000;

/// Writes a recording for each feed that the files hold, and says to `notes` what and where.
pub fn run(request: &Import, mut notes: impl Write) -> anyhow::Result<()> {
    let mut recordings: BTreeMap<Feed, Making> = BTreeMap::new();
    let mut unclaimed = 0_u64;
    for path in &request.files {
        let packets = file::open(path, &request.cutting)?;
        packets.datagrams(&mut notes, &mut |datagram| {
            let feed = datagram.feed.or_else(|| feed::recognise(datagram.bytes).ok().map(|known| known.feed));
            let Some(feed) = feed else {
                unclaimed += 1;
                return Ok(());
            };
            let making = match recordings.entry(feed) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(Making::begin(feed, path, request, datagram.at)?),
            };
            making.take(&Datagram { feed: Some(feed), ..*datagram })
        })?;
    }
    if unclaimed > 0 {
        writeln!(notes, "left out, being no known game's: {unclaimed} packets")?;
    }
    if recordings.is_empty() {
        bail!("nothing to record: no packet of a known game is in what was given");
    }
    for making in recordings.into_values() {
        making.finish(&mut notes)?;
    }
    Ok(())
}

/// A recording that is being made.
struct Making {
    path: PathBuf,
    out: BufWriter<File>,
    writer: Writer,
    receiver: Receiver,
    follower: Follower,
    second: u64,
    now: Micros,
    packets: u64,
}

impl Making {
    fn begin(feed: Feed, from: &Path, request: &Import, at: Micros) -> io::Result<Self> {
        let (path, file) = create(feed, from, request)?;
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(io::Error::other)?;
        let info = Info {
            id: RecordingId(u128::from_le_bytes(id)),
            parent: None,
            created: at,
            feed: feed.id().to_owned(),
            program: concat!("trailbrake ", env!("CARGO_PKG_VERSION")).to_owned(),
            others_left_out: false,
        };
        Ok(Self {
            path,
            out: BufWriter::new(file),
            writer: Writer::new(&info),
            receiver: Receiver::default(),
            follower: Follower::default(),
            second: at.0 / 1_000_000,
            now: at,
            packets: 0,
        })
    }

    fn take(&mut self, datagram: &Datagram<'_>) -> io::Result<()> {
        let silent = datagram.at.0.saturating_sub(self.now.0);
        if silent > SILENCE_US {
            self.follower.silence(datagram.at, silent);
        }
        self.now = datagram.at;
        let second = datagram.at.0 / 1_000_000;
        if second != self.second {
            self.second = second;
            self.writer.end_second();
        }
        self.writer.take(datagram);
        self.packets += 1;
        let follower = &mut self.follower;
        // What is not understood is kept all the same: a later version may know better.
        let _ = self.receiver.overhear(datagram, &mut |event| follower.hear(event));
        if let Some(session) = self.receiver.session() {
            self.follower.look(session, datagram.at);
        }
        let waiting = self.writer.bytes();
        self.out.write_all(&waiting)
    }

    /// Writes what was learnt of the packets, and ends the file.
    fn finish(mut self, notes: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(session) = self.receiver.session() {
            self.writer.write_last(self.now, &Follower::told(session));
        }
        self.writer.write_last(self.now, &self.follower.laps());
        let timeline: &Timeline = self.follower.timeline();
        self.writer.write_last(self.now, timeline);
        let laps = self.follower.laps().laps.len();
        self.out.write_all(&self.writer.finish())?;
        self.out.flush()?;
        writeln!(notes, "written: {} ({} packets, {laps} laps)", self.path.display(), self.packets)?;
        Ok(())
    }
}

/// A new file: the one that is asked for, else one named after the first file that holds the feed. None is written over.
fn create(feed: Feed, from: &Path, request: &Import) -> io::Result<(PathBuf, File)> {
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    let usual = || PathBuf::from(format!("{stem}_{}.trailbrake.mcap", feed.id()));
    let path = request.out.clone().unwrap_or_else(usual);
    match File::create_new(&path) {
        Ok(file) => Ok((path, file)),
        Err(error) => {
            Err(io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display())))
        }
    }
}
