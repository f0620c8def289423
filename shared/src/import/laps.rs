//! Files of laps. They hold channels, from which packets are made.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};

use thiserror::Error;

use super::{FileKind, ImportedRecording, info};
use crate::export::motec::NoLap;
use crate::export::{ImportedLaps, TakePacket, csv, motec};
use crate::feed::Feed;
use crate::recording::RecordingBuilder;
use crate::time::Micros;
use crate::wire::Datagram;

/// The laps of a file.
pub struct LapsFile {
    laps: ImportedLaps,
    /// Distinguishes its laps from those of another file.
    session: u32,
    /// When the file was written, for laps without a time of their own.
    written: Micros,
}

/// Why a file of laps can't be read.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file is none of laps.
    #[error("it is neither a MoTeC log nor a table of laps")]
    OtherKind,
    /// The log has no laps.
    #[error(transparent)]
    Motec(#[from] NoLap),
    /// The table is no text.
    #[error("it is no text in UTF-8")]
    NoText,
    /// The table is not one of ours.
    #[error(transparent)]
    Table(#[from] csv::NotOurs),
}

impl LapsFile {
    /// Reads a file of a kind that holds laps; `ldx` is the file beside a MoTeC log that marks its laps.
    pub fn read(
        kind: FileKind,
        bytes: &[u8],
        ldx: Option<&str>,
        written: Micros,
    ) -> Result<Self, ImportError> {
        let laps = match kind {
            FileKind::MotecLog => motec::import(bytes, ldx)?,
            FileKind::LapTable => csv::read(std::str::from_utf8(bytes).map_err(|_| ImportError::NoText)?)?,
            FileKind::Recording | FileKind::Capture => return Err(ImportError::OtherKind),
        };
        Ok(Self { laps, session: hash(bytes), written })
    }

    /// Passes each packet with its receive time to `take`.
    pub fn packets<E>(&self, take: &mut TakePacket<'_, E>) -> Result<(), E> {
        self.laps.packets(self.session, self.written, take)
    }

    /// Whether the distance of a lap was not logged and is integrated from the speed.
    pub fn has_distance_from_speed(&self) -> bool {
        self.laps.laps.iter().any(|lap| lap.distance_from_speed)
    }

    /// A recording of its packets; `None` if there are none. `program` is the name of the importing program.
    pub fn recording(&self, program: &str) -> Option<ImportedRecording> {
        let mut import = LapsImport::begin(self, program);
        while import.step(usize::MAX) {}
        import.finish()
    }
}

/// A file of laps that becomes a recording step by step, so that a page goes on drawing meanwhile.
pub struct LapsImport {
    left: VecDeque<(Micros, Vec<u8>)>,
    all: usize,
    program: String,
    recording: Option<(RecordingBuilder, Vec<u8>)>,
}

impl LapsImport {
    /// Begins with all laps of a file. `program` is the name of the importing program.
    pub fn begin(laps: &LapsFile, program: &str) -> Self {
        let mut left = VecDeque::new();
        let packets: Result<(), Infallible> = laps.packets(&mut |at, bytes| {
            left.push_back((at, bytes.to_vec()));
            Ok(())
        });
        let Ok(()) = packets;
        Self { all: left.len(), left, program: program.to_owned(), recording: None }
    }

    /// Records so many more packets; whether there are others.
    pub fn step(&mut self, most: usize) -> bool {
        let sender = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        for (at, bytes) in self.left.drain(..most.min(self.left.len())) {
            let datagram = Datagram { at, sender, port: 0, feed: Some(Feed::ImportedLaps), bytes: &bytes };
            let program = &self.program;
            let begin = || (RecordingBuilder::new(&info(Feed::ImportedLaps, &datagram, program)), Vec::new());
            let (builder, written) = self.recording.get_or_insert_with(begin);
            builder.take(&datagram);
            written.extend(builder.bytes());
        }
        !self.left.is_empty()
    }

    /// Progress, 0 to 1.
    pub fn progress(&self) -> f64 {
        1.0 - self.left.len() as f64 / self.all.max(1) as f64
    }

    /// The recording, once every packet is recorded; `None` if there is none.
    pub fn finish(self) -> Option<ImportedRecording> {
        let (builder, mut bytes) = self.recording?;
        let end = builder.finish();
        bytes.extend(end.bytes);
        Some(ImportedRecording { feed: Feed::ImportedLaps, packets: end.packets, laps: end.laps, bytes })
    }
}

/// A hash of the content (FNV-1a).
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
