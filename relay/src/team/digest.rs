//! Hashes of files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::message::Hash;

/// Bytes that are read at a time.
const PIECE: usize = 256 << 10;

/// A hash of bytes that come one after the other.
#[derive(Default)]
pub(super) struct Digest(Sha256);

impl Digest {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds everything that is left to read; returns how much that was.
    pub(super) fn add_all(&mut self, mut source: impl Read) -> io::Result<u64> {
        let (mut piece, mut read) = (vec![0; PIECE], 0);
        loop {
            let len = source.read(&mut piece)?;
            if len == 0 {
                return Ok(read);
            }
            self.add(piece.get(..len).unwrap_or_default());
            read += len as u64;
        }
    }

    pub(super) fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

/// The hash of some bytes.
pub(super) fn of(bytes: &[u8]) -> Hash {
    let mut digest = Digest::default();
    digest.add(bytes);
    digest.finish()
}

/// The hash of a file's first bytes, or of all of them.
pub(crate) fn of_file(path: &Path, most: u64) -> io::Result<Hash> {
    let mut digest = Digest::default();
    digest.add_all(File::open(path)?.take(most))?;
    Ok(digest.finish())
}
