//! A recording that was broken off or is damaged, as far as it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use trailbrake_shared::library::Repaired;
use trailbrake_shared::recording::{
    Facts, Gap, LapTable, Reading, Recording, Relearning, Rewriting, Scan, Scanned, Tail,
};

use super::lost::Lost;
use super::source::{CannotOpen, Source};
use super::start::own_name;
use super::{Library, Refused, names};

/// How the name of a damaged recording goes on once another has its place.
const BROKEN: &str = ".broken";
/// So many names are tried for the damaged one.
const MOST_BROKEN: u32 = 1000;

/// What was found of a recording, and what makes it a whole one.
pub(crate) struct Mended {
    /// The recording, with an index of everything that can be read.
    pub(crate) recording: Recording,
    /// Its facts, as far as its packets tell them.
    pub(crate) facts: Facts,
    /// How many packets can be read.
    packets: u64,
    /// How many places are damaged.
    pub(crate) damaged: u64,
    /// Whether it lacked its end, and with it whatever stood behind the last whole second.
    pub(super) endless: bool,
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
        let (packets, gaps) = (relearning.heard(), relearning.packets().gaps().to_vec());
        let endless = facts.is_none();
        let facts = facts.cloned().unwrap_or_else(|| relearning.finish());
        Ok(Some(Mended { recording, facts, packets, damaged, endless, gaps }))
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
        finish(damaged)?;
        let mending = with_ending(damaged, names::MENDING);
        self.write(source, &mending).inspect_err(|_| drop(fs::remove_file(&mending)))?;
        let broken = free(&with_ending(whole, BROKEN)).ok_or(io::ErrorKind::AlreadyExists)?;
        fs::rename(damaged, &broken)?;
        fs::rename(&mending, whole)?;
        Ok(broken)
    }
}

impl Library {
    /// Makes a damaged file whole, by its name; it stays as it was beside the new one.
    pub(crate) fn mend(&self, file: &str) -> Result<Repaired, Refused> {
        let disk = |error: io::Error| Refused::disk(self.folder(), &error);
        let _alone = self.changing.lock();
        self.listed(file)?;
        let path = self.folder().join(file);
        let mut source = Source::open(&path).map_err(disk)?;
        match source.recording() {
            Ok(_) => return Err(Refused::Conflict("it needs no repair: it can be opened".into())),
            Err(CannotOpen::File(error)) => return Err(disk(error)),
            Err(CannotOpen::Content(_)) => {}
        }
        let mended = source.mend(None, &mut |_| {}).map_err(disk)?;
        let mended = mended.ok_or_else(|| {
            Refused::Unreadable("nothing in it can be read as a recording: it stays as it is".into())
        })?;
        let kept = mended.replace(&mut source, &path, &path).map_err(disk)?;
        let lost = Lost::of(&mended);
        Ok(Repaired {
            entry: self.listed(file)?,
            packets: mended.packets,
            gaps: lost.gaps(),
            lost: lost.to_string(),
            kept: names::of(&kept).to_owned(),
        })
    }
}

/// Settles what a kill left of a repair: where the damaged file has made way already, the new one takes its place; before
/// that it need not be whole, and goes. Gives the new one where it has its place only now.
pub(crate) fn finish(damaged: &Path) -> io::Result<Option<PathBuf>> {
    let mending = with_ending(damaged, names::MENDING);
    if !mending.exists() {
        return Ok(None);
    }
    if damaged.exists() {
        return fs::remove_file(mending).map(|()| None);
    }
    let name = names::of(damaged);
    let name = match name.strip_suffix(names::PART) {
        Some(part) => own_name(&mending)?.unwrap_or_else(|| part.to_owned()),
        None => name.to_owned(),
    };
    let folder = damaged.parent().unwrap_or(Path::new("."));
    names::carry(&mending, folder, &name).map(Some)
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
