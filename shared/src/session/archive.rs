//! Everything that a file holds: all its senders, and of each all sessions, one after the other.
//!
//! Live, a session makes room for the next. A file is read to its end, and then asked for any of its laps.

use super::source::Sources;
use super::{LapHistory, Rejections, Retention, Session, Source};
use crate::games::Rejected;
use crate::model::{Event, EventKind, Fact, LapProgress, Moment, Sample, Sink};
use crate::time::Micros;
use crate::wire::Datagram;

/// More senders than this are in no file that somebody recorded.
const MOST_SENDERS: usize = 64;

/// Takes the datagrams of a file, in order, and keeps all sessions of all senders.
#[derive(Default)]
pub struct Archive {
    sources: Sources<ArchivedSessions>,
}

/// All sessions of one sender, one after the other, and when their laps were received.
pub struct ArchivedSessions {
    past: Vec<Session>,
    last: Session,
    history: LapHistory,
    received: Micros,
}

impl Archive {
    /// Takes a datagram. What is valid in one that is rejected is kept even then.
    pub fn take(&mut self, datagram: &Datagram<'_>) -> Result<(), Rejected> {
        let source = self.sources.of(datagram, ArchivedSessions::default, |sources| {
            if sources.len() < MOST_SENDERS {
                Ok(())
            } else {
                Err(Rejected::TooManySenders { most: MOST_SENDERS })
            }
        })?;
        source.decode(datagram.at, |decoder, sessions| {
            let outcome = decoder.receive(datagram.at, datagram.bytes, sessions);
            sessions.received = datagram.at;
            sessions.history.update(&sessions.last, datagram.at);
            outcome
        })
    }

    /// Everyone who sent something that makes sense, in the order in which they began.
    pub fn sources(&self) -> &[Source<ArchivedSessions>] {
        &self.sources.list
    }

    /// A session, by its number among all that have laps, counted from 0.
    pub fn session(&self, number: u16) -> Option<&Session> {
        let mut before = 0;
        for source in self.sources() {
            let count = source.session.history.session_count();
            if number < before + count {
                return source.session.iter().nth(usize::from(number - before));
            }
            before += count;
        }
        None
    }

    /// What belongs to no sender's session.
    pub fn rejections(&self) -> &Rejections {
        &self.sources.rejections
    }
}

impl ArchivedSessions {
    /// The sessions, in order. All but the last have laps.
    pub fn iter(&self) -> impl Iterator<Item = &Session> {
        self.past.iter().chain([&self.last])
    }

    /// The last session.
    pub fn last(&self) -> &Session {
        &self.last
    }

    /// Which laps were driven in them, and when they were received.
    pub fn history(&self) -> &LapHistory {
        &self.history
    }
}

impl Default for ArchivedSessions {
    fn default() -> Self {
        Self {
            past: Vec::new(),
            last: Session::new(Retention::EVERYTHING),
            history: LapHistory::default(),
            received: Micros::default(),
        }
    }
}

impl Sink for ArchivedSessions {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.last.sample(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.last.progress(progress);
    }

    fn event(&mut self, event: Event) {
        if matches!(event.kind, EventKind::SessionStarted) {
            self.history.update(&self.last, self.received);
            if self.history.begin_session() {
                self.past.push(std::mem::replace(&mut self.last, Session::new(Retention::EVERYTHING)));
            }
        }
        self.last.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.last.fact(moment, fact);
    }
}
