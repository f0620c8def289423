//! The laps of a sender's sessions: driver, car, and when their packets were received.
//!
//! A recording stores this as its lap table, so the table and a decoded file agree.

use std::collections::BTreeMap;

use trailbrake_analysis::laps::DRIVEN_S;
use trailbrake_model::Car;
use trailbrake_model::time::Micros;

use super::{LapRow, LogEntry, ReportedLap, Seat, Session, SessionEvent, SessionSummary, car_words};

/// A lap that ended longer ago than this did not end in the current packet, seconds.
const OVER_S: f64 = 0.1;

/// The laps of all sessions of one sender, updated while its packets are decoded.
#[derive(Clone, Debug, Default)]
pub struct LapHistory {
    past: Vec<LapRow>,
    past_sessions: Vec<SessionSummary>,
    past_events: Vec<SessionEvent>,
    past_reported: Vec<ReportedLap>,
    /// The laps of the current session, by car and serial.
    laps: BTreeMap<(Car, u32), LapRow>,
    /// The laps of the current session of which only the game's report is known.
    reported: Vec<ReportedLap>,
    summary: SessionSummary,
    /// The log's change counter, and the entries as of then.
    log: (u64, Vec<LogEntry>),
    /// The session's change counters (laps, facts) at the last update.
    seen: Option<(u64, u64)>,
    /// The last lap of each car before the first update. Laps up to it have no packets in this history.
    earlier: BTreeMap<Car, CountedSoFar>,
    began: Option<Micros>,
    now: Micros,
    /// The newest progress of each car, in seconds on the game's clock.
    newest_s: BTreeMap<Car, f64>,
}

/// The serial and run of the last lap before the first update.
#[derive(Clone, Copy, Debug, Default)]
struct CountedSoFar {
    serial: u32,
    run: u16,
}

impl CountedSoFar {
    fn of(seat: &Seat<'_>, session: &Session) -> Self {
        let now = session.now().seconds();
        let over = seat.laps().filter(|lap| lap.ended_s.is_some_and(|ended_s| now - ended_s > OVER_S));
        let serial = over.map(|lap| lap.serial).max().unwrap_or_default();
        Self { serial, run: if serial > 0 { seat.state.laps.run() } else { 0 } }
    }
}

impl LapHistory {
    /// Updates the tables after a packet was decoded into the session.
    pub fn update(&mut self, session: &Session, at: Micros) {
        if self.began.is_none() {
            self.earlier = session.seats().map(|seat| (seat.car, CountedSoFar::of(&seat, session))).collect();
        }
        let began = *self.began.get_or_insert(at);
        self.now = at;
        let newest = session.cars().filter_map(|(car, state)| Some((car, state.laps.newest_s()?)));
        self.newest_s.extend(newest);
        if self.log.0 != session.log_changed() {
            self.log =
                (session.log_changed(), session.log().filter(|entry| entry.at >= began).cloned().collect());
        }
        let seen = (session.laps_changed(), session.facts_changed());
        let before = self.seen.replace(seen);
        if before.is_none_or(|(_, facts)| facts != seen.1) {
            self.summary = session.summary();
        }
        if before == Some(seen) {
            return;
        }
        // The game's clock may have run on while nothing was received.
        let received =
            |seconds: f64| at.plus_seconds(-(session.now().seconds() - seconds).max(0.0)).clamp(began, at);
        let mut rows = BTreeMap::new();
        for seat in session.seats() {
            let model = car_words(seat.state.vehicle.as_deref(), seat.driver);
            let earlier = self.earlier.get(&seat.car).copied().unwrap_or_default();
            for lap in seat.laps().filter(|lap| lap.serial > earlier.serial) {
                let player = session.drove(seat.car, lap);
                let mut lap = lap.clone();
                (lap.serial, lap.run) = (lap.serial - earlier.serial, lap.run.saturating_sub(earlier.run));
                let before = self.laps.remove(&(seat.car, lap.serial));
                let same = before.as_ref().filter(|before| before.lap.began_s == lap.began_s);
                let from = same.map_or_else(|| received(lap.began_s), |before| before.from);
                let ended = before.filter(|before| before.lap.ended_s == lap.ended_s);
                let to = match (ended, lap.ended_s) {
                    (Some(before), Some(_)) => before.to,
                    (None, Some(ended_s)) => received(ended_s),
                    (_, None) => at,
                };
                let row = LapRow {
                    session: self.session(),
                    car: seat.car,
                    driver: seat.name().map(str::to_owned),
                    model: model.clone(),
                    player,
                    from,
                    to,
                    lap,
                };
                rows.insert((row.car, row.lap.serial), row);
            }
        }
        self.laps = rows;
        let laps = session.seats().map(|seat| (seat.car, &seat.state.laps));
        let earlier = |car: Car| {
            let CountedSoFar { serial, run } = self.earlier.get(&car).copied().unwrap_or_default();
            (serial, run)
        };
        self.reported = ReportedLap::of_cars(&session.reported().past_laps, laps, earlier);
        let number = self.session();
        self.reported.iter_mut().for_each(|lap| lap.session = number);
    }

    /// Starts the next session. Returns false if the current one has no lap; then it is dropped and not counted.
    pub fn begin_session(&mut self) -> bool {
        self.seen = None;
        self.earlier.clear();
        let summary = std::mem::take(&mut self.summary);
        let events: Vec<SessionEvent> = self.events_of_last().collect();
        self.log = Default::default();
        let rows: Vec<LapRow> = self.ended_rows_of_last().collect();
        self.laps.clear();
        self.newest_s.clear();
        let reported = std::mem::take(&mut self.reported);
        if rows.is_empty() {
            return false;
        }
        self.past.extend(rows);
        self.past_sessions.push(summary);
        self.past_events.extend(events);
        self.past_reported.extend(reported);
        true
    }

    /// The laps of all sessions, ordered by session, car and serial.
    pub fn rows(&self) -> impl Iterator<Item = LapRow> {
        self.past.iter().cloned().chain(self.rows_of_last())
    }

    /// Like `rows`, once no more packets follow: laps under way are closed.
    pub fn ended_rows(&self) -> impl Iterator<Item = LapRow> {
        self.past.iter().cloned().chain(self.ended_rows_of_last())
    }

    /// The laps of all sessions of which only the game's report is known, ordered by session, car and number.
    pub fn reported_laps(&self) -> impl Iterator<Item = ReportedLap> {
        self.past_reported.iter().chain(&self.reported).copied()
    }

    /// The log entries of all sessions, in order.
    pub fn events(&self) -> impl Iterator<Item = SessionEvent> {
        self.past_events.iter().cloned().chain(self.events_of_last())
    }

    /// The summary of each session, in order.
    pub fn sessions(&self) -> impl Iterator<Item = &SessionSummary> {
        self.past_sessions.iter().chain([&self.summary])
    }

    /// The number of sessions with laps.
    pub fn session_count(&self) -> u16 {
        self.session() + u16::from(self.ended_rows_of_last().next().is_some())
    }

    /// The number of the current session, counted from 0.
    fn session(&self) -> u16 {
        u16::try_from(self.past_sessions.len()).unwrap_or(u16::MAX)
    }

    fn events_of_last(&self) -> impl Iterator<Item = SessionEvent> {
        let session = self.session();
        self.log.1.iter().map(move |entry| SessionEvent { session, entry: entry.clone() })
    }

    fn rows_of_last(&self) -> impl Iterator<Item = LapRow> {
        self.laps.values().map(|row| {
            let to = if row.lap.ended_s.is_some() { row.to } else { self.now };
            LapRow { to, ..row.clone() }
        })
    }

    fn ended_rows_of_last(&self) -> impl Iterator<Item = LapRow> {
        let newest_s = |row: &LapRow| self.newest_s.get(&row.car).copied().unwrap_or(row.lap.began_s);
        let is_lap =
            move |row: &LapRow| row.lap.ended_s.is_some() || newest_s(row) - row.lap.began_s >= DRIVEN_S;
        self.rows_of_last().filter(is_lap).map(move |mut row| {
            if row.lap.ended_s.is_none() {
                row.lap.abandon(newest_s(&row));
            }
            row
        })
    }
}
