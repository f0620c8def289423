//! Decrypts packets before they are stored, since encrypted data does not compress.

/// Decrypts a feed's datagrams, and encrypts them again to exactly the same bytes.
#[derive(Clone, Copy)]
pub struct Seals {
    /// Decrypts a datagram in place and returns the number of its cipher; `None` leaves a datagram that was not
    /// encrypted unchanged. The number is never 0, and its meaning must never change: recordings store it.
    pub open: fn(&mut [u8]) -> Option<u8>,
    /// Encrypts the datagram again in place. Returns false when it cannot.
    pub close: fn(u8, &mut [u8]) -> bool,
    /// Whether decoders read a deciphered datagram like the encrypted one.
    pub reads_opened: fn(u8) -> bool,
}
