//! Files with keys, which only their owner reads, where the system knows owners.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a new file.
pub(super) fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
