//! Converts packets to the model: what a packet means, given the ones before.

use trailbrake_model::time::Micros;
use trailbrake_model::units::MPS2_PER_G;
use trailbrake_model::{Channel as C, Event, EventKind, Fact, Moment, Sink};

use super::GAME;
use super::facts::SentFacts;
use super::fields::Field;
use super::packet::{self, Kind};
use super::stage::{DRIVER, Stage};
use super::structure::Numbers;
use super::timeline::{StageTime, Timeline};
use crate::decode::without;
use crate::ride::{Ride, RidePoint};
use crate::session_clock::Step;
use crate::session_mark::SessionMark;
use crate::table::Values;
use crate::{Decode, Rejected, Vec3};

const ACCELERATION: [Field; 3] = [Field::AccelerationX, Field::AccelerationY, Field::AccelerationZ];
const VELOCITY: [Field; 3] = [Field::VelocityX, Field::VelocityY, Field::VelocityZ];
const LEFT: [Field; 3] = [Field::LeftDirectionX, Field::LeftDirectionY, Field::LeftDirectionZ];
const UP: [Field; 3] = [Field::UpDirectionX, Field::UpDirectionY, Field::UpDirectionZ];
const AHEAD: [Field; 3] = [Field::ForwardDirectionX, Field::ForwardDirectionY, Field::ForwardDirectionZ];
const HUBS: [Field; 4] =
    [Field::HubPositionBl, Field::HubPositionBr, Field::HubPositionFl, Field::HubPositionFr];

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    timeline: Timeline,
    stage: Stage,
    ride: Ride,
    facts: SentFacts,
    /// The stage's clock when the game was paused.
    paused: Option<f64>,
    values: Values,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let (kind, sent) = packet::read(datagram)?;
        match kind {
            Kind::Default | Kind::Marked(SessionMark::Update) => {
                let Some(time) = StageTime::of(&sent) else {
                    let what = "its clock is no number".to_owned();
                    return Err(Rejected::BadContent { game: GAME, packet: kind.name(), what });
                };
                if self.timeline.has_fuller(at, datagram.len()) {
                    return Ok(());
                }
                let content = packet::content(kind, datagram);
                let (step, stood) = self.timeline.step(at, time, datagram.len(), content);
                let not_numbers = self.update(step, stood, &sent, at, sink);
                without(GAME, kind.name(), not_numbers)
            }
            Kind::Marked(mark) => {
                self.mark(mark, &sent, at, sink);
                Ok(())
            }
        }
    }
}

impl Decoder {
    /// Processes a packet of a car on a stage. Returns how many of its values are no numbers.
    fn update(&mut self, step: Step, stood: bool, sent: &Numbers, at: Micros, sink: &mut dyn Sink) -> usize {
        let moment = self.moment(sent, at);
        match step {
            Step::Pauses => self.pause(moment, sink),
            Step::Begins => {
                self.stage.settle(at, sink);
                *self = Self { timeline: std::mem::take(&mut self.timeline), ..Self::default() };
                report(EventKind::SessionStarted, moment, sink);
                sink.fact(moment, Fact::Player(Some(DRIVER)));
            }
            Step::Restarts => {
                self.stage.settle(at, sink);
                self.stage.restart();
                self.ride = Ride::default();
                self.resume(moment, sink);
                report(EventKind::Restarted, moment, sink);
            }
            _ => {}
        }
        if !step.moves() {
            return 0;
        }
        if stood {
            self.pause(moment, sink);
        }
        if self.paused.is_some_and(|stage_s| self.timeline.runs_since(stage_s)) {
            self.resume(moment, sink);
        }
        let is_of_run = self.stage.follow(sent, moment, sink);
        self.facts.send(sent, self.stage.start_z(), moment, sink);
        if self.stage.is_driving() {
            self.ride.follow(ride_point(sent), DRIVER, moment, sink);
        } else {
            self.ride = Ride::default();
        }
        if !is_of_run {
            return 0;
        }
        self.fill(sent);
        self.values.give(sink, DRIVER, moment)
    }

    /// Processes a packet that says what happened. The game may repeat it.
    fn mark(&mut self, mark: SessionMark, sent: &Numbers, at: Micros, sink: &mut dyn Sink) {
        if !self.timeline.mark(at, mark) {
            return;
        }
        let Some((total_s, _)) = self.timeline.newest_s() else { return };
        let moment = Moment { at, session_time: Some(total_s), frame: None };
        match mark {
            SessionMark::End => self.stage.end(sent, at, sink),
            SessionMark::Pause if self.stage.is_driving() => self.pause(moment, sink),
            SessionMark::Resume => self.resume(moment, sink),
            SessionMark::Start | SessionMark::Update | SessionMark::Pause => {}
        }
    }

    fn pause(&mut self, moment: Moment, sink: &mut dyn Sink) {
        let stage_s = self.timeline.newest_s().map_or(0.0, |(_, stage_s)| stage_s);
        if self.paused.replace(stage_s).is_none() {
            report(EventKind::Paused, moment, sink);
        }
    }

    fn resume(&mut self, moment: Moment, sink: &mut dyn Sink) {
        if self.paused.take().is_some() {
            report(EventKind::Resumed, moment, sink);
        }
    }

    /// Takes the channels of a packet.
    fn fill(&mut self, sent: &Numbers) {
        let to = &mut self.values;
        to.clear();
        for (field, number) in sent.iter() {
            if let Some((slot, value)) = field.channel(number) {
                to.add(slot, value);
            }
        }
        to.put(C::Gear, gear(sent));
        to.put(C::StageProgress, progress(sent));
        if sent.of(Field::ShiftlightsRpmValid) != 0.0 {
            to.put(C::RevLights, sent.of(Field::ShiftlightsFraction) as f32);
            to.put(C::ShiftRpm, sent.of(Field::ShiftlightsRpmEnd) as f32);
        }
        let axes = [LEFT, UP, AHEAD].map(|axis| sent.vector(axis));
        let along = |fields: [Field; 3]| {
            let vector = sent.vector(fields);
            axes.map(|axis| axis.iter().zip(vector).map(|(axis, part)| axis * part).sum::<f32>())
        };
        let [left, up, ahead] = along(ACCELERATION).map(|mps2| mps2 / MPS2_PER_G);
        to.put(C::GLateral, left);
        to.put(C::GVertical, up);
        to.put(C::GLongitudinal, ahead);
        to.put(C::LocalVelocity, Vec3::from(along(VELOCITY)));
    }

    fn moment(&self, sent: &Numbers, at: Micros) -> Moment {
        let frame = sent.of(Field::GameFrameCount) as u64 as u32;
        Moment { at, session_time: Some(sent.of(Field::GameTotalTime)), frame: Some(frame) }
    }
}

/// The gear. Neutral and reverse are numbers that the packet names.
fn gear(sent: &Numbers) -> f32 {
    let index = sent.of(Field::GearIndex);
    match index {
        _ if index == sent.of(Field::GearIndexNeutral) => 0.0,
        _ if index == sent.of(Field::GearIndexReverse) => -1.0,
        _ => index as f32,
    }
}

/// The share of the stage, 0 to 1. The game counts on behind the finish.
fn progress(sent: &Numbers) -> Option<f32> {
    let length = sent.of(Field::StageLength);
    let by_distance = || (length > 0.0).then(|| sent.of(Field::StageCurrentDistance) / length);
    let share = sent.get(Field::StageProgress).or_else(by_distance)?;
    Some(share.clamp(0.0, 1.0) as f32)
}

fn ride_point(sent: &Numbers) -> RidePoint {
    RidePoint {
        seconds: sent.of(Field::GameTotalTime),
        position: sent.vector([Field::PositionX, Field::PositionY, Field::PositionZ]),
        velocity: sent.vector(VELOCITY),
        springs_m: HUBS.map(|field| sent.of(field) as f32),
    }
}

fn report(kind: EventKind, moment: Moment, sink: &mut dyn Sink) {
    sink.event(Event { moment, car: None, kind });
}

#[cfg(test)]
mod tests;
