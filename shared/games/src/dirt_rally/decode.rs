//! Converts packets to the model: what in them is new, and what needs a condition. The rest is said by the rows.

use trailbrake_model::time::Micros;
use trailbrake_model::{
    Channel as C, DriverStatus, Event, EventKind, Fact, LapProgress, Moment, ResultStatus, Sink,
};

use super::layout::{Channels, Motion, OlderSingle};
use super::packet::{Kind, Packet};
use super::plausible::is_empty;
use super::stage::{self, DRIVER, Stage};
use super::timeline::{Identity, Timeline};
use super::{ADVICE, GAME};
use crate::decode::without;
use crate::ride::{Ride, RidePoint};
use crate::table::{Record, Values};
use crate::{Decode, Rejected, Vec3};

/// Bytes of the clock at the start of the games' packets.
const CLOCK: usize = 4;

/// Units per metre in the motion packet.
const STEPS_PER_METRE: f64 = 65_535.0;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    timeline: Timeline,
    stage: Stage,
    ride: Ride,
    game: Option<&'static str>,
    begun: bool,
    warned: Option<Kind>,
    values: Values,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let packet = Packet::read(datagram)?;
        let kind = packet.kind();
        if self.timeline.has_fuller(at, body(datagram)) {
            return Ok(());
        }
        self.values.clear();
        let moment = match &packet {
            Packet::Channels(channels, _) => self.channels(channels, at, datagram, sink),
            Packet::Motion(motion) => self.motion(motion, at, datagram, sink),
            Packet::OlderSingle(single) => self.older_single(single, at, datagram, sink),
            Packet::OlderMotion(motion) => Some(self.untimed(motion, at, sink)),
            Packet::OlderTelemetry(telemetry, _) => {
                self.values.add_record(&telemetry.controls);
                Some(self.untimed(telemetry, at, sink))
            }
        };
        let Some(moment) = moment else { return Ok(()) };
        without(GAME, kind.name(), self.values.give(sink, DRIVER, moment))?;
        self.caution(kind)
    }
}

impl Decoder {
    /// Processes the packet that both games send; returns the moment to sample it at, if any.
    fn channels(
        &mut self,
        sent: &Channels,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Option<Moment> {
        let seconds = f64::from(sent.total_time);
        let moment = Moment { at, session_time: Some(seconds), frame: None };
        if is_empty(datagram) {
            self.stage.no_car(at, sink);
            return None;
        }
        if stage::is_service_area(sent) {
            self.stage.service(true, moment, sink);
            return None;
        }
        let identity = Identity([sent.track_length, sent.max_rpm, sent.idle_rpm, sent.max_gears]);
        if !self.tick(moment, seconds, identity, datagram, sink) {
            return None;
        }
        self.send_game(sent, moment, sink);
        self.stage.follow(sent, moment, sink);
        if self.stage.is_driving() {
            self.ride.follow(ride_point(sent), DRIVER, moment, sink);
        } else {
            self.ride = Ride::default();
        }
        self.values.add_record(sent);
        self.values.put(C::LapDistance, stage::distance(sent));
        // The rally games have none of either, and send both of its numbers as zero.
        let is_filled = |whole: Option<f32>| whole.is_some_and(|whole| whole != 0.0);
        self.values.put(C::KersLevel, sent.kers_level.filter(|_| is_filled(sent.kers_level_max)));
        self.values.put(C::Fuel, sent.fuel_in_tank.filter(|_| is_filled(sent.fuel_capacity)));
        Some(moment)
    }

    fn motion(
        &mut self,
        motion: &Motion,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Option<Moment> {
        let seconds = f64::from(motion.total_time) / 1e3;
        let moment = Moment { at, session_time: Some(seconds), frame: None };
        let moves = self.tick(moment, seconds, Identity::default(), datagram, sink);
        if moves {
            self.values.add_record(motion);
            let metres = |steps: i32| (f64::from(steps) / STEPS_PER_METRE) as f32;
            // The motion packet's x axis points the other way than in the games' other packets.
            let position = Vec3 {
                x: -metres(motion.position.x),
                y: metres(motion.position.y),
                z: metres(motion.position.z),
            };
            self.values.put(C::Position, position);
        }
        moves.then_some(moment)
    }

    fn older_single(
        &mut self,
        single: &OlderSingle,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Option<Moment> {
        let seconds = f64::from(single.total_time);
        if !seconds.is_finite() {
            return Some(self.untimed(single, at, sink));
        }
        let moment = Moment { at, session_time: Some(seconds), frame: None };
        let moves = self.tick(moment, seconds, Identity::default(), datagram, sink);
        if moves {
            self.values.add_record(single);
            sink.progress(&older_progress(single, moment));
        }
        moves.then_some(moment)
    }

    /// Processes a packet without a clock.
    fn untimed(&mut self, packet: &impl Record, at: Micros, sink: &mut dyn Sink) -> Moment {
        let moment = Moment { at, session_time: None, frame: None };
        if !self.begun {
            self.begin(moment, sink);
        }
        self.values.add_record(packet);
        moment
    }

    /// Advances the clock; returns whether the packet has new values.
    fn tick(
        &mut self,
        moment: Moment,
        seconds: f64,
        identity: Identity,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> bool {
        let step = self.timeline.step(moment.at, seconds, identity, body(datagram));
        match step.event() {
            Some(EventKind::SessionStarted) => self.begin(moment, sink),
            Some(kind) => sink.event(Event { moment, car: None, kind }),
            None => {}
        }
        step.moves()
    }

    fn begin(&mut self, moment: Moment, sink: &mut dyn Sink) {
        self.begun = true;
        self.stage.begin();
        self.game = None;
        sink.event(Event { moment, car: None, kind: EventKind::SessionStarted });
        sink.fact(moment, Fact::Player(Some(DRIVER)));
    }

    /// Reports which game it is: the packets differ only in the number of the reverse gear.
    fn send_game(&mut self, sent: &Channels, moment: Moment, sink: &mut dyn Sink) {
        let game = match sent.gear {
            -1.0 => "DiRT Rally 2.0",
            10.0 => "DiRT Rally",
            _ => return,
        };
        if self.game != Some(game) {
            self.game = Some(game);
            sink.fact(moment, Fact::Game(game.to_owned()));
        }
    }

    /// Warns the driver about this kind of packet, once.
    fn caution(&mut self, kind: Kind) -> Result<(), Rejected> {
        let (what, advice) = match kind {
            Kind::Channels(_) => return Ok(()),
            Kind::Motion => ("only motion data arrives", ADVICE),
            Kind::OlderSingle | Kind::OlderMotion | Kind::OlderTelemetry => {
                ("it is decoded by a description that no game has confirmed", "its values may be wrong")
            }
        };
        if self.warned.replace(kind) == Some(kind) {
            return Ok(());
        }
        Err(Rejected::Caution { game: GAME, packet: kind.name(), what, advice })
    }
}

fn ride_point(sent: &Channels) -> RidePoint {
    RidePoint {
        seconds: f64::from(sent.total_time),
        position: sent.position.into(),
        velocity: sent.velocity.into(),
        springs_m: sent.suspension_position.0.map(|millimetres| millimetres / 1e3),
    }
}

/// Everything after the clock.
fn body(datagram: &[u8]) -> &[u8] {
    datagram.get(CLOCK..).unwrap_or_default()
}

/// The lap progress in the older description's single packet.
fn older_progress(packet: &OlderSingle, moment: Moment) -> LapProgress {
    let number = |value: f32| Some(value).filter(|number| number.is_finite());
    LapProgress {
        car: DRIVER,
        moment,
        lap: (packet.lap.max(0.0) as u16).saturating_add(1),
        clock: number(packet.lap_time),
        distance: number(packet.lap_distance),
        total_distance: number(packet.total_distance),
        driver: DriverStatus::OnTrack,
        result: ResultStatus::Active,
        ..LapProgress::default()
    }
}

#[cfg(test)]
mod tests;
