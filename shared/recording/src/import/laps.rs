//! Files of laps. They hold channels, from which packets are made.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};

use thiserror::Error;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;

use super::{FileKind, ImportedRecording, garage61, ibt, info};
use crate::RecordingBuilder;
use crate::export::motec::NoLap;
use crate::export::{ImportedLaps, LapPackets, TakePacket, csv, motec};

/// How many rows of a table are read or recorded in a step.
const ROWS: usize = 500;
/// How many bytes of a telemetry file are read in a step.
const PIECE: usize = 1 << 18;

/// The laps of a file.
pub struct LapsFile {
    laps: ImportedLaps,
    /// Distinguishes its laps from those of another file.
    session: u32,
    /// When the file was written, for laps without a time of their own.
    written: Micros,
}

/// A telemetry file of iRacing that is read piece by piece: an hour of it is larger than what a page should hold.
pub struct IbtImport {
    reader: ibt::IbtReader,
    session: u32,
    written: Micros,
}

impl IbtImport {
    /// Begins to read a file that was written at a time.
    pub fn begin(written: Micros) -> Self {
        Self { reader: ibt::IbtReader::default(), session: HASH_OF_NOTHING, written }
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        self.session = hash(self.session, bytes);
        Ok(self.reader.push(bytes)?)
    }

    /// The laps of the file.
    pub fn finish(self) -> Result<LapsFile, ImportError> {
        Ok(LapsFile { laps: self.reader.finish()?, session: self.session, written: self.written })
    }
}

/// Why a file of laps can't be read.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file is none of laps.
    #[error("it is no file of laps")]
    OtherKind,
    /// The log has no laps.
    #[error(transparent)]
    Motec(#[from] NoLap),
    /// The telemetry file has no laps, or is none.
    #[error(transparent)]
    Iracing(#[from] ibt::NotIbt),
    /// The table is no text.
    #[error("it is no text in UTF-8")]
    NoText,
    /// The table is not one of ours.
    #[error(transparent)]
    Table(#[from] csv::NotOurs),
    /// The table is none of a lap of Garage 61.
    #[error(transparent)]
    Garage61(#[from] garage61::NotGarage61),
}

impl LapsFile {
    /// Reads a file of a kind that holds laps; `ldx` is the file beside a MoTeC log that marks its laps.
    pub fn read(
        kind: FileKind,
        bytes: &[u8],
        ldx: Option<&str>,
        written: Micros,
    ) -> Result<Self, ImportError> {
        LapsReading::begin(kind, bytes, ldx, written)?.finish()
    }

    /// Passes each packet with its receive time to `take`.
    pub fn packets<E>(&self, take: &mut TakePacket<'_, E>) -> Result<(), E> {
        self.laps.packets(self.session, self.written).rest(take)
    }

    /// What the driver should know about the laps, as part of a sentence.
    pub fn note(&self) -> Option<&'static str> {
        self.laps.note
    }

    /// A recording of its packets, which is made in steps. `program` is the name of the importing program.
    pub fn recording<'a>(&'a self, program: &'a str) -> LapsRecording<'a> {
        let packets = self.laps.packets(self.session, self.written);
        LapsRecording { rows: packets.rows_left(), packets, program, made: None }
    }
}

/// A recording that is made of a file's laps, some rows at a time.
pub struct LapsRecording<'a> {
    packets: LapPackets<'a>,
    /// How many rows there are.
    rows: usize,
    program: &'a str,
    made: Option<(RecordingBuilder, Vec<u8>)>,
}

impl LapsRecording<'_> {
    /// Adds some rows. Returns the share that is done, or `None` if there are no more rows.
    pub fn step(&mut self) -> Option<f64> {
        let Self { packets, program, made, .. } = self;
        let sender = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        for _ in 0..packets.rows_left().min(ROWS) {
            let added: Result<(), Infallible> = packets.row(&mut |at, bytes| {
                let datagram = Datagram { at, sender, port: 0, feed: Some(ImportedLaps::FEED), bytes };
                let begin =
                    || (RecordingBuilder::new(&info(ImportedLaps::FEED, &datagram, program)), Vec::new());
                let (builder, written) = made.get_or_insert_with(begin);
                builder.take(&datagram);
                written.extend(builder.bytes());
                Ok(())
            });
            let Ok(()) = added;
        }
        let left = packets.rows_left();
        (left > 0).then(|| 1.0 - left as f64 / self.rows as f64)
    }

    /// The recording; `None` if there are no packets.
    pub fn finish(mut self) -> Option<ImportedRecording> {
        while self.step().is_some() {}
        let (builder, mut bytes) = self.made?;
        let end = builder.finish();
        bytes.extend(end.bytes);
        Some(ImportedRecording { feed: ImportedLaps::FEED, packets: end.packets, laps: end.laps, bytes })
    }
}

/// A file of laps that is read in steps.
pub struct LapsReading<'a> {
    bytes: &'a [u8],
    written: Micros,
    content: Content<'a>,
}

enum Content<'a> {
    /// A MoTeC log is read at once: its channels stand one behind the other.
    Motec(ImportedLaps),
    Table(csv::Reading<'a>),
    Garage61(garage61::Reading<'a>),
    /// A telemetry file, and what is not read of it yet.
    Iracing(Box<IbtImport>, &'a [u8]),
}

impl<'a> LapsReading<'a> {
    /// Begins to read a file of a kind that holds laps; `ldx` is the file beside a MoTeC log that marks its laps.
    pub fn begin(
        kind: FileKind,
        bytes: &'a [u8],
        ldx: Option<&str>,
        written: Micros,
    ) -> Result<Self, ImportError> {
        let content = match kind {
            FileKind::MotecLog => Content::Motec(motec::import(bytes, ldx)?),
            FileKind::IracingLog => Content::Iracing(Box::new(IbtImport::begin(written)), bytes),
            FileKind::LapTable => {
                let text = std::str::from_utf8(bytes).map_err(|_| ImportError::NoText)?;
                match garage61::has_heading(text) {
                    true => Content::Garage61(garage61::Reading::begin(text)?),
                    false => Content::Table(csv::Reading::begin(text)?),
                }
            }
            FileKind::Recording | FileKind::Capture => return Err(ImportError::OtherKind),
        };
        Ok(Self { bytes, written, content })
    }

    /// Reads some rows. Returns the share that is done, or `None` if there are no more rows.
    pub fn step(&mut self) -> Result<Option<f64>, ImportError> {
        let bytes_left = match &mut self.content {
            Content::Motec(_) => 0,
            Content::Table(table) => {
                for _ in 0..ROWS {
                    if table.bytes_left() > 0 {
                        table.row()?;
                    }
                }
                table.bytes_left()
            }
            Content::Garage61(table) => {
                for _ in 0..ROWS {
                    if table.bytes_left() > 0 {
                        table.row()?;
                    }
                }
                table.bytes_left()
            }
            Content::Iracing(import, rest) => {
                let (piece, behind) = rest.split_at_checked(PIECE).unwrap_or((rest, &[]));
                *rest = behind;
                import.push(piece)?;
                behind.len()
            }
        };
        Ok((bytes_left > 0).then(|| 1.0 - bytes_left as f64 / self.bytes.len() as f64))
    }

    /// The laps of the file.
    pub fn finish(mut self) -> Result<LapsFile, ImportError> {
        while self.step()?.is_some() {}
        let laps = match self.content {
            Content::Motec(laps) => laps,
            Content::Table(table) => table.finish()?,
            Content::Garage61(table) => table.finish()?,
            Content::Iracing(import, _) => return import.finish(),
        };
        Ok(LapsFile { laps, session: hash(HASH_OF_NOTHING, self.bytes), written: self.written })
    }
}

const HASH_OF_NOTHING: u32 = 0x811c_9dc5;

/// The hash of a content (FNV-1a), from that of what stands before.
fn hash(before: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(before, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
