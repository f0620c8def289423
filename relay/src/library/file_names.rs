//! Names of files in the folder: recordings, recordings under way, uploads, repairs and journals.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use trailbrake_shared::recording::ENDING;

/// Suffix of a file that is not finished yet.
pub(crate) const PART: &str = ".part";
/// Suffix of an upload under way.
pub(super) const ARRIVING: &str = ".arriving";
/// Suffix of a repaired file, behind the damaged file's name, until it takes that file's place.
pub(super) const REPAIR_PART: &str = ".mending";
/// Suffix of a journal, behind its recording's name.
pub(super) const JOURNAL: &str = ".journal";
/// Most letters kept of a name from outside.
const LONGEST_GIVEN: usize = 120;
/// Most recordings of the same minute, game, track and car.
const MOST_OF_A_NAME: u32 = 1000;

/// The file name at the end of a path.
pub(crate) fn of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Whether a file is a finished recording.
pub(super) fn is_recording(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// Makes a file for an unfinished recording, under a name that no other recording has.
pub(crate) fn make<F>(
    folder: &Path,
    name: &str,
    open: &mut dyn FnMut(&Path) -> io::Result<F>,
) -> io::Result<(PathBuf, F)> {
    for name in numbered(name) {
        let path = folder.join(format!("{name}{PART}"));
        if folder.join(&name).exists() {
            continue;
        }
        match open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(no_free_name())
}

/// Makes a file for an upload. Names are never reused: an upload that ends removes its file by name, and must not remove
/// another's.
pub(super) fn arrival<F>(
    folder: &Path,
    open: &mut dyn FnMut(&Path) -> io::Result<F>,
) -> io::Result<(PathBuf, F)> {
    static ARRIVED: AtomicU64 = AtomicU64::new(0);
    for _ in 0..MOST_OF_A_NAME {
        let number = ARRIVED.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{number}{ARRIVING}"));
        match open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(no_free_name())
}

fn no_free_name() -> io::Error {
    io::Error::new(
        io::ErrorKind::AlreadyExists,
        "no file name is free: move some recordings to another folder",
    )
}

/// A name, and its numbered variants.
fn numbered(name: &str) -> impl Iterator<Item = String> {
    let stem = name.strip_suffix(ENDING).unwrap_or(name);
    let more = (2..MOST_OF_A_NAME).map(move |number| format!("{stem}-{number}{ENDING}"));
    std::iter::once(format!("{stem}{ENDING}")).chain(more)
}

/// Renames a file into a folder, numbered when the name is taken; returns its new path.
pub(crate) fn carry(path: &Path, folder: &Path, name: &str) -> io::Result<PathBuf> {
    let new = free(folder, name).ok_or_else(no_free_name)?;
    fs::rename(path, &new).map(|()| new)
}

/// The path in a folder for this name, numbered when the name is taken.
pub(crate) fn free(folder: &Path, name: &str) -> Option<PathBuf> {
    numbered(name).map(|name| folder.join(name)).find(|path| !path.exists())
}

/// A name from outside as a file name that every system allows.
pub(super) fn given(name: &str) -> String {
    let stem = name.strip_suffix(ENDING).or_else(|| name.strip_suffix(".mcap")).unwrap_or(name);
    let fits =
        |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    let stem: String = stem.chars().take(LONGEST_GIVEN).map(fits).collect();
    match stem.trim_matches('-') {
        "" => format!("recording{ENDING}"),
        device if is_device(device) => format!("recording-{device}{ENDING}"),
        stem => format!("{stem}{ENDING}"),
    }
}

/// Whether Windows takes a name for a device, whatever its ending.
pub(crate) fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    let is_numbered =
        |kind: &str| stem.strip_prefix(kind).is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']));
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || ["com", "lpt"].into_iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_has_a_name_that_none_had_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let arrive = || arrival(folder.path(), &mut |path| fs::File::create_new(path)).expect("a file").0;
        let first = arrive();
        fs::rename(&first, folder.path().join("kept")).expect("it joins the library");
        let second = arrive();
        // Now the first upload ends, and removes what it left.
        let _ = fs::remove_file(first);
        assert!(second.exists());
    }

    #[test]
    fn names_from_outside_become_files_on_every_system() {
        for (name, expected) in [
            ("Spa, wet.trailbrake.mcap", "Spa--wet"),
            ("../../etc/passwd", "etc-passwd"),
            ("con.mcap", "recording-con"),
            ("LPT1", "recording-LPT1"),
            ("com0.trailbrake.mcap", "recording-com0"),
            ("console", "console"),
            ("com10", "com10"),
            ("...", "recording"),
        ] {
            assert_eq!(given(name), format!("{expected}{ENDING}"), "{name}");
        }
    }
}
