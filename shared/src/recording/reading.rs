//! How everything here reads: it asks for bytes, and somebody gets them.

use std::ops::Range;

/// Reads from a source that it knows nothing of: a file, a browser's file, a server that answers ranges.
///
/// ```text
/// while let Some(range) = reading.needs() {
///     reading.give(&source.bytes(range));
/// }
/// ```
pub trait Reading {
    /// The bytes that are needed next; `None` once there is nothing left to do.
    fn needs(&self) -> Option<Range<u64>>;

    /// Takes the bytes that were asked for. Fewer mean that the source has no more: what is missing counts as damaged.
    fn give(&mut self, bytes: &[u8]);
}

/// Lets a reading read all it needs out of bytes in memory; tells how many were given.
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
