//! A block: at most a second of packets of one feed and port, compressed, with its own CRC.
//!
//! `docs/recording-format.md` specifies it to the byte.

mod coder;
mod columns;
mod cut;
mod gather;
mod header;
mod words;

use thiserror::Error;

use super::bytes::Bytes;
use super::packet::Packet;
use crate::feed::Feed;
use columns::Columns;

pub(super) use gather::together;
pub use gather::{FinishedBlock, blocks};
use header::DIFFERENT;
pub use header::{BlockHeader, Packing};

/// The version of the codec that is written, and the only one that is read so far.
pub const VERSION: u8 = 1;
/// No block spans more than this.
pub const LONGEST_US: u64 = 1_000_000;
/// Bytes of the header, which is not compressed.
const HEADER: usize = 40;
/// Bytes of the CRC that ends a block.
const CRC: usize = 4;
/// The highest compression ratio. A block that claims more is damaged, and no memory is allocated for it.
const MOST_EXPANSION: usize = 255;

/// Why a block can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    /// A later version wrote it.
    #[error("a block of codec version {0}, and this version of Trailbrake reads version {VERSION}")]
    UnknownVersion(u8),
    /// The CRC is wrong.
    #[error("a damaged block: its checksum is wrong")]
    Damaged,
    /// The CRC is right, but the content is invalid.
    #[error("a block that makes no sense: {0}")]
    Senseless(&'static str),
}

/// Compresses packets of one feed, port and seal with the packing that makes them smallest.
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

/// The packets of a block, in the order they were received.
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

/// The uncompressed content.
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

/// A block's header, after checking the CRC.
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
    let header = BlockHeader::read(&mut bytes).ok_or(BlockError::Senseless("its header"))?;
    if header.packed as usize != bytes.0.len() {
        return Err(BlockError::Senseless("its length"));
    }
    if header.unpacked as usize > bytes.0.len().saturating_mul(MOST_EXPANSION) {
        return Err(BlockError::Senseless("it claims to hold more than it can"));
    }
    Ok(header)
}

/// Appends the correct CRC to any content, for tests and fuzzing with invalid blocks.
pub fn with_checksum(feed: &str, content: &[u8]) -> Vec<u8> {
    let crc = crc(feed, content);
    [content, &crc.to_le_bytes()].concat()
}

/// The CRC-32 of the feed's id and then the block, so that a block under another feed's name counts as damaged.
fn crc(feed: &str, block: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(feed.as_bytes());
    crc.update(block);
    crc.finalize()
}

#[cfg(test)]
mod tests;
