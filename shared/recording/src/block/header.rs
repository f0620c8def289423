//! The header of a block.

use trailbrake_model::time::Micros;

use super::super::bytes::Bytes;

/// The `size` of a block whose packets differ in size.
pub(super) const DIFFERENT: u32 = u32::MAX;
/// The compression of a block's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// LZ4 alone: text, and packets of different sizes.
    Lz4,
    /// Filtered word by word, then LZ4: packets of one size.
    Words,
}

/// A block's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHeader {
    /// The compression.
    pub packing: Packing,
    /// How its packets were sealed, as [`Feed::seals`](trailbrake_games::feed::Feed::seals) counts; 0 when they are stored as
    /// received.
    pub seal: u8,
    /// The port they were received on.
    pub port: u16,
    /// The number of packets.
    pub count: u32,
    /// Bytes of each packet; `None` when they differ.
    pub size: Option<u32>,
    /// When the first was received.
    pub at: Micros,
    /// The number of the first in the recording.
    pub number: u64,
    /// Bytes of the content, uncompressed.
    pub(super) unpacked: u32,
    /// Bytes of the content as stored.
    pub(super) packed: u32,
}

impl BlockHeader {
    /// The fields after the version.
    pub(super) fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let (seal, packing, _) = (bytes.u8()?, Packing::of(bytes.u8()?)?, bytes.u8()?);
        let (port, _) = (bytes.u16()?, bytes.u16()?);
        let count = bytes.u32()?;
        let size = Some(bytes.u32()?).filter(|size| *size != DIFFERENT);
        let (at, number) = (Micros(bytes.u64()?), bytes.u64()?);
        let (unpacked, packed) = (bytes.u32()?, bytes.u32()?);
        Some(Self { packing, seal, port, count, size, at, number, unpacked, packed })
    }
}

impl Packing {
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Lz4 => 0,
            Self::Words => 1,
        }
    }

    fn of(code: u8) -> Option<Self> {
        [Self::Lz4, Self::Words].into_iter().find(|packing| packing.code() == code)
    }
}
