//! The writer: datagrams and facts in, bytes to append out. It never seeks back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;

use super::block::{FinishedBlock, blocks, together};
use super::container::{self, Message, Summary};
use super::facts::{Facts, Info};
use super::packet::Packet;
use super::records::AttachmentIndex;
use super::{Fact, StoredFact, facts};

/// Writes one recording.
#[derive(Debug)]
pub struct Writer {
    /// Bytes not yet handed out.
    out: Vec<u8>,
    /// The number of bytes handed out.
    before: u64,
    summary: Summary,
    channels: BTreeMap<Arc<str>, u16>,
    /// The packets of the current second.
    second: Vec<Packet>,
    /// The number of the next datagram.
    next: u64,
    facts: Facts,
    /// The names of the facts already written among the packets, not only at the end of the file.
    written: BTreeSet<String>,
}

impl Writer {
    /// Begins a recording.
    pub fn new(info: &Info) -> Self {
        let mut writer = Self {
            out: container::beginning(),
            before: 0,
            summary: Summary::default(),
            channels: BTreeMap::new(),
            second: Vec::new(),
            next: 0,
            facts: Facts::default(),
            written: BTreeSet::new(),
        };
        writer.write_now(Info::NAME, StoredFact { at: info.created, json: facts::write(info) });
        // A second copy goes to the end, in case the beginning is damaged.
        writer.write_last(info.created, info);
        writer
    }

    /// Takes the next datagram.
    pub fn take(&mut self, datagram: &Datagram<'_>) {
        self.keep(Packet::of(datagram, self.next));
    }

    /// Takes a packet of another recording and keeps its number.
    pub fn keep(&mut self, packet: Packet) {
        self.next = packet.number.saturating_add(1);
        if self.second.first().is_some_and(|first| !together(first, &packet)) {
            self.end_second();
        }
        self.second.push(packet);
    }

    /// When the first unwritten datagram was received.
    pub fn since(&self) -> Option<Micros> {
        self.second.first().map(|packet| packet.at)
    }

    /// Writes the packets of the current second. Called once a second, so that a kill loses no more.
    pub fn end_second(&mut self) {
        let packets = std::mem::take(&mut self.second);
        if packets.is_empty() {
            return;
        }
        let mut messages = Vec::new();
        for FinishedBlock { feed, at, bytes: block } in blocks(packets) {
            self.summary.blocks += 1;
            let sequence = self.summary.blocks as u32;
            messages.push(Message { channel: self.channel(&feed), sequence, at, block });
        }
        let offset = self.len();
        let chunk = container::put_chunk(&mut self.out, offset, &messages);
        self.summary.chunks.push(chunk);
    }

    /// Writes a fact at once: for what can't be derived from packets, such as a note, so that a kill can't lose it.
    pub fn write_now(&mut self, name: &str, stored: StoredFact) {
        let offset = self.len();
        let index = container::put_attachment(&mut self.out, offset, stored.at, name, &stored.json);
        self.summary.attachments.push(index);
        self.facts.store(name, stored);
        self.written.insert(name.to_owned());
    }

    /// Keeps a fact for the end of the file: for what can be derived from the packets again.
    pub fn write_last<F: Fact>(&mut self, at: Micros, fact: &F) {
        self.facts.put(at, fact);
        self.written.remove(F::NAME);
    }

    /// Like [`Writer::write_last`], for a set of facts.
    pub fn write_all_last(&mut self, facts: &Facts) {
        for (name, stored) in facts.iter() {
            self.facts.store(name, stored.clone());
            self.written.remove(name);
        }
    }

    /// The current facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The bytes to append since the last call.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.before = self.len();
        std::mem::take(&mut self.out)
    }

    /// The length of the file once everything is appended.
    pub fn len(&self) -> u64 {
        self.before + self.out.len() as u64
    }

    /// Bytes in memory: those not handed out, and the packets of the current second.
    pub fn waiting(&self) -> usize {
        self.out.len() + self.second.iter().map(|packet| packet.bytes.len()).sum::<usize>()
    }

    /// Forgets the packets and attachments written before an offset, since those bytes are dropped. The facts stay
    /// known.
    pub fn forget(&mut self, before: u64) {
        self.summary.chunks.retain(|chunk| chunk.chunk_start_offset >= before);
        let forgotten = |attachment: &AttachmentIndex| attachment.offset < before;
        for attachment in self.summary.attachments.iter().filter(|attachment| forgotten(attachment)) {
            // Write it at the end instead.
            self.written.remove(&attachment.name);
        }
        self.summary.attachments.retain(|attachment| !forgotten(attachment));
    }

    /// Whether no packet was written yet.
    pub fn is_empty(&self) -> bool {
        self.summary.chunks.is_empty()
    }

    /// The bytes that complete those handed out so far into a finished recording, to open a recording that is under
    /// way. Bytes not yet handed out are not included.
    pub fn tail(&self) -> Vec<u8> {
        let mut summary = self.summary.clone();
        summary.chunks.retain(|chunk| chunk.chunk_start_offset < self.before);
        summary.attachments.retain(|attachment| attachment.offset < self.before);
        tail(summary, self.before, &self.facts, &|name| self.written.contains(name))
    }

    /// Ends the recording; returns the last bytes to append.
    pub fn finish(mut self) -> Vec<u8> {
        self.end_second();
        let mut bytes = self.bytes();
        bytes.extend(tail(self.summary, self.before, &self.facts, &|name| self.written.contains(name)));
        bytes
    }

    fn channel(&mut self, feed: &Arc<str>) -> u16 {
        if let Some(id) = self.channels.get(feed) {
            return *id;
        }
        let id = self.channels.len() as u16;
        let channel = container::channel(id, feed);
        container::put_channel(&mut self.out, &channel);
        self.summary.channels.push(channel);
        self.channels.insert(feed.clone(), id);
        id
    }
}

/// Everything behind a recording's data: the facts that are not among the data already, and the summary.
pub(super) fn tail(
    mut summary: Summary,
    offset: u64,
    facts: &Facts,
    stands: &dyn Fn(&str) -> bool,
) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, stored) in facts.iter().filter(|(name, _)| !stands(name)) {
        let place = offset + out.len() as u64;
        let index = container::put_attachment(&mut out, place, stored.at, name, &stored.json);
        summary.attachments.push(index);
    }
    summary.put_end(&mut out, offset);
    out
}
