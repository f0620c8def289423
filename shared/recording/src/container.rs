//! The MCAP container: writes single records and reads them from any offset.
//!
//! No writer keeps a file open from its first byte to its last: a tail is written behind existing data.

use trailbrake_model::time::Micros;

use super::bytes::Bytes;
use super::records::{
    AttachmentHeader, AttachmentIndex, Channel, Chunk, ChunkHeader, ChunkIndex, Footer, Header,
    MessageHeader, Record, Statistics, put, put_summary,
};
pub(super) use super::records::{MAGIC, RECORD_HEADER};

/// Bytes of the footer record and the magic behind it.
pub(super) const FOOTER: usize = RECORD_HEADER + 20 + MAGIC.len();
/// The MCAP profile of our files.
pub(super) const PROFILE: &str = "trailbrake";
/// The message encoding of our channels.
pub(super) const ENCODING: &str = "trailbrake-block";
/// The metadata key of a channel that holds its feed's id.
const FEED: &str = "feed";
/// The metadata that holds the codec's version.
const CODEC: &str = "codec";
/// The media type of attachments.
pub(super) const JSON: &str = "application/json";

/// MCAP times are in nanoseconds.
pub(super) fn nanoseconds(at: Micros) -> u64 {
    at.0.saturating_mul(1000)
}

pub(super) fn moment(nanoseconds: u64) -> Micros {
    Micros(nanoseconds / 1000)
}

/// The start of a file: magic and header.
pub(super) fn beginning() -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let library = concat!("trailbrake ", env!("CARGO_PKG_VERSION")).to_owned();
    put(&mut out, &Header { profile: PROFILE.to_owned(), library }, &[]);
    out
}

/// The channel of a feed, with its id in this file.
pub(super) fn channel(id: u16, feed: &str) -> Channel {
    Channel {
        id,
        schema_id: 0,
        topic: feed.to_owned(),
        message_encoding: ENCODING.to_owned(),
        metadata: vec![
            (CODEC.to_owned(), super::block::VERSION.to_string()),
            (FEED.to_owned(), feed.to_owned()),
        ],
    }
}

/// Whether a build before the first release wrote the blocks of a channel.
pub(super) fn is_before_release(channel: &Channel) -> bool {
    let codec = channel.metadata.iter().find(|(key, _)| key == CODEC);
    codec.and_then(|(_, codec)| codec.parse().ok()).is_some_and(|codec: u8| codec < super::block::VERSION)
}

/// The feed id of a channel.
pub(super) fn feed(channel: &Channel) -> Option<&str> {
    channel.metadata.iter().find(|(key, _)| key == FEED).map(|(_, feed)| feed.as_str())
}

pub(super) fn put_channel(out: &mut Vec<u8>, channel: &Channel) {
    put(out, channel, &[]);
}

/// A block on its way into a chunk.
pub(super) struct Message {
    pub(super) channel: u16,
    pub(super) sequence: u32,
    pub(super) at: Micros,
    pub(super) block: Vec<u8>,
}

/// Appends a chunk with its message indexes; returns its index record.
pub(super) fn put_chunk(out: &mut Vec<u8>, offset: u64, messages: &[Message]) -> ChunkIndex {
    let mut chunk = Chunk::default();
    for message in messages {
        let log_time = nanoseconds(message.at);
        let header = MessageHeader {
            channel_id: message.channel,
            sequence: message.sequence,
            log_time,
            publish_time: log_time,
        };
        chunk.add(&header, &message.block);
    }
    chunk.put(out, offset)
}

/// Appends an attachment; returns its index record.
pub(super) fn put_attachment(
    out: &mut Vec<u8>,
    offset: u64,
    at: Micros,
    name: &str,
    data: &[u8],
) -> AttachmentIndex {
    let header = AttachmentHeader {
        log_time: nanoseconds(at),
        create_time: nanoseconds(at),
        name: name.to_owned(),
        media_type: JSON.to_owned(),
        data_size: data.len() as u64,
    };
    let before = out.len();
    // The CRC covers everything behind the record's header.
    put(out, &header, &[data, &[0; 4]].concat());
    if let Some((content, crc)) =
        out.get_mut(before + RECORD_HEADER..).and_then(|record| record.split_last_chunk_mut::<4>())
    {
        *crc = crc32fast::hash(content).to_le_bytes();
    }
    attachment_index(offset, (out.len() - before) as u64, at, name, data.len() as u64)
}

/// The index record of an attachment.
pub(super) fn attachment_index(
    offset: u64,
    length: u64,
    at: Micros,
    name: &str,
    data_size: u64,
) -> AttachmentIndex {
    let (log_time, media_type) = (nanoseconds(at), JSON.to_owned());
    let name = name.to_owned();
    AttachmentIndex { offset, length, log_time, create_time: log_time, data_size, name, media_type }
}

/// The content of a file's summary.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    pub(super) channels: Vec<Channel>,
    pub(super) chunks: Vec<ChunkIndex>,
    pub(super) attachments: Vec<AttachmentIndex>,
    /// The number of blocks.
    pub(super) blocks: u64,
}

impl Summary {
    /// Appends everything behind the last attachment. The data CRC is omitted: blocks, chunks and attachments have
    /// their own, and a tail is written without reading the data before it.
    pub(super) fn put_end(&self, out: &mut Vec<u8>, offset: u64) {
        let group = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut records = Vec::new();
            write(&mut records);
            records
        };
        let channels = group(&|out| self.channels.iter().for_each(|channel| put_channel(out, channel)));
        let statistics = group(&|out| put(out, &self.statistics(), &[]));
        let chunks = group(&|out| self.chunks.iter().for_each(|chunk| put(out, chunk, &[])));
        let attachments = group(&|out| self.attachments.iter().for_each(|index| put(out, index, &[])));
        let groups = [
            (Channel::OP, channels),
            (Statistics::OP, statistics),
            (ChunkIndex::OP, chunks),
            (AttachmentIndex::OP, attachments),
        ];
        put_summary(out, offset, &groups);
    }

    fn statistics(&self) -> Statistics {
        let start = self.chunks.iter().map(|chunk| chunk.message_start_time).min();
        let end = self.chunks.iter().map(|chunk| chunk.message_end_time).max();
        Statistics {
            message_count: self.blocks,
            channel_count: self.channels.len() as u32,
            attachment_count: self.attachments.len() as u32,
            chunk_count: self.chunks.len() as u32,
            message_start_time: start.unwrap_or_default(),
            message_end_time: end.unwrap_or_default(),
            ..Statistics::default()
        }
    }

    /// Parses a summary including the footer and the magic; `None` when it is damaged.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let content = bytes.strip_suffix(MAGIC)?;
        let (content, crc) = content.split_last_chunk::<4>()?;
        (crc32fast::hash(content) == u32::from_le_bytes(*crc)).then_some(())?;
        let mut summary = Self::default();
        let mut rest = bytes;
        loop {
            let (record, behind) = split_record(rest)?;
            rest = behind;
            match record.op {
                Channel::OP => summary.channels.push(record.read()?),
                ChunkIndex::OP => summary.chunks.push(record.read()?),
                AttachmentIndex::OP => summary.attachments.push(record.read()?),
                Statistics::OP => summary.blocks = record.read::<Statistics>()?.message_count,
                Footer::OP => return Some(summary),
                _ => {}
            }
        }
    }
}

/// A record that is not yet parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'a> {
    pub(super) op: u8,
    pub(super) body: &'a [u8],
}

impl<'a> Raw<'a> {
    /// The record; `None` if its kind differs or it is too short.
    pub(super) fn read<R: Record>(self) -> Option<R> {
        Some(self.split()?.0)
    }

    /// The record, and the data behind its fields.
    pub(super) fn split<R: Record>(self) -> Option<(R, &'a [u8])> {
        let mut bytes = Bytes(self.body);
        let record = (self.op == R::OP).then(|| R::take(&mut bytes))??;
        Some((record, bytes.0))
    }

    /// The messages of a chunk.
    pub(super) fn chunk(self) -> Option<&'a [u8]> {
        let (header, data) = self.split::<ChunkHeader>()?;
        (header.compressed_size == data.len() as u64).then_some(data)
    }
}

/// The first record and the bytes behind it; `None` when it is incomplete.
pub(super) fn split_record(bytes: &[u8]) -> Option<(Raw<'_>, &[u8])> {
    let (op, len) = record_header(bytes)?;
    let (body, behind) = bytes.get(RECORD_HEADER..)?.split_at_checked(usize::try_from(len).ok()?)?;
    Some((Raw { op, body }, behind))
}

/// The opcode of the first record, and the length of its body.
pub(super) fn record_header(bytes: &[u8]) -> Option<(u8, u64)> {
    let (op, rest) = bytes.split_first()?;
    Some((*op, u64::from_le_bytes(*rest.first_chunk()?)))
}

/// The offset of the summary, from the last [`FOOTER`] bytes of a file.
pub(super) fn summary_start(footer: &[u8]) -> Option<u64> {
    let (record, behind) = split_record(footer)?;
    let footer: Footer = record.read()?;
    (behind == MAGIC).then_some(footer.summary_start)
}

/// An attachment's name, time and content; `None` when it is damaged.
pub(super) fn attachment(record: Raw<'_>) -> Option<(String, Micros, Vec<u8>)> {
    let (content, crc) = record.body.split_last_chunk::<4>()?;
    (crc32fast::hash(content) == u32::from_le_bytes(*crc)).then_some(())?;
    let (header, data) = Raw { body: content, ..record }.split::<AttachmentHeader>()?;
    (data.len() as u64 == header.data_size).then(|| (header.name, moment(header.create_time), data.to_vec()))
}
