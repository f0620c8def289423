//! What is put right when the program starts: whatever a kill, a crash or a power cut left half done.

use std::fs;
use std::io;
use std::path::PathBuf;

use trailbrake_shared::recording::Recording;
use trailbrake_shared::recording::recorder::Policy;
use trailbrake_shared::time::Micros;

use super::folder_lock::Own;
use super::recording_name::name;
use super::recordings::Library;
use super::source::{CannotOpen, Source};
use super::{journal, names, replacement};

impl Library {
    /// Takes the folder for this program, and finishes what takes no time; `None` when another program records into it.
    pub(crate) fn begin(&self, tell: fn(&str, &str)) -> io::Result<Option<Own>> {
        let Some(mut own) = Own::take(self.folder())? else { return Ok(None) };
        for folder in [self.folder().to_owned(), self.bin_folder()] {
            if folder.exists() {
                for path in journal::finish_all(&folder)? {
                    tell("Repaired", &format!("a change to {}", path.display()));
                }
            }
        }
        for entry in fs::read_dir(self.folder())? {
            let path = entry?.path();
            let name = names::of(&path);
            if name.ends_with(names::ARRIVING) {
                fs::remove_file(&path)?;
            } else if let Some(damaged) = name.strip_suffix(names::MENDING) {
                if let Some(path) = replacement::finish(&self.folder().join(damaged))? {
                    tell("Repaired", &path.display().to_string());
                }
            } else if name.ends_with(names::PART) {
                own.broken_off.push(path.clone());
            }
        }
        self.take_ownership();
        Ok(Some(own))
    }

    /// Makes the recordings whole that an earlier run did not finish. What is too short goes, as it does when nothing is
    /// broken off; unless a longer one of the same game was broken off with it, which it may have been about to go on in.
    pub(crate) fn repair(&self, own: &mut Own, tell: fn(&str, &str)) -> io::Result<()> {
        let mut broken_off = Vec::new();
        for path in own.broken_off.drain(..) {
            broken_off.extend(BrokenOff::at(path)?);
        }
        let policy = Policy::default();
        let is_short = |one: &BrokenOff| policy.is_too_short(one.seconds);
        for one in &broken_off {
            let beside = || broken_off.iter().any(|other| other.feed == one.feed && !is_short(other));
            if is_short(one) && !beside() {
                fs::remove_file(&one.path)?;
                continue;
            }
            let path = names::carry(&one.path, self.folder(), &one.name)?;
            let lost = match one.damaged {
                0 => String::new(),
                damaged => format!(", without {damaged} blocks that are damaged"),
            };
            tell("Repaired", &format!("{}{lost}", path.display()));
        }
        Ok(())
    }
}

/// A recording that was broken off, and is whole again.
struct BrokenOff {
    path: PathBuf,
    /// What it is to be called.
    name: String,
    feed: String,
    seconds: f64,
    damaged: u64,
}

impl BrokenOff {
    /// Makes a file whole; `None` where nothing had been written yet, and nothing is left.
    fn at(path: PathBuf) -> io::Result<Option<Self>> {
        let mut source = Source::open(&path)?;
        let (recording, facts, damaged, tail) = match source.recording() {
            // The kill came between the last byte and the name.
            Ok(recording) => (recording.clone(), recording.facts().clone(), 0, None),
            Err(CannotOpen::File(error)) => return Err(error),
            Err(CannotOpen::Content(_)) => {
                let Some(mended) = source.mend(None, &mut |_| {})? else {
                    return fs::remove_file(path).map(|()| None);
                };
                let tail = mended.tail();
                (mended.recording, mended.facts, mended.damaged, Some(tail))
            }
        };
        let seconds = seconds(&recording, &mut source)?;
        drop(source);
        if let Some(tail) = &tail {
            journal::write(&path, tail)?;
        }
        let (name, feed) = (name(&recording, &facts), recording.info().feed.clone());
        Ok(Some(Self { path, name, feed, seconds, damaged }))
    }
}

/// Seconds from a recording's first packet to its last.
fn seconds(recording: &Recording, source: &mut Source) -> io::Result<f64> {
    let Some(time) = recording.time() else { return Ok(0.0) };
    // The index knows when the last second began.
    let mut last = recording.packets(time.end..Micros(u64::MAX));
    source.feed(&mut last)?;
    let end = last.take().last().map_or(time.end, |packet| packet.at);
    Ok(end.seconds_since(time.start))
}
