//! Reads what is left of a recording that was broken off or damaged.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use trailbrake_shared::recording::{
    Facts, Gap, LapTable, Reading, Recording, Reindexer, Rewriting, Scan, ScannedRecording, Tail,
};

use super::recording_file::RecordingFile;

/// What is left of a recording, and the end that makes it complete.
pub(crate) struct Salvage {
    /// The recording, with an index of everything that can be read.
    pub(crate) recording: Recording,
    /// Its facts, as far as its packets give them.
    pub(crate) facts: Facts,
    /// How many packets can be read.
    pub(super) packets: u64,
    /// How many places are damaged.
    pub(crate) damaged: u64,
    /// Whether it lacked its end, and with it whatever stood behind the last whole second.
    pub(super) endless: bool,
    /// The packets that are missing.
    pub(crate) gaps: Vec<Gap>,
}

impl RecordingFile {
    /// Searches the file for what is whole, and learns from the packets what they tell; `None` when there is nothing.
    /// `facts` are those of its end, where that is whole: they were learnt when nothing was missing yet. What is given to
    /// `reached` is how far it has come, 0 to 1.
    pub(crate) fn salvage(
        &mut self,
        facts: Option<&Facts>,
        reached: &mut dyn FnMut(f64),
    ) -> io::Result<Option<Salvage>> {
        let mut scan = Scan::new(self.len());
        while let Some(range) = scan.needs() {
            self.give(&mut scan, range)?;
            reached(scan.progress() / 2.0);
        }
        let Ok(ScannedRecording { recording, damaged }) = scan.finish() else { return Ok(None) };
        let mut relearning = Reindexer::new(&recording);
        while let Some(range) = relearning.needs() {
            self.give(&mut relearning, range)?;
            reached(0.5 + relearning.progress() / 2.0);
        }
        let (packets, gaps) = (relearning.heard(), relearning.packets().gaps().to_vec());
        let endless = facts.is_none();
        let facts = facts.cloned().unwrap_or_else(|| relearning.finish());
        Ok(Some(Salvage { recording, facts, packets, damaged, endless, gaps }))
    }
}

impl Salvage {
    /// The end with which the file is a whole recording. What is damaged in front of it stays, and is passed over.
    pub(crate) fn tail(&self) -> Tail {
        Tail::with(&self.recording, &self.facts)
    }

    /// Its laps.
    pub(crate) fn laps(&self) -> LapTable {
        self.facts.get().ok().flatten().unwrap_or_default()
    }

    /// Writes what is whole into a file that is not there yet: where only the end is missing, everything in front of it
    /// as it is.
    pub(crate) fn write(&self, source: &mut RecordingFile, new: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create_new(new)?);
        if self.gaps.is_empty() {
            let tail = self.tail();
            source.copy_to(tail.from, &mut out)?;
            out.write_all(&tail.bytes)?;
        } else {
            let mut rewriting = Rewriting::new(&self.recording, &self.facts);
            while let Some(range) = rewriting.needs() {
                source.give(&mut rewriting, range)?;
                out.write_all(&rewriting.bytes())?;
            }
            out.write_all(&rewriting.finish())?;
        }
        out.into_inner()?.sync_all()
    }
}
