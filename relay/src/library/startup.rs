//! Completes at the start what a kill, a crash or a power cut left unfinished.

use std::fs;
use std::io;
use std::path::PathBuf;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::Recording;
use trailbrake_shared::recording::recorder::Policy;
use trailbrake_shared::time::Micros;

use super::folder_lock::OwnedFolder;
use super::recording_file::{OpenFailure, RecordingFile};
use super::recording_name::name;
use super::recordings::Library;
use super::salvage::Salvage;
use super::{bin, file_names, journal, replacement};

/// Takes ownership of the folder, and completes what takes no time; `None` when another program records into it.
pub(crate) fn begin(library: &Library, announce: fn(&str, &str)) -> io::Result<Option<OwnedFolder>> {
    let Some(mut own) = OwnedFolder::take(library.folder())? else { return Ok(None) };
    for folder in [library.folder().to_owned(), bin::folder(library)] {
        if folder.exists() {
            for path in journal::finish_all(&folder)? {
                announce("Repaired", &format!("a change to {}", path.display()));
            }
        }
    }
    for entry in fs::read_dir(library.folder())? {
        let path = entry?.path();
        let name = file_names::of(&path);
        if name.ends_with(file_names::ARRIVING) {
            fs::remove_file(&path)?;
        } else if let Some(damaged) = name.strip_suffix(file_names::REPAIR_PART) {
            if let Some(path) = replacement::finish(&library.folder().join(damaged))? {
                announce("Repaired", &path.display().to_string());
            }
        } else if name.ends_with(file_names::PART) {
            own.interrupted.push(path.clone());
        }
    }
    library.take_ownership();
    Ok(Some(own))
}

/// Repairs the recordings an earlier run did not finish. Too short ones are deleted, as usual, unless a longer one
/// of the same game was broken off too: the short one may be its continuation.
pub(crate) fn repair_interrupted(
    library: &Library,
    own: &mut OwnedFolder,
    announce: fn(&str, &str),
) -> io::Result<()> {
    let mut interrupted = Vec::new();
    for path in own.interrupted.drain(..) {
        interrupted.extend(InterruptedRecording::at(path, announce)?);
    }
    let policy = Policy::default();
    let is_short = |one: &InterruptedRecording| policy.is_too_short(one.seconds);
    for one in &interrupted {
        let beside = || interrupted.iter().any(|other| other.feed == one.feed && !is_short(other));
        if is_short(one) && !beside() {
            fs::remove_file(&one.path)?;
            continue;
        }
        let path = file_names::carry(&one.path, library.folder(), &one.name)?;
        let lost = match one.damaged {
            0 => String::new(),
            damaged => format!(", without {damaged} blocks that are damaged"),
        };
        announce("Repaired", &format!("{}{lost}", path.display()));
    }
    Ok(())
}

/// A broken-off recording that is complete again.
struct InterruptedRecording {
    path: PathBuf,
    /// Its final name.
    name: String,
    feed: String,
    seconds: f64,
    damaged: u64,
}

impl InterruptedRecording {
    /// Completes a file; `None` where nothing had been written yet, in which case the file is removed, or where another
    /// version of the program wrote it, in which case it is left as it is.
    fn at(path: PathBuf, announce: fn(&str, &str)) -> io::Result<Option<Self>> {
        let mut source = RecordingFile::open(&path)?;
        let (recording, facts, damaged, tail) = match source.recording() {
            // The kill came between the last byte and the renaming.
            Ok(recording) => (recording.clone(), recording.facts().clone(), 0, None),
            Err(OpenFailure::File(error)) => return Err(error),
            Err(OpenFailure::Content(_)) => {
                let salvage = match Salvage::of(&mut source, None, &mut |_| Ok(())) {
                    Ok(salvage) => salvage,
                    Err(OpenFailure::File(error)) => return Err(error),
                    Err(OpenFailure::Content(why)) if why.is_of_another_version() => {
                        announce("Left as it is", &format!("{}: {why}", path.display()));
                        return Ok(None);
                    }
                    Err(OpenFailure::Content(_)) => return fs::remove_file(path).map(|()| None),
                };
                let tail = salvage.tail();
                (salvage.recording, salvage.facts, salvage.damaged, Some(tail))
            }
        };
        let seconds = seconds(&recording, &mut source)?;
        drop(source);
        if let Some(tail) = &tail {
            journal::write(&path, tail)?;
        }
        let (name, feed) = (name(&recording, &facts), Feed::current_id(&recording.info().feed).to_owned());
        Ok(Some(Self { path, name, feed, seconds, damaged }))
    }
}

/// Seconds from a recording's first packet to its last.
fn seconds(recording: &Recording, source: &mut RecordingFile) -> io::Result<f64> {
    let Some(time) = recording.time() else { return Ok(0.0) };
    // The index has the start of the last second.
    let mut last = recording.packets(time.end..Micros(u64::MAX));
    source.feed(&mut last)?;
    let end = last.take().last().map_or(time.end, |packet| packet.at);
    Ok(end.seconds_since(time.start))
}
