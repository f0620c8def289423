//! The common form of packets from both file formats.

use trailbrake_model::time::Micros;

use super::damage::Fault;
use super::packet::SkipReason;

/// The longest packet or block read. Capture programs write packets up to 256 KiB; other blocks are rarely longer.
pub(super) const LONGEST: usize = 16 << 20;

/// A captured packet.
pub(super) struct Record<'a> {
    /// The capture time, if the file has one.
    pub(super) at: Option<Micros>,
    /// The interface's number in the file.
    pub(super) interface: u32,
    /// The link type, a number from the registry of link types.
    pub(super) link: u16,
    /// The snap length: packets were truncated to it.
    pub(super) snap_len: u32,
    /// Bytes on the wire.
    pub(super) was: u32,
    /// The captured bytes.
    pub(super) bytes: &'a [u8],
}

impl Record<'_> {
    /// The reason to skip the packet if it was truncated by the capture.
    pub(super) fn snapped(&self) -> Option<SkipReason> {
        let Self { snap_len, was, bytes, .. } = self;
        let kept = bytes.len();
        let cut = usize::try_from(*was).is_ok_and(|was| was > kept);
        cut.then_some(SkipReason::Snapped { snap_len: *snap_len, kept, was: *was })
    }
}

/// The result of reading the next part of a file.
pub(super) enum Part<'a> {
    /// Needs at least this many bytes of the named part.
    More(usize, &'static str),
    /// Consumed this many bytes, which may contain a packet.
    Read(usize, Option<Record<'a>>),
}

/// Checks a length from the file against [`LONGEST`].
pub(super) fn length(len: u32) -> Result<usize, Fault> {
    let too_long = Fault::TooLong { len, most: LONGEST };
    usize::try_from(len).ok().filter(|len| *len <= LONGEST).ok_or(too_long)
}
