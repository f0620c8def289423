//! Supplies readings with the bytes of a recording.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use trailbrake_shared::recording::{OpenError, Opening, Reading, Recording};

use super::store::{Content, RecordingUnderway};

/// Bytes copied at a time.
const PIECE: u64 = 4 << 20;

/// A file read piece by piece, with its tail in memory while it is being recorded.
pub(crate) struct RecordingFile {
    file: File,
    /// Length of the file's valid part.
    len: u64,
    tail: Vec<u8>,
    /// Bytes read so far.
    pub(crate) read: u64,
}

/// Why a recording can't be opened.
#[derive(Debug)]
pub(crate) enum OpenFailure {
    /// The file can't be read.
    File(io::Error),
    /// The file is no complete recording.
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

impl From<io::Error> for OpenFailure {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl RecordingFile {
    /// Opens a complete file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file, len, tail: Vec::new(), read: 0 })
    }

    /// Opens a recording under way: its written bytes, and the tail that opens them.
    pub(crate) fn underway(one: &RecordingUnderway, tail: Vec<u8>) -> io::Result<Self> {
        match &one.content {
            Content::File(path) => Self::with_tail(path, one.len, tail),
            Content::Memory(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Opens the first `len` bytes of a file with another tail.
    pub(crate) fn with_tail(path: &Path, len: u64, tail: Vec<u8>) -> io::Result<Self> {
        Ok(Self { len, tail, ..Self::open(path)? })
    }

    /// Length of file and tail.
    pub(crate) fn len(&self) -> u64 {
        self.len + self.tail.len() as u64
    }

    /// Gives a reading everything it needs.
    pub(crate) fn feed(&mut self, reading: &mut dyn Reading) -> io::Result<()> {
        while let Some(range) = reading.needs() {
            self.give(reading, range)?;
        }
        Ok(())
    }

    /// Gives a reading the range it needs next.
    pub(crate) fn give(&mut self, reading: &mut dyn Reading, range: Range<u64>) -> io::Result<()> {
        let bytes = self.bytes(range)?;
        self.read += bytes.len() as u64;
        reading.give(&bytes);
        Ok(())
    }

    /// Copies the file's first `bytes` bytes. `reached` receives the progress, 0 to 1, and may end the work.
    pub(crate) fn copy_to(
        &mut self,
        bytes: u64,
        out: &mut impl Write,
        reached: &mut dyn FnMut(f64) -> io::Result<()>,
    ) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut copied = 0;
        while copied < bytes {
            reached(copied as f64 / bytes as f64)?;
            let piece = io::copy(&mut (&self.file).take(PIECE.min(bytes - copied)), out)?;
            if piece == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            copied += piece;
        }
        Ok(())
    }

    /// The bytes from an offset to the end, unless they are more than `most`.
    #[cfg(feature = "team")]
    pub(crate) fn bytes_from(&mut self, offset: u64, most: u64) -> io::Result<Vec<u8>> {
        if self.len().saturating_sub(offset) > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes(offset..self.len())
    }

    /// Opens the recording.
    pub(crate) fn recording(&mut self) -> Result<Recording, OpenFailure> {
        let mut opening = Opening::new(self.len());
        self.feed(&mut opening)?;
        opening.finish().map_err(OpenFailure::Content)
    }

    /// The bytes of a range, as far as there are any.
    fn bytes(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let of_file = range.end.min(self.len).saturating_sub(range.start);
        if of_file > 0 {
            self.file.seek(SeekFrom::Start(range.start))?;
            // Grows with what is really there, not with the requested length.
            (&self.file).take(of_file).read_to_end(&mut bytes)?;
        }
        let place = |offset: u64| {
            usize::try_from(offset.saturating_sub(self.len)).unwrap_or(usize::MAX).min(self.tail.len())
        };
        bytes.extend(self.tail.get(place(range.start)..place(range.end)).unwrap_or_default());
        Ok(bytes)
    }
}
