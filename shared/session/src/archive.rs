//! All sessions of all senders in a file. A live session makes room for the next; an archive keeps every one, so any
//! lap can be requested later.

use trailbrake_games::Rejected;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Event, EventKind, Fact, LapProgress, Moment, Sample, Sink};

use super::source::Sources;
use super::{LapHistory, Rejections, Retention, Session, Source};

/// Maximum senders in one file. No recording has more.
const MOST_SENDERS: usize = 64;

/// Decodes the datagrams of a file in order and keeps all sessions of all senders.
#[derive(Default)]
pub struct Archive {
    sources: Sources<ArchivedSessions>,
}

/// All sessions of one sender in order, and when their laps were received.
pub struct ArchivedSessions {
    past: Vec<Session>,
    last: Session,
    history: LapHistory,
    received: Micros,
}

impl Archive {
    /// Decodes a datagram. The valid parts of a rejected datagram are kept.
    pub fn take(&mut self, datagram: &Datagram<'_>) -> Result<(), Rejected> {
        let source = self.sources.of(datagram, ArchivedSessions::default, |sources, _| {
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

    /// The senders whose packets could be decoded, in order of their first packet.
    pub fn sources(&self) -> &[Source<ArchivedSessions>] {
        &self.sources.list
    }

    /// A session by its number among all sessions with laps, counted from 0.
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

    /// Rejected datagrams that belong to no source.
    pub fn rejections(&self) -> &Rejections {
        &self.sources.rejections
    }
}

impl ArchivedSessions {
    /// The sessions in order. All but the last have laps.
    pub fn iter(&self) -> impl Iterator<Item = &Session> {
        self.past.iter().chain([&self.last])
    }

    /// The last session.
    pub fn last(&self) -> &Session {
        &self.last
    }

    /// The laps of these sessions, and when they were received.
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

    fn wants_all(&self, car: Car) -> bool {
        self.last.wants_all(car)
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
