//! Sends the race as F1 2018 would: all eight packets for twenty cars, at the game's rates.

use trailbrake_games::f1_2018::layout::YEAR;
use trailbrake_games::f1_2018::{FORMAT, Kind, VERSION, layout};
use trailbrake_games::table::{Entries, RearFirst};
use trailbrake_games::{Text, Vec3};

use super::car::{Compound, FULL_LOCK_RAD, GRAVITY, IDLE_RPM, MAX_RPM, WheelState};
use super::emitter::Emitter;
use super::race::{MARSHAL_ZONES, Race, SafetyCar};
use super::state::{CarState, Flag, Motion as Moving, Outcome, PitState, Run};

/// Frames between slow packets of one kind: twice a second.
const SLOW: u64 = 30;
/// Frames between participants packets: every five seconds.
const LISTED: u64 = 300;
/// Engine speed at which the rev lights start and at which all are lit, in rpm.
const LIGHTS_RPM: [f64; 2] = [10_200.0, 11_900.0];
/// The first driver id of invented drivers, above the real ones.
const FIRST_DRIVER: u8 = 100;
const FUEL_CAPACITY_KG: f32 = 105.0;
const PIT_LIMIT_KMH: u8 = 80;
/// No car is spectated.
const NOBODY: u8 = 255;
/// Invented circuits have no id in the game.
const UNKNOWN_TRACK: i8 = -1;

/// The sender's state.
#[derive(Debug, Default)]
pub(super) struct F12018 {
    frames: u64,
    session: Option<(u64, u32)>,
    ended: bool,
}

impl Emitter for F12018 {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let count = self.frames;
        self.frames += 1;
        self.events(race, send);
        let session = race.session();
        let head = |kind: Kind| header(race, kind);
        if count.is_multiple_of(SLOW) {
            send(&self::session(race, head(Kind::Session)).bytes(YEAR));
        }
        // A paused game sends the session packet only.
        if session.paused {
            return;
        }
        let cars: Vec<CarState> = (0..race.cars()).filter_map(|car| race.car(car)).collect();
        send(&motion(&cars, race.player(), head(Kind::Motion)).bytes(YEAR));
        send(&lap_data(&cars, session.race, head(Kind::LapData)).bytes(YEAR));
        send(&telemetry(&cars, head(Kind::CarTelemetry)).bytes(YEAR));
        match count % SLOW {
            1 => send(&setups(&cars, head(Kind::CarSetups)).bytes(YEAR)),
            2 => send(&status(&cars, head(Kind::CarStatus)).bytes(YEAR)),
            _ => {}
        }
        if count % LISTED == 3 {
            send(&participants(race, head(Kind::Participants)).bytes(YEAR));
        }
    }
}

impl F12018 {
    fn events(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let session = race.session();
        // A restart keeps the session's id. Unlike a rewind it goes back to the very start.
        let began = match self.session {
            Some((uid, _)) if uid != session.uid => true,
            Some((_, frame)) => race.frame() < 4 && frame > 4,
            None => true,
        };
        self.session = Some((session.uid, race.frame()));
        if began {
            (self.ended, self.frames) = (false, 1);
            send(&event(race, *b"SSTA").bytes(YEAR));
            // Participants come first, so that no lap lacks its driver.
            send(&participants(race, header(race, Kind::Participants)).bytes(YEAR));
            send(&self::session(race, header(race, Kind::Session)).bytes(YEAR));
        }
        if session.ended && !self.ended {
            self.ended = true;
            send(&event(race, *b"SEND").bytes(YEAR));
        }
    }
}

fn header(race: &Race, kind: Kind) -> layout::Header {
    layout::Header {
        packet_format: FORMAT,
        packet_version: VERSION,
        packet_id: kind.id(),
        session_uid: race.session().uid,
        session_time: float(race.session_s()),
        frame_identifier: race.frame(),
        player_car_index: race.player() as u8,
    }
}

fn event(race: &Race, code: [u8; 4]) -> layout::Event {
    layout::Event { header: header(race, Kind::Event), code: Text(code) }
}

fn motion(cars: &[CarState], player: usize, header: layout::Header) -> layout::Motion<'static> {
    let car = Entries::Made(cars.iter().map(|car| car_motion(&car.motion)).collect());
    let mut packet = layout::Motion { header, car, ..layout::Motion::default() };
    if let Some(car) = cars.get(player) {
        let wheels =
            |value: fn(&WheelState) -> f64| RearFirst(car.wheels.each_ref().map(|wheel| float(value(wheel))));
        packet.suspension_position = wheels(|wheel| wheel.suspension_mm);
        packet.suspension_velocity = wheels(|wheel| wheel.suspension_mm_s);
        packet.suspension_acceleration = wheels(|wheel| wheel.suspension_mm_s2);
        packet.wheel_speed = wheels(|wheel| wheel.speed_ms);
        packet.wheel_slip = wheels(|wheel| wheel.slip);
        packet.local_velocity = floats(car.motion.local_velocity);
        packet.angular_velocity = floats([0.0, car.motion.yaw_rate, 0.0]);
        packet.angular_acceleration = floats([0.0, car.motion.yaw_ms2, 0.0]);
        packet.front_wheels_angle = float(car.wheel_angle.clamp(-FULL_LOCK_RAD, FULL_LOCK_RAD));
    }
    packet
}

fn car_motion(moving: &Moving) -> layout::CarMotion {
    let part = |value: f64| (value * 32_767.0).round() as i16;
    let direction = |[x, y, z]: [f64; 3]| Vec3 { x: part(x), y: part(y), z: part(z) };
    layout::CarMotion {
        world_position: floats(moving.position),
        world_velocity: floats(moving.velocity),
        world_forward_dir: direction(moving.forward),
        world_right_dir: direction(moving.right),
        g_force_lateral: float(moving.lateral_ms2 / GRAVITY),
        g_force_longitudinal: float(moving.longitudinal_ms2 / GRAVITY),
        g_force_vertical: float(moving.vertical_ms2 / GRAVITY),
        yaw: float(moving.yaw),
        pitch: float(moving.pitch),
        roll: float(moving.roll),
    }
}

fn session(race: &Race, header: layout::Header) -> layout::Session {
    let state = race.session();
    let mut packet = layout::Session { header, ..layout::Session::default() };
    packet.weather = state.sky as u8;
    packet.track_temperature = state.track_c.round() as i8;
    packet.air_temperature = state.air_c.round() as i8;
    packet.total_laps = state.laps;
    packet.track_length = race.circuit.length_m.round() as u16;
    packet.session_type = if state.race { 10 } else { 1 };
    packet.track_id = UNKNOWN_TRACK;
    packet.session_time_left = state.left_s;
    packet.session_duration = state.duration_s;
    packet.pit_speed_limit = PIT_LIMIT_KMH;
    packet.game_paused = u8::from(state.paused);
    packet.spectator_car_index = NOBODY;
    packet.num_marshal_zones = MARSHAL_ZONES as u8;
    for (index, (zone, flag)) in packet.marshal_zones.iter_mut().zip(state.zones).enumerate() {
        zone.zone_start = float(index as f64 / MARSHAL_ZONES as f64);
        zone.zone_flag = self::flag(flag);
    }
    packet.safety_car_status = match state.safety_car {
        SafetyCar::None => 0,
        SafetyCar::Full => 1,
        SafetyCar::Virtual => 2,
    };
    packet
}

fn lap_data(cars: &[CarState], race: bool, header: layout::Header) -> layout::LapData<'static> {
    // The game counts grid positions from 0, and has none outside races.
    let grid = |car: &CarState| if race { car.lap.grid_position.saturating_sub(1) } else { 0 };
    let laps = cars.iter().map(|car| layout::CarLap { grid_position: grid(car), ..car_lap(car) });
    layout::LapData { header, car: Entries::Made(laps.collect()) }
}

fn car_lap(car: &CarState) -> layout::CarLap {
    let lap = &car.lap;
    // Official times are whole milliseconds, and the game sends them as such.
    let millis = |millis: u32| float(f64::from(millis) / 1e3);
    let [first, second] = lap.sectors_ms;
    layout::CarLap {
        last_lap_time: millis(lap.last_ms.unwrap_or_default()),
        current_lap_time: float(lap.time_s),
        best_lap_time: millis(lap.best_ms.unwrap_or_default()),
        sector1_time: millis(first),
        sector2_time: millis(second),
        lap_distance: float(lap.distance_m),
        total_distance: float(lap.total_m),
        safety_car_delta: 0.0,
        car_position: lap.position,
        current_lap_num: lap.number as u8,
        pit_status: match lap.pit {
            PitState::Track => 0,
            PitState::Lane => 1,
            PitState::Stopped => 2,
        },
        sector: lap.sector,
        current_lap_invalid: u8::from(lap.invalid),
        penalties: lap.penalty_s,
        grid_position: 0,
        driver_status: match lap.run {
            Run::Garage => 0,
            Run::Flying => 1,
            Run::In => 2,
            Run::Out => 3,
            Run::Track => 4,
        },
        result_status: match lap.outcome {
            Outcome::Active => 2,
            Outcome::Finished => 3,
            Outcome::Retired => 6,
        },
    }
}

fn participants(race: &Race, header: layout::Header) -> layout::Participants<'static> {
    let entries = (0_u8..).map_while(|index| Some((index, race.entry(usize::from(index))?)));
    let drivers = entries.map(|(index, entry)| layout::Participant {
        ai_controlled: u8::from(usize::from(index) != race.player()),
        driver_id: FIRST_DRIVER + index,
        team_id: entry.team,
        race_number: entry.number,
        nationality: entry.nationality,
        name: Text::write(entry.name),
    });
    let car = Entries::Made(drivers.take(layout::CARS).collect());
    layout::Participants { header, num_cars: race.cars() as u8, car }
}

/// A setup for each car: all different, all driveable.
fn setups(cars: &[CarState], header: layout::Header) -> layout::CarSetups<'static> {
    let setup = |(index, car): (u8, &CarState)| {
        let step = |range: u8| index % range;
        layout::CarSetup {
            front_wing: 4 + step(4),
            rear_wing: 5 + step(3),
            on_throttle: 65 + 5 * step(4),
            off_throttle: 70 + 5 * step(3),
            front_camber: -3.0 + 0.1 * f32::from(step(5)),
            rear_camber: -1.5 + 0.1 * f32::from(step(3)),
            front_toe: 0.08 + 0.01 * f32::from(step(5)),
            rear_toe: 0.32 + 0.03 * f32::from(step(3)),
            front_suspension: 4 + step(3),
            rear_suspension: 3 + step(4),
            front_anti_roll_bar: 5 + step(3),
            rear_anti_roll_bar: 4 + step(4),
            front_suspension_height: 3 + step(2),
            rear_suspension_height: 4 + step(3),
            brake_pressure: 84 + 2 * step(5),
            brake_bias: brake_bias(index),
            front_tyre_pressure: 22.6 + 0.2 * f32::from(step(3)),
            rear_tyre_pressure: 21.1 + 0.2 * f32::from(step(3)),
            ballast: 5 + step(3),
            fuel_load: float(car.fuel_kg.ceil()),
        }
    };
    layout::CarSetups { header, car: Entries::Made((0..).zip(cars).map(setup).collect()) }
}

fn telemetry(cars: &[CarState], header: layout::Header) -> layout::Telemetry<'static> {
    let car = Entries::Made(cars.iter().map(car_telemetry).collect());
    layout::Telemetry { header, car, ..layout::Telemetry::default() }
}

fn car_telemetry(car: &CarState) -> layout::CarTelemetry {
    let degrees = |value: fn(&WheelState) -> f64| {
        RearFirst(car.wheels.each_ref().map(|wheel| value(wheel).round() as u16))
    };
    let [lit, all] = LIGHTS_RPM;
    layout::CarTelemetry {
        speed: (car.motion.speed_ms * 3.6).round() as u16,
        throttle: percent(car.throttle),
        // In the game right is positive, in the simulator left.
        steer: (-car.steer * 100.0).round() as i8,
        brake: percent(car.brake),
        clutch: percent(car.clutch),
        gear: car.gear,
        engine_rpm: car.rpm.round() as u16,
        drs: u8::from(car.drs),
        rev_lights_percent: percent((car.rpm - lit) / (all - lit)),
        brakes_temperature: degrees(|wheel| wheel.brake_c),
        tyres_surface_temperature: degrees(|wheel| wheel.surface_c),
        tyres_inner_temperature: degrees(|wheel| wheel.inner_c),
        engine_temperature: car.engine_c.round() as u16,
        tyres_pressure: RearFirst(car.wheels.each_ref().map(|wheel| float(wheel.pressure_psi))),
    }
}

fn status(cars: &[CarState], header: layout::Header) -> layout::Status<'static> {
    let car = (0..).zip(cars).map(|(index, car)| car_status(index, car));
    layout::Status { header, car: Entries::Made(car.collect()) }
}

fn car_status(index: u8, car: &CarState) -> layout::CarStatus {
    let wear = car.wheels.each_ref().map(|wheel| wheel.wear.clamp(0.0, 100.0) as u8);
    let wing = car.wing_damage.clamp(0.0, 100.0) as u8;
    layout::CarStatus {
        fuel_mix: 1,
        front_brake_bias: brake_bias(index),
        pit_limiter_status: u8::from(car.limiter),
        fuel_in_tank: float(car.fuel_kg),
        fuel_capacity: FUEL_CAPACITY_KG,
        max_rpm: MAX_RPM,
        idle_rpm: IDLE_RPM,
        // The game counts reverse as a gear.
        max_gears: 9,
        drs_allowed: u8::from(car.drs_allowed),
        tyres_wear: RearFirst(wear),
        tyre_compound: match car.compound {
            Compound::Ultrasoft => 1,
            Compound::Soft => 3,
            Compound::Medium => 4,
            Compound::Intermediate => 7,
            Compound::Wet => 8,
        },
        // Heavy wear counts as damage.
        tyres_damage: RearFirst(wear.map(|wear| wear.saturating_sub(70))),
        front_left_wing_damage: wing,
        front_right_wing_damage: wing,
        vehicle_fia_flags: flag(car.lap.flag),
        ers_store_energy: float(car.store_j),
        ers_deploy_mode: car.deploy as u8,
        ers_harvested_this_lap_mguk: float(car.harvested_brakes_j),
        ers_harvested_this_lap_mguh: float(car.harvested_turbo_j),
        ers_deployed_this_lap: float(car.deployed_j),
        ..layout::CarStatus::default()
    }
}

fn brake_bias(index: u8) -> u8 {
    56 + index % 4
}

fn flag(flag: Flag) -> i8 {
    match flag {
        Flag::None => 0,
        Flag::Green => 1,
        Flag::Yellow => 3,
    }
}

fn percent(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u8
}

fn float(value: f64) -> f32 {
    value as f32
}

fn floats([x, y, z]: [f64; 3]) -> Vec3<f32> {
    Vec3 { x: float(x), y: float(y), z: float(z) }
}

#[cfg(test)]
mod tests;
