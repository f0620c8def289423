//! Disk errors in words that a driver can act on.

use std::io;
use std::path::Path;

/// What retention and other machines leave free of a disk, bytes.
pub(crate) const RESERVE: u64 = 2 << 30;

/// A disk error in a folder, and what to do about it.
pub(crate) fn trouble(folder: &Path, error: &io::Error) -> String {
    let folder = folder.display();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("the disk of {folder} is full: make room on it")
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            format!("the folder {folder} is gone: bring it back, or name another with --recordings")
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            format!("nothing may be written in {folder}: allow it, or name another folder with --recordings")
        }
        _ => format!("nothing can be written in {folder}: {error}"),
    }
}
