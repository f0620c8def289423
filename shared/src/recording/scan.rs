//! Finding what is whole in a file without an index: one that was being written when the program was killed, or that is
//! damaged.

use std::ops::Range;

use super::block;
use super::container::{self, MAGIC, RECORD_HEADER, Raw, Summary, split_record};
use super::facts::{Fact, Info, RecordingId, StoredFact};
use super::records::{
    AttachmentHeader, Channel, ChunkHeader, ChunkIndex, DataEnd, Header, MessageHeader, MessageIndex, Record,
};
use super::{Facts, OpenError, Recording, UNCLAIMED};
use crate::feed::FEEDS;
use crate::time::Micros;

use super::Reading;

/// So many bytes are looked at together.
const AT_ONCE: u64 = 1 << 20;
/// A record that claims to be larger than this is damaged: chunks hold a second.
const MOST_RECORD: u64 = 256 << 20;
/// So many places of what is looked at together are tried for an attachment, whose checksum takes its time.
const MOST_TRIES: usize = 64;
/// Bytes of a chunk's record in front of its messages, when it is not compressed.
const CHUNK_HEADER: u64 = 40;

/// A recording as far as it is whole.
#[derive(Clone, Debug)]
pub struct ScannedRecording {
    /// What was found.
    pub recording: Recording,
    /// How many places were damaged.
    pub damaged: u64,
}

/// Searches a file from its beginning to its end.
#[derive(Debug)]
pub struct Scan {
    len: u64,
    offset: u64,
    /// How many bytes have to be seen at once.
    want: u64,
    /// Where the last whole record ends.
    whole: u64,
    /// Whether the place is not known at which the next record begins.
    lost: bool,
    damaged: u64,
    summary: Summary,
    facts: Facts,
    done: bool,
}

impl Scan {
    /// Searches a file of so many bytes.
    pub fn new(len: u64) -> Self {
        Self {
            len,
            offset: 0,
            want: AT_ONCE,
            whole: 0,
            lost: false,
            damaged: 0,
            summary: Summary::default(),
            facts: Facts::default(),
            done: false,
        }
    }

    /// How far it has come, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.offset as f64 / self.len.max(1) as f64
    }

    /// What was found, once nothing more is needed.
    pub fn finish(mut self) -> Result<ScannedRecording, OpenError> {
        if !self.done {
            return Err(OpenError::NoIndex);
        }
        if self.facts.json(Info::NAME).is_none() {
            let info = self.substitute().ok_or(OpenError::NotARecording)?;
            self.facts.put(info.created, &info);
        }
        let recording = Recording::new(self.summary, self.facts, Some(self.whole))?;
        Ok(ScannedRecording { recording, damaged: self.damaged })
    }

    /// What can be said of a recording whose own word on that is damaged. Its name is made of when it began, so that it
    /// gets the same one again.
    fn substitute(&self) -> Option<Info> {
        let created = container::moment(self.summary.chunks.first()?.message_start_time);
        let feed = self.summary.channels.first()?.topic.clone();
        let id = RecordingId(u128::from(created.0) << 64 | u128::from(crc32fast::hash(feed.as_bytes())));
        let program = String::new();
        Some(Info { id, parent: None, created, feed, program, others_left_out: false })
    }

    fn end(&mut self) {
        self.done = true;
    }

    /// Takes records as long as they are whole.
    fn walk(&mut self, mut bytes: &[u8]) {
        if self.offset == 0 {
            match bytes.strip_prefix(MAGIC) {
                Some(behind) => {
                    bytes = behind;
                    self.pass(MAGIC.len() as u64);
                }
                // The first bytes may be damaged like any others.
                None => self.lose(),
            }
        }
        loop {
            if self.lost && !self.find(&mut bytes) {
                return;
            }
            match container::record_header(bytes) {
                Some((_, len)) if len > MOST_RECORD || self.offset.saturating_add(len) > self.len => {
                    self.lose()
                }
                Some((_, len)) if (bytes.len() as u64) < len + RECORD_HEADER as u64 => {
                    self.want = (len + RECORD_HEADER as u64).max(AT_ONCE);
                    return self.or_end(bytes);
                }
                None => return self.or_end(bytes),
                Some(_) => {
                    let Some((record, behind)) = split_record(bytes) else { return self.end() };
                    let len = (bytes.len() - behind.len()) as u64;
                    if record.op == DataEnd::OP {
                        return self.end();
                    }
                    if self.take(record, len) {
                        bytes = behind;
                        self.pass(len);
                    } else {
                        self.lose();
                    }
                }
            }
        }
    }

    /// When everything up to the end of the file has been seen, there is no more.
    fn or_end(&mut self, seen: &[u8]) {
        if self.offset.saturating_add(seen.len() as u64) >= self.len {
            self.damaged += u64::from(!seen.is_empty());
            self.end();
        }
    }

    fn pass(&mut self, len: u64) {
        self.offset = self.offset.saturating_add(len);
        self.whole = self.offset;
        self.want = AT_ONCE;
    }

    fn lose(&mut self) {
        self.lost = true;
        self.damaged += 1;
        self.want = AT_ONCE;
    }

    /// Goes on to the next place that looks like a record. Tells whether there is one in sight.
    fn find(&mut self, bytes: &mut &[u8]) -> bool {
        let mut tries = MOST_TRIES;
        // The place itself is the one that was damaged.
        for place in 1..bytes.len() {
            let rest = bytes.get(place..).unwrap_or_default();
            if begins_chunk(rest) || begins_attachment(rest, &mut tries) {
                self.offset = self.offset.saturating_add(place as u64);
                (self.lost, *bytes) = (false, rest);
                return true;
            }
        }
        // A header that is cut off by the end of what is seen is looked at again.
        let header = RECORD_HEADER as u64 + CHUNK_HEADER;
        let seen = bytes.len() as u64;
        if self.offset.saturating_add(seen) >= self.len {
            self.end();
        }
        self.offset = self.offset.saturating_add(seen.saturating_sub(header).max(1)).min(self.len);
        false
    }

    /// Takes a record. Tells whether it was whole.
    fn take(&mut self, record: Raw<'_>, len: u64) -> bool {
        match record.op {
            Header::OP => record.read::<Header>().is_some(),
            Channel::OP => record.read().map(|channel| self.summary.channels.push(channel)).is_some(),
            ChunkHeader::OP => record.chunk().is_some_and(|data| self.take_chunk(data, len)),
            MessageIndex::OP => record.read().map(|index| self.take_index(&index, len)).is_some(),
            AttachmentHeader::OP => self.take_attachment(record, len).is_some(),
            _ => false,
        }
    }

    fn take_attachment(&mut self, record: Raw<'_>, len: u64) -> Option<()> {
        let (name, at, json) = container::attachment(record)?;
        let index = container::attachment_index(self.offset, len, at, &name, json.len() as u64);
        self.summary.attachments.push(index);
        self.facts.store(&name, StoredFact { at, json });
        Some(())
    }

    /// The index that stands behind a chunk, for one of its channels.
    fn take_index(&mut self, index: &MessageIndex, len: u64) {
        if let Some(chunk) = self.summary.chunks.last_mut() {
            chunk.message_index_offsets.push((index.channel_id, self.offset));
            chunk.message_index_length = chunk.message_index_length.saturating_add(len);
        }
    }

    /// A chunk with at least one block that is whole. Its times are told by its blocks, whose CRC has been looked at.
    fn take_chunk(&mut self, data: &[u8], len: u64) -> bool {
        let mut rest = data;
        let mut times: Vec<Micros> = Vec::new();
        while let Some((record, behind)) = split_record(rest) {
            rest = behind;
            if let Some((header, data)) = record.split::<MessageHeader>() {
                match self.block_time(header.channel_id, data) {
                    Some(at) => times.push(at),
                    None => self.damaged += 1,
                }
            }
        }
        let ends = times.iter().min().zip(times.iter().max());
        let Some((start, end)) = ends else { return false };
        self.summary.blocks += times.len() as u64;
        self.summary.chunks.push(ChunkIndex {
            message_start_time: container::nanoseconds(*start),
            message_end_time: container::nanoseconds(*end),
            chunk_start_offset: self.offset,
            chunk_length: len,
            message_index_offsets: Vec::new(),
            message_index_length: 0,
            compression: String::new(),
            compressed_size: data.len() as u64,
            uncompressed_size: data.len() as u64,
        });
        true
    }

    /// When a block begins. Where its channel's record was damaged, the block's CRC tells which feed it is of.
    fn block_time(&mut self, id: u16, block: &[u8]) -> Option<Micros> {
        let channel = self.summary.channels.iter_mut().find(|channel| channel.id == id);
        let known = channel.as_ref().and_then(|channel| container::feed(channel));
        if let Some(header) = known.and_then(|feed| block::header(feed, block).ok()) {
            return Some(header.at);
        }
        let feeds = FEEDS.iter().map(|row| row.id).chain([UNCLAIMED]);
        let (feed, header) =
            feeds.filter_map(|feed| Some((feed, block::header(feed, block).ok()?))).next()?;
        let found = container::channel(id, feed);
        match channel {
            // The channel said something else: it was what was damaged, unless it has blocks already.
            Some(channel) if self.summary.blocks == 0 => *channel = found,
            Some(_) => return None,
            None => self.summary.channels.push(found),
        }
        Some(header.at)
    }
}

/// Whether bytes look like a chunk as it is written here: not compressed, and of a length that adds up.
fn begins_chunk(bytes: &[u8]) -> bool {
    let Some((ChunkHeader::OP, len)) = container::record_header(bytes) else { return false };
    let size = |place: usize| {
        let bytes = bytes.get(place..).and_then(|rest| rest.first_chunk::<8>());
        bytes.map(|bytes| u64::from_le_bytes(*bytes))
    };
    let sizes = (size(RECORD_HEADER + 16), size(RECORD_HEADER + 32));
    len.checked_sub(CHUNK_HEADER).is_some_and(|data| sizes == (Some(data), Some(data)))
}

/// Whether bytes are an attachment, and all of it.
fn begins_attachment(bytes: &[u8], tries: &mut usize) -> bool {
    let Some((record, _)) = split_record(bytes).filter(|(record, _)| record.op == AttachmentHeader::OP)
    else {
        return false;
    };
    *tries = tries.saturating_sub(1);
    *tries > 0 && container::attachment(record).is_some()
}

impl Reading for Scan {
    fn needs(&self) -> Option<Range<u64>> {
        (!self.done).then(|| self.offset..self.offset.saturating_add(self.want).min(self.len))
    }

    fn give(&mut self, bytes: &[u8]) {
        let Some(range) = self.needs() else { return };
        if (bytes.len() as u64) < range.end.saturating_sub(range.start) {
            // The file is shorter than it was said to be.
            self.len = range.start.saturating_add(bytes.len() as u64);
        }
        self.walk(bytes);
    }
}
