//! Changes the facts of a recording: its tail is rewritten through a journal, so that a kill loses nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use trailbrake_shared::recording::Tail;
use trailbrake_shared::recording::tail::recover;

use super::file_names::JOURNAL;

/// Writes a recording's new tail.
pub(crate) fn write(recording: &Path, tail: &Tail) -> io::Result<()> {
    let journal = beside(recording);
    let mut file = File::create(&journal)?;
    let noted = file.write_all(&tail.journal()).and_then(|()| file.sync_all());
    drop(file);
    if let Err(error) = noted {
        // Nothing was touched yet, so leave nothing behind.
        let _ = fs::remove_file(&journal);
        return Err(error);
    }
    carry_out(recording, tail)?;
    fs::remove_file(journal)
}

/// Completes the changes a kill broke off in a folder; returns their recordings.
pub(super) fn finish_all(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut finished = Vec::new();
    for entry in fs::read_dir(folder)? {
        let journal = entry?.path();
        let Some(name) = journal.file_name().and_then(|name| name.to_str()) else { continue };
        let Some(recording) = name.strip_suffix(JOURNAL).map(|name| folder.join(name)) else { continue };
        if finish(&recording)? {
            finished.push(recording);
        }
    }
    Ok(finished)
}

/// Completes a change to a recording that a kill broke off; returns whether there was one.
pub(crate) fn finish(recording: &Path) -> io::Result<bool> {
    let journal = beside(recording);
    let noted = match fs::read(&journal) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        noted => noted?,
    };
    let len = fs::metadata(recording).map(|metadata| metadata.len()).unwrap_or_default();
    let tail = recover(&noted, len);
    match &tail {
        Ok(tail) => carry_out(recording, tail)?,
        Err(error) => tracing::debug!("{}: {error}", journal.display()),
    }
    fs::remove_file(journal)?;
    Ok(tail.is_ok())
}

fn beside(recording: &Path) -> PathBuf {
    let mut path = recording.as_os_str().to_owned();
    path.push(JOURNAL);
    path.into()
}

fn carry_out(recording: &Path, tail: &Tail) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(recording)?;
    file.set_len(tail.from)?;
    file.seek(SeekFrom::Start(tail.from))?;
    file.write_all(&tail.bytes)?;
    file.sync_all()
}
