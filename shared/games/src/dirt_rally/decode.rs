//! Converts packets to the model: signs, units and wheel order. [`older_layouts`] does so for the older layouts.

use trailbrake_model::time::Micros;
use trailbrake_model::units::{PASCALS_PER_PSI, rpm};
use trailbrake_model::{Axis, Channel as C, Event, EventKind, Fact, Moment, Sink, Slot};

use super::channel_prefix::{ChannelPrefix, place};
use super::gear::{REVERSE_OF_THE_FIRST, REVERSE_OF_THE_SECOND, gear};
use super::layout::{Motion, MotionVector, WHEELS};
use super::packet::{Kind, Packet};
use super::ride::Ride;
use super::stage::{self, DRIVER, Stage};
use super::timeline::{Identity, Timeline};
use super::{ADVICE, GAME, older_layouts};
use crate::decode::{sample_numbers, without};
use crate::{Decode, Rejected};

/// Bytes of the clock at the start of the games' packets.
const CLOCK: usize = 4;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    timeline: Timeline,
    stage: Stage,
    ride: Ride,
    game: Option<&'static str>,
    begun: bool,
    warned: Option<Kind>,
    values: Vec<(Slot, f32)>,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let packet = Packet::read(datagram)?;
        let kind = packet.kind();
        if self.timeline.has_fuller(at, body(datagram)) {
            return Ok(());
        }
        self.values.clear();
        let moment = match packet {
            Packet::Channels(sent) => self.channels(&sent, at, datagram, sink),
            Packet::Motion(motion) => self.motion(motion, at, datagram, sink),
            Packet::OlderSingle(single) => self.older_single(single, at, datagram, sink),
            Packet::OlderMotion(motion) => {
                self.untimed(at, sink, |values| older_layouts::motion(motion, values))
            }
            Packet::OlderTelemetry(packet) => self.untimed(at, sink, |values| {
                older_layouts::controls(&packet.controls, values);
                older_layouts::tyres(packet, values);
            }),
            Packet::OlderTelemetryShort(packet) => {
                self.untimed(at, sink, |values| older_layouts::controls(&packet.controls, values))
            }
        };
        let Some(moment) = moment else { return Ok(()) };
        without(GAME, kind.name(), sample_numbers(sink, DRIVER, moment, &self.values))?;
        self.caution(kind)
    }
}

impl Decoder {
    /// Processes the packet that both games send; returns the moment to sample it at, if any.
    fn channels(
        &mut self,
        sent: &ChannelPrefix<'_>,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Option<Moment> {
        let seconds = f64::from(sent.first(place!(total_time)));
        let moment = Moment { at, session_time: Some(seconds), frame: None };
        if sent.is_empty() {
            self.stage.no_car(at, sink);
            return None;
        }
        if stage::is_service_area(sent) {
            self.stage.service(true, moment, sink);
            return None;
        }
        let moves = self.tick(moment, seconds, identity(sent), datagram, sink);
        if !moves {
            return None;
        }
        self.send_game(sent, moment, sink);
        self.stage.follow(sent, moment, sink);
        if self.stage.is_driving() {
            self.ride.follow(sent, moment, sink);
        } else {
            self.ride = Ride::default();
        }
        for row in ROWS.iter().copied().flatten() {
            let filled = row.needs.is_none_or(|place| sent.get(place).is_some_and(|value| value != 0.0));
            let value = if filled { sent.get(row.place).and_then(row.read) } else { None };
            self.values.extend(value.map(|value| (row.slot, value)));
        }
        self.values.push((C::LapDistance.slot(), stage::distance(sent)));
        Some(moment)
    }

    fn motion(
        &mut self,
        motion: &Motion,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Option<Moment> {
        let seconds = f64::from(motion.total_time.get()) / 1e3;
        let moment = Moment { at, session_time: Some(seconds), frame: None };
        let moves = self.tick(moment, seconds, Identity::default(), datagram, sink);
        if moves {
            motion_values(motion, &mut self.values);
        }
        moves.then_some(moment)
    }

    fn older_single(
        &mut self,
        single: &super::layout::OlderSingle,
        at: Micros,
        datagram: &[u8],
        sink: &mut dyn Sink,
    ) -> Option<Moment> {
        let seconds = f64::from(single.total_time.get());
        if !seconds.is_finite() {
            return self.untimed(at, sink, |values| older_layouts::single(single, values));
        }
        let moment = Moment { at, session_time: Some(seconds), frame: None };
        let moves = self.tick(moment, seconds, Identity::default(), datagram, sink);
        if moves {
            older_layouts::single(single, &mut self.values);
            sink.progress(&older_layouts::progress(single, moment));
        }
        moves.then_some(moment)
    }

    /// Processes a packet without a clock.
    fn untimed(
        &mut self,
        at: Micros,
        sink: &mut dyn Sink,
        fill: impl FnOnce(&mut Vec<(Slot, f32)>),
    ) -> Option<Moment> {
        let moment = Moment { at, session_time: None, frame: None };
        if !self.begun {
            self.begin(moment, sink);
        }
        fill(&mut self.values);
        Some(moment)
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
    fn send_game(&mut self, sent: &ChannelPrefix<'_>, moment: Moment, sink: &mut dyn Sink) {
        let game = match sent.first(place!(gear)) {
            REVERSE_OF_THE_SECOND => "DiRT Rally 2.0",
            REVERSE_OF_THE_FIRST => "DiRT Rally",
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

/// Everything after the clock.
fn body(datagram: &[u8]) -> &[u8] {
    datagram.get(CLOCK..).unwrap_or_default()
}

/// The constants of an event: the stage's length and the car's figures.
fn identity(sent: &ChannelPrefix<'_>) -> Identity {
    let places = [place!(track_length), place!(max_rpm), place!(idle_rpm), place!(max_gears)];
    Identity(places.map(|place| sent.get(place)))
}

const METRES_PER_MM: f32 = 1e-3;
/// Units per metre in the motion packet.
const STEPS_PER_METRE: f64 = 65_535.0;

/// The conversion of one channel.
#[derive(Clone, Copy)]
struct Row {
    place: usize,
    slot: Slot,
    read: fn(f32) -> Option<f32>,
    /// The channel that is not zero where the game fills this one.
    needs: Option<usize>,
}

const fn one(place: usize, channel: C, read: fn(f32) -> Option<f32>) -> Row {
    Row { place, slot: channel.slot(), read, needs: None }
}

/// A channel that the rally games leave at zero; the `needs` channel is zero too in that case.
const fn filled_with(needs: usize, place: usize, channel: C) -> Row {
    Row { needs: Some(needs), ..one(place, channel, as_sent) }
}

const fn vector(place: usize, channel: C) -> [Row; 3] {
    let row = one(place, channel, as_sent);
    [
        Row { slot: channel.along(Axis::X), ..row },
        Row { place: place + 1, slot: channel.along(Axis::Y), ..row },
        Row { place: place + 2, slot: channel.along(Axis::Z), ..row },
    ]
}

const fn wheels(place: usize, channel: C, read: fn(f32) -> Option<f32>) -> [Row; 4] {
    let row = one(place, channel, read);
    let [first, second, third, fourth] = WHEELS;
    [
        Row { slot: channel.of(first), ..row },
        Row { place: place + 1, slot: channel.of(second), ..row },
        Row { place: place + 2, slot: channel.of(third), ..row },
        Row { place: place + 3, slot: channel.of(fourth), ..row },
    ]
}

/// Every packet channel that becomes a model channel; the others become progress, facts and events.
static ROWS: &[&[Row]] = &[
    &[
        one(place!(lap_time), C::LapClock, as_sent),
        one(place!(progress), C::StageProgress, as_sent),
        one(place!(speed), C::Speed, as_sent),
        one(place!(throttle), C::Throttle, as_sent),
        one(place!(steer), C::Steering, as_sent),
        one(place!(brake), C::Brake, as_sent),
        one(place!(clutch), C::Clutch, as_sent),
        one(place!(gear), C::Gear, gear),
        one(place!(g_lateral), C::GLateral, as_sent),
        one(place!(g_longitudinal), C::GLongitudinal, as_sent),
        one(place!(engine_rate), C::Rpm, revolutions),
        one(place!(race_position), C::RacePosition, as_sent),
        filled_with(place!(kers_level_max), place!(kers_level), C::KersLevel),
        filled_with(place!(kers_level_max), place!(kers_level_max), C::KersCapacity),
        one(place!(drs), C::Drs, as_sent),
        one(place!(traction_control), C::TractionControl, as_sent),
        one(place!(abs), C::Abs, as_sent),
        filled_with(place!(fuel_capacity), place!(fuel_in_tank), C::Fuel),
        filled_with(place!(fuel_capacity), place!(fuel_capacity), C::FuelCapacity),
        one(place!(max_rpm), C::MaxRpm, revolutions),
        one(place!(idle_rpm), C::IdleRpm, revolutions),
        one(place!(max_gears), C::MaxGears, as_sent),
    ],
    &vector(place!(position), C::Position),
    &vector(place!(velocity), C::Velocity),
    &vector(place!(right), C::Right),
    &vector(place!(forward), C::Forward),
    &wheels(place!(suspension_position), C::SuspensionPosition, metres),
    &wheels(place!(suspension_velocity), C::SuspensionVelocity, metres),
    &wheels(place!(wheel_speed), C::WheelSpeed, as_sent),
    &wheels(place!(brake_temp), C::BrakeTemperature, once_warm),
    &wheels(place!(tyre_pressure), C::TyrePressure, once_filled),
];

fn as_sent(value: f32) -> Option<f32> {
    Some(value)
}

fn metres(millimetres: f32) -> Option<f32> {
    Some(millimetres * METRES_PER_MM)
}

fn revolutions(radians: f32) -> Option<f32> {
    Some(rpm(radians))
}

/// A brake that is not warm yet is sent far below zero: the temperature is missing.
fn once_warm(celsius: f32) -> Option<f32> {
    (celsius >= 0.0).then_some(celsius)
}

/// The rally games send no pressures and leave these channels at zero.
fn once_filled(psi: f32) -> Option<f32> {
    (psi != 0.0).then_some(psi * PASCALS_PER_PSI)
}

fn motion_values(motion: &Motion, values: &mut Vec<(Slot, f32)>) {
    let mut vector = |channel: C, vector: &MotionVector| {
        values.extend([
            (channel.along(Axis::X), vector.x.get()),
            (channel.along(Axis::Y), vector.y.get()),
            (channel.along(Axis::Z), vector.z.get()),
        ]);
    };
    vector(C::AngularVelocity, &motion.angular_velocity);
    vector(C::Acceleration, &motion.acceleration);
    vector(C::Velocity, &motion.velocity);
    let metres = |steps: zerocopy::I32<zerocopy::LE>, scale: f64| (f64::from(steps.get()) / scale) as f32;
    values.extend([
        (C::Yaw.slot(), motion.yaw.get()),
        (C::Pitch.slot(), motion.pitch.get()),
        (C::Roll.slot(), motion.roll.get()),
        // The motion packet's x axis points the other way than in the games' other packets.
        (C::Position.along(Axis::X), metres(motion.position.x, -STEPS_PER_METRE)),
        (C::Position.along(Axis::Y), metres(motion.position.y, STEPS_PER_METRE)),
        (C::Position.along(Axis::Z), metres(motion.position.z, STEPS_PER_METRE)),
    ]);
}

#[cfg(test)]
mod tests;
