//! Recovers what is complete in a file without an index: the program was killed while writing it, or it is damaged.

use std::ops::Range;

use trailbrake_games::feed::{FEEDS, FeedInfo};
use trailbrake_model::time::Micros;

use super::block;
use super::container::{self, MAGIC, RECORD_HEADER, Raw, Summary, split_record};
use super::fact_limits::{self, FactBudget};
use super::facts::{Fact, Info, RecordingId, StoredFact};
use super::records::{
    AttachmentHeader, Channel, ChunkHeader, ChunkIndex, DataEnd, Header, MessageHeader, MessageIndex, Record,
};
use super::{Facts, OpenError, Recording, UNCLAIMED};

use super::Reading;

/// Bytes read at once.
const AT_ONCE: u64 = 1 << 20;
/// A record that claims to be larger is damaged: chunks hold one second.
const MOST_RECORD: u64 = 256 << 20;
/// How many offsets per read are tried as an attachment, whose checksum is slow.
const MOST_TRIES: usize = 64;
/// Bytes of an uncompressed chunk's record before its messages.
const CHUNK_HEADER: u64 = 40;

/// The complete part of a recording.
#[derive(Clone, Debug)]
pub struct ScannedRecording {
    /// What was found.
    pub recording: Recording,
    /// The number of damaged places.
    pub damaged: u64,
}

/// Scans a file from its beginning to its end.
#[derive(Debug)]
pub struct Scan {
    len: u64,
    offset: u64,
    /// Bytes needed at once.
    want: u64,
    /// Where the last complete record ends.
    whole: u64,
    /// Whether the offset of the next record is unknown.
    lost: bool,
    damaged: u64,
    summary: Summary,
    facts: Facts,
    budget: FactBudget,
    done: bool,
}

impl Scan {
    /// `len` is the length of the file.
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
            budget: FactBudget::default(),
            done: false,
        }
    }

    /// Progress, 0 to 1.
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

    /// Replaces a damaged [`Info`]. The id is derived from the start time and feed, so that a second scan finds the
    /// same one.
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

    /// Takes records as long as they are complete.
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

    /// Ends the scan if the file ends here.
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

    /// Skips to the next offset that looks like a record; returns whether there is one in these bytes.
    fn find(&mut self, bytes: &mut &[u8]) -> bool {
        let mut tries = MOST_TRIES;
        // The record at the current offset is the damaged one.
        for place in 1..bytes.len() {
            let rest = bytes.get(place..).unwrap_or_default();
            if begins_chunk(rest) || begins_attachment(rest, &mut tries) {
                self.offset = self.offset.saturating_add(place as u64);
                (self.lost, *bytes) = (false, rest);
                return true;
            }
        }
        // Re-read a header that the end of these bytes cuts off.
        let header = RECORD_HEADER as u64 + CHUNK_HEADER;
        let seen = bytes.len() as u64;
        if self.offset.saturating_add(seen) >= self.len {
            self.end();
        }
        self.offset = self.offset.saturating_add(seen.saturating_sub(header).max(1)).min(self.len);
        false
    }

    /// Takes a record; returns whether it was valid.
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
        let mut budget = self.budget;
        if let Some(before) = self.facts.stored(&name) {
            budget.give_back(fact_limits::bytes(&name, &before.json));
        }
        if !budget.spend(&name, fact_limits::bytes(&name, &json)) {
            return Some(());
        }
        self.budget = budget;
        let index = container::attachment_index(self.offset, len, at, &name, json.len() as u64);
        self.summary.attachments.push(index);
        self.facts.store(&name, StoredFact { at, json });
        Some(())
    }

    /// The message index of a chunk's channel, written behind the chunk.
    fn take_index(&mut self, index: &MessageIndex, len: u64) {
        if let Some(chunk) = self.summary.chunks.last_mut() {
            chunk.message_index_offsets.push((index.channel_id, self.offset));
            chunk.message_index_length = chunk.message_index_length.saturating_add(len);
        }
    }

    /// Takes a chunk with at least one valid block. Its times come from its blocks, whose CRCs were checked.
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

    /// When a block begins. If its channel record was damaged, the block's CRC identifies the feed.
    fn block_time(&mut self, id: u16, block: &[u8]) -> Option<Micros> {
        let channel = self.summary.channels.iter_mut().find(|channel| channel.id == id);
        let known = channel.as_ref().and_then(|channel| container::feed(channel));
        if let Some(header) = known.and_then(|feed| block::header(feed, block).ok()) {
            return Some(header.at);
        }
        let feeds = FEEDS.iter().flat_map(FeedInfo::ids).chain([UNCLAIMED]);
        let (feed, header) =
            feeds.filter_map(|feed| Some((feed, block::header(feed, block).ok()?))).next()?;
        let found = container::channel(id, feed);
        match channel {
            // The channel record was the damaged one, unless it has blocks already.
            Some(channel) if self.summary.blocks == 0 => *channel = found,
            Some(_) => return None,
            None => self.summary.channels.push(found),
        }
        Some(header.at)
    }
}

/// Whether bytes look like a chunk as written here: not compressed, and with consistent lengths.
fn begins_chunk(bytes: &[u8]) -> bool {
    let Some((ChunkHeader::OP, len)) = container::record_header(bytes) else { return false };
    let size = |place: usize| {
        let bytes = bytes.get(place..).and_then(|rest| rest.first_chunk::<8>());
        bytes.map(|bytes| u64::from_le_bytes(*bytes))
    };
    let sizes = (size(RECORD_HEADER + 16), size(RECORD_HEADER + 32));
    len.checked_sub(CHUNK_HEADER).is_some_and(|data| sizes == (Some(data), Some(data)))
}

/// Whether bytes begin with a complete attachment.
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
            // The file is shorter than announced.
            self.len = range.start.saturating_add(bytes.len() as u64);
        }
        self.walk(bytes);
    }
}
