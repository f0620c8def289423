//! What is put right when the program starts: whatever a kill, a crash or a power cut left half done.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::source::Source;
use super::{Library, journal, names};

/// Held as long as a program records into the folder: another one that starts leaves its files alone.
const IN_USE: &str = ".in-use";

/// A folder that this program has for itself.
pub(crate) struct Own {
    /// The lock goes with the file.
    _lock: File,
    /// Recordings that an earlier run did not finish: what they are to be called, and where they are.
    broken_off: Vec<(String, PathBuf)>,
}

impl Library {
    /// Takes the folder for this program, and finishes what takes no time; `None` when another program records into it.
    pub(crate) fn begin(&self, tell: fn(&str, &str)) -> io::Result<Option<Own>> {
        fs::create_dir_all(self.folder())?;
        let file =
            File::options().write(true).create(true).truncate(false).open(self.folder().join(IN_USE))?;
        if is_taken(&file) {
            return Ok(None);
        }
        for folder in [self.folder().to_owned(), self.bin_folder()] {
            if folder.exists() {
                for path in journal::finish_all(&folder)? {
                    tell("Repaired", &format!("a change to {}", path.display()));
                }
            }
        }
        let mut broken_off = Vec::new();
        for entry in fs::read_dir(self.folder())? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.ends_with(names::ARRIVING) {
                fs::remove_file(&path)?;
            } else if let Some(name) = name.strip_suffix(names::PART) {
                broken_off.push((name.to_owned(), path.clone()));
            }
        }
        self.own.store(true, Ordering::Relaxed);
        Ok(Some(Own { _lock: file, broken_off }))
    }

    /// Makes the recordings whole that an earlier run did not finish.
    pub(crate) fn repair(&self, own: &mut Own, tell: fn(&str, &str)) -> io::Result<()> {
        own.broken_off.drain(..).try_for_each(|(name, path)| self.finish(&path, &name, tell))
    }
}

/// Whether a program records into a folder at this moment.
pub(crate) fn is_recorded_into(folder: &Path) -> bool {
    // Where nobody ever did, there is no such file.
    File::open(folder.join(IN_USE)).is_ok_and(|file| is_taken(&file))
}

/// Takes the lock that this file is, unless another program has it.
fn is_taken(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        // Some network folders know no locks; then nobody can be asked.
        Err(TryLockError::Error(error)) => {
            tracing::debug!("{IN_USE} can't be locked: {error}");
            false
        }
    }
}

impl Library {
    /// Makes a recording whole that was broken off: what is whole in it is found, and what its packets tell is learnt.
    fn finish(&self, path: &Path, name: &str, tell: fn(&str, &str)) -> io::Result<()> {
        let mut source = Source::open(path)?;
        let lost = match source.recording() {
            // The kill came between the last byte and the name.
            Ok(_) => 0,
            Err(_) => {
                let Some(mended) = source.mend(None, &mut |_| {})? else {
                    // Nothing had been written yet.
                    return fs::remove_file(path);
                };
                journal::write(path, &mended.tail())?;
                mended.damaged
            }
        };
        drop(source);
        let path = names::finish(self.folder(), path, name)?;
        let lost = if lost > 0 { format!(", without {lost} blocks that are damaged") } else { String::new() };
        tell("Repaired", &format!("{}{lost}", path.display()));
        Ok(())
    }
}
