//! Derives a recording's facts from its decoded packets: laps, sessions and time cuts.

use trailbrake_model::time::Micros;
use trailbrake_model::{Event, EventKind};
use trailbrake_session::{LapHistory, Session, TrafficLog};

use super::facts::{Cut, DECODER, EventLog, LapTable, Mark, Timeline, Traffic};

/// Follows the decoded session while packets are recorded or read again.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    history: LapHistory,
    timeline: Timeline,
    traffic: TrafficLog,
}

impl Follower {
    /// Takes an event, before [`Follower::look`].
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

    /// Marks that nothing was received for `micros` until `at`.
    pub fn silence(&mut self, at: Micros, micros: u64) {
        self.timeline.marks.push(Mark { at, what: Cut::Silence(micros) });
    }

    /// Looks at the session after a packet was decoded into it.
    pub fn look(&mut self, session: &Session, at: Micros) {
        self.history.update(session, at);
        self.traffic.look(session.player(), session.cars(), session.info(), at);
    }

    /// The laps of all sessions so far.
    pub fn laps(&self) -> LapTable {
        self.table(self.history.rows().collect())
    }

    /// Like [`Follower::laps`], once no more packets will come: no lap is under way.
    pub fn ended_laps(&self) -> LapTable {
        self.table(self.history.ended_rows().collect())
    }

    /// The cuts in the recording's time so far.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The events so far.
    pub fn events(&self) -> EventLog {
        EventLog { events: self.history.events().collect() }
    }

    /// Where other cars were close to the player's so far.
    pub fn traffic(&self) -> Traffic {
        Traffic { close: self.traffic.close_cars() }
    }

    fn table(&self, laps: Vec<super::LapRow>) -> LapTable {
        let sessions = self.history.sessions().cloned().collect();
        LapTable { decoder: DECODER, sessions, laps, reported: self.history.reported_laps().collect() }
    }
}
