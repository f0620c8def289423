//! Records on their way into a file: chunks of messages, and the summary that ends it.

use std::collections::BTreeMap;

use super::{
    ChunkHeader, ChunkIndex, DataEnd, Footer, MessageHeader, MessageIndex, Record, SummaryOffset, crc,
};

/// What a file begins and ends with.
pub(crate) const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// Bytes in front of a record: what it is, and how long.
pub(crate) const RECORD_HEADER: usize = 9;

/// Appends a record.
pub(crate) fn put<R: Record>(out: &mut Vec<u8>, record: &R, behind: &[u8]) {
    let mut body = Vec::new();
    record.put(&mut body);
    out.push(R::OP);
    out.extend(((body.len() + behind.len()) as u64).to_le_bytes());
    out.extend(body);
    out.extend(behind);
}

/// Messages on their way into a chunk.
#[derive(Default)]
pub(crate) struct Chunk {
    messages: Vec<u8>,
    /// Of each channel, the messages' times and places.
    indexes: BTreeMap<u16, Vec<(u64, u64)>>,
}

impl Chunk {
    /// Adds a message.
    pub(crate) fn add(&mut self, header: &MessageHeader, content: &[u8]) {
        let place = (header.log_time, self.messages.len() as u64);
        self.indexes.entry(header.channel_id).or_default().push(place);
        put(&mut self.messages, header, content);
    }

    /// Appends the chunk with its message indexes; its entry in the summary.
    pub(crate) fn put(self, out: &mut Vec<u8>, offset: u64) -> ChunkIndex {
        let Self { messages, indexes } = self;
        let times = indexes.values().flatten().map(|(time, _)| *time);
        let (start, end) = (times.clone().min().unwrap_or_default(), times.max().unwrap_or_default());
        let (uncompressed_size, uncompressed_crc) = (messages.len() as u64, crc::of(&messages));
        let header = ChunkHeader {
            message_start_time: start,
            message_end_time: end,
            uncompressed_size,
            uncompressed_crc,
            compression: String::new(),
            compressed_size: uncompressed_size,
        };
        let before = out.len();
        put(out, &header, &messages);
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
            compression: String::new(),
            compressed_size: uncompressed_size,
            uncompressed_size,
        }
    }
}

/// Appends everything that stands behind the data, which has no CRC of its own: the summary in groups of records of one
/// kind each, where these are, and the end.
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
        *crc = crc::of(content).to_le_bytes();
    }
    out.extend(summary);
    out.extend(MAGIC);
}
