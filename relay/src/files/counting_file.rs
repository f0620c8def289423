//! A file that counts the bytes read from it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes read from a file.
#[derive(Clone, Debug, Default)]
pub(super) struct ByteCount(Arc<AtomicU64>);

pub(super) struct CountingFile {
    file: File,
    count: ByteCount,
}

impl ByteCount {
    pub(super) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl CountingFile {
    pub(super) fn new(file: File, count: ByteCount) -> Self {
        Self { file, count }
    }
}

impl Read for CountingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read(buffer)?;
        self.count.0.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

impl Seek for CountingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
