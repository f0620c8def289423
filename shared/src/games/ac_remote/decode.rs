//! Packets → model: what to believe of a packet, given what came before it.

use super::GAME;
use super::channels;
use super::distance::{Distance, TrackPoint};
use super::facts::{self, SessionFacts};
use super::layout::{Answer, Lap, Update};
use super::others::{OtherCars, PLAYER, lap_time};
use super::packet::{Kind, Packet};
use super::timeline::{Stamp, Tick, Timeline};
use crate::games::decode::{sample_numbers, without};
use crate::games::{Decode, Rejected};
use crate::model::{Channel as C, Event, EventKind, Fact, LapProgress, Moment, PitStatus, Sink, Slot};
use crate::time::{LapTime, Micros};

/// Bytes of an update in front of what it tells: the gaps in it hold whatever was in memory.
const HEAD: usize = 4;

/// Understands the packets of one game.
#[derive(Debug, Default)]
pub struct Decoder {
    /// What the game answered, and whether it has been told.
    facts: Option<SessionFacts>,
    session: Option<Session>,
    values: Vec<(Slot, f32)>,
}

/// What holds from the answer, or the first update, to another car or track.
#[derive(Debug, Default)]
struct Session {
    timeline: Timeline,
    distance: Distance,
    others: OtherCars,
    last_lap: Option<LapTime>,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        match Packet::read(datagram)? {
            Packet::Answer(answer) => self.answer(answer, at, sink),
            Packet::Update(update) => return self.update(update, at, datagram, sink),
            Packet::Lap(lap) => self.lap(lap, at, sink),
        }
        Ok(())
    }
}

impl Decoder {
    /// The game says what is driven where: a session begins, unless it is the one under way.
    fn answer(&mut self, answer: &Answer, at: Micros, sink: &mut dyn Sink) {
        let now = SessionFacts::of(answer);
        let before = self.facts.replace(now.clone());
        if before.as_ref() == Some(&now) {
            return;
        }
        if before.is_some_and(|before| now.is_another(&before)) {
            self.session = None;
        }
        match &mut self.session {
            Some(session) => session.is_of(&now, at, sink),
            // What is recorded of it begins here: without this packet nothing would say what is driven where.
            None => self.begin(at, sink),
        }
    }

    fn begin(&mut self, at: Micros, sink: &mut dyn Sink) {
        let session = self.session.insert(Session::default());
        let moment = session.moment(at);
        sink.event(Event { moment, car: None, kind: EventKind::SessionStarted });
        sink.fact(moment, facts::game());
        sink.fact(moment, Fact::Player(Some(PLAYER)));
        if let Some(facts) = &self.facts {
            session.is_of(facts, at, sink);
        }
    }

    fn lap(&mut self, lap: &Lap, at: Micros, sink: &mut dyn Sink) {
        // Whoever is heard from the middle of a session on has its time from the updates.
        let Some(session) = &mut self.session else { return };
        let moment = session.moment(at);
        session.others.take(lap, self.facts.as_ref(), session.last_lap, moment, sink);
    }

    fn update(
        &mut self,
        update: &Update,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Result<(), Rejected> {
        if self.session.is_none() {
            self.begin(at, sink);
        }
        let session = self.session.get_or_insert_default();
        let stamp = Stamp {
            laps: update.lap_count.get(),
            clock: update.lap_time.get(),
            last_lap: update.last_lap.get(),
        };
        let tick = session.timeline.tick(at, stamp, datagram.get(HEAD..).unwrap_or_default());
        let moment = session.moment(at);
        let happened = match tick {
            Tick::Restarts => Some(EventKind::Restarted),
            Tick::Pauses => Some(EventKind::Paused),
            Tick::Resumes => Some(EventKind::Resumed),
            Tick::Begins | Tick::Flows | Tick::NextLap | Tick::Jumps | Tick::Still | Tick::Late => None,
        };
        if let Some(kind) = happened {
            sink.event(Event { moment, car: None, kind });
        }
        if tick == Tick::Restarts {
            session.others.restart();
        }
        if !tick.moves() {
            return Ok(());
        }
        session.last_lap = lap_time(stamp.last_lap);
        if tick == Tick::NextLap {
            session.others.player_finished(session.last_lap, moment, sink);
        }
        session.distance.step(tick, seen(update), stamp.laps);
        self.values.clear();
        channels::fill(update, &mut self.values);
        let metres = session.distance.metres().map(|metres| metres as f32);
        self.values.extend(metres.map(|metres| (C::LapDistance.slot(), metres)));
        let not_numbers = sample_numbers(sink, PLAYER, moment, &self.values);
        sink.progress(&progress(update, moment, metres));
        without(GAME, Kind::Update.name(), not_numbers)
    }
}

impl Session {
    /// Tells who drives what, and where.
    fn is_of(&mut self, facts: &SessionFacts, at: Micros, sink: &mut dyn Sink) {
        let moment = self.moment(at);
        facts.tell(moment, sink);
        self.others.player_is(facts, moment, sink);
    }

    fn moment(&self, at: Micros) -> Moment {
        Moment { at, session_time: Some(self.timeline.session_s()), frame: None }
    }
}

fn seen(update: &Update) -> TrackPoint {
    TrackPoint {
        clock_s: f64::from(update.lap_time.get()) / 1e3,
        speed_mps: f64::from(update.speed_ms.get()),
        share: update.position_normalised.get(),
        position: update.position.get(),
    }
}

fn progress(update: &Update, moment: Moment, distance: Option<f32>) -> LapProgress {
    LapProgress {
        car: PLAYER,
        moment,
        // The game counts the laps that are done.
        lap: u16::try_from(update.lap_count.get().saturating_add(1)).unwrap_or_default(),
        clock: Some((f64::from(update.lap_time.get()) / 1e3) as f32),
        distance,
        last_lap: lap_time(update.last_lap.get()),
        best_lap: lap_time(update.best_lap.get()),
        pit: if update.in_pit == 0 { PitStatus::OnTrack } else { PitStatus::InPitArea },
        ..LapProgress::default()
    }
}

#[cfg(test)]
mod tests;
