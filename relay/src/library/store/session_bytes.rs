//! The bytes of a session that is in no file.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Bytes;

use crate::lock::Lock;

/// The bytes of a session. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionBytes(Arc<Lock<Pieces>>);

#[derive(Debug, Default)]
struct Pieces {
    /// One piece per write.
    pieces: VecDeque<Bytes>,
    /// Offset of the first piece.
    from: u64,
    /// Their total length.
    bytes: usize,
}

impl SessionBytes {
    /// The bytes of a range; `None` where some were dropped, or never came.
    pub(crate) fn range(&self, range: Range<u64>) -> Option<Vec<u8>> {
        let kept = self.0.lock();
        if range.start < kept.from || range.end > kept.end() {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(range.end.saturating_sub(range.start)).ok()?);
        let mut from = kept.from;
        for piece in &kept.pieces {
            let within = |place: u64| {
                let place = place.saturating_sub(from);
                usize::try_from(place).unwrap_or(usize::MAX).min(piece.len())
            };
            bytes.extend_from_slice(piece.get(within(range.start)..within(range.end)).unwrap_or_default());
            from += piece.len() as u64;
        }
        Some(bytes)
    }

    pub(super) fn push(&self, bytes: Vec<u8>) {
        let mut kept = self.0.lock();
        kept.bytes += bytes.len();
        // Without the room to grow that a vector has: the limit in bytes is one of the memory they take.
        kept.pieces.push_back(bytes.into_boxed_slice().into());
    }

    /// Drops the oldest piece; returns the offset up to which bytes are gone.
    pub(super) fn drop_oldest(&self) -> Option<u64> {
        let mut kept = self.0.lock();
        let piece = kept.pieces.pop_front()?;
        kept.bytes -= piece.len();
        kept.from += piece.len() as u64;
        Some(kept.from)
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.lock().bytes
    }

    pub(super) fn end(&self) -> u64 {
        self.0.lock().end()
    }
}

impl Pieces {
    fn end(&self) -> u64 {
        self.from + self.bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_takes_no_more_memory_than_its_bytes() {
        let session = SessionBytes::default();
        let mut bytes = Vec::with_capacity(4096);
        bytes.extend([7; 100]);
        session.push(bytes);
        let piece = session.0.lock().pieces.pop_front().expect("a piece");
        assert_eq!(Vec::from(piece).capacity(), 100);
    }
}
