//! LZ4 frames: what MCAP means by the compression `lz4`.

/// What the compression is called in a chunk.
pub(crate) const NAME: &str = "lz4";

/// The magic, and a descriptor: version 1, blocks that stand alone, at most 4 MiB each, no checksums; a byte of its hash.
const BEGINNING: [u8; 7] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73];
/// The most that a block unpacks to.
const MOST_BLOCK: usize = 4 << 20;
/// The bit of a block's length that says that it is not compressed.
const STORED: u32 = 1 << 31;

/// Bytes as a frame.
pub(crate) fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut out = BEGINNING.to_vec();
    for block in bytes.chunks(MOST_BLOCK) {
        let packed = lz4_flex::block::compress(block);
        let (len, block) = match packed.len() < block.len() {
            true => (packed.len() as u32, packed.as_slice()),
            false => (block.len() as u32 | STORED, block),
        };
        out.extend(len.to_le_bytes());
        out.extend(block);
    }
    out.extend([0; 4]);
    out
}
