//! Files of laps. They hold channels, from which packets are made.

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
        let mut recording: Option<(RecordingBuilder, Vec<u8>)> = None;
        let sender = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let packets: Result<(), Infallible> = self.packets(&mut |at, bytes| {
            let datagram = Datagram { at, sender, port: 0, feed: Some(Feed::ImportedLaps), bytes };
            let begin = || (RecordingBuilder::new(&info(Feed::ImportedLaps, &datagram, program)), Vec::new());
            let (builder, written) = recording.get_or_insert_with(begin);
            builder.take(&datagram);
            written.extend(builder.bytes());
            Ok(())
        });
        let Ok(()) = packets;
        let (builder, mut bytes) = recording?;
        let end = builder.finish();
        bytes.extend(end.bytes);
        Some(ImportedRecording { feed: Feed::ImportedLaps, packets: end.packets, laps: end.laps, bytes })
    }
}

/// A hash of the content (FNV-1a).
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
