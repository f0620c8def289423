//! Writes a recording of packets received earlier.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{
    Facts, Info, MergedNotes, RecordingBuilder, RecordingEnd, RecordingId, UNCLAIMED,
};
use trailbrake_shared::wire::Datagram;

use crate::unfinished::NewFile;
use crate::version::PROGRAM;

/// A recording being written.
pub(crate) struct NewRecording {
    path: PathBuf,
    new: NewFile,
    /// The sender of the first packet.
    sender: SocketAddr,
    out: BufWriter<File>,
    builder: RecordingBuilder,
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
        let (new, file) = NewFile::create_new(path).map_err(named)?;
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(io::Error::other)?;
        let info = Info {
            id: RecordingId(u128::from_le_bytes(id)),
            parent: from.and_then(|from| from.parent),
            created: at,
            feed: feed.map_or(UNCLAIMED, Feed::id).to_owned(),
            program: PROGRAM.to_owned(),
            others_left_out: from.is_some_and(|from| from.others_left_out),
        };
        Ok(Self {
            path: path.to_owned(),
            new,
            sender: first.sender,
            out: BufWriter::new(file),
            builder: RecordingBuilder::new(&info),
        })
    }

    /// The sender of the first packet.
    pub(crate) fn sender(&self) -> SocketAddr {
        self.sender
    }

    /// Takes the next packet.
    pub(crate) fn take(&mut self, datagram: &Datagram<'_>) -> io::Result<()> {
        self.builder.take(datagram);
        self.out.write_all(&self.builder.bytes())
    }

    /// Keeps labels and notes of a source recording: all notes and tags, and the first name. Returns what that changed
    /// among the notes.
    pub(crate) fn keep(&mut self, facts: &Facts) -> MergedNotes {
        self.builder.keep(facts)
    }

    /// Writes the facts learnt from the packets, and ends the file.
    pub(crate) fn finish(mut self, notes: &mut dyn Write) -> anyhow::Result<()> {
        let RecordingEnd { bytes, packets, laps } = self.builder.finish();
        self.out.write_all(&bytes)?;
        self.out.flush()?;
        drop(self.out);
        self.new.finish()?;
        writeln!(notes, "written: {} ({packets} packets, {laps} laps)", self.path.display())?;
        Ok(())
    }
}
