//! How packets that a game sends under a cipher are kept: opened, since what is under a cipher does not compress.

/// Opens datagrams of a feed, and closes them to the very same bytes again.
#[derive(Clone, Copy)]
pub struct Seals {
    /// Opens a datagram in place and tells by a number how it was sealed; `None`, and the datagram as it was, when it
    /// was not. The number is never 0, and means the same for ever: recordings hold it.
    pub open: fn(&mut [u8]) -> Option<u8>,
    /// Undoes it. Tells whether it could.
    pub close: fn(u8, &mut [u8]) -> bool,
}
