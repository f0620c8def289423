//! What is worth knowing of a recording without its packets: the laps, the session, and what cuts its time.

use std::collections::BTreeMap;

use super::facts::{Cut, DECODER, LapRow, LapTable, Mark, Timeline, Told};
use crate::laps::Lap;
use crate::model::{Car, Event, EventKind};
use crate::session::Session;
use crate::time::Micros;

/// Follows the session that packets are decoded into, while they are recorded or read again.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    /// The laps of the session under way.
    laps: BTreeMap<(Car, u32), Placed>,
    /// The laps of sessions before, which the session itself knows no more.
    before: Vec<LapRow>,
    session: u16,
    timeline: Timeline,
    /// What [`Session::laps_changed`] was when it was looked at last.
    seen: Option<u64>,
    began: Option<Micros>,
    now: Micros,
}

/// A lap with where its packets are.
#[derive(Clone, Debug)]
struct Placed {
    lap: Lap,
    from: Micros,
    to: Option<Micros>,
}

impl Follower {
    /// Something happened, before the session is looked at.
    pub fn hear(&mut self, event: &Event) {
        match event.kind {
            EventKind::SessionStarted if self.began.is_some() => self.put_away(),
            EventKind::SessionStarted
            | EventKind::SessionEnded
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

    /// A packet was taken: the session is looked at.
    pub fn look(&mut self, session: &Session, at: Micros) {
        self.began.get_or_insert(at);
        self.now = at;
        if self.seen == Some(session.laps_changed()) {
            return;
        }
        self.seen = Some(session.laps_changed());
        let began = self.began.unwrap_or(at);
        let mut placed = BTreeMap::new();
        for (car, state) in session.cars() {
            for lap in state.laps.finished().iter().chain(state.laps.current()) {
                // The game's clock may have run while it was not heard.
                let place = |seconds: f64| {
                    at.plus_seconds(-(session.now().seconds() - seconds).max(0.0)).clamp(began, at)
                };
                let before = self.laps.remove(&(car, lap.serial));
                let same = before.as_ref().filter(|before| before.lap.began_s == lap.began_s);
                let from = same.map_or_else(|| place(lap.began_s), |before| before.from);
                let ended = before.filter(|before| before.lap.ended_s == lap.ended_s);
                let to = ended.and_then(|before| before.to).or_else(|| lap.ended_s.map(place));
                placed.insert((car, lap.serial), Placed { lap: lap.clone(), from, to });
            }
        }
        self.laps = placed;
    }

    /// What the session tells of itself.
    pub fn told(session: &Session) -> Told {
        let player = session.player();
        let vehicle = player.and_then(|car| session.car(car)).and_then(|car| car.vehicle.as_deref());
        Told {
            game: session.game().map(str::to_owned),
            info: session.info().cloned(),
            participants: session.participants().to_vec(),
            player,
            vehicle: vehicle.cloned(),
            track: session.track_print().cloned(),
        }
    }

    /// The laps of all sessions so far.
    pub fn laps(&self) -> LapTable {
        LapTable { decoder: DECODER, laps: self.before.iter().cloned().chain(self.rows()).collect() }
    }

    /// What cut the recording's time so far.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    fn rows(&self) -> impl Iterator<Item = LapRow> {
        self.laps.iter().map(|((car, _), placed)| LapRow {
            car: *car,
            session: self.session,
            from: placed.from,
            to: placed.to.unwrap_or(self.now),
            lap: placed.lap.clone(),
        })
    }

    fn put_away(&mut self) {
        let rows: Vec<LapRow> = self.rows().collect();
        self.before.extend(rows);
        self.laps.clear();
        self.session = self.session.saturating_add(1);
        self.seen = None;
    }
}
