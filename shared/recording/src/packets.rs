//! The packets of a time range, in the order they were received.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use trailbrake_model::time::Micros;

use super::block::{self, LONGEST_US};
use super::container::{self, Summary, split_record};
use super::records::{ChunkIndex, MessageHeader};
use super::{Packet, Reading};

/// Adjacent chunks are read together up to this many bytes.
const AT_ONCE: u64 = 1 << 20;

/// A part of the recording that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// When the last packet before it was received.
    pub from: Micros,
    /// When the first packet behind it was received.
    pub to: Micros,
    /// The number of missing packets.
    pub lost: u64,
}

/// Reads the packets of a time range.
#[derive(Debug)]
pub struct Packets {
    feeds: BTreeMap<u16, Arc<str>>,
    /// The chunks to read, the first one last.
    chunks: Vec<ChunkIndex>,
    time: Range<Micros>,
    /// Whether sealed packets are left open.
    opened: bool,
    read: Vec<Packet>,
    gaps: Vec<Gap>,
    /// The number and time of the last packet read, in the time range or not.
    last: Option<(u64, Micros)>,
    blocks: u64,
    damaged: u64,
    /// Chunks that begin before this offset have been considered, whether they are read or not.
    known_to: u64,
}

impl Packets {
    pub(super) fn new(summary: &Summary, time: Range<Micros>) -> Self {
        let mut packets = Self {
            feeds: BTreeMap::new(),
            chunks: Vec::new(),
            time,
            opened: false,
            read: Vec::new(),
            gaps: Vec::new(),
            last: None,
            blocks: 0,
            damaged: 0,
            known_to: 0,
        };
        packets.know(summary);
        packets
    }

    /// Leaves encrypted packets deciphered, as the recording stores them, where decoders read them just as well.
    /// Encrypting them again takes longer than reading them.
    pub fn opened(self) -> Self {
        Self { opened: true, ..self }
    }

    /// Continues into what a later summary of the same recording adds.
    pub(super) fn know(&mut self, summary: &Summary) {
        // A chunk's time is its first packet's; its last may have been received a second later.
        let earliest = Micros(self.time.start.0.saturating_sub(LONGEST_US));
        let within = |chunk: &&ChunkIndex| {
            let start = container::moment(chunk.message_start_time);
            chunk.chunk_start_offset >= self.known_to && start >= earliest && start < self.time.end
        };
        self.chunks.extend(summary.chunks.iter().filter(within).cloned());
        self.chunks.sort_by_key(|chunk| std::cmp::Reverse(chunk.chunk_start_offset));
        let behind = summary.chunks.iter().map(|chunk| chunk.chunk_start_offset.saturating_add(1)).max();
        self.known_to = behind.unwrap_or_default().max(self.known_to);
        let feeds = summary
            .channels
            .iter()
            .filter_map(|channel| Some((channel.id, container::feed(channel)?.into())));
        self.feeds.extend(feeds);
    }

    /// The packets read since the last call.
    pub fn take(&mut self) -> Vec<Packet> {
        std::mem::take(&mut self.read)
    }

    /// The gaps so far.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The number of blocks unpacked so far.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The number of blocks that could not be read so far.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Bytes of the file left to read.
    pub fn bytes_left(&self) -> u64 {
        let lengths = self.chunks.iter().flat_map(|chunk| [chunk.chunk_length, chunk.message_index_length]);
        lengths.fold(0, u64::saturating_add)
    }

    /// The number of chunks left to read, about one per second.
    pub(super) fn chunks_left(&self) -> usize {
        self.chunks.len()
    }

    /// The number of chunks to read in the next request.
    fn together(&self) -> usize {
        let mut chunks = self.chunks.iter().rev();
        let Some(first) = chunks.next() else { return 0 };
        let (mut count, mut end) = (1, end_of(first));
        for chunk in chunks {
            let follows = chunk.chunk_start_offset == end;
            if !follows || end_of(chunk).saturating_sub(first.chunk_start_offset) > AT_ONCE {
                break;
            }
            (count, end) = (count + 1, end_of(chunk));
        }
        count
    }

    fn take_chunk(&mut self, record: &[u8]) {
        let mut packets = Vec::new();
        match split_record(record).and_then(|(record, _)| record.chunk()) {
            Some(data) => self.unpack(data, &mut packets),
            None => self.damaged += 1,
        }
        packets.sort_by_key(|packet| packet.number);
        for packet in packets {
            self.find_gap(&packet);
            if self.time.contains(&packet.at) {
                self.read.push(packet);
            }
        }
    }

    fn unpack(&mut self, mut data: &[u8], packets: &mut Vec<Packet>) {
        while !data.is_empty() {
            // Each message only holds its own length: nothing behind a damaged one can be found.
            let Some((record, behind)) = split_record(data) else {
                self.damaged += 1;
                return;
            };
            data = behind;
            let message = record.split::<MessageHeader>();
            let block = message.and_then(|(header, data)| {
                let feed = self.feeds.get(&header.channel_id)?;
                match self.opened {
                    true => block::decode_opened(feed, data),
                    false => block::decode(feed, data),
                }
                .ok()
            });
            match block {
                Some(mut block) => {
                    self.blocks += 1;
                    packets.append(&mut block);
                }
                None => self.damaged += 1,
            }
        }
    }

    fn find_gap(&mut self, packet: &Packet) {
        if let Some((number, at)) = self.last {
            let lost = packet.number.saturating_sub(number).saturating_sub(1);
            if lost > 0 {
                self.gaps.push(Gap { from: at, to: packet.at, lost });
            }
        }
        self.last = Some((packet.number, packet.at));
    }
}

/// Where a chunk ends, including its message indexes.
fn end_of(chunk: &ChunkIndex) -> u64 {
    chunk.chunk_start_offset.saturating_add(chunk.chunk_length).saturating_add(chunk.message_index_length)
}

impl Reading for Packets {
    fn needs(&self) -> Option<Range<u64>> {
        let first = self.chunks.last()?;
        let last = self.chunks.iter().rev().nth(self.together().saturating_sub(1))?;
        Some(first.chunk_start_offset..last.chunk_start_offset.saturating_add(last.chunk_length))
    }

    fn give(&mut self, bytes: &[u8]) {
        let Some(start) = self.chunks.last().map(|chunk| chunk.chunk_start_offset) else { return };
        for _ in 0..self.together() {
            let Some(chunk) = self.chunks.pop() else { return };
            let from = usize::try_from(chunk.chunk_start_offset.saturating_sub(start)).unwrap_or(usize::MAX);
            let record = bytes.get(from..).unwrap_or_default();
            let len = usize::try_from(chunk.chunk_length).unwrap_or(usize::MAX).min(record.len());
            self.take_chunk(record.get(..len).unwrap_or_default());
        }
    }
}
