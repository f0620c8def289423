//! A block: at most a second of packets of one feed and port, compressed, with its own CRC.
//!
//! `docs/recording-format.md` specifies it to the byte.

mod columns;
mod cut;
mod gather;
mod guess;
mod header;
mod width;
mod words;

use thiserror::Error;
use trailbrake_games::Seals;
use trailbrake_games::feed::Feed;

use super::bytes::Bytes;
use super::packet::Packet;
use columns::Columns;

pub(super) use gather::together;
pub use gather::{FinishedBlock, blocks};
use header::DIFFERENT;
pub use header::{BlockHeader, Packing};

/// The version of the codec that is written, and the only one that is read so far.
pub const VERSION: u8 = 2;
/// The most bytes of packets in a block, and what a reader allocates at most for packets of one size.
const MOST_BYTES: usize = 4 << 20;
/// No block spans more than this.
pub const LONGEST_US: u64 = 1_000_000;
/// Bytes of the header, which is not compressed.
const HEADER: usize = 40;
/// Bytes of the CRC that ends a block.
const CRC: usize = 4;
/// The highest compression ratio of LZ4. A block that claims more is damaged, and no memory is allocated for it.
const MOST_EXPANSION: usize = 255;

/// Why a block can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    /// A build before the first release wrote it.
    #[error(
        "recorded by a build before the first release, in a form that is no longer read: \
         replay it with that build and record it with this one"
    )]
    BeforeRelease,
    /// A later version wrote it.
    #[error(
        "a block of codec version {0}, and this version of Trailbrake reads version {VERSION}: update Trailbrake"
    )]
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
    let front = columns::numbers(packets, size.is_none());
    let parts: Vec<&[u8]> = packets.iter().map(|packet| packet.bytes.as_slice()).collect();
    let bytes = parts.concat();
    let compressed = |packing: Packing, bytes: &[u8]| {
        let unpacked = [front.as_slice(), bytes].concat();
        (packing, unpacked.len(), lz4_flex::block::compress(&unpacked))
    };
    let mut smallest = compressed(Packing::Lz4, &bytes);
    if let Some(size) = size.filter(|size| *size > 0) {
        let filtered = compressed(Packing::Words, &words::pack(&bytes, size as usize));
        if filtered.2.len() < smallest.2.len() {
            smallest = filtered;
        }
    }
    let (packing, unpacked, packed) = smallest;
    let mut out = Vec::with_capacity(HEADER + packed.len() + CRC);
    out.extend([VERSION, seal, packing.code(), 0]);
    out.extend(first.port.to_le_bytes());
    out.extend([0; 2]);
    out.extend((packets.len() as u32).to_le_bytes());
    out.extend(size.unwrap_or(DIFFERENT).to_le_bytes());
    out.extend(first.at.0.to_le_bytes());
    out.extend(first.number.to_le_bytes());
    out.extend((unpacked as u32).to_le_bytes());
    out.extend((packed.len() as u32).to_le_bytes());
    out.extend(packed);
    with_checksum(feed, &out)
}

/// The packets of a block, in the order they were received.
pub fn decode(feed: &str, block: &[u8]) -> Result<Vec<Packet>, BlockError> {
    decode_with(feed, block, |_, _| false)
}

/// Like [`decode`], but packets that decoders read just as well deciphered are left so.
pub(super) fn decode_opened(feed: &str, block: &[u8]) -> Result<Vec<Packet>, BlockError> {
    decode_with(feed, block, |seals, seal| (seals.reads_opened)(seal))
}

fn decode_with(
    feed: &str,
    block: &[u8],
    stays_open: impl Fn(&Seals, u8) -> bool,
) -> Result<Vec<Packet>, BlockError> {
    let header = header(feed, block)?;
    let packed = block.get(HEADER..block.len() - CRC).unwrap_or_default();
    let unpacked = unpack(&header, packed).ok_or(BlockError::Senseless("it can't be unpacked"))?;
    let columns =
        Columns::read(&unpacked, &header).ok_or(BlockError::Senseless("its columns don't add up"))?;
    let mut packets = columns.packets(feed, &header);
    if header.seal != 0 {
        let seals = Feed::from_id(feed).and_then(Feed::seals);
        let seals = seals.ok_or(BlockError::Senseless("a feed that is never sealed"))?;
        if stays_open(&seals, header.seal) {
            return Ok(packets);
        }
        for packet in &mut packets {
            if !(seals.close)(header.seal, &mut packet.bytes) {
                return Err(BlockError::Senseless("a seal that is not known"));
            }
        }
    }
    Ok(packets)
}

/// The content as it was before LZ4.
fn unpack(header: &BlockHeader, packed: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = vec![0; header.unpacked as usize];
    let len = lz4_flex::block::decompress_into(packed, &mut unpacked).ok()?;
    (len == unpacked.len()).then_some(unpacked)
}

/// A block's header, after checking the CRC.
pub fn header(feed: &str, block: &[u8]) -> Result<BlockHeader, BlockError> {
    let (content, expected) = block.split_last_chunk::<CRC>().ok_or(BlockError::Damaged)?;
    if crc(feed, content) != u32::from_le_bytes(*expected) {
        return Err(BlockError::Damaged);
    }
    let mut bytes = Bytes(content);
    let version = bytes.u8().ok_or(BlockError::Damaged)?;
    match version {
        VERSION => {}
        ..VERSION => return Err(BlockError::BeforeRelease),
        later => return Err(BlockError::UnknownVersion(later)),
    }
    let header = BlockHeader::read(&mut bytes).ok_or(BlockError::Senseless("its header"))?;
    if header.packed as usize != bytes.0.len() {
        return Err(BlockError::Senseless("its length"));
    }
    if header.unpacked as usize > bytes.0.len().saturating_mul(MOST_EXPANSION) {
        return Err(BlockError::Senseless("it claims to hold more than it can"));
    }
    let bytes = header.size.map_or(0, |size| u64::from(size) * u64::from(header.count));
    if bytes > MOST_BYTES as u64 {
        return Err(BlockError::Senseless("it claims to hold more than a block may"));
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
