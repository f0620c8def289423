//! What is worth knowing of a recording without its packets: the laps, the sessions, and what cuts its time.

use super::facts::{Cut, DECODER, EventLog, LapTable, Mark, Timeline};
use crate::model::{Event, EventKind};
use crate::session::{LapHistory, Session};
use crate::time::Micros;

/// Follows the session that packets are decoded into, while they are recorded or read again.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    history: LapHistory,
    timeline: Timeline,
}

impl Follower {
    /// Takes an event, before the session is looked at.
    pub fn event(&mut self, event: &Event) {
        match event.kind {
            EventKind::SessionStarted => drop(self.history.begin_session()),
            EventKind::SessionEnded
            | EventKind::Rewound { .. }
            | EventKind::Restarted
            | EventKind::Paused
            | EventKind::Resumed => {}
            _ => return,
        }
        let what = Cut::Event(event.kind.clone());
        self.timeline.marks.push(Mark { at: event.moment.at, what });
    }

    /// Nothing came for so long until now.
    pub fn silence(&mut self, at: Micros, micros: u64) {
        self.timeline.marks.push(Mark { at, what: Cut::Silence(micros) });
    }

    /// Looks at the session after a packet was decoded into it.
    pub fn look(&mut self, session: &Session, at: Micros) {
        self.history.update(session, at);
    }

    /// The laps of all sessions so far.
    pub fn laps(&self) -> LapTable {
        self.table(self.history.rows().collect())
    }

    /// The same once nothing more will be received: no lap is under way then.
    pub fn ended_laps(&self) -> LapTable {
        self.table(self.history.ended_rows().collect())
    }

    /// What cut the recording's time so far.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// What happened so far.
    pub fn events(&self) -> EventLog {
        EventLog { events: self.history.events().collect() }
    }

    fn table(&self, laps: Vec<super::LapRow>) -> LapTable {
        LapTable { decoder: DECODER, sessions: self.history.sessions().cloned().collect(), laps }
    }
}
