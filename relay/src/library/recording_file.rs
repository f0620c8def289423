//! The bytes of a recording, as its readers ask for them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use trailbrake_shared::recording::{OpenError, Opening, Reading, Recording};

use super::store::{Content, RecordingUnderway};

/// A file that is read piece by piece, and its tail in memory while it is being recorded.
pub(crate) struct RecordingFile {
    file: File,
    /// Bytes of the file that count.
    len: u64,
    tail: Vec<u8>,
    /// Bytes that were read so far.
    pub(crate) read: u64,
}

/// Why a recording can't be opened.
#[derive(Debug)]
pub(crate) enum OpenFailure {
    /// The file can't be read.
    File(io::Error),
    /// It can, and is no whole recording.
    Content(OpenError),
}

impl fmt::Display for OpenFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Content(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenFailure {}

impl RecordingFile {
    /// A complete file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file, len, tail: Vec::new(), read: 0 })
    }

    /// A file that is being recorded: the bytes of it that count, and what opens them.
    pub(crate) fn underway(one: &RecordingUnderway, tail: Vec<u8>) -> io::Result<Self> {
        match &one.content {
            Content::File(path) => Ok(Self { len: one.len, tail, ..Self::open(path)? }),
            Content::Memory(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Bytes in all.
    pub(crate) fn len(&self) -> u64 {
        self.len + self.tail.len() as u64
    }

    /// Lets a reading have all that it asks for.
    pub(crate) fn feed(&mut self, reading: &mut dyn Reading) -> io::Result<()> {
        while let Some(range) = reading.needs() {
            self.give(reading, range)?;
        }
        Ok(())
    }

    /// Lets a reading have what it asks for next.
    pub(crate) fn give(&mut self, reading: &mut dyn Reading, range: Range<u64>) -> io::Result<()> {
        let bytes = self.bytes(range)?;
        self.read += bytes.len() as u64;
        reading.give(&bytes);
        Ok(())
    }

    /// Writes the file's first so many bytes to somewhere else.
    pub(crate) fn copy_to(&mut self, bytes: u64, out: &mut impl Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        io::copy(&mut (&self.file).take(bytes), out).map(drop)
    }

    /// Opens the recording.
    pub(crate) fn recording(&mut self) -> Result<Recording, OpenFailure> {
        let mut opening = Opening::new(self.len());
        self.feed(&mut opening).map_err(OpenFailure::File)?;
        opening.finish().map_err(OpenFailure::Content)
    }

    /// The bytes of a range, as far as there are any.
    fn bytes(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let of_file = range.end.min(self.len).saturating_sub(range.start);
        if of_file > 0 {
            self.file.seek(SeekFrom::Start(range.start))?;
            // Room is taken only for what is really there.
            (&self.file).take(of_file).read_to_end(&mut bytes)?;
        }
        let place = |offset: u64| {
            usize::try_from(offset.saturating_sub(self.len)).unwrap_or(usize::MAX).min(self.tail.len())
        };
        bytes.extend(self.tail.get(place(range.start)..place(range.end)).unwrap_or_default());
        Ok(bytes)
    }
}
