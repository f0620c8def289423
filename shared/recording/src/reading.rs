//! The interface of all readers: they ask for byte ranges, and the caller supplies them.

use std::ops::Range;

/// Reads from any source: a file, a browser's file, a server that answers ranges.
///
/// ```text
/// while let Some(range) = reading.needs() {
///     reading.give(&source.bytes(range));
/// }
/// ```
pub trait Reading {
    /// The byte range needed next; `None` once nothing is left to do.
    fn needs(&self) -> Option<Range<u64>>;

    /// Takes the requested bytes. Fewer bytes mean the source has no more; the missing ones count as damaged.
    fn give(&mut self, bytes: &[u8]);
}

/// Reads everything from bytes in memory; returns how many were read.
pub fn read_whole(reading: &mut dyn Reading, bytes: &[u8]) -> u64 {
    let mut given = 0;
    while let Some(range) = reading.needs() {
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let piece = bytes.get(place(range.start)..place(range.end)).unwrap_or_default();
        given += piece.len() as u64;
        reading.give(piece);
    }
    given
}
