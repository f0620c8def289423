//! Writes a recording of packets received earlier.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::recording::{Facts, Follower, Info, RecordingId, Timeline, UNCLAIMED, Writer, notes};
use trailbrake_shared::session::{Receiver, Retention, SessionSummary};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// A silence this long is marked in a recording.
const SILENCE_US: u64 = 2_000_000;

/// A recording being written.
pub(crate) struct NewRecording {
    path: PathBuf,
    /// The sender of the first packet.
    sender: SocketAddr,
    out: BufWriter<File>,
    writer: Writer,
    receiver: Receiver,
    follower: Follower,
    second: u64,
    now: Micros,
    packets: u64,
    /// Labels and notes of the source recordings.
    kept: Facts,
}

impl NewRecording {
    /// Begins a recording of a feed, or of packets no feed claims, in a new file, with its first packet. It overwrites
    /// no file. The origin of a source recording is carried over.
    pub(crate) fn begin(
        feed: Option<Feed>,
        path: &Path,
        from: Option<&Info>,
        first: &Datagram<'_>,
    ) -> io::Result<Self> {
        let at = first.at;
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display()))
        };
        let file = File::create_new(path).map_err(named)?;
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(io::Error::other)?;
        let info = Info {
            id: RecordingId(u128::from_le_bytes(id)),
            parent: from.and_then(|from| from.parent),
            created: at,
            feed: feed.map_or(UNCLAIMED, Feed::id).to_owned(),
            program: concat!("trailbrake ", env!("CARGO_PKG_VERSION")).to_owned(),
            others_left_out: from.is_some_and(|from| from.others_left_out),
        };
        Ok(Self {
            path: path.to_owned(),
            sender: first.sender,
            out: BufWriter::new(file),
            writer: Writer::new(&info),
            receiver: Receiver::new(Retention { player_bytes: 0, ..Retention::default() }),
            follower: Follower::default(),
            second: at.0 / 1_000_000,
            now: at,
            packets: 0,
            kept: Facts::default(),
        })
    }

    /// The sender of the first packet.
    pub(crate) fn sender(&self) -> SocketAddr {
        self.sender
    }

    /// Takes the next packet.
    pub(crate) fn take(&mut self, datagram: &Datagram<'_>) -> io::Result<()> {
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
        // Rejected packets are kept all the same: a later version may decode them.
        let _ = self.receiver.receive_with(datagram, &mut |event| follower.event(event));
        if let Some(session) = self.receiver.session() {
            self.follower.look(session, datagram.at);
        }
        let waiting = self.writer.bytes();
        self.out.write_all(&waiting)
    }

    /// Keeps labels and notes of a source recording: all notes and tags, and the first name.
    pub(crate) fn keep(&mut self, facts: &Facts) {
        self.kept = notes::together(&self.kept, facts);
        // What can't be read is of no use in the new recording either.
        let labels = |facts: &Facts| facts.get::<Labels>().ok().flatten();
        let Some(theirs) = labels(facts) else { return };
        let mut own = labels(&self.kept).unwrap_or_default();
        own.name = own.name.or(theirs.name);
        for tag in theirs.tags {
            if !own.tags.contains(&tag) {
                own.tags.push(tag);
            }
        }
        self.kept.put(self.now, &own);
    }

    /// Writes the facts learnt from the packets, and ends the file.
    pub(crate) fn finish(mut self, said: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(session) = self.receiver.session() {
            self.writer.write_last(self.now, &SessionSummary::of(session));
        }
        let table = self.follower.ended_laps();
        self.writer.write_last(self.now, &table);
        let timeline: &Timeline = self.follower.timeline();
        self.writer.write_last(self.now, timeline);
        self.writer.write_last(self.now, &self.follower.events());
        self.writer.write_all_last(&self.kept);
        let laps = table.laps.len();
        self.out.write_all(&self.writer.finish())?;
        self.out.flush()?;
        writeln!(said, "written: {} ({} packets, {laps} laps)", self.path.display(), self.packets)?;
        Ok(())
    }
}
