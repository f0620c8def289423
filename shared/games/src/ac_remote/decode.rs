//! Packets → model: which packets to trust, given the ones before.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Channel as C, Event, EventKind, Fact, LapProgress, Moment, PitStatus, Sink, Wheel};

use super::GAME;
use super::distance::{Distance, TrackPoint};
use super::facts::{self, SessionFacts};
use super::layout::{Answer, Lap, Update};
use super::others::{OtherCars, PLAYER, lap_time};
use super::packet::{Kind, Packet};
use super::timeline::{Stamp, Timeline};
use crate::decode::without;
use crate::session_clock::Step;
use crate::table::{FrontFirst, Values};
use crate::{Decode, Rejected};

/// Offset at which an update is compared with the previous one; the padding bytes before it hold arbitrary memory.
const HEAD: usize = 4;

/// Decodes the packets of one game.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The game's last answer.
    facts: Option<SessionFacts>,
    session: Option<Session>,
    values: Values,
}

/// State of a session, which lasts until the car or the track changes.
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
            Packet::Answer(answer) => self.answer(&answer, at, sink),
            Packet::Update(update) => return self.update(&update, at, datagram, sink),
            Packet::Lap(lap) => self.lap(&lap, at, sink),
        }
        Ok(())
    }
}

impl Decoder {
    /// Handles the game's answer: a session begins, unless the answer fits the current one.
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
            // The recording begins here: without this packet it would not contain the car and the track.
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
        // A lap packet has no clock, so it is ignored until an update has begun the session.
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
        let stamp = Stamp { laps: update.lap_count, clock: update.lap_time, last_lap: update.last_lap };
        let step = session.timeline.step(at, stamp, datagram.get(HEAD..).unwrap_or_default());
        let moment = session.moment(at);
        // The session has begun already, where the game's answer came first.
        if let Some(kind) = step.event().filter(|_| step != Step::Begins) {
            sink.event(Event { moment, car: None, kind });
        }
        if step == Step::Restarts {
            session.others.restart();
        }
        if !step.moves() {
            return Ok(());
        }
        session.last_lap = lap_time(stamp.last_lap);
        if step == Step::NextLap {
            session.others.player_finished(session.last_lap, moment, sink);
        }
        session.distance.step(step, seen(update), stamp.laps);
        let metres = session.distance.metres().map(|metres| metres as f32);
        fill(update, metres, &mut self.values);
        let not_numbers = self.values.give(sink, PLAYER, moment);
        sink.progress(&progress(update, moment, metres));
        without(GAME, Kind::Update.name(), not_numbers)
    }
}

impl Session {
    /// Sends driver, car and track to the sink.
    fn is_of(&mut self, facts: &SessionFacts, at: Micros, sink: &mut dyn Sink) {
        let moment = self.moment(at);
        facts.send(moment, sink);
        self.others.player_is(facts, moment, sink);
    }

    fn moment(&self, at: Micros) -> Moment {
        Moment { at, session_time: Some(self.timeline.session_s()), frame: None }
    }
}

/// Takes the channels of an update, with those that need several fields.
fn fill(update: &Update, distance: Option<f32>, values: &mut Values) {
    values.fill::<true>(update);
    let (FrontFirst(turning), FrontFirst(radius)) = (update.wheel_angular_speed, update.tyre_radius);
    for (wheel, (turning, radius)) in Wheel::ALL.into_iter().zip(turning.into_iter().zip(radius)) {
        values.add(C::WheelSpeed.of(wheel), turning * radius);
    }
    if let Some(metres) = distance {
        values.add(C::LapDistance.slot(), metres);
    }
}

fn seen(update: &Update) -> TrackPoint {
    TrackPoint {
        clock_s: f64::from(update.lap_time) / 1e3,
        speed_mps: f64::from(update.speed_ms),
        share: update.position_normalised,
        position: update.position.into(),
    }
}

fn progress(update: &Update, moment: Moment, distance: Option<f32>) -> LapProgress {
    LapProgress {
        car: PLAYER,
        moment,
        // The game counts completed laps.
        lap: u16::try_from(update.lap_count.saturating_add(1)).unwrap_or_default(),
        clock: Some((f64::from(update.lap_time) / 1e3) as f32),
        distance,
        last_lap: lap_time(update.last_lap),
        best_lap: lap_time(update.best_lap),
        pit: if update.in_pit == 0 { PitStatus::OnTrack } else { PitStatus::InPitArea },
        ..LapProgress::default()
    }
}

#[cfg(test)]
mod tests;
