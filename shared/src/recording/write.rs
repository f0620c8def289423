//! The writer: datagrams and facts in, bytes to append out. It never goes back, and knows no file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::block::{FinishedBlock, blocks, together};
use super::container::{self, Message, Summary};
use super::facts::{Facts, Info};
use super::packet::Packet;
use super::records::AttachmentIndex;
use super::{Fact, StoredFact, facts};
use crate::time::Micros;
use crate::wire::Datagram;

/// Writes one recording.
#[derive(Debug)]
pub struct Writer {
    /// What was not yet handed out.
    out: Vec<u8>,
    /// Bytes that were handed out.
    before: u64,
    summary: Summary,
    channels: BTreeMap<Arc<str>, u16>,
    /// The packets of the second under way.
    second: Vec<Packet>,
    /// The number of the next datagram.
    next: u64,
    facts: Facts,
    /// The names of the facts that stand among the packets, and not at the end of the file.
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
        // It stands at the end once more, in case that its beginning is damaged.
        writer.write_last(info.created, info);
        writer
    }

    /// Takes the next datagram.
    pub fn take(&mut self, datagram: &Datagram<'_>) {
        self.keep(Packet::of(datagram, self.next));
    }

    /// Takes a packet out of another recording, with the place that it had there.
    pub fn keep(&mut self, packet: Packet) {
        self.next = packet.number.saturating_add(1);
        if self.second.first().is_some_and(|first| !together(first, &packet)) {
            self.end_second();
        }
        self.second.push(packet);
    }

    /// When the first datagram was received that is not written yet.
    pub fn since(&self) -> Option<Micros> {
        self.second.first().map(|packet| packet.at)
    }

    /// Writes what came since the last second ended: once a second, so that no more is lost to a kill.
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

    /// Writes a fact at once: for what can't be had again, such as a note, should the program be killed.
    pub fn write_now(&mut self, name: &str, stored: StoredFact) {
        let offset = self.len();
        let index = container::put_attachment(&mut self.out, offset, stored.at, name, &stored.json);
        self.summary.attachments.push(index);
        self.facts.store(name, stored);
        self.written.insert(name.to_owned());
    }

    /// Keeps a fact for the end of the file: for what can be had from the packets again.
    pub fn write_last<F: Fact>(&mut self, at: Micros, fact: &F) {
        self.facts.put(at, fact);
        self.written.remove(F::NAME);
    }

    /// Keeps all of these facts for the end of the file.
    pub fn write_all_last(&mut self, facts: &Facts) {
        for (name, stored) in facts.iter() {
            self.facts.store(name, stored.clone());
            self.written.remove(name);
        }
    }

    /// The facts as they are now.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The bytes to append since this was asked last.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.before = self.len();
        std::mem::take(&mut self.out)
    }

    /// The length of the file once everything is appended.
    pub fn len(&self) -> u64 {
        self.before + self.out.len() as u64
    }

    /// Bytes that wait: what was not handed out, and the packets of the second under way.
    pub fn waiting(&self) -> usize {
        self.out.len() + self.second.iter().map(|packet| packet.bytes.len()).sum::<usize>()
    }

    /// Forgets the packets and facts that were written before a place: those bytes are dropped. What is known of facts
    /// stays.
    pub fn forget(&mut self, before: u64) {
        self.summary.chunks.retain(|chunk| chunk.chunk_start_offset >= before);
        let forgotten = |attachment: &AttachmentIndex| attachment.offset < before;
        for attachment in self.summary.attachments.iter().filter(|attachment| forgotten(attachment)) {
            // It stands at the end from now on.
            self.written.remove(&attachment.name);
        }
        self.summary.attachments.retain(|attachment| !forgotten(attachment));
    }

    /// Whether no packet was written yet.
    pub fn is_empty(&self) -> bool {
        self.summary.chunks.is_empty()
    }

    /// What would have to stand behind the bytes handed out so far to make them a finished recording: a recording
    /// under way is opened by it. What was not handed out yet is not in it.
    pub fn tail(&self) -> Vec<u8> {
        let mut summary = self.summary.clone();
        summary.chunks.retain(|chunk| chunk.chunk_start_offset < self.before);
        summary.attachments.retain(|attachment| attachment.offset < self.before);
        tail(summary, self.before, &self.facts, &|name| self.written.contains(name))
    }

    /// Ends the recording: the last bytes to append.
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

/// Everything behind a recording's data: the facts that do not stand in the data already, and the summary.
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
