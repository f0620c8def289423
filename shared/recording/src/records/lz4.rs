//! Writes LZ4 frames, MCAP's compression `lz4`.

/// The name of the compression in a chunk.
pub(crate) const NAME: &str = "lz4";

/// Magic, then the frame descriptor: version 1, independent blocks of at most 4 MiB, no checksums, header hash.
const BEGINNING: [u8; 7] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73];
/// The largest uncompressed size of a block.
const MOST_BLOCK: usize = 4 << 20;
/// The bit of a block's length that marks it as uncompressed.
const STORED: u32 = 1 << 31;

/// Compresses bytes into one frame.
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
