//! A block: at most a second of packets of one feed that came in by one port, packed small, with a CRC of its own.
//!
//! `docs/recording-format.md` has it to the byte.

mod coder;
mod columns;
mod cut;
mod gather;
mod words;

use thiserror::Error;

use super::bytes::Bytes;
use super::packet::Packet;
use crate::feed::Feed;
use crate::time::Micros;
use columns::Columns;

pub(super) use gather::together;
pub use gather::{FinishedBlock, blocks};

/// The version of the codec that is written, and the only one that is read so far.
pub const VERSION: u8 = 1;
/// No block spans more than this.
pub const LONGEST_US: u64 = 1_000_000;
/// The first byte that is compressed.
const HEADER: usize = 40;
/// Bytes of the CRC that ends a block.
const CRC: usize = 4;
/// The size that stands for packets of different sizes.
const DIFFERENT: u32 = u32::MAX;
/// A block is packed to no less than one byte for so many: what claims more is damaged, and nothing is allocated for it.
const MOST_EXPANSION: usize = 255;

/// Why a block can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    /// It was written by a later version.
    #[error("a block of codec version {0}, and this version of Trailbrake reads version {VERSION}")]
    UnknownVersion(u8),
    /// Its CRC is another.
    #[error("a damaged block: its checksum is wrong")]
    Damaged,
    /// Its CRC is right and its content makes no sense.
    #[error("a block that makes no sense: {0}")]
    Senseless(&'static str),
}

/// How what is behind the header is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// By lz4: text, and packets of different sizes.
    Lz4,
    /// Word by word: packets of one size.
    Words,
}

/// What a block says of itself before anything is unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHeader {
    /// How it is made small.
    pub packing: Packing,
    /// How its packets were sealed, as [`Feed::seals`] counts; 0 when they are kept as they came.
    pub seal: u8,
    /// The port that they came in by.
    pub port: u16,
    /// How many there are.
    pub count: u32,
    /// The bytes of each; `None` when they differ.
    pub size: Option<u32>,
    /// When the first was received.
    pub at: Micros,
    /// The place of the first in the recording.
    pub number: u64,
    /// Bytes of everything behind the header once it is unpacked.
    unpacked: u32,
    /// Bytes of everything behind the header as it is stored.
    packed: u32,
}

/// Packs packets of one feed and port, all with the same seal, in the way that makes them smallest.
fn encode(feed: &str, seal: u8, packets: &[Packet]) -> Vec<u8> {
    let Some(first) = packets.first() else { return Vec::new() };
    let same = packets.iter().all(|packet| packet.bytes.len() == first.bytes.len());
    let size = if same { u32::try_from(first.bytes.len()).ok() } else { None };
    let mut unpacked = columns::numbers(packets, size.is_none());
    let front = unpacked.len();
    packets.iter().for_each(|packet| unpacked.extend(&packet.bytes));
    let mut packed = (Packing::Lz4, lz4_flex::block::compress(&unpacked));
    if let Some(size) = size.filter(|size| *size > 0) {
        let words = words::pack(&unpacked, front, size as usize);
        let allowed = words.len().saturating_mul(MOST_EXPANSION) >= unpacked.len();
        if allowed && words.len() < packed.1.len() {
            packed = (Packing::Words, words);
        }
    }
    let (packing, packed) = packed;
    let mut out = Vec::with_capacity(HEADER + packed.len() + CRC);
    out.extend([VERSION, seal, packing.code(), 0]);
    out.extend(first.port.to_le_bytes());
    out.extend([0; 2]);
    out.extend((packets.len() as u32).to_le_bytes());
    out.extend(size.unwrap_or(DIFFERENT).to_le_bytes());
    out.extend(first.at.0.to_le_bytes());
    out.extend(first.number.to_le_bytes());
    out.extend((unpacked.len() as u32).to_le_bytes());
    out.extend((packed.len() as u32).to_le_bytes());
    out.extend(packed);
    with_checksum(feed, &out)
}

/// The packets of a block, in the order in which they were received.
pub fn decode(feed: &str, block: &[u8]) -> Result<Vec<Packet>, BlockError> {
    let header = header(feed, block)?;
    let packed = block.get(HEADER..block.len() - CRC).unwrap_or_default();
    let unpacked = unpack(&header, packed).ok_or(BlockError::Senseless("it can't be unpacked"))?;
    let columns = Columns::read(&unpacked, header.count, header.size)
        .ok_or(BlockError::Senseless("its columns don't add up"))?;
    let mut packets = columns.packets(feed, &header);
    if header.seal != 0 {
        let seals = Feed::from_id(feed).and_then(Feed::seals);
        let seals = seals.ok_or(BlockError::Senseless("a feed that is never sealed"))?;
        for packet in &mut packets {
            if !(seals.close)(header.seal, &mut packet.bytes) {
                return Err(BlockError::Senseless("a seal that is not known"));
            }
        }
    }
    Ok(packets)
}

/// What is behind the header as it was before it was packed.
fn unpack(header: &BlockHeader, packed: &[u8]) -> Option<Vec<u8>> {
    let len = header.unpacked as usize;
    match header.packing {
        Packing::Lz4 => {
            let mut unpacked = vec![0; len];
            let unpacked_len = lz4_flex::block::decompress_into(packed, &mut unpacked).ok()?;
            (unpacked_len == len).then_some(unpacked)
        }
        Packing::Words => {
            let size = header.size? as usize;
            let front = len.checked_sub(size.checked_mul(header.count as usize)?)?;
            words::unpack(packed, len, front, size)
        }
    }
}

/// What a block says of itself, once its CRC has been found right.
pub fn header(feed: &str, block: &[u8]) -> Result<BlockHeader, BlockError> {
    let (content, expected) = block.split_last_chunk::<CRC>().ok_or(BlockError::Damaged)?;
    if crc(feed, content) != u32::from_le_bytes(*expected) {
        return Err(BlockError::Damaged);
    }
    let mut bytes = Bytes(content);
    let version = bytes.u8().ok_or(BlockError::Damaged)?;
    if version != VERSION {
        return Err(BlockError::UnknownVersion(version));
    }
    let header = read_header(&mut bytes).ok_or(BlockError::Senseless("its header"))?;
    if header.packed as usize != bytes.0.len() {
        return Err(BlockError::Senseless("its length"));
    }
    if header.unpacked as usize > bytes.0.len().saturating_mul(MOST_EXPANSION) {
        return Err(BlockError::Senseless("it claims to hold more than it can"));
    }
    Ok(header)
}

fn read_header(bytes: &mut Bytes<'_>) -> Option<BlockHeader> {
    let (seal, packing, _) = (bytes.u8()?, Packing::of(bytes.u8()?)?, bytes.u8()?);
    let (port, _) = (bytes.u16()?, bytes.u16()?);
    let count = bytes.u32()?;
    let size = Some(bytes.u32()?).filter(|size| *size != DIFFERENT);
    let (at, number) = (Micros(bytes.u64()?), bytes.u64()?);
    let (unpacked, packed) = (bytes.u32()?, bytes.u32()?);
    Some(BlockHeader { packing, seal, port, count, size, at, number, unpacked, packed })
}

impl Packing {
    fn code(self) -> u8 {
        match self {
            Self::Lz4 => 0,
            Self::Words => 1,
        }
    }

    fn of(code: u8) -> Option<Self> {
        [Self::Lz4, Self::Words].into_iter().find(|packing| packing.code() == code)
    }
}

/// A block whose CRC is right, made of whatever stands in front of one: for whoever looks for blocks that do harm.
pub fn with_checksum(feed: &str, content: &[u8]) -> Vec<u8> {
    let crc = crc(feed, content);
    [content, &crc.to_le_bytes()].concat()
}

/// The CRC-32 of the feed's id and then the block: a block that stands under another feed's name is a damaged one.
fn crc(feed: &str, block: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(feed.as_bytes());
    crc.update(block);
    crc.finalize()
}

#[cfg(test)]
mod tests;
