//! Opening a recording: its index and facts, and no packet.

use std::ops::Range;

use thiserror::Error;

use super::container::{self, FOOTER, MAGIC, Summary};
use super::facts::{EventLog, FactError, Facts, Info, LapTable, StoredFact};
use super::packets::Packets;
use super::records::AttachmentIndex;
use super::{LapReading, LapRow, Reading};
use crate::session::RecalledSession;
use crate::time::Micros;

/// So many bytes at the end of a file are read first: all that is needed of a small one.
const FIRST_LOOK: u64 = 64 << 10;
/// A summary that claims to be larger than this is none: it would be that of a thousand hours.
const MOST_SUMMARY: u64 = 256 << 20;

/// Why a recording can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// It has no whole index: it has to be scanned.
    #[error(
        "the recording was not finished, or its end is damaged: it has to be searched from its beginning"
    )]
    NoIndex,
    /// It is something else.
    #[error("this is no recording of Trailbrake")]
    NotARecording,
    /// A fact that is needed can't be read.
    #[error(transparent)]
    Fact(#[from] FactError),
}

/// A recording that is open.
#[derive(Clone, Debug)]
pub struct Recording {
    pub(super) summary: Summary,
    end_of_data: u64,
    info: Info,
    facts: Facts,
    laps: LapTable,
}

impl Recording {
    /// A recording with its data up to a place; where the summary is whole, it says up to which.
    pub(super) fn new(summary: Summary, facts: Facts, end_of_data: Option<u64>) -> Result<Self, OpenError> {
        let info: Info = facts.get()?.ok_or(OpenError::NotARecording)?;
        // A table that a later version made is made anew, as is an older one.
        let laps = facts.get::<LapTable>().unwrap_or_default().unwrap_or_default();
        let chunks = summary.chunks.iter().map(|chunk| {
            chunk
                .chunk_start_offset
                .saturating_add(chunk.chunk_length)
                .saturating_add(chunk.message_index_length)
        });
        let first = summary.attachments.iter().min_by_key(|attachment| attachment.offset);
        let first = first.map(|attachment| attachment.offset.saturating_add(attachment.length));
        let end_of_data = end_of_data.or_else(|| chunks.chain(first).max()).unwrap_or_default();
        Ok(Self { summary, end_of_data, info, facts, laps })
    }

    /// What was written first.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Everything known besides the packets.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The laps of all cars.
    pub fn laps(&self) -> &LapTable {
        &self.laps
    }

    /// Whether another version of the decoders made the lap table, so that it should be made anew.
    pub fn laps_are_outdated(&self) -> bool {
        self.laps.decoder != super::facts::DECODER
    }

    /// When the first and the last second of packets begin; `None` when there are none.
    pub fn time(&self) -> Option<Range<Micros>> {
        let starts = self.summary.chunks.iter().map(|chunk| container::moment(chunk.message_start_time));
        Some(starts.clone().min()?..starts.max()?)
    }

    /// Where the packets and what was written among them end: everything behind it may be written anew.
    pub fn end_of_data(&self) -> u64 {
        self.end_of_data
    }

    /// How many blocks of packets there are.
    pub fn blocks(&self) -> u64 {
        self.summary.blocks
    }

    /// Whether this is an earlier state of the same recording, with nothing but more behind it: what was read of that
    /// still holds.
    pub fn continues(&self, earlier: &Self) -> bool {
        let places = |recording: &Self, count: usize| {
            let chunks = recording.summary.chunks.iter().take(count);
            chunks.map(|chunk| (chunk.chunk_start_offset, chunk.chunk_length)).collect::<Vec<_>>()
        };
        let count = earlier.summary.chunks.len();
        self.info.id == earlier.info.id && places(self, count) == places(earlier, count)
    }

    /// Reads the packets that were received in a stretch of time.
    pub fn packets(&self, time: Range<Micros>) -> Packets {
        Packets::new(&self.summary, time)
    }

    /// Reads all packets.
    pub fn all_packets(&self) -> Packets {
        self.packets(Micros(0)..Micros(u64::MAX))
    }

    /// What is known of the session whose first packets are here no more: those kept in memory are dropped oldest first.
    pub fn recall_dropped(&self) -> Option<RecalledSession> {
        let start = self.time()?.start;
        let rows = &self.laps.laps;
        let next = rows.iter().filter(|row| row.from >= start).min_by_key(|row| row.from)?;
        rows.iter().any(|row| row.to <= start).then(|| self.recall(next, start))
    }

    /// What is known of the session that a lap is in before the lap begins, when its packets are decoded only from a
    /// moment shortly before that on.
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

    /// Reads a lap, and decodes it as if it were live.
    pub fn lap(&self, row: &LapRow) -> LapReading {
        LapReading::new(self, row)
    }
}

/// Opens a recording of a known length.
#[derive(Debug)]
pub struct Opening {
    len: u64,
    /// What has been read of the end, and from where.
    held: (u64, Vec<u8>),
    stage: Stage,
    summary: Summary,
    facts: Facts,
}

#[derive(Debug)]
enum Stage {
    /// The end is read first.
    End,
    /// Then all of the summary.
    Summary(u64),
    /// Then the facts, one after the other, the last first.
    Facts(Vec<AttachmentIndex>),
    Done(Result<(), OpenError>),
}

impl Opening {
    /// Opens a recording that has so many bytes.
    pub fn new(len: u64) -> Self {
        let (summary, facts) = (Summary::default(), Facts::default());
        Self { len, held: (len, Vec::new()), stage: Stage::End, summary, facts }
    }

    /// The recording, once nothing more is needed.
    pub fn finish(self) -> Result<Recording, OpenError> {
        match self.stage {
            Stage::Done(outcome) => outcome.and_then(|()| Recording::new(self.summary, self.facts, None)),
            _ => Err(OpenError::NoIndex),
        }
    }

    fn fail(&mut self, error: OpenError) {
        self.stage = Stage::Done(Err(error));
    }

    /// What is held of a range, when all of it is.
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
        left.sort_by_key(|index| index.offset);
        self.summary = summary;
        self.read_facts(left);
    }

    /// Reads those facts that are held already, until one is not. The last of a name is the one that holds, unless it
    /// is damaged.
    fn read_facts(&mut self, mut left: Vec<AttachmentIndex>) {
        while let Some(index) = left.pop() {
            if self.facts.stored(&index.name).is_some() {
                continue;
            }
            let range = index.offset..index.offset.saturating_add(index.length);
            if self.held(range).is_none() {
                left.push(index);
                self.stage = Stage::Facts(left);
                return;
            }
            self.take_fact(&index);
        }
        self.stage = Stage::Done(Ok(()));
    }

    /// A fact that is damaged is left out: the packets are what counts.
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
                // Those that stand one behind the other are read together.
                let mut start = last.offset;
                for before in left.iter().rev().skip(1) {
                    if before.offset.saturating_add(before.length) != start {
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
                    // Whatever came is all there is.
                    self.take_fact(&last);
                }
                self.read_facts(left);
            }
            Stage::Done(_) => {}
        }
    }
}
