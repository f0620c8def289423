//! Reads what is left of a broken-off or damaged recording.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use trailbrake_shared::recording::{
    Facts, Gap, LapTable, Reading, Recording, Reindexer, Rewriting, Scan, ScannedRecording, Tail,
};

use super::recording_file::{OpenFailure, RecordingFile};

/// The share of a repair after which the file is scanned, and after which its packets are read.
const SCANNED: f64 = 0.4;
const READ: f64 = 0.8;

/// Receives the progress of long work, 0 to 1. An error ends the work.
pub(crate) type Reached<'a> = &'a mut dyn FnMut(f64) -> io::Result<()>;

/// The readable part of a recording, and the tail that completes it.
pub(crate) struct Salvage {
    /// The recording, with an index of everything readable.
    pub(crate) recording: Recording,
    /// Its facts, as far as its packets give them.
    pub(crate) facts: Facts,
    /// Number of readable packets.
    pub(super) packets: u64,
    /// Number of damaged places.
    pub(crate) damaged: u64,
    /// Whether its tail was missing, and with it everything behind the last whole second.
    pub(super) endless: bool,
    /// The missing packets.
    pub(crate) gaps: Vec<Gap>,
}

impl Salvage {
    /// Searches a file for intact parts, and learns the facts from the packets. `facts` are those of an intact tail:
    /// they were learnt when nothing was missing yet. `reached` receives the progress, 0 to
    /// 0.8 with the writing still to come, and may end the work.
    pub(crate) fn of(
        source: &mut RecordingFile,
        facts: Option<&Facts>,
        reached: Reached<'_>,
    ) -> Result<Self, OpenFailure> {
        let mut scan = Scan::new(source.len());
        while let Some(range) = scan.needs() {
            source.give(&mut scan, range)?;
            reached(scan.progress() * SCANNED)?;
        }
        let ScannedRecording { recording, damaged } = scan.finish().map_err(OpenFailure::Content)?;
        let mut relearning = Reindexer::new(&recording);
        while let Some(range) = relearning.needs() {
            source.give(&mut relearning, range)?;
            reached(SCANNED + relearning.progress() * (READ - SCANNED))?;
        }
        let (packets, gaps) = (relearning.packets_read(), relearning.packets().gaps().to_vec());
        let endless = facts.is_none();
        let facts = facts.cloned().unwrap_or_else(|| relearning.finish());
        Ok(Self { recording, facts, packets, damaged, endless, gaps })
    }

    /// The tail that makes the file a complete recording. Damaged places before it stay and are skipped.
    pub(crate) fn tail(&self) -> Tail {
        Tail::with(&self.recording, &self.facts)
    }

    pub(crate) fn laps(&self) -> LapTable {
        self.facts.get().ok().flatten().unwrap_or_default()
    }

    /// Writes the readable part. If only the tail is missing, everything before it is copied as it is. `reached` receives
    /// the progress, 0.8 to 1, and may end the work.
    pub(crate) fn write(
        &self,
        source: &mut RecordingFile,
        new: File,
        reached: Reached<'_>,
    ) -> io::Result<()> {
        let mut out = BufWriter::new(new);
        let mut written = |share: f64| reached(READ + share * (1.0 - READ));
        if self.gaps.is_empty() {
            let tail = self.tail();
            source.copy_to(tail.from, &mut out, &mut written)?;
            out.write_all(&tail.bytes)?;
        } else {
            let mut rewriting = Rewriting::new(&self.recording, &self.facts);
            while let Some(range) = rewriting.needs() {
                written(range.start as f64 / source.len().max(1) as f64)?;
                source.give(&mut rewriting, range)?;
                out.write_all(&rewriting.bytes())?;
            }
            out.write_all(&rewriting.finish())?;
        }
        out.into_inner()?.sync_all()
    }
}
