//! Opens a recording: reads its index and facts, and no packet.

use std::ops::Range;

use thiserror::Error;
use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;
use trailbrake_session::RecalledSession;

use super::block::BlockError;
use super::container::{self, FOOTER, MAGIC, Summary};
use super::fact_limits::{self, FactBudget};
use super::facts::{EventLog, FactError, Facts, Info, LapTable, StoredFact};
use super::records::AttachmentIndex;
use super::{LapRow, Packets, Reading, read_whole};

/// Chunks begin a second apart; after a longer step than this, packets are missing.
const LONGEST_STEP_S: f64 = 3.0;

/// Bytes read from the end of the file first: enough for all of a small file.
const FIRST_LOOK: u64 = 64 << 10;
/// Bytes of adjacent attachments that are read together.
const READ_TOGETHER: u64 = 1 << 20;
/// A summary that claims to be larger is invalid: it would cover a hundred hours.
const MOST_SUMMARY: u64 = 32 << 20;

/// Why a recording can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// The index is missing or incomplete: scan the file.
    #[error(
        "the recording was not finished, or its end is damaged: it has to be searched from its beginning"
    )]
    NoIndex,
    /// Another kind of file.
    #[error("this is no recording of Trailbrake")]
    NotARecording,
    /// A build before the first release wrote it.
    #[error(transparent)]
    BeforeRelease(BlockError),
    /// A required fact can't be read.
    #[error(transparent)]
    Fact(#[from] FactError),
}

impl OpenError {
    /// Whether the file is complete, and of another version: there is nothing to repair.
    pub fn is_of_another_version(&self) -> bool {
        matches!(self, Self::BeforeRelease(_) | Self::Fact(FactError::Later { .. }))
    }
}

/// An open recording.
#[derive(Clone, Debug)]
pub struct Recording {
    pub(super) summary: Summary,
    end_of_data: u64,
    info: Info,
    facts: Facts,
    laps: LapTable,
    /// Whether the file has more facts than are read.
    left_out: bool,
}

impl Recording {
    /// Opens a whole file in memory by its index.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, OpenError> {
        let mut opening = Opening::new(bytes.len() as u64);
        read_whole(&mut opening, bytes);
        opening.finish()
    }

    /// Whether its packets may hold other cars that can be left out.
    pub fn has_other_cars(&self) -> bool {
        let info = self.info();
        !info.others_left_out && Feed::from_id(&info.feed).is_some_and(|feed| feed.leave_out().is_some())
    }

    /// `end_of_data` is where the packets end; `None` takes it from the summary, which must then be complete.
    pub(super) fn new(summary: Summary, facts: Facts, end_of_data: Option<u64>) -> Result<Self, OpenError> {
        let info: Info = facts.get()?.ok_or(OpenError::NotARecording)?;
        if summary.channels.iter().any(container::is_before_release) {
            return Err(OpenError::BeforeRelease(BlockError::BeforeRelease));
        }
        let laps = laps_of(&facts);
        let chunks = summary.chunks.iter().map(|chunk| {
            chunk
                .chunk_start_offset
                .saturating_add(chunk.chunk_length)
                .saturating_add(chunk.message_index_length)
        });
        let first = summary.attachments.iter().min_by_key(|attachment| attachment.offset);
        let first = first.map(|attachment| attachment.offset.saturating_add(attachment.length));
        let end_of_data = end_of_data.or_else(|| chunks.chain(first).max()).unwrap_or_default();
        Ok(Self { summary, end_of_data, info, facts, laps, left_out: false })
    }

    /// The recording's info, which never changes.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// All facts, by name.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether the file can have these facts instead of its own, without losing any.
    pub fn can_hold(&self, facts: &Facts) -> bool {
        !self.left_out && fact_limits::fit(facts)
    }

    /// The recording with other facts, such as notes that are in no file yet, or those derived from its packets again.
    pub fn with_facts(self, facts: Facts) -> Self {
        Self { laps: laps_of(&facts), facts, ..self }
    }

    /// The laps of all cars.
    pub fn laps(&self) -> &LapTable {
        &self.laps
    }

    /// Whether another decoder version made the lap table, so that it should be rebuilt.
    pub fn laps_are_outdated(&self) -> bool {
        self.laps.decoder != super::facts::DECODER
    }

    /// The start times of the first and the last chunk; `None` without packets.
    pub fn time(&self) -> Option<Range<Micros>> {
        let starts = self.summary.chunks.iter().map(|chunk| container::moment(chunk.message_start_time));
        Some(starts.clone().min()?..starts.max()?)
    }

    /// Seconds of which it holds packets: without the time between the laps of a clip.
    pub fn held_s(&self) -> f64 {
        let starts = self.summary.chunks.iter().map(|chunk| container::moment(chunk.message_start_time));
        let mut starts: Vec<Micros> = starts.collect();
        starts.sort_unstable();
        let steps = starts.iter().zip(starts.iter().skip(1)).map(|(one, next)| next.seconds_since(*one));
        steps.filter(|step| *step <= LONGEST_STEP_S).sum()
    }

    /// Where the packets and the attachments among them end. Everything behind may be rewritten.
    pub fn end_of_data(&self) -> u64 {
        self.end_of_data
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.summary.blocks
    }

    /// Whether `earlier` is an earlier state of the same recording and this one only appends to it, so that what was
    /// read of `earlier` is still valid.
    pub fn continues(&self, earlier: &Self) -> bool {
        let places = |recording: &Self, count: usize| {
            let chunks = recording.summary.chunks.iter().take(count);
            chunks.map(|chunk| (chunk.chunk_start_offset, chunk.chunk_length)).collect::<Vec<_>>()
        };
        let count = earlier.summary.chunks.len();
        self.info.id == earlier.info.id && places(self, count) == places(earlier, count)
    }

    /// The state of the session whose first packets are no longer here: in memory, the oldest packets are dropped
    /// first.
    pub fn recall_dropped(&self) -> Option<RecalledSession> {
        let start = self.time()?.start;
        let rows = &self.laps.laps;
        let next = rows.iter().filter(|row| row.from >= start).min_by_key(|row| row.from)?;
        rows.iter().any(|row| row.to <= start).then(|| self.recall(next, start))
    }

    /// The state of a lap's session before the lap, for decoding only the packets from `from` on, shortly before it.
    pub fn recall(&self, next: &LapRow, from: Micros) -> RecalledSession {
        let log: Option<EventLog> = self.facts.get().ok().flatten();
        let events = log.unwrap_or_default().events.into_iter().filter(|event| event.session == next.session);
        let laps = self.laps.laps.iter().filter(|row| row.session == next.session && row.from < from);
        RecalledSession {
            summary: self.laps.sessions.get(usize::from(next.session)).cloned().unwrap_or_default(),
            laps: laps.cloned().collect(),
            next: Some(next.clone()),
            chosen: None,
            log: events.map(|event| event.entry).filter(|entry| entry.at < next.from).collect(),
            until: next.from,
        }
    }

    /// Reads the packets received within a time range.
    pub fn packets(&self, time: Range<Micros>) -> Packets {
        Packets::new(&self.summary, time)
    }

    /// Reads all packets.
    pub fn all_packets(&self) -> Packets {
        self.packets(Micros(0)..Micros(u64::MAX))
    }

    /// Lets packets of an earlier state of this recording continue into what was recorded since.
    pub fn continue_packets(&self, packets: &mut Packets) {
        packets.know(&self.summary);
    }
}

/// The lap table. One that can't be read, such as one of a later version, is rebuilt like an outdated one.
fn laps_of(facts: &Facts) -> LapTable {
    facts.get().unwrap_or_default().unwrap_or_default()
}

/// Opens a recording of known length.
#[derive(Debug)]
pub struct Opening {
    len: u64,
    /// The bytes read last, and their offset.
    held: (u64, Vec<u8>),
    stage: Stage,
    summary: Summary,
    facts: Facts,
    budget: FactBudget,
    left_out: bool,
}

#[derive(Debug)]
enum Stage {
    /// The end of the file, read first.
    End,
    /// All of the summary, from this offset.
    Summary(u64),
    /// The facts, the last one first.
    Facts(Vec<AttachmentIndex>),
    Done(Result<(), OpenError>),
}

impl Opening {
    /// `len` is the length of the file.
    pub fn new(len: u64) -> Self {
        let (summary, facts, budget) = (Summary::default(), Facts::default(), FactBudget::default());
        Self { len, held: (len, Vec::new()), stage: Stage::End, summary, facts, budget, left_out: false }
    }

    /// The recording, once nothing more is needed.
    pub fn finish(self) -> Result<Recording, OpenError> {
        match self.stage {
            Stage::Done(outcome) => {
                outcome?;
                let recording = Recording::new(self.summary, self.facts, None)?;
                Ok(Recording { left_out: self.left_out, ..recording })
            }
            _ => Err(OpenError::NoIndex),
        }
    }

    fn fail(&mut self, error: OpenError) {
        self.stage = Stage::Done(Err(error));
    }

    /// The bytes of a range, if all of it was read.
    fn held(&self, range: Range<u64>) -> Option<&[u8]> {
        let start = usize::try_from(range.start.checked_sub(self.held.0)?).ok()?;
        let len = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        self.held.1.get(start..)?.get(..len)
    }

    fn look_at_end(&mut self) {
        let footer = self.len.checked_sub(FOOTER as u64).and_then(|start| self.held(start..self.len));
        let start = footer.and_then(container::summary_start).filter(|start| *start < self.len);
        match start.filter(|start| self.len - start <= MOST_SUMMARY) {
            Some(start) if start >= self.held.0 => self.read_summary(start),
            Some(start) => self.stage = Stage::Summary(start),
            None => self.fail(OpenError::NoIndex),
        }
    }

    fn read_summary(&mut self, start: u64) {
        let Some(summary) = self.held(start..self.len).and_then(Summary::read) else {
            return self.fail(OpenError::NoIndex);
        };
        let mut left = summary.attachments.clone();
        // What people wrote comes last, so that it can't keep out what the packets say.
        left.sort_by_key(|index| (!fact_limits::is_authored(&index.name), index.offset));
        self.summary = summary;
        self.read_facts(left);
    }

    /// Reads the facts that are in memory, until one is not. The last attachment of a name is valid, unless it is
    /// damaged.
    fn read_facts(&mut self, mut left: Vec<AttachmentIndex>) {
        while let Some(index) = left.pop() {
            if self.facts.stored(&index.name).is_some() {
                continue;
            }
            let mut budget = self.budget;
            if !budget.spend(&index.name, index.length) {
                self.left_out = true;
                continue;
            }
            let range = index.offset..index.offset.saturating_add(index.length);
            if self.held(range).is_none() {
                left.push(index);
                self.stage = Stage::Facts(left);
                return;
            }
            self.budget = budget;
            self.take_fact(&index);
        }
        self.stage = Stage::Done(Ok(()));
    }

    /// Skips a damaged fact: the packets are what matters.
    fn take_fact(&mut self, index: &AttachmentIndex) {
        let record = self.held(index.offset..index.offset.saturating_add(index.length));
        let record = record.and_then(container::split_record).map(|(record, _)| record);
        if let Some((name, at, json)) = record.and_then(container::attachment) {
            self.facts.store(&name, StoredFact { at, json });
        }
    }
}

impl Reading for Opening {
    fn needs(&self) -> Option<Range<u64>> {
        match &self.stage {
            Stage::End => Some(self.len.saturating_sub(FIRST_LOOK)..self.len),
            Stage::Summary(start) => Some(*start..self.len),
            Stage::Facts(left) => {
                let last = left.last()?;
                // Read adjacent attachments together.
                let mut start = last.offset;
                let mut budget = self.budget;
                for before in left.iter().rev().skip(1) {
                    let is_adjacent = before.offset.saturating_add(before.length) == start;
                    let is_near = last.offset.saturating_sub(before.offset) <= READ_TOGETHER;
                    if !is_adjacent || !is_near || !budget.spend(&before.name, before.length) {
                        break;
                    }
                    start = before.offset;
                }
                Some(start..last.offset.saturating_add(last.length).min(self.len))
            }
            Stage::Done(_) => None,
        }
    }

    fn give(&mut self, bytes: &[u8]) {
        let Some(range) = self.needs() else { return };
        self.held = (range.start, bytes.to_vec());
        match &mut self.stage {
            Stage::End if self.len < (2 * MAGIC.len() + FOOTER) as u64 => self.fail(OpenError::NoIndex),
            Stage::End => self.look_at_end(),
            Stage::Summary(start) => {
                let start = *start;
                self.read_summary(start);
            }
            Stage::Facts(left) => {
                let mut left = std::mem::take(left);
                if let Some(last) = left.pop() {
                    self.budget.spend(&last.name, last.length);
                    // The source has no more than these bytes.
                    self.take_fact(&last);
                }
                self.read_facts(left);
            }
            Stage::Done(_) => {}
        }
    }
}
