//! Converts packets to the model: decides what in a packet is valid, given the previous ones.

use trailbrake_model::time::Micros;
use trailbrake_model::units::MPS2_PER_G;
use trailbrake_model::{Car, Channel as C, Event, EventKind, Fact, Moment, Sink, TrackPrint};

use super::GAME;
use super::channels;
use super::detect::Detector;
use super::facts::SessionFacts;
use super::laps::{Laps, Standing};
use super::layout::Packet;
use super::packet::{DecipheredPacket, Kind};
use super::phase::{Phase, Phases};
use super::rotation::Rotation;
use super::signals::Signals;
use super::tick::{TICKS_PER_SECOND, Tick};
use super::timeline::PacketIds;
use crate::decode::without;
use crate::named_tracks::Detection;
use crate::session_clock::{Doubt, SessionClock, Step};
use crate::table::Values;
use crate::{Decode, Rejected};

/// The only car in the game's data.
const CAR: Car = Car(0);
/// After this many packets in a menu the session is over; fewer may be a glitch.
const MENU_PACKETS: u32 = 30;
/// A change of car is accepted after this many packets.
const CAR_PACKETS: u32 = 6;
/// Acceleration is derived from velocities at most this many ticks apart.
const MOTION_TICKS: i32 = 3;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    clock: SessionClock<PacketIds>,
    phases: Phases,
    signals: Signals,
    detector: Detector,
    session: Option<Session>,
    /// The previous packet, if its car was moving round the track.
    before: Option<Tick>,
    values: Values,
}

/// The state from the car's first metre to the return to the menu.
#[derive(Debug, Default)]
struct Session {
    laps: Laps,
    facts: SessionFacts,
    car: i32,
    /// Packets with another car.
    other_car: Doubt<()>,
    paused: bool,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let packet = DecipheredPacket::read(datagram)?;
        let rows = packet.rows();
        let tick = Tick::of(&rows);
        let moment = moment(at, &tick);
        let mut out = Out { sink, moment, kind: packet.kind, not_numbers: 0 };
        match self.clock.step(tick.id) {
            Step::Flows => {}
            Step::Begins => {
                self.before = None;
                self.close(&mut out);
            }
            _ => return Ok(()),
        }
        let phase = self.phases.next(&tick);
        self.open_or_close(phase, &tick, &mut out);
        self.signals.next(&tick, |signal, value| {
            let car = Some(CAR);
            out.sink.event(Event { moment, car, kind: EventKind::Signal { signal, value } });
        });
        self.follow(phase, &packet, &rows, &tick, &mut out);
        self.before = phase.live().then_some(tick);
        without(GAME, out.kind.name(), out.not_numbers)
    }

    fn know_tracks(&mut self, tracks: &[TrackPrint]) {
        self.detector.know(tracks);
    }
}

impl Decoder {
    fn open_or_close(&mut self, phase: Phase, tick: &Tick, out: &mut Out<'_>) {
        if self.phases.menu_ticks() >= MENU_PACKETS {
            self.close(out);
        }
        if !phase.live() {
            return;
        }
        let same_car = self.session.as_mut().is_some_and(|session| session.drives(tick.car));
        if !same_car {
            self.session = Some(Session { car: tick.car, ..Session::default() });
            self.detector.forget();
            out.event(EventKind::SessionStarted);
            out.fact(Fact::Game(out.kind.game.name().to_owned()));
            out.fact(Fact::Player(Some(CAR)));
        }
    }

    fn close(&mut self, out: &mut Out<'_>) {
        if self.session.take().is_some() {
            self.detector.forget();
            out.event(EventKind::SessionEnded);
        }
    }

    fn follow(
        &mut self,
        phase: Phase,
        packet: &DecipheredPacket,
        rows: &Packet,
        tick: &Tick,
        out: &mut Out<'_>,
    ) {
        let Some(session) = &mut self.session else { return };
        if matches!(phase, Phase::Loading | Phase::Menu) {
            session.laps.step(tick, false);
            return;
        }
        if session.paused != (phase == Phase::Paused) {
            session.paused = !session.paused;
            out.event(if session.paused { EventKind::Paused } else { EventKind::Resumed });
        }
        let (turn, standing) = session.laps.step(tick, phase.live());
        if turn == Some(Step::Restarts) {
            self.detector.leave();
            out.event(EventKind::Restarted);
        }
        if phase.live() {
            self.detect(turn, tick, out);
        }
        let Some(session) = &mut self.session else { return };
        session.facts.session(tick, self.phases.replay(), &self.detector, out.moment, out.sink);
        if !phase.live() {
            return;
        }
        session.facts.vehicle(packet, rows, out.moment, out.sink);
        self.values.fill::<true>(rows);
        let rotation = channels::add(rows, &mut self.values);
        out.not_numbers += usize::from(rotation.is_none());
        if rows.sway.is_none()
            && let Some(felt) = rotation.and_then(|rotation| felt(self.before.as_ref(), tick, rotation))
        {
            let [left, up, ahead] = felt.map(|mps2| mps2 / MPS2_PER_G);
            self.values.put(C::GLateral, left);
            self.values.put(C::GVertical, up);
            self.values.put(C::GLongitudinal, ahead);
        }
        if let Some(standing) = standing {
            put_standing(&standing, &mut self.values);
        }
        out.not_numbers += self.values.give(out.sink, CAR, out.moment);
        if let Some(standing) = standing {
            out.sink.progress(&session.laps.progress(&standing, out.moment, tick));
        }
    }

    fn detect(&mut self, turn: Option<Step>, tick: &Tick, out: &mut Out<'_>) {
        match self.detector.step(tick, turn) {
            Some(Detection::Named(name)) => out.event(EventKind::TrackDetected { name }),
            Some(Detection::Unnamed(print)) => out.fact(Fact::Track(print)),
            None => {}
        }
    }
}

impl Session {
    /// Whether this is still the session's car. Another car is accepted only after [`CAR_PACKETS`] packets.
    fn drives(&mut self, car: i32) -> bool {
        if car == self.car {
            self.other_car.settle();
            return true;
        }
        self.other_car.raise((), CAR_PACKETS, |()| true).is_none()
    }
}

/// The sink, with the values shared by everything in one packet.
struct Out<'a> {
    sink: &'a mut dyn Sink,
    moment: Moment,
    kind: Kind,
    not_numbers: usize,
}

impl Out<'_> {
    fn event(&mut self, kind: EventKind) {
        self.sink.event(Event { moment: self.moment, car: None, kind });
    }

    fn fact(&mut self, fact: Fact) {
        self.sink.fact(self.moment, fact);
    }
}

fn moment(at: Micros, tick: &Tick) -> Moment {
    Moment {
        at,
        session_time: Some(f64::from(tick.id) / TICKS_PER_SECOND),
        frame: u32::try_from(tick.id).ok(),
    }
}

/// The driver's acceleration from the change of velocity, for packets that do not contain it.
fn felt(before: Option<&Tick>, tick: &Tick, rotation: Rotation) -> Option<[f32; 3]> {
    let before = before?;
    let ticks = tick.id.checked_sub(before.id).filter(|ticks| (1..=MOTION_TICKS).contains(ticks))?;
    let per_second = (TICKS_PER_SECOND / f64::from(ticks)) as f32;
    let mut change = tick.velocity;
    for (now, then) in change.iter_mut().zip(before.velocity) {
        *now = (*now - then) * per_second;
    }
    Some(rotation.to_driver(change).map(|part| part as f32))
}

fn put_standing(standing: &Standing, values: &mut Values) {
    values.put(C::LapClock, standing.clock);
    values.put(C::LapDistance, standing.distance);
    values.put(C::TotalDistance, standing.total_distance);
}

#[cfg(test)]
mod tests;
