//! Files of laps. They hold channels, from which packets are made.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};

use thiserror::Error;
use trailbrake_analysis::laps::LapFlag;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::{LapTime, Micros};

use super::mapped_table::{MappedTable, NotMapped, TableMapping};
use super::{FileKind, ImportedRecording, garage61, ibt, info};
use crate::RecordingBuilder;
use crate::export::motec::NoLap;
use crate::export::{ImportedLaps, LapPackets, TakePacket, csv, motec};

/// How many rows of a table are read or recorded in a step.
const ROWS: usize = 500;
/// How many bytes of a telemetry file are read in a step.
const PIECE: usize = 1 << 18;
/// An official time differs from the computed one by no more than a lost row or two.
const MOST_WRONG_MS: i64 = 200;

/// The laps of a file.
pub struct LapsFile {
    laps: ImportedLaps,
    /// Distinguishes its laps from those of another file.
    session: u32,
    /// When the file was written, for laps without a time of their own.
    written: Micros,
}

/// A file that is read piece by piece: an hour of it is larger than what a page should hold.
pub struct PieceImport {
    reader: PieceReader,
    session: u32,
    written: Micros,
}

enum PieceReader {
    Iracing(Box<ibt::IbtReader>),
    Table(Box<MappedTable>),
}

impl PieceImport {
    /// Begins to read a telemetry file of iRacing that was written at a time.
    pub fn iracing(written: Micros) -> Self {
        let reader = PieceReader::Iracing(Box::default());
        Self { reader, session: HASH_OF_NOTHING, written }
    }

    /// Begins to read a table that was written at a time, as a mapping says.
    pub fn table(mapping: TableMapping, written: Micros) -> Result<Self, ImportError> {
        let session = hash(HASH_OF_NOTHING, mapping.to_json().as_bytes());
        let reader = PieceReader::Table(Box::new(MappedTable::begin(mapping)?));
        Ok(Self { reader, session, written })
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        self.session = hash(self.session, bytes);
        match &mut self.reader {
            PieceReader::Iracing(reader) => reader.push(bytes)?,
            PieceReader::Table(table) => table.push(bytes)?,
        }
        Ok(())
    }

    /// The laps of the file.
    pub fn finish(self) -> Result<LapsFile, ImportError> {
        let laps = match self.reader {
            PieceReader::Iracing(reader) => reader.finish()?,
            PieceReader::Table(table) => table.finish()?,
        };
        Ok(LapsFile { laps, session: self.session, written: self.written })
    }
}

/// Why a lap can't have the official time that a driver gave.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoOfficialTime {
    /// There are several laps, or their times are not computed.
    #[error(
        "an official time is for a file with one lap that has none: this one has official times, or several laps"
    )]
    NotNeeded,
    /// It is too far from what was computed.
    #[error("{given} is not the time of this lap: its rows give {computed}")]
    OtherLap {
        /// The time that the driver gave.
        given: LapTime,
        /// The time that was computed.
        computed: LapTime,
    },
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
    /// The table can't be read as its mapping says.
    #[error(transparent)]
    Mapped(#[from] NotMapped),
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

    /// Gives the official time to a lap that is alone in its file and whose time was computed.
    pub fn set_official_time(&mut self, given: LapTime) -> Result<(), NoOfficialTime> {
        let [lap] = self.laps.laps.as_mut_slice() else { return Err(NoOfficialTime::NotNeeded) };
        let computed =
            lap.time.filter(|_| lap.flags.has(LapFlag::Inferred)).ok_or(NoOfficialTime::NotNeeded)?;
        if given.minus(computed).abs() > MOST_WRONG_MS {
            return Err(NoOfficialTime::OtherLap { given, computed });
        }
        lap.time = Some(given);
        lap.flags = lap.flags.without(LapFlag::Inferred);
        self.laps.note = None;
        Ok(())
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
    Iracing(Box<PieceImport>, &'a [u8]),
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
            FileKind::IracingLog => Content::Iracing(Box::new(PieceImport::iracing(written)), bytes),
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
