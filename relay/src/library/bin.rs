//! The bin: deleted recordings stay there for thirty days.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use trailbrake_shared::library::{Entry, Listing};

use super::file_names;
use super::recording_ref::RecordingRef;
use super::recordings::Library;
use super::refusal::Refusal;

/// The bin's folder inside the library's.
const FOLDER: &str = "bin";
/// How long a recording stays in the bin.
const WAITS: Duration = Duration::from_secs(30 * 24 * 3600);

/// Lists the bin.
pub(crate) fn list(library: &Library) -> Listing {
    let folder = folder(library);
    if !folder.exists() {
        return Listing { folder: folder.display().to_string(), ..Listing::default() };
    }
    library.bin.lock().list(&folder)
}

/// Moves a recording, or a file that can't be opened, into the bin; returns its entry there.
pub(crate) fn delete(library: &Library, which: &RecordingRef) -> Result<Entry, Refusal> {
    let _alone = library.changing.lock();
    let entry = match which {
        RecordingRef::Recording(id) => library.find_now(*id)?.entry,
        RecordingRef::File(file) => library.listed(file)?,
    };
    let path = move_to_bin(library, &entry.file).map_err(|error| Refusal::disk(library.folder(), &error))?;
    Ok(Entry { file: file_names::of(&path).to_owned(), ..entry })
}

/// Moves a file into the bin; returns its path there.
pub(super) fn move_to_bin(library: &Library, file: &str) -> std::io::Result<PathBuf> {
    let bin = made_folder(library)?;
    let path = file_names::carry(&library.folder().join(file), &bin, file)?;
    // Its time in the bin starts now.
    File::options().write(true).open(&path)?.set_modified(SystemTime::now())?;
    Ok(path)
}

/// Restores a file from the bin.
pub(crate) fn restore(library: &Library, which: &RecordingRef) -> Result<Entry, Refusal> {
    let _alone = library.changing.lock();
    let found = list(library).recordings.into_iter().find(|entry| which.is(entry));
    let entry = found.ok_or(Refusal::NotThere)?;
    if let RecordingRef::Recording(id) = which
        && library.find_now(*id).is_ok()
    {
        return Err(Refusal::Conflict("the recording is in the library already".into()));
    }
    let from = folder(library).join(&entry.file);
    let path = file_names::carry(&from, library.folder(), &entry.file)
        .map_err(|error| Refusal::disk(library.folder(), &error))?;
    library.listed(file_names::of(&path))
}

/// Removes everything in the bin for good; returns the number of files.
pub(crate) fn empty(library: &Library) -> Result<usize, Refusal> {
    let _alone = library.changing.lock();
    remove(library, |_, _| true).map_err(|error| Refusal::disk(library.folder(), &error))
}

/// Removes for good what has been in the bin long enough.
pub(super) fn tidy(library: &Library, now: SystemTime) -> std::io::Result<usize> {
    let _alone = library.changing.lock();
    remove(library, |_, since| now.duration_since(since).is_ok_and(|waited| waited > WAITS))
}

pub(super) fn folder(library: &Library) -> PathBuf {
    library.folder().join(FOLDER)
}

fn made_folder(library: &Library) -> std::io::Result<PathBuf> {
    let folder = folder(library);
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(folder),
    }
}

/// Removes for good the files chosen by their names and the times when they came; returns their number.
pub(super) fn remove(library: &Library, which: impl Fn(&str, SystemTime) -> bool) -> std::io::Result<usize> {
    let folder = folder(library);
    let mut removed = 0;
    if !folder.exists() {
        return Ok(removed);
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // Other files stay.
        let recording = name.to_str().filter(|name| file_names::is_recording(name));
        let since = entry.metadata()?.modified()?;
        if recording.is_some_and(|name| which(name, since)) {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}
