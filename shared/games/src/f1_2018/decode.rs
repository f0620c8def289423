//! Converts packets to the model: signs, units and wheel order are converted only here.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::{MPS_PER_KMH, PASCALS_PER_PSI};
use trailbrake_model::{
    Axis, Car, Channel as C, EventKind, Fact, LapProgress, Moment, SectorTimes, SessionKind, Signal, Sink,
    Slot,
};
use zerocopy::{Immutable, IntoBytes};

use super::GAME;
use super::facts;
use super::lap_numbers::{LapNumbers, PlayerIndex};
use super::layout::{CARS, CarLap, CarMotion, CarStatus, CarTelemetry, Header, WHEELS, is_empty};
use super::layout::{CarSetups, Event, LapData, Motion, Participants, Session, Status, Telemetry};
use super::packet::{Kind, Packet};
use super::signals::Signals;
use super::timeline::{Tick, Timeline};
use crate::decode::{sample_numbers, without};
use crate::{Decode, Rejected, Vec3};

/// No lap is longer than a day, in seconds.
const LONGEST_LAP_S: f32 = 86_400.0;

type F32 = zerocopy::F32<zerocopy::LE>;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    timeline: Timeline,
    cars: Option<u8>,
    player: Option<Option<Car>>,
    player_index: PlayerIndex,
    lap_numbers: LapNumbers,
    /// The car that the player spectates.
    watching: Option<Car>,
    paused: bool,
    race: bool,
    signals: Signals,
    /// Per kind of packet, the session time of the newest one that gave signals. Late packets give none.
    signalled_at: [f32; Kind::ALL.len()],
    /// The session time of the newest session packet. Late ones are outdated and ignored.
    session_at: Option<f32>,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let packet = Packet::read(datagram)?;
        let header = packet.header();
        let moment = Timeline::moment(at, header).ok_or_else(|| Rejected::BadContent {
            game: GAME,
            packet: packet.kind().name(),
            what: "its session time is no number that a session can have, so the packet was ignored"
                .to_owned(),
        })?;
        match self.timeline.tick(header) {
            Tick::Flows => {}
            Tick::Stale => return Ok(()),
            Tick::Turned(kind, from) => {
                // The game continues at the first packet after the change, which is not always this one.
                self.turn(kind, Moment { session_time: Some(f64::from(from)), ..moment }, sink);
            }
        }
        self.name_player(header, moment, sink);
        let mut out = Out { sink, moment, kind: packet.kind(), not_numbers: 0 };
        match packet {
            Packet::Motion(motion) => self.motion(motion, &mut out),
            Packet::Session(session) => self.session(session, &mut out),
            Packet::LapData(laps) => self.laps(laps, &mut out),
            Packet::Event(event) => self.event(event, &mut out),
            Packet::Participants(participants) => self.participants(participants, &mut out),
            Packet::CarSetups(setups) => self.setups(setups, &mut out),
            Packet::CarTelemetry(telemetry) => self.telemetry(telemetry, &mut out),
            Packet::CarStatus(status) => self.status(status, &mut out),
        }
        out.finish()
    }
}

impl Decoder {
    fn turn(&mut self, kind: EventKind, moment: Moment, sink: &mut dyn Sink) {
        self.session_at = None;
        self.lap_numbers = LapNumbers::default();
        self.signalled_at = [f32::MIN; Kind::ALL.len()];
        if kind == EventKind::SessionStarted {
            (self.cars, self.player, self.watching) = (None, None, None);
            self.player_index = PlayerIndex::default();
            (self.paused, self.race, self.signals) = (false, false, Signals::default());
        }
        sink.event(trailbrake_model::Event { moment, car: None, kind });
    }

    /// The player may be in none of the arrays: later games have more cars than this format has room for.
    fn name_player(&mut self, header: &Header, moment: Moment, sink: &mut dyn Sink) {
        let player = car(self.player_index.next(header.player_car_index));
        if self.player != Some(player) {
            self.player = Some(player);
            self.signals = Signals::default();
            sink.fact(moment, Fact::Player(player));
        }
    }

    /// The cars in use, with their array entries, of which an empty one is no car.
    fn cars<'a, T>(&self, entries: &'a [T; CARS]) -> impl Iterator<Item = (Car, &'a T)> + use<'a, T> {
        let used = self.cars.map_or(CARS, usize::from);
        (0..).map(Car).zip(entries.iter().take(used))
    }

    /// The player's car, which is in no entry of a clip of other cars.
    fn own_car<T: IntoBytes + Immutable>(&self, entries: &[T; CARS]) -> Option<Car> {
        let is_in = |car: &Car| entries.get(usize::from(car.0)).is_some_and(|entry| !is_empty(entry));
        self.player.flatten().filter(is_in)
    }

    /// Whether signals are given for this car: the spectated car, or the player's own.
    fn is_followed(&self, car: Car) -> bool {
        Some(car) == self.watching.or(self.player.flatten())
    }

    /// Whether all channels of a car are decoded, or only those that are shown of every car.
    fn takes_all(&self, car: Car, out: &Out<'_>) -> bool {
        self.is_followed(car) || out.sink.wants_all(car)
    }

    /// Whether this is the newest packet of its kind; only such packets give signals.
    fn gives_signals(&mut self, header: &Header) -> bool {
        let now = header.session_time.get();
        let newest =
            self.signalled_at.get_mut(usize::from(header.packet_id)).filter(|newest| **newest <= now);
        newest.map(|newest| *newest = now).is_some()
    }

    fn signal_channels(&mut self, car: Car, values: &[(Slot, f32)], out: &mut Out<'_>) {
        self.signals.channels(values, |signal, value| out.signal(car, signal, value));
    }

    fn motion(&self, motion: &Motion, out: &mut Out<'_>) {
        for (car, entry) in self.cars(&motion.car) {
            if is_empty(entry) {
                continue;
            }
            match self.takes_all(car, out) {
                true => out.sample(car, &car_motion(entry)),
                false => out.sample(car, &vector(C::Position, &entry.world_position)),
            }
        }
        if let Some(car) = self.own_car(&motion.car) {
            out.sample(car, &player_motion(motion));
        }
    }

    fn session(&mut self, session: &Session, out: &mut Out<'_>) {
        let now = session.header.session_time.get();
        if self.session_at.is_some_and(|newest| now < newest) {
            return;
        }
        self.session_at = Some(now);
        let paused = session.game_paused != 0;
        if paused != self.paused {
            self.paused = paused;
            out.event(if paused { EventKind::Paused } else { EventKind::Resumed });
        }
        let watching = facts::watching(session);
        if watching != self.watching {
            (self.watching, self.signals) = (watching, Signals::default());
        }
        let info = facts::session(session);
        self.race = matches!(info.kind, SessionKind::Race(_));
        let zones = session.marshal_zones.iter().take(usize::from(session.num_marshal_zones)).count();
        out.not_numbers += zones - info.marshal_zones.len();
        out.fact(Fact::Session(Box::new(info)));
    }

    fn laps(&mut self, laps: &LapData, out: &mut Out<'_>) {
        let signals = self.gives_signals(&laps.header);
        // Outside races there is no grid, and every grid position is sent as zero.
        let grid = laps.car.iter().any(|lap| lap.grid_position > 0);
        for (car, lap) in self.cars(&laps.car) {
            // Of a car that was left out of a clip, the grid position stays. A car in use has a status.
            if lap.result_status == 0 && is_empty(&CarLap { grid_position: 0, ..*lap }) {
                continue;
            }
            let times = [lap.last_lap_time, lap.best_lap_time, lap.sector1_time, lap.sector2_time];
            out.not_numbers += times.iter().filter(|time| !time.get().is_finite()).count();
            let (values, progress) = (car_lap(lap), progress(car, out.moment, lap, grid));
            out.sample(car, &values);
            let (number, clock_s) = (lap.current_lap_num, lap.current_lap_time.get());
            if !self.lap_numbers.accept(usize::from(car.0), number, clock_s) {
                continue;
            }
            out.sink.progress(&progress);
            if signals && self.is_followed(car) {
                self.signal_channels(car, &values, out);
                let race = self.race;
                self.signals.progress(&progress, race, |signal, value| out.signal(car, signal, value));
            }
        }
    }

    fn event(&mut self, event: &Event, out: &mut Out<'_>) {
        match event.code.0.as_slice() {
            // A session's first packet already starts it; a later SSTA is a restart.
            b"SSTA" if self.timeline.restart(&event.header) => {
                self.lap_numbers = LapNumbers::default();
                out.event(EventKind::Restarted);
            }
            b"SSTA" => {}
            b"SEND" => out.event(EventKind::SessionEnded),
            _ => out.event(EventKind::Other(event.code.read())),
        }
    }

    fn participants(&mut self, participants: &Participants, out: &mut Out<'_>) {
        let used = participants.num_cars.min(CARS as u8);
        self.cars = Some(used);
        out.fact(Fact::Participants(facts::participants(participants, used)));
    }

    fn setups(&self, setups: &CarSetups, out: &mut Out<'_>) {
        for (car, setup) in self.cars(&setups.car) {
            match facts::setup(setup) {
                // Other people's setups are sent as zeros: their setup is missing.
                Ok(_) if is_empty(setup) => out.fact(Fact::Setup(car, None)),
                Ok(setup) => out.fact(Fact::Setup(car, Some(Box::new(setup)))),
                Err(not_numbers) => out.not_numbers += not_numbers,
            }
        }
    }

    fn telemetry(&mut self, telemetry: &Telemetry, out: &mut Out<'_>) {
        let signals = self.gives_signals(&telemetry.header);
        for (car, entry) in self.cars(&telemetry.car) {
            if is_empty(entry) {
                continue;
            }
            if !self.takes_all(car, out) {
                out.sample(car, &pace(entry));
                continue;
            }
            let values = car_telemetry(entry);
            out.sample(car, &values);
            if signals && self.is_followed(car) {
                self.signal_channels(car, &values, out);
            }
        }
        if let Some(car) = self.own_car(&telemetry.car) {
            let buttons = [(C::Buttons.slot(), telemetry.button_status.get() as f32)];
            out.sample(car, &buttons);
            if signals && self.is_followed(car) {
                self.signal_channels(car, &buttons, out);
            }
        }
    }

    fn status(&mut self, status: &Status, out: &mut Out<'_>) {
        let signals = self.gives_signals(&status.header);
        for (car, entry) in self.cars(&status.car) {
            if is_empty(entry) {
                continue;
            }
            if !self.takes_all(car, out) {
                out.sample(car, &[compound(entry)]);
                continue;
            }
            let values = car_status(entry);
            out.sample(car, &values);
            if signals && self.is_followed(car) {
                self.signal_channels(car, &values, out);
            }
        }
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
    fn sample(&mut self, car: Car, values: &[(Slot, f32)]) {
        self.not_numbers += sample_numbers(self.sink, car, self.moment, values);
    }

    fn event(&mut self, kind: EventKind) {
        self.sink.event(trailbrake_model::Event { moment: self.moment, car: None, kind });
    }

    fn signal(&mut self, car: Car, signal: Signal, value: Option<i32>) {
        let (moment, car, kind) = (self.moment, Some(car), EventKind::Signal { signal, value });
        self.sink.event(trailbrake_model::Event { moment, car, kind });
    }

    fn fact(&mut self, fact: Fact) {
        self.sink.fact(self.moment, fact);
    }

    fn finish(self) -> Result<(), Rejected> {
        without(GAME, self.kind.name(), self.not_numbers)
    }
}

/// The car with an index; `None` outside the arrays.
fn car(index: u8) -> Option<Car> {
    (usize::from(index) < CARS).then_some(Car(index))
}

fn car_motion(car: &CarMotion) -> [(Slot, f32); 18] {
    let [px, py, pz] = vector(C::Position, &car.world_position);
    let [vx, vy, vz] = vector(C::Velocity, &car.world_velocity);
    let [fx, fy, fz] = direction(C::Forward, &car.world_forward_dir);
    let [rx, ry, rz] = direction(C::Right, &car.world_right_dir);
    [
        px,
        py,
        pz,
        vx,
        vy,
        vz,
        fx,
        fy,
        fz,
        rx,
        ry,
        rz,
        (C::GLateral.slot(), car.g_force_lateral.get()),
        (C::GLongitudinal.slot(), car.g_force_longitudinal.get()),
        (C::GVertical.slot(), car.g_force_vertical.get()),
        (C::Yaw.slot(), car.yaw.get()),
        (C::Pitch.slot(), car.pitch.get()),
        (C::Roll.slot(), car.roll.get()),
    ]
}

fn player_motion(motion: &Motion) -> [(Slot, f32); 30] {
    const METRES_PER_MM: f32 = 1e-3;
    let floats = |array: &[F32; 4], scale: f32| array.map(|value| value.get() * scale);
    let [p0, p1, p2, p3] = wheels(C::SuspensionPosition, floats(&motion.suspension_position, METRES_PER_MM));
    let [v0, v1, v2, v3] = wheels(C::SuspensionVelocity, floats(&motion.suspension_velocity, METRES_PER_MM));
    let [a0, a1, a2, a3] =
        wheels(C::SuspensionAcceleration, floats(&motion.suspension_acceleration, METRES_PER_MM));
    let [w0, w1, w2, w3] = wheels(C::WheelSpeed, floats(&motion.wheel_speed, 1.0));
    let [s0, s1, s2, s3] = wheels(C::WheelSlip, floats(&motion.wheel_slip, 1.0));
    let [lx, ly, lz] = vector(C::LocalVelocity, &motion.local_velocity);
    let [ox, oy, oz] = vector(C::AngularVelocity, &motion.angular_velocity);
    let [cx, cy, cz] = vector(C::AngularAcceleration, &motion.angular_acceleration);
    let angle = (C::FrontWheelsAngle.slot(), motion.front_wheels_angle.get());
    [
        p0, p1, p2, p3, v0, v1, v2, v3, a0, a1, a2, a3, w0, w1, w2, w3, s0, s1, s2, s3, lx, ly, lz, ox, oy,
        oz, cx, cy, cz, angle,
    ]
}

fn car_lap(lap: &CarLap) -> [(Slot, f32); 5] {
    [
        (C::LapDistance.slot(), lap.lap_distance.get()),
        (C::TotalDistance.slot(), lap.total_distance.get()),
        (C::LapClock.slot(), lap.current_lap_time.get()),
        (C::SafetyCarDelta.slot(), lap.safety_car_delta.get()),
        (C::RacePosition.slot(), f32::from(lap.car_position)),
    ]
}

fn progress(car: Car, moment: Moment, lap: &CarLap, grid: bool) -> LapProgress {
    let number = |value: F32| Some(value.get()).filter(|number| number.is_finite());
    LapProgress {
        car,
        moment,
        lap: u16::from(lap.current_lap_num),
        clock: number(lap.current_lap_time).filter(|clock| clock.abs() < LONGEST_LAP_S),
        distance: number(lap.lap_distance),
        total_distance: number(lap.total_distance),
        last_lap: LapTime::from_seconds(lap.last_lap_time.get()),
        best_lap: LapTime::from_seconds(lap.best_lap_time.get()),
        sector: lap.sector,
        sectors: SectorTimes::from([
            LapTime::from_seconds(lap.sector1_time.get()),
            LapTime::from_seconds(lap.sector2_time.get()),
            None,
        ]),
        inferred: false,
        invalid: lap.current_lap_invalid != 0,
        pit: facts::pit(lap.pit_status),
        driver: facts::driver(lap.driver_status),
        result: facts::result(lap.result_status),
        position: lap.car_position,
        // The game counts grid positions from 0.
        grid: if grid { lap.grid_position.saturating_add(1) } else { 0 },
        penalties: lap.penalties,
        ..LapProgress::default()
    }
}

/// What is shown of every car's telemetry.
fn pace(car: &CarTelemetry) -> [(Slot, f32); 3] {
    [
        (C::Speed.slot(), f32::from(car.speed.get()) * MPS_PER_KMH),
        (C::Throttle.slot(), percent(car.throttle)),
        (C::Brake.slot(), percent(car.brake)),
    ]
}

fn car_telemetry(car: &CarTelemetry) -> [(Slot, f32); 26] {
    let [speed, throttle, brake] = pace(car);
    let degrees = |array: &[zerocopy::U16<zerocopy::LE>; 4]| array.map(|value| f32::from(value.get()));
    let [b0, b1, b2, b3] = wheels(C::BrakeTemperature, degrees(&car.brakes_temperature));
    let [s0, s1, s2, s3] = wheels(C::TyreSurfaceTemperature, degrees(&car.tyres_surface_temperature));
    let [i0, i1, i2, i3] = wheels(C::TyreInnerTemperature, degrees(&car.tyres_inner_temperature));
    let [p0, p1, p2, p3] = wheels(C::TyrePressure, car.tyres_pressure.map(|psi| psi.get() * PASCALS_PER_PSI));
    [
        speed,
        throttle,
        (C::Steering.slot(), f32::from(car.steer) / 100.0),
        brake,
        (C::Clutch.slot(), percent(car.clutch)),
        (C::Gear.slot(), f32::from(car.gear)),
        (C::Rpm.slot(), f32::from(car.engine_rpm.get())),
        (C::Drs.slot(), f32::from(car.drs)),
        (C::RevLights.slot(), percent(car.rev_lights_percent)),
        (C::EngineTemperature.slot(), f32::from(car.engine_temperature.get())),
        b0,
        b1,
        b2,
        b3,
        s0,
        s1,
        s2,
        s3,
        i0,
        i1,
        i2,
        i3,
        p0,
        p1,
        p2,
        p3,
    ]
}

fn compound(car: &CarStatus) -> (Slot, f32) {
    (C::TyreCompound.slot(), f32::from(car.tyre_compound))
}

fn car_status(car: &CarStatus) -> [(Slot, f32); 32] {
    let [w0, w1, w2, w3] = wheels(C::TyreWear, car.tyres_wear.map(percent));
    let [d0, d1, d2, d3] = wheels(C::TyreDamage, car.tyres_damage.map(percent));
    [
        (C::TractionControl.slot(), f32::from(car.traction_control)),
        (C::Abs.slot(), f32::from(car.anti_lock_brakes)),
        (C::FuelMix.slot(), f32::from(car.fuel_mix)),
        (C::BrakeBias.slot(), percent(car.front_brake_bias)),
        (C::PitLimiter.slot(), f32::from(car.pit_limiter_status)),
        (C::Fuel.slot(), car.fuel_in_tank.get()),
        (C::FuelCapacity.slot(), car.fuel_capacity.get()),
        (C::MaxRpm.slot(), f32::from(car.max_rpm.get())),
        (C::IdleRpm.slot(), f32::from(car.idle_rpm.get())),
        (C::MaxGears.slot(), f32::from(car.max_gears)),
        // 255 is the game's "unknown"; read as signed it stays distinct from yes and no.
        (C::DrsAllowed.slot(), f32::from(car.drs_allowed.cast_signed())),
        w0,
        w1,
        w2,
        w3,
        compound(car),
        d0,
        d1,
        d2,
        d3,
        (C::DamageFrontLeftWing.slot(), percent(car.front_left_wing_damage)),
        (C::DamageFrontRightWing.slot(), percent(car.front_right_wing_damage)),
        (C::DamageRearWing.slot(), percent(car.rear_wing_damage)),
        (C::DamageEngine.slot(), percent(car.engine_damage)),
        (C::DamageGearbox.slot(), percent(car.gear_box_damage)),
        (C::DamageExhaust.slot(), percent(car.exhaust_damage)),
        (C::Flag.slot(), f32::from(car.vehicle_fia_flags)),
        (C::ErsStore.slot(), car.ers_store_energy.get()),
        (C::ErsMode.slot(), f32::from(car.ers_deploy_mode)),
        (C::ErsHarvestedMguK.slot(), car.ers_harvested_this_lap_mguk.get()),
        (C::ErsHarvestedMguH.slot(), car.ers_harvested_this_lap_mguh.get()),
        (C::ErsDeployed.slot(), car.ers_deployed_this_lap.get()),
    ]
}

fn percent(value: u8) -> f32 {
    f32::from(value) / 100.0
}

fn vector(channel: C, vector: &Vec3<F32>) -> [(Slot, f32); 3] {
    [
        (channel.along(Axis::X), vector.x.get()),
        (channel.along(Axis::Y), vector.y.get()),
        (channel.along(Axis::Z), vector.z.get()),
    ]
}

fn direction(channel: C, vector: &Vec3<zerocopy::I16<zerocopy::LE>>) -> [(Slot, f32); 3] {
    let part = |value: zerocopy::I16<zerocopy::LE>| f32::from(value.get()) / 32_767.0;
    [
        (channel.along(Axis::X), part(vector.x)),
        (channel.along(Axis::Y), part(vector.y)),
        (channel.along(Axis::Z), part(vector.z)),
    ]
}

fn wheels(channel: C, [a, b, c, d]: [f32; 4]) -> [(Slot, f32); 4] {
    let [first, second, third, fourth] = WHEELS.map(|wheel| channel.of(wheel));
    [(first, a), (second, b), (third, c), (fourth, d)]
}

#[cfg(test)]
mod tests;
