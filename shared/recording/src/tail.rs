//! Changes the facts of a finished recording: its tail is rewritten, and nothing before it is touched.

use thiserror::Error;

use super::bytes::Bytes;
use super::facts::Facts;
use super::{Recording, write};

/// The start of a journal; the last digit is its version.
const MAGIC: &[u8; 8] = b"TBTAIL1\n";
/// Bytes of a CRC.
const CRC: usize = 4;

/// The new end of a recording, from an offset on.
///
/// In a browser the new file is `Blob([old.slice(0, tail.from), tail.bytes])`. Natively a kill must lose nothing, so it
/// takes four steps: write [`Tail::journal`] beside the recording and sync it; truncate the recording at `from`; append
/// `bytes` and sync; remove the journal. A journal found at start-up goes to [`recover`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Its offset.
    pub from: u64,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Tail {
    /// The tail with which a recording has exactly these facts, besides those among its packets.
    pub fn with(recording: &Recording, facts: &Facts) -> Self {
        let mut summary = recording.summary.clone();
        let from = recording.end_of_data();
        // An attachment among the packets that is the latest of its name and unchanged is not repeated here.
        let attachments = &recording.summary.attachments;
        let stands = |name: &str| {
            let own = attachments.iter().filter(|attachment| attachment.name == name);
            let last = own.map(|attachment| attachment.offset).max();
            last.is_some_and(|offset| offset < from) && recording.facts().stored(name) == facts.stored(name)
        };
        summary.attachments.retain(|attachment| attachment.offset < from);
        Self { from, bytes: write::tail(summary, from, facts, &stands) }
    }

    /// What to write beside the recording before changing it.
    pub fn journal(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.from.to_le_bytes());
        out.extend((self.bytes.len() as u64).to_le_bytes());
        out.extend(&self.bytes);
        out.extend(crc32fast::hash(&out).to_le_bytes());
        out
    }
}

/// Why a journal can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JournalError {
    /// It is incomplete, so the recording was not changed yet.
    #[error("the journal was not finished, so the recording was not touched: it can be removed")]
    Unfinished,
    /// The recording ends before the journal's offset, so the journal is another recording's.
    #[error("the journal is that of another recording")]
    Foreign,
}

/// The tail of a journal that was left behind. Apply it from the second step of [`Tail`] on, whatever was done before.
/// `recording` is the current length of the recording.
pub fn recover(journal: &[u8], recording: u64) -> Result<Tail, JournalError> {
    let (content, crc) = journal.split_last_chunk::<CRC>().ok_or(JournalError::Unfinished)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*crc) {
        return Err(JournalError::Unfinished);
    }
    let tail = read(content).ok_or(JournalError::Unfinished)?;
    if recording < tail.from {
        return Err(JournalError::Foreign);
    }
    Ok(tail)
}

fn read(content: &[u8]) -> Option<Tail> {
    let mut bytes = Bytes(content);
    (bytes.array::<8>()? == *MAGIC).then_some(())?;
    let (from, len) = (bytes.u64()?, usize::try_from(bytes.u64()?).ok()?);
    let tail = bytes.take(len)?.to_vec();
    bytes.0.is_empty().then_some(Tail { from, bytes: tail })
}
