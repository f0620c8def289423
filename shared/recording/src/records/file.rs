//! Writes MCAP records: chunks of messages, and the summary at the end of a file.

use std::collections::BTreeMap;

use super::{
    ChunkHeader, ChunkIndex, DataEnd, Footer, MessageHeader, MessageIndex, Metadata, MetadataIndex, Record,
    SummaryOffset, lz4,
};

/// The magic bytes at both ends of a file.
pub(crate) const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// Bytes before a record's content: the opcode and the length.
pub(crate) const RECORD_HEADER: usize = 9;

/// Appends a record, then `behind` as part of its content.
pub(crate) fn put<R: Record>(out: &mut Vec<u8>, record: &R, behind: &[u8]) {
    let mut body = Vec::new();
    record.put(&mut body);
    out.push(R::OP);
    out.extend(((body.len() + behind.len()) as u64).to_le_bytes());
    out.extend(body);
    out.extend(behind);
}

/// Appends metadata and returns its index record.
pub(crate) fn put_metadata(out: &mut Vec<u8>, metadata: &Metadata) -> MetadataIndex {
    let before = out.len();
    put(out, metadata, &[]);
    let (offset, length) = (before as u64, (out.len() - before) as u64);
    MetadataIndex { offset, length, name: metadata.name.clone() }
}

/// A chunk under construction.
#[derive(Default)]
pub(crate) struct Chunk {
    messages: Vec<u8>,
    /// Time and offset of each message, per channel.
    indexes: BTreeMap<u16, Vec<(u64, u64)>>,
}

impl Chunk {
    pub(crate) fn add(&mut self, header: &MessageHeader, content: &[u8]) {
        let place = (header.log_time, self.messages.len() as u64);
        self.indexes.entry(header.channel_id).or_default().push(place);
        put(&mut self.messages, header, content);
    }

    /// Bytes of the messages so far.
    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    /// Appends the chunk uncompressed, with its message indexes. Returns its index record.
    pub(crate) fn put(self, out: &mut Vec<u8>, offset: u64) -> ChunkIndex {
        self.put_as(out, offset, "", |messages| messages)
    }

    /// Like [`Chunk::put`], but compressed.
    pub(crate) fn put_compressed(self, out: &mut Vec<u8>, offset: u64) -> ChunkIndex {
        self.put_as(out, offset, lz4::NAME, |messages| lz4::frame(&messages))
    }

    fn put_as(
        self,
        out: &mut Vec<u8>,
        offset: u64,
        compression: &str,
        compress: impl FnOnce(Vec<u8>) -> Vec<u8>,
    ) -> ChunkIndex {
        let Self { messages, indexes } = self;
        let times = indexes.values().flatten().map(|(time, _)| *time);
        let (start, end) = (times.clone().min().unwrap_or_default(), times.max().unwrap_or_default());
        let (uncompressed_size, uncompressed_crc) = (messages.len() as u64, crc32fast::hash(&messages));
        let data = compress(messages);
        let compressed_size = data.len() as u64;
        let header = ChunkHeader {
            message_start_time: start,
            message_end_time: end,
            uncompressed_size,
            uncompressed_crc,
            compression: compression.to_owned(),
            compressed_size,
        };
        let before = out.len();
        put(out, &header, &data);
        let chunk_length = (out.len() - before) as u64;
        let mut message_index_offsets = Vec::new();
        for (channel_id, records) in indexes {
            message_index_offsets.push((channel_id, offset + (out.len() - before) as u64));
            put(out, &MessageIndex { channel_id, records }, &[]);
        }
        ChunkIndex {
            message_start_time: start,
            message_end_time: end,
            chunk_start_offset: offset,
            chunk_length,
            message_index_offsets,
            message_index_length: (out.len() - before) as u64 - chunk_length,
            compression: compression.to_owned(),
            compressed_size,
            uncompressed_size,
        }
    }
}

/// Appends everything after the data section: its end (without a CRC), the summary as groups of records of one kind
/// each, the offsets of these groups, and the footer.
pub(crate) fn put_summary(out: &mut Vec<u8>, offset: u64, groups: &[(u8, Vec<u8>)]) {
    put(out, &DataEnd::default(), &[]);
    let mut summary = Vec::new();
    let start = offset + out.len() as u64;
    let mut offsets = Vec::new();
    for (op, records) in groups.iter().filter(|(_, records)| !records.is_empty()) {
        let group_start = start + summary.len() as u64;
        let group_length = records.len() as u64;
        put(&mut offsets, &SummaryOffset { group_opcode: *op, group_start, group_length }, &[]);
        summary.extend(records);
    }
    let summary_offset_start = start + summary.len() as u64;
    summary.extend(offsets);
    // The summary's CRC covers the footer up to the CRC itself.
    let footer = Footer { summary_start: start, summary_offset_start, summary_crc: 0 };
    put(&mut summary, &footer, &[]);
    if let Some((content, crc)) = summary.split_last_chunk_mut::<4>() {
        *crc = crc32fast::hash(content).to_le_bytes();
    }
    out.extend(summary);
    out.extend(MAGIC);
}

#[cfg(test)]
mod tests {
    use super::super::{Channel, Header};
    use super::*;

    #[test]
    fn compressed_chunks_are_read_by_others() {
        let channel = Channel { id: 1, topic: "/any".to_owned(), ..Channel::default() };
        // More than one block of compressible data, and more than one of incompressible data.
        let mut state = 1_u64;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        });
        let contents = [vec![7; 5 << 20], noise.take(9 << 20).collect(), b"the last".to_vec()];
        let mut file = MAGIC.to_vec();
        put(&mut file, &Header::default(), &[]);
        put(&mut file, &channel, &[]);
        let mut chunk = Chunk::default();
        for (sequence, content) in (0..).zip(&contents) {
            chunk.add(&MessageHeader { channel_id: 1, sequence, ..MessageHeader::default() }, content);
        }
        let (offset, unpacked) = (file.len() as u64, chunk.len());
        let index = chunk.put_compressed(&mut file, offset);
        assert!(index.compressed_size < 10 << 20 && index.uncompressed_size == unpacked as u64);
        put_summary(&mut file, 0, &[]);
        let read = mcap::MessageStream::new(&file).expect("MCAP");
        let read: Vec<Vec<u8>> = read.map(|message| message.expect("a message").data.to_vec()).collect();
        assert!(read == contents, "other messages than were written");
    }
}
