//! Writes track names into the recordings in a folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use trailbrake_shared::analysis::TrackBook;
use trailbrake_shared::number::count;
use trailbrake_shared::recording::{ENDING, Tail};

use crate::clock::Clock;
use crate::library::track_facts::{is_named_by_game, known_track, track_to_write};
use crate::library::{FolderLock, RecordingFile, journal};

/// Writes the book's track into a file, and into all recordings of a folder whose game does not name the track.
pub(super) fn write_into_recordings(
    folder: &Path,
    file: &Path,
    book: &TrackBook,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(_alone) = FolderLock::with(folder) else {
        writeln!(notes, "left for later: a Trailbrake that runs has the recordings in {}", folder.display())?;
        return Ok(());
    };
    let in_folder = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let recordings = in_folder.filter(|path| path.to_string_lossy().ends_with(ENDING));
    // The given file may have any name.
    let mut paths: Vec<PathBuf> = recordings.chain([file.to_owned()]).collect();
    paths.sort();
    paths.dedup();
    let mut written = 0;
    for path in paths {
        match write(&path, book, path == file) {
            Ok(has_name) => written += u64::from(has_name),
            // Recordings that can't be opened are the library's concern.
            Err(why) => tracing::debug!("{}: {why:#}", path.display()),
        }
    }
    if written > 0 {
        writeln!(notes, "updated: {} of the track", count(written, "recording", "recordings"))?;
    }
    Ok(())
}

/// Writes its track into a recording, unless its game has a name for it; whether the track has a name. The file that the
/// command line names is `meant`, and is written in any case.
fn write(path: &Path, book: &TrackBook, meant: bool) -> anyhow::Result<bool> {
    let mut source = RecordingFile::open(path)?;
    let Ok(recording) = source.recording() else { return Ok(false) };
    if is_named_by_game(recording.facts()) && known_track(recording.facts()).is_none() && !meant {
        return Ok(false);
    }
    let Some(known) = track_to_write(&mut source, &recording, book)? else { return Ok(false) };
    let mut facts = recording.facts().clone();
    facts.put(Clock::start().now(), &known);
    journal::write(path, &Tail::with(&recording, &facts))?;
    Ok(!known.name.is_empty())
}
