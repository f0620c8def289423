//! Converts packets to the model: what a packet means, given the ones before.

use trailbrake_model::time::Micros;
use trailbrake_model::{Channel as C, Event, EventKind, Fact, Moment, Sink, Track, TrackPrint};

use super::channels;
use super::facts::{SentFacts, Situation};
use super::layout::Packet;
use super::packet::{self, Kind};
use super::race_point::RacePoint;
use super::run::{DRIVER, Run};
use super::timeline::{Pause, Timeline};
use super::{ADVICE, GAME};
use crate::decode::without;
use crate::named_tracks::{Detection, NamedTracks};
use crate::session_clock::Step;
use crate::table::Values;
use crate::{Decode, Rejected};

/// Seconds between two packets of Motorsport.
const TICK_S: f64 = 1.0 / 60.0;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    timeline: Timeline,
    run: Run,
    facts: SentFacts,
    situation: Situation,
    tracks: NamedTracks,
    /// The car of sled packets.
    car: Option<i32>,
    /// Whether a session has begun from sled packets, and the driver was warned that these have no laps.
    sled: bool,
    values: Values,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let (kind, packet) = packet::read(datagram)?;
        if packet.is_race_on == 0 {
            self.stop(at, sink);
            return Ok(());
        }
        if kind == Kind::Sled {
            return self.sled(&packet, at, sink);
        }
        match RacePoint::of(&packet) {
            Some(point) => self.dash(kind, &packet, point, at, sink),
            None => without(GAME, kind.name(), 1),
        }
    }

    fn know_tracks(&mut self, tracks: &[TrackPrint]) {
        self.tracks.know(tracks);
    }
}

impl Decoder {
    /// The game shows a menu, is paused, or the race is over.
    fn stop(&mut self, at: Micros, sink: &mut dyn Sink) {
        if !self.timeline.stop() {
            return;
        }
        let moment = self.moment(at);
        self.finish_route(moment, sink);
        if !self.run.is_finished() {
            self.pause(true, moment, sink);
        }
    }

    /// Processes a packet of a car with a place in the world, and laps if there are any.
    fn dash(
        &mut self,
        kind: Kind,
        packet: &Packet,
        point: RacePoint,
        at: Micros,
        sink: &mut dyn Sink,
    ) -> Result<(), Rejected> {
        let ended = self.moment(at);
        let (step, pause) = self.timeline.step(at, point);
        if !step.moves() {
            return Ok(());
        }
        let moment = self.moment(at);
        match step {
            Step::Begins => {
                self.finish_route(ended, sink);
                self.begin(moment, sink);
            }
            Step::Restarts if self.run.is_finished() => self.begin(moment, sink),
            Step::Restarts => {
                self.finish_route(ended, sink);
                self.situation = Situation { track: self.situation.track.take(), ..Situation::default() };
                report(EventKind::Restarted, moment, sink);
            }
            _ => {
                self.resume(pause, moment, sink);
                step.event().into_iter().for_each(|kind| report(kind, moment, sink));
            }
        }
        let finish = self.run.follow(kind, step, &point);
        self.detect(step, &point, moment, sink);
        self.facts.car(kind, packet, moment, sink);
        self.facts.session(self.situation.clone(), moment, sink);
        if let Some(time) = finish {
            report(EventKind::Finished { time: Some(time) }, moment, sink);
        }
        self.fill(packet);
        channels::add_dash(packet, &point, self.run.lap_distance(), &mut self.values);
        let not_numbers = self.values.give(sink, DRIVER, moment);
        if let Some(progress) = self.run.lap_progress(moment) {
            sink.progress(&progress);
        }
        without(GAME, kind.name(), not_numbers)
    }

    /// Finds out which track it is: by its number, or by the path among those that the driver has named.
    fn detect(&mut self, step: Step, point: &RacePoint, moment: Moment, sink: &mut dyn Sink) {
        if let Some(ordinal) = point.track {
            self.situation.track = Some(numbered(ordinal));
            return;
        }
        let turn = match step {
            Step::NextLap | Step::Jumps => Some(step),
            Step::Restarts | Step::Rewinds { .. } => Some(Step::Restarts),
            _ => self.run.crosses_first_line().then_some(Step::Begins),
        };
        if step == Step::Restarts {
            self.tracks.leave();
        }
        let [across, _, along] = point.place;
        let here = [-across, along];
        if !point.is_racing() || !here.iter().all(|part| part.is_finite()) {
            return;
        }
        match self.tracks.step(here, point.laps > 0, turn) {
            Some(Detection::Named(name)) => {
                let track = Track { id: name.clone(), name: Some(name.clone()), recognised: None };
                self.situation.track = Some(track);
                report(EventKind::TrackDetected { name }, moment, sink);
            }
            Some(Detection::Unnamed(print)) => sink.fact(moment, Fact::Track(print)),
            None => {}
        }
    }

    /// Processes a packet without a place, laps or a clock of the race.
    fn sled(&mut self, packet: &Packet, at: Micros, sink: &mut dyn Sink) -> Result<(), Rejected> {
        let moment = Moment { at, session_time: None, frame: None };
        let begins = self.car.replace(packet.car_ordinal) != Some(packet.car_ordinal);
        if begins {
            self.begin(moment, sink);
        }
        self.facts.car(Kind::Sled, packet, moment, sink);
        self.fill(packet);
        self.values.put(C::Speed, channels::speed(packet));
        let not_numbers = self.values.give(sink, DRIVER, moment);
        without(GAME, Kind::Sled.name(), not_numbers)?;
        if std::mem::replace(&mut self.sled, true) {
            return Ok(());
        }
        let what = "it has neither laps nor positions";
        Err(Rejected::Caution { game: GAME, packet: Kind::Sled.name(), what, advice: ADVICE })
    }

    /// Takes the channels that every form has.
    fn fill(&mut self, packet: &Packet) {
        self.values.fill::<true>(packet);
        channels::add(packet, &mut self.values);
    }

    fn begin(&mut self, moment: Moment, sink: &mut dyn Sink) {
        self.run = Run::default();
        self.tracks.forget();
        self.facts = SentFacts::default();
        self.situation = Situation::default();
        report(EventKind::SessionStarted, moment, sink);
        sink.fact(moment, Fact::Player(Some(DRIVER)));
    }

    /// Reports the finish of a route without laps, if the car has reached its end.
    fn finish_route(&mut self, moment: Moment, sink: &mut dyn Sink) {
        let Some(mut progress) = self.run.end_of_route() else { return };
        // The car is at the line some time after its last packet.
        let session_time = moment.session_time.map(|seconds| seconds + TICK_S);
        progress.moment = Moment { session_time, ..moment };
        self.situation.is_stage = true;
        self.facts.session(self.situation.clone(), moment, sink);
        report(EventKind::Finished { time: progress.last_lap }, moment, sink);
        sink.progress(&progress);
    }

    fn pause(&mut self, paused: bool, moment: Moment, sink: &mut dyn Sink) {
        self.situation.paused = paused;
        report(if paused { EventKind::Paused } else { EventKind::Resumed }, moment, sink);
        self.facts.session(self.situation.clone(), moment, sink);
    }

    fn resume(&mut self, pause: Pause, moment: Moment, sink: &mut dyn Sink) {
        if pause == Pause::Missed {
            self.pause(true, moment, sink);
        }
        if self.situation.paused {
            self.pause(false, moment, sink);
        }
    }

    fn moment(&self, at: Micros) -> Moment {
        Moment { at, session_time: Some(self.timeline.session_s()), frame: None }
    }
}

fn report(kind: EventKind, moment: Moment, sink: &mut dyn Sink) {
    let car = matches!(kind, EventKind::Finished { .. }).then_some(DRIVER);
    sink.event(Event { moment, car, kind });
}

/// The track of a game that numbers its tracks.
fn numbered(ordinal: i32) -> Track {
    Track { id: ordinal.to_string(), name: None, recognised: None }
}

#[cfg(test)]
mod tests;
