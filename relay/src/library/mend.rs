//! A recording that was broken off or is damaged, as far as it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use trailbrake_shared::recording::{
    Entry, Facts, Gap, LapTable, Reading, Recording, Relearning, Rewriting, Scan, Scanned, Tail,
};

use super::source::{CannotOpen, Source};
use super::{Library, Refused};

/// How the name of a damaged recording goes on once another has its place.
const BROKEN: &str = ".broken";
/// How the name of the new one goes on until it is on the disk.
const MENDING: &str = ".mending";
/// So many names are tried for the damaged one.
const MOST_BROKEN: u32 = 1000;

/// What was found of a recording, and what makes it a whole one.
pub(crate) struct Mended {
    /// The recording, with an index of everything that can be read.
    pub(crate) recording: Recording,
    /// Its facts, as far as its packets tell them.
    pub(crate) facts: Facts,
    /// How many places are damaged.
    pub(crate) damaged: u64,
    /// The packets that are missing.
    pub(crate) gaps: Vec<Gap>,
}

impl Source {
    /// Searches the file for what is whole, and learns from the packets what they tell; `None` when there is nothing.
    /// `facts` are those of its end, where that is whole: they were learnt when nothing was missing yet. What is given to
    /// `reached` is how far it has come, 0 to 1.
    pub(crate) fn mend(
        &mut self,
        facts: Option<&Facts>,
        reached: &mut dyn FnMut(f64),
    ) -> io::Result<Option<Mended>> {
        let mut scan = Scan::new(self.len());
        while let Some(range) = scan.needs() {
            self.give(&mut scan, range)?;
            reached(scan.progress() / 2.0);
        }
        let Ok(Scanned { recording, damaged }) = scan.finish() else { return Ok(None) };
        let mut relearning = Relearning::new(&recording);
        while let Some(range) = relearning.needs() {
            self.give(&mut relearning, range)?;
            reached(0.5 + relearning.progress() / 2.0);
        }
        let gaps = relearning.packets().gaps().to_vec();
        let facts = facts.cloned().unwrap_or_else(|| relearning.finish());
        Ok(Some(Mended { recording, facts, damaged, gaps }))
    }
}

impl Mended {
    /// The end with which the file is a whole recording. What is damaged in front of it stays, and is passed over.
    pub(crate) fn tail(&self) -> Tail {
        Tail::with(&self.recording, &self.facts)
    }

    /// Its laps.
    pub(crate) fn laps(&self) -> LapTable {
        self.facts.get().ok().flatten().unwrap_or_default()
    }

    /// Writes what is whole into a file that is not there yet: where only the end is missing, everything in front of it
    /// as it stands.
    pub(crate) fn write(&self, source: &mut Source, new: &Path) -> io::Result<()> {
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

    /// Puts what is whole into the place of the damaged file, under this name; where the damaged one is from now on.
    pub(crate) fn replace(&self, source: &mut Source, damaged: &Path, whole: &Path) -> io::Result<PathBuf> {
        let mending = with_ending(damaged, MENDING);
        self.write(source, &mending).inspect_err(|_| drop(fs::remove_file(&mending)))?;
        let broken = free(&with_ending(whole, BROKEN)).ok_or(io::ErrorKind::AlreadyExists)?;
        fs::rename(damaged, &broken)?;
        fs::rename(&mending, whole)?;
        Ok(broken)
    }
}

impl Library {
    /// Makes a damaged file whole, by its name; it stays as it was beside the new one.
    pub(crate) fn mend(&self, file: &str) -> Result<Entry, Refused> {
        let disk = |error: io::Error| Refused::disk(self.folder(), &error);
        let _alone = self.changing.lock();
        // Only what the list shows: no name leads out of the folder.
        let listed = || self.list().recordings.into_iter().find(|entry| entry.file == file);
        listed().ok_or(Refused::NotThere)?;
        let path = self.folder().join(file);
        let mut source = Source::open(&path).map_err(disk)?;
        let why = match source.recording() {
            Ok(_) => return Err(Refused::Conflict("it needs no repair: it can be opened".into())),
            Err(CannotOpen::File(error)) => return Err(disk(error)),
            Err(CannotOpen::Content(why)) => why,
        };
        let mended = source.mend(None, &mut |_| {}).map_err(disk)?;
        let mended = mended
            .ok_or_else(|| Refused::Unreadable(format!("nothing in it can be read as a recording: {why}")))?;
        mended.replace(&mut source, &path, &path).map_err(disk)?;
        listed().ok_or(Refused::NotThere)
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A name that no file has: this one, or the same with a number.
fn free(path: &Path) -> Option<PathBuf> {
    let numbered = (2..MOST_BROKEN).map(|number| with_ending(path, &format!("-{number}")));
    std::iter::once(path.to_owned()).chain(numbered).find(|name| !name.exists())
}
