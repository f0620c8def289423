//! Sends the race as the F1 game of a year would: all its packets, at the game's rates.

mod numbers;
mod reports;

use numbers::{compounds, float, floats};
use reports::LapBook;
use trailbrake_games::f1::layout::{YEAR_2018, YEARS};
use trailbrake_games::f1::{Kind, VERSION, layout};
use trailbrake_games::table::{Entries, RearFirst, Version};
use trailbrake_games::{Text, Vec3};
use trailbrake_model::Surface;

use super::car::{Compound, FULL_LOCK_RAD, GRAVITY, IDLE_RPM, MAX_RPM, WheelState};
use super::emitter::Emitter;
use super::race::{MARSHAL_ZONES, Race, SafetyCar, car_state, session_state};
use super::state::{CarState, Flag, Motion as Moving, PitState, Run};

/// Frames between slow packets of one kind: twice a second.
const SLOW: u64 = 30;
/// Frames between participants packets: every five seconds.
const LISTED: u64 = 300;
/// Frames between two cars' laps, and between two cars' tyres: twenty times a second.
const TURN: u64 = 3;
/// Frames between packets of damage: ten times a second.
const DAMAGE: u64 = 6;
/// Engine speed at which the rev lights start and at which all are lit, in rpm.
const LIGHTS_RPM: [f64; 2] = [10_200.0, 11_900.0];
/// The first driver id of invented drivers, above the real ones.
const FIRST_DRIVER: u8 = 100;
const FUEL_CAPACITY_KG: f32 = 105.0;
/// What a lap takes.
const FUEL_A_LAP_KG: f64 = 1.7;
const PIT_LIMIT_KMH: u8 = 80;
/// No car is spectated.
const NOBODY: u8 = 255;
/// Invented circuits have no id in the game.
const UNKNOWN_TRACK: i8 = -1;

/// The sender's state.
#[derive(Debug, Default)]
pub(super) struct F1 {
    frames: u64,
    /// Frames since the program was started: unlike the session's, they never go back.
    overall: u32,
    laps: LapBook,
    session: Option<(u64, u32)>,
    ended: bool,
}

impl Emitter for F1 {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let count = self.frames;
        self.frames += 1;
        self.overall += 1;
        let version = version(race);
        self.events(race, send);
        let session = session_state(race);
        let overall = self.overall;
        let head = |kind: Kind| header(race, kind, overall);
        let has = |kind: Kind| kind.size(version).is_some();
        if count.is_multiple_of(SLOW) {
            send(&self::session(race, head(Kind::Session)).bytes(version));
        }
        // A paused game sends the session packet only.
        if session.paused {
            return;
        }
        let cars: Vec<CarState> = (0..race.cars()).filter_map(|car| car_state(race, car)).collect();
        self.laps.note(&cars);
        send(&motion(&cars, race.player(), head(Kind::Motion)).bytes(version));
        send(&lap_data(&cars, session.race, version, head(Kind::LapData)).bytes(version));
        send(&telemetry(&cars, version, head(Kind::CarTelemetry)).bytes(version));
        match count % SLOW {
            1 => send(&setups(&cars, head(Kind::CarSetups)).bytes(version)),
            2 if version == YEAR_2018 => send(&status(&cars, head(Kind::CarStatus)).bytes(version)),
            _ => {}
        }
        if version != YEAR_2018 {
            send(&status(&cars, head(Kind::CarStatus)).bytes(version));
        }
        if has(Kind::MotionEx)
            && let Some(car) = cars.get(race.player())
        {
            send(&reports::more_motion(car, head(Kind::MotionEx)).bytes(version));
        }
        if has(Kind::CarTelemetry2) {
            send(&telemetry_2(&cars, head(Kind::CarTelemetry2)).bytes(version));
        }
        if has(Kind::CarDamage) && count % DAMAGE == 4 {
            send(&reports::damage(&cars, head(Kind::CarDamage)).bytes(version));
        }
        // One car's after the other's.
        let turn = (count / TURN) as usize % cars.len().max(1);
        if let Some(car) = cars.get(turn).filter(|_| count.is_multiple_of(TURN)) {
            if has(Kind::SessionHistory) {
                send(&self.laps.history(turn, car, head(Kind::SessionHistory)).bytes(version));
            }
            if has(Kind::TyreSets) {
                send(&reports::tyre_sets(turn, car, session.race, head(Kind::TyreSets)).bytes(version));
            }
        }
        if has(Kind::LapPositions) && session.race && count % (2 * SLOW) == 5 {
            send(&self.laps.positions(version, head(Kind::LapPositions)).bytes(version));
        }
        if count % LISTED == 3 {
            send(&participants(race, version, head(Kind::Participants)).bytes(version));
        }
    }
}

impl F1 {
    fn events(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let session = session_state(race);
        // A restart keeps the session's id. Unlike a rewind it goes back to the very start.
        let began = match self.session {
            Some((uid, _)) if uid != session.uid => true,
            Some((_, frame)) => race.frame() < 4 && frame > 4,
            None => true,
        };
        self.session = Some((session.uid, race.frame()));
        let (version, overall) = (version(race), self.overall);
        let head = |kind: Kind| header(race, kind, overall);
        if began {
            (self.ended, self.frames) = (false, 1);
            self.laps.clear();
            send(&event(*b"SSTA", head(Kind::Event)).bytes(version));
            // Participants come first, so that no lap lacks its driver.
            send(&participants(race, version, head(Kind::Participants)).bytes(version));
            send(&self::session(race, head(Kind::Session)).bytes(version));
        }
        if session.ended && !self.ended {
            self.ended = true;
            // What comes after the end belongs to no frame.
            let after = |kind: Kind| layout::Header { frame_identifier: 0, ..head(kind) };
            if Kind::FinalClassification.size(version).is_some() {
                let cars: Vec<CarState> = (0..race.cars()).filter_map(|car| car_state(race, car)).collect();
                send(&self.laps.results(&cars, version, after(Kind::FinalClassification)).bytes(version));
                send(&event(*b"SEND", after(Kind::Event)).bytes(version));
            } else {
                send(&event(*b"SEND", head(Kind::Event)).bytes(version));
            }
        }
    }
}

/// The format in which a race is sent.
fn version(race: &Race) -> Version {
    YEARS.find(race.options().year).unwrap_or(YEAR_2018)
}

fn header(race: &Race, kind: Kind, overall: u32) -> layout::Header {
    let year = version(race).number();
    // Format 2026 is one of the game of the year before.
    let game_year = (year - 2000).min(25) as u8;
    layout::Header {
        packet_format: year,
        game_year: Some(game_year),
        game_major_version: Some(1),
        game_minor_version: Some(0),
        overall_frame_identifier: Some(overall),
        secondary_player_car_index: Some(NOBODY),
        packet_version: VERSION,
        packet_id: kind.id(),
        session_uid: session_state(race).uid,
        session_time: float(race.session_s()),
        frame_identifier: race.frame(),
        player_car_index: race.player() as u8,
    }
}

fn event(code: [u8; 4], header: layout::Header) -> layout::Event {
    layout::Event { header, code: Text(code), ..layout::Event::default() }
}

fn motion(cars: &[CarState], player: usize, header: layout::Header) -> layout::Motion<'static> {
    let car = Entries::Made(cars.iter().map(|car| car_motion(&car.motion)).collect());
    let mut packet = layout::Motion { header, car, ..layout::Motion::default() };
    if let Some(car) = cars.get(player) {
        let wheels =
            |value: fn(&WheelState) -> f64| RearFirst(car.wheels.each_ref().map(|wheel| float(value(wheel))));
        packet.suspension_position = Some(wheels(|wheel| wheel.suspension_mm));
        packet.suspension_velocity = Some(wheels(|wheel| wheel.suspension_mm_s));
        packet.suspension_acceleration = Some(wheels(|wheel| wheel.suspension_mm_s2));
        packet.wheel_speed = Some(wheels(|wheel| wheel.speed_ms));
        packet.wheel_slip = Some(wheels(|wheel| wheel.slip));
        packet.local_velocity = Some(floats(car.motion.local_velocity));
        packet.angular_velocity = Some(floats([0.0, car.motion.yaw_rate, 0.0]));
        packet.angular_acceleration = Some(floats([0.0, car.motion.yaw_ms2, 0.0]));
        packet.front_wheels_angle = Some(float(car.wheel_angle.clamp(-FULL_LOCK_RAD, FULL_LOCK_RAD)));
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

fn session(race: &Race, header: layout::Header) -> layout::Session<'static> {
    let year = header.packet_format;
    let state = session_state(race);
    let mut packet = layout::Session { header, ..layout::Session::default() };
    packet.weather = state.sky as u8;
    packet.track_temperature = state.track_c.round() as i8;
    packet.air_temperature = state.air_c.round() as i8;
    packet.total_laps = state.laps;
    packet.track_length = race.circuit.length_m.round() as u16;
    packet.session_type = match state.race {
        true if year >= 2024 => 15,
        true => 10,
        false => 1,
    };
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
    if year >= 2020 {
        let forecast = [0, 5, 10, 15, 30].map(|minutes| layout::Forecast {
            session_type: packet.session_type,
            time_offset: minutes,
            weather: packet.weather,
            track_temperature: packet.track_temperature,
            track_change: Some(2),
            air_temperature: packet.air_temperature,
            air_change: Some(2),
            rain_percentage: Some(if packet.weather > 2 { 90 } else { 5 }),
        });
        packet.num_weather_forecast_samples = Some(forecast.len() as u8);
        packet.weather_forecast_samples = Entries::Made(forecast.to_vec());
        let (manual, full) = (Some(1), Some(2));
        (packet.gearbox_assist, packet.racing_line) = (manual, full);
        (packet.ai_difficulty, packet.rule_set) = (Some(90), Some(u8::from(state.race)));
        let [second, third] = race.circuit.sector_lines_m;
        (packet.sector2_start, packet.sector3_start) = (Some(float(second)), Some(float(third)));
    }
    packet.safety_car_status = match state.safety_car {
        SafetyCar::None => 0,
        SafetyCar::Full => 1,
        SafetyCar::Virtual => 2,
    };
    packet
}

fn lap_data(
    cars: &[CarState],
    race: bool,
    version: Version,
    header: layout::Header,
) -> layout::LapData<'static> {
    // There are no grid positions outside races; games before 2020 count them from 0.
    let from = u8::from(version.number() < 2020);
    let grid = |car: &CarState| if race { car.lap.grid_position.saturating_sub(from) } else { 0 };
    let laps = cars.iter().map(|car| layout::CarLap { grid_position: grid(car), ..car_lap(car, version) });
    let (time_trial_pb_car, time_trial_rival_car) = (Some(NOBODY), Some(NOBODY));
    layout::LapData { header, car: Entries::Made(laps.collect()), time_trial_pb_car, time_trial_rival_car }
}

fn car_lap(car: &CarState, version: Version) -> layout::CarLap {
    let lap = &car.lap;
    // Official times are whole milliseconds, and the game sends them as such.
    let millis = |millis: u32| float(f64::from(millis) / 1e3);
    let [first, second] = lap.sectors_ms;
    // What has no room in two bytes is sent as minutes, or lost in the years before those.
    let room = match version.number() {
        ..2020 => u32::MAX,
        2020..2023 => 65_536,
        _ => 60_000,
    };
    let minutes = |ms: u32| Some((ms / room) as u8);
    let best = millis(lap.best_ms.unwrap_or_default());
    layout::CarLap {
        last_lap_time: millis(lap.last_ms.unwrap_or_default()),
        current_lap_time: float(lap.time_s),
        best_lap_time: Some(best),
        best_lap_time_of_2020: Some(best),
        sector1_time: millis(first % room),
        sector1_minutes: minutes(first),
        sector2_time: millis(second % room),
        sector2_minutes: minutes(second),
        num_pit_stops: Some(0),
        speed_trap_fastest_lap: Some(NOBODY),
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
        result_status: reports::result_status(car, version),
        ..layout::CarLap::default()
    }
}

fn participants(race: &Race, version: Version, header: layout::Header) -> layout::Participants<'static> {
    let entries = (0_u8..).map_while(|index| Some((index, race.entry(usize::from(index))?)));
    let drivers = entries.map(|(index, entry)| layout::Participant {
        ai_controlled: u8::from(usize::from(index) != race.player()),
        driver_id: u16::from(FIRST_DRIVER + index),
        team_id: u16::from(entry.team),
        race_number: entry.number,
        nationality: entry.nationality,
        name: Text::write(entry.name),
        your_telemetry: Some(1),
        show_online_names: Some(1),
        platform: Some(1),
        num_colours: Some(1),
        livery_colours: Some([40, 90, 160, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ..layout::Participant::default()
    });
    let car = Entries::Made(drivers.take(layout::cars(version)).collect());
    layout::Participants { header, num_cars: race.cars() as u8, car }
}

/// A setup for each car: all different, all driveable.
fn setups(cars: &[CarState], header: layout::Header) -> layout::CarSetups<'static> {
    let setup = |(index, car): (u8, &CarState)| {
        let step = |range: u8| index % range;
        let [front_psi, rear_psi] = [22.6, 21.1].map(|psi: f32| psi + 0.2 * f32::from(step(3)));
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
            front_tyre_pressure: Some(front_psi),
            rear_tyre_pressure: Some(rear_psi),
            tyre_pressures: Some(RearFirst([rear_psi, rear_psi, front_psi, front_psi])),
            engine_braking: Some(50),
            ballast: 5 + step(3),
            fuel_load: float(car.fuel_kg.ceil()),
        }
    };
    let next_front_wing = Some(4.0);
    layout::CarSetups { header, car: Entries::Made((0..).zip(cars).map(setup).collect()), next_front_wing }
}

fn telemetry(cars: &[CarState], version: Version, header: layout::Header) -> layout::Telemetry<'static> {
    let car = Entries::Made(cars.iter().map(|car| car_telemetry(car, version)).collect());
    layout::Telemetry {
        header,
        car,
        mfd_panel: Some(NOBODY),
        mfd_panel_2: Some(NOBODY),
        ..layout::Telemetry::default()
    }
}

fn car_telemetry(car: &CarState, version: Version) -> layout::CarTelemetry {
    let celsius = |value: fn(&WheelState) -> f64| car.wheels.each_ref().map(|wheel| value(wheel).round());
    let degrees = |value: fn(&WheelState) -> f64| RearFirst(celsius(value).map(float));
    // Format 2018 has whole percents.
    let share = |share: f64| match version == YEAR_2018 {
        true => float((share * 100.0).round()) / 100.0,
        false => float(share),
    };
    let [lit, all] = LIGHTS_RPM;
    layout::CarTelemetry {
        speed: (car.motion.speed_ms * 3.6).round() as u16,
        throttle: share(car.throttle.clamp(0.0, 1.0)),
        // In the game right is positive, in the simulator left.
        steer: share(-car.steer),
        brake: share(car.brake.clamp(0.0, 1.0)),
        clutch: percent(car.clutch),
        gear: car.gear,
        engine_rpm: car.rpm.round() as u16,
        drs: u8::from(car.drs),
        rev_lights_percent: percent((car.rpm - lit) / (all - lit)),
        brakes_temperature: RearFirst(celsius(|wheel| wheel.brake_c).map(|degrees| degrees as u16)),
        tyres_surface_temperature: degrees(|wheel| wheel.surface_c),
        tyres_inner_temperature: degrees(|wheel| wheel.inner_c),
        engine_temperature: float(car.engine_c.round()),
        tyres_pressure: RearFirst(car.wheels.each_ref().map(|wheel| float(wheel.pressure_psi))),
        rev_lights_bits: Some(0),
        surface_type: Some(surfaces(car)),
    }
}

/// The surface under each wheel.
fn surfaces(car: &CarState) -> RearFirst<f32> {
    let [left, right] = car.on_kerb.map(|is_on| if is_on { Surface::Kerb } else { Surface::Tarmac });
    RearFirst([left, right, left, right].map(|surface| f32::from(surface.number())))
}

fn status(cars: &[CarState], header: layout::Header) -> layout::Status<'static> {
    let car = (0..).zip(cars).map(|(index, car)| car_status(index, car));
    layout::Status { header, car: Entries::Made(car.collect()) }
}

fn car_status(index: u8, car: &CarState) -> layout::CarStatus {
    let wear = car.wheels.each_ref().map(|wheel| wheel.wear.clamp(0.0, 100.0) as u8);
    let wing = car.wing_damage.clamp(0.0, 100.0) as u8;
    let (actual, visual) = compounds(car.compound);
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
        tyres_wear: Some(RearFirst(wear)),
        tyre_compound: Some(match car.compound {
            Compound::Ultrasoft => 1,
            Compound::Soft => 3,
            Compound::Medium => 4,
            Compound::Intermediate => 7,
            Compound::Wet => 8,
        }),
        actual_tyre_compound: Some(actual),
        visual_tyre_compound: Some(visual),
        tyres_age_laps: Some(car.lap.number.saturating_sub(1) as u8),
        fuel_remaining_laps: Some(float(car.fuel_kg / FUEL_A_LAP_KG)),
        // Heavy wear counts as damage.
        tyres_damage: Some(RearFirst(wear.map(|wear| wear.saturating_sub(70)))),
        front_left_wing_damage: Some(wing),
        front_right_wing_damage: Some(wing),
        vehicle_fia_flags: flag(car.lap.flag),
        ers_store_energy: float(car.store_j),
        ers_deploy_mode: f32::from(car.deploy as u8),
        ers_harvested_this_lap_mguk: float(car.harvested_brakes_j),
        ers_harvested_this_lap_mguh: float(car.harvested_turbo_j),
        ers_deployed_this_lap: float(car.deployed_j),
        ..layout::CarStatus::default()
    }
}

fn telemetry_2(cars: &[CarState], header: layout::Header) -> layout::Telemetry2<'static> {
    let of = |car: &CarState| layout::CarTelemetry2 {
        active_aero_mode: u8::from(car.drs),
        active_aero_available: u8::from(car.drs_allowed),
        regulations_2026: 1,
        ..layout::CarTelemetry2::default()
    };
    layout::Telemetry2 { header, car: Entries::Made(cars.iter().map(of).collect()) }
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

#[cfg(test)]
mod tests;
