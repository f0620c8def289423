//! What both kinds of file come down to: one captured packet after the other.

use super::damage::Fault;
use crate::time::Micros;

/// Capture programs write packets up to a quarter of a megabyte, and blocks of other things that are rarely longer.
pub(super) const LONGEST: usize = 16 << 20;

/// One packet as the file holds it.
pub(super) struct Record<'a> {
    /// When it was captured, where the file says so.
    pub(super) at: Option<Micros>,
    /// The interface it was captured at, by its number in the file.
    pub(super) interface: u32,
    /// What the bytes begin with: a number from the registry of link types.
    pub(super) link: u16,
    /// To how many bytes packets were cut when they were captured.
    pub(super) snap_len: u32,
    /// Bytes that the packet had on the wire.
    pub(super) was: u32,
    /// The bytes that were kept.
    pub(super) bytes: &'a [u8],
}

/// What the front of the bytes ahead is.
pub(super) enum Part<'a> {
    /// That can't be said before there are so many bytes of this part.
    More(usize, &'static str),
    /// So many bytes, which held a packet or something else.
    Read(usize, Option<Record<'a>>),
}

/// A length as a file tells it, where it is one that can be.
pub(super) fn length(len: u32) -> Result<usize, Fault> {
    let too_long = Fault::TooLong { len, most: LONGEST };
    usize::try_from(len).ok().filter(|len| *len <= LONGEST).ok_or(too_long)
}
