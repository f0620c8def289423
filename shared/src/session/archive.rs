//! Everything that a file holds: all its senders, and of each all sessions, one after the other.
//!
//! Live, a session makes room for the next. A file is read to its end, and then asked for any of its laps.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{Origin, Rejections, Retention, Session};
use crate::feed;
use crate::games::{Decode, Rejected};
use crate::model::{Car, Event, EventKind, Fact, LapProgress, Moment, Sample, Sink};
use crate::time::Micros;
use crate::wire::Datagram;

/// More senders than this are in no file that somebody recorded.
const MOST_SENDERS: usize = 64;

/// Takes the datagrams of a file, in order, and keeps all sessions of all senders.
#[derive(Default)]
pub struct Archive {
    sources: Vec<ArchivedSource>,
    /// What belongs to no sender's session.
    rejections: Rejections,
}

/// One sender of a file.
pub struct ArchivedSource {
    /// Who it is, and which feed it sends.
    pub origin: Origin,
    /// How many datagrams it sent.
    pub packets: u64,
    /// What was not understood of them.
    pub rejections: Rejections,
    decoder: Box<dyn Decode>,
    sessions: Sessions,
}

/// One session of a file, with what only a file knows of it: when its laps were received.
#[derive(Clone, Debug)]
pub struct ArchivedSession {
    /// The session as it was at its end.
    pub session: Session,
    spans: BTreeMap<(Car, u32), Span>,
}

/// When a lap was received.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// When it began on the game's clock, as `first` was reckoned from.
    began_s: f64,
    first: Micros,
    last: Micros,
}

/// The sessions of one sender.
#[derive(Default)]
struct Sessions {
    past: Vec<ArchivedSession>,
    last: ArchivedSession,
}

impl Archive {
    /// Takes a datagram. What is valid in one that is rejected is kept even then.
    pub fn take(&mut self, datagram: &Datagram<'_>) -> Result<(), Rejected> {
        let source = match self.source_of(datagram) {
            Ok(source) => source,
            Err(reason) => {
                self.rejections.count(&reason);
                return Err(reason);
            }
        };
        source.packets += 1;
        let outcome = source.decoder.receive(datagram.at, datagram.bytes, &mut source.sessions);
        if let Err(reason) = &outcome {
            source.rejections.count(reason);
        }
        outcome
    }

    /// Everyone who sent something that makes sense, in the order in which they began.
    pub fn sources(&self) -> &[ArchivedSource] {
        &self.sources
    }

    /// What belongs to no sender's session.
    pub fn rejections(&self) -> &Rejections {
        &self.rejections
    }

    fn source_of(&mut self, datagram: &Datagram<'_>) -> Result<&mut ArchivedSource, Rejected> {
        let feed = match datagram.feed {
            Some(feed) => feed,
            None => feed::recognise(datagram.bytes)?.feed,
        };
        let origin = Origin { feed, sender: datagram.sender };
        let place = match self.sources.iter().position(|source| source.origin == origin) {
            Some(place) => place,
            None => self.add(origin, datagram)?,
        };
        self.sources.get_mut(place).ok_or_else(|| Rejected::unknown(datagram.bytes))
    }

    fn add(&mut self, origin: Origin, datagram: &Datagram<'_>) -> Result<usize, Rejected> {
        let row = origin.feed.info();
        let codec = row.codec.ok_or(Rejected::NotDecoded { game: row.game })?;
        (codec.recognise)(datagram.bytes)?;
        if self.sources.len() >= MOST_SENDERS {
            return Err(Rejected::TooManySenders { most: MOST_SENDERS });
        }
        self.sources.push(ArchivedSource {
            origin,
            packets: 0,
            rejections: Rejections::default(),
            decoder: (codec.decoder)(),
            sessions: Sessions::default(),
        });
        Ok(self.sources.len() - 1)
    }
}

impl ArchivedSource {
    /// Its sessions, in order.
    pub fn sessions(&self) -> impl Iterator<Item = &ArchivedSession> {
        self.sessions.past.iter().chain([&self.sessions.last])
    }
}

impl ArchivedSession {
    /// From when to when a lap was received.
    pub fn received(&self, car: Car, serial: u32) -> Option<RangeInclusive<Micros>> {
        self.spans.get(&(car, serial)).map(|span| span.first..=span.last)
    }

    fn has_laps(&self) -> bool {
        self.session.cars().any(|(_, car)| !car.laps.finished().is_empty() || car.laps.current().is_some())
    }
}

impl Default for ArchivedSession {
    fn default() -> Self {
        Self { session: Session::new(Retention::EVERYTHING), spans: BTreeMap::new() }
    }
}

impl Sink for Sessions {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.last.session.sample(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        let ArchivedSession { session, spans } = &mut self.last;
        session.progress(progress);
        let Some(lap) = session.car(progress.car).and_then(|car| car.laps.current()) else { return };
        let (last, seconds) = (progress.moment.at, progress.moment.seconds());
        let began = Span { began_s: lap.began_s, first: last.plus_seconds(lap.began_s - seconds), last };
        let span = spans.entry((progress.car, lap.serial)).or_insert(began);
        // A lap's clock can begin to run only after the lap was counted, as on a grid.
        *span = if span.began_s == lap.began_s { Span { last, ..*span } } else { began };
    }

    fn event(&mut self, event: Event) {
        if matches!(event.kind, EventKind::SessionStarted) && self.last.has_laps() {
            self.past.push(std::mem::take(&mut self.last));
        }
        self.last.session.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.last.session.fact(moment, fact);
    }
}
