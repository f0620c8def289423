//! Replaces a damaged recording by the repaired one, so that a kill loses neither.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file_names;
use super::recording_file::RecordingFile;
use super::recording_name::own_name;
use super::salvage::Salvage;

/// Suffix of a damaged recording that was replaced.
const BROKEN: &str = ".broken";
/// Most names tried for the damaged file.
const MOST_BROKEN: u32 = 1000;

/// Replaces the damaged file by the repaired one under this name; returns the damaged file's new path.
pub(crate) fn replace(
    salvage: &Salvage,
    source: &mut RecordingFile,
    damaged: &Path,
    whole: &Path,
) -> io::Result<PathBuf> {
    finish(damaged)?;
    let part = with_ending(damaged, file_names::REPAIR_PART);
    salvage.write(source, &part).inspect_err(|_| drop(fs::remove_file(&part)))?;
    let broken = free(&with_ending(whole, BROKEN)).ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(damaged, &broken)?;
    fs::rename(&part, whole)?;
    Ok(broken)
}

/// Completes or undoes a repair broken off by a kill. If the damaged file was already moved, the repaired one takes its
/// place and is returned; otherwise it may be incomplete and is removed.
pub(crate) fn finish(damaged: &Path) -> io::Result<Option<PathBuf>> {
    let new = with_ending(damaged, file_names::REPAIR_PART);
    if !new.exists() {
        return Ok(None);
    }
    if damaged.exists() {
        return fs::remove_file(new).map(|()| None);
    }
    let name = file_names::of(damaged);
    let name = match name.strip_suffix(file_names::PART) {
        Some(part) => own_name(&new)?.unwrap_or_else(|| part.to_owned()),
        None => name.to_owned(),
    };
    let folder = damaged.parent().unwrap_or(Path::new("."));
    file_names::carry(&new, folder, &name).map(Some)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A path that no file has: this one, or a numbered one.
fn free(path: &Path) -> Option<PathBuf> {
    let numbered = (2..MOST_BROKEN).map(|number| with_ending(path, &format!("-{number}")));
    std::iter::once(path.to_owned()).chain(numbered).find(|name| !name.exists())
}
