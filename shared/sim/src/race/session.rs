//! The session and its cars as a game reports them.

use super::super::car::{Disturbance, FULL_LOCK_RAD};
use super::super::circuit::Circuit;
use super::super::state::{CarState, Flag, LapState, Motion, Outcome, PitState, Run};
use super::racer::{PitPhase, Racer};
use super::{Race, SafetyCar, Sky, Start};

/// Marshal zones per lap.
pub const MARSHAL_ZONES: usize = 16;

/// The session at one moment.
#[derive(Clone, Debug)]
pub struct SessionState {
    /// The session's id, never zero.
    pub uid: u64,
    /// Whether it is a race; otherwise practice.
    pub race: bool,
    /// Laps of the race, 0 in practice.
    pub laps: u8,
    /// The sky.
    pub sky: Sky,
    /// Air temperature, in °C.
    pub air_c: f64,
    /// Track temperature, in °C.
    pub track_c: f64,
    /// Scheduled duration, in seconds.
    pub duration_s: u16,
    /// Time left, in seconds.
    pub left_s: u16,
    /// Whether the game is paused.
    pub paused: bool,
    /// Whether it has ended.
    pub ended: bool,
    /// The safety car.
    pub safety_car: SafetyCar,
    /// The flags by marshal zone; zone `i` begins at lap fraction `i` / [`MARSHAL_ZONES`].
    pub zones: [Flag; MARSHAL_ZONES],
}

/// The state of the session.
pub fn session_state(race: &Race) -> SessionState {
    let now_s = race.session_s();
    let is_race = race.options().start == Start::Grid;
    // A race lasts two hours at most.
    let duration_s = if is_race { 7_200 } else { race.options().duration_s };
    let cooling_c = race.now.weather.cooling_c();
    let [air_c, track_c] = race.circuit.temperatures_c.map(f64::from);
    SessionState {
        uid: race.uid,
        race: is_race,
        laps: if is_race { race.options().laps } else { 0 },
        sky: race.now.weather.sky,
        air_c: air_c - cooling_c,
        track_c: track_c - 1.6 * cooling_c,
        duration_s,
        left_s: (f64::from(duration_s) - now_s).max(0.0) as u16,
        paused: race.paused_until.is_some(),
        ended: race.now.ended_s.is_some_and(|ended_s| now_s >= ended_s),
        safety_car: race.now.safety_car,
        zones: zones(race),
    }
}

/// Yellow where a car is off the track, stopped or very slow.
fn zones(race: &Race) -> [Flag; MARSHAL_ZONES] {
    let mut zones = [Flag::None; MARSHAL_ZONES];
    let started = race.session_s() > super::LIGHTS_S + 6.0;
    for racer in race.now.racers.iter().filter(|racer| started && !racer.in_pit_lane(&race.circuit)) {
        let danger = racer.car.off_track(&race.circuit) || racer.car.speed_ms < 12.0;
        if let Some(zone) = zones.get_mut(zone_of(&race.circuit, racer))
            && danger
            && !racer.parked
        {
            *zone = Flag::Yellow;
        }
    }
    zones
}

fn zone_of(circuit: &Circuit, racer: &Racer) -> usize {
    (racer.car.lap_m(circuit) / circuit.length_m * MARSHAL_ZONES as f64) as usize
}

/// The current state of one car.
pub fn car_state(race: &Race, car: usize) -> Option<CarState> {
    let racer = race.now.racers.get(car)?;
    let vehicle = &racer.car;
    let engine = &vehicle.engine;
    // With the clutch pressed, a car stands in first gear.
    let stands_in_neutral = vehicle.speed_ms < 0.1 && vehicle.throttle == 0.0 && !vehicle.model.rallied;
    Some(CarState {
        model: vehicle.model,
        airborne: vehicle.is_airborne(),
        motion: Motion::of(&race.circuit, vehicle),
        throttle: vehicle.throttle,
        brake: vehicle.brake,
        clutch: vehicle.clutch,
        steer: (vehicle.wheel_angle() / FULL_LOCK_RAD).clamp(-1.0, 1.0),
        wheel_angle: vehicle.wheel_angle(),
        understeer_rad: vehicle.understeer_rad,
        gear: if stands_in_neutral { 0 } else { engine.gear },
        rpm: engine.rpm,
        engine_c: engine.temperature_c,
        fuel_kg: engine.fuel_kg,
        wheels: vehicle.wheels,
        compound: vehicle.compound,
        wing_damage: vehicle.wing_damage,
        drs: vehicle.drs,
        drs_allowed: racer.drs_allowed,
        handbrake: vehicle.handbrake || vehicle.upset_by() == Some(Disturbance::Handbrake),
        on_kerb: vehicle.on_kerb,
        limiter: vehicle.limiter,
        store_j: engine.store_j,
        deploy: engine.deploy,
        harvested_brakes_j: engine.harvested_brakes_j,
        harvested_turbo_j: engine.harvested_turbo_j,
        deployed_j: engine.deployed_j,
        lap: lap_state(race, racer),
    })
}

fn lap_state(race: &Race, racer: &Racer) -> LapState {
    let (circuit, timing) = (&race.circuit, &racer.timing);
    let before_line = racer.car.travelled_m < 0.0;
    LapState {
        number: timing.lap,
        distance_m: if before_line { racer.car.travelled_m } else { racer.car.lap_m(circuit) },
        total_m: racer.car.travelled_m,
        time_s: timing.began_s.map_or(0.0, |began_s| (race.session_s() - began_s).max(0.0)),
        last_ms: timing.last_ms,
        best_ms: timing.best_ms,
        sector: timing.sector,
        sectors_ms: timing.sectors_ms,
        invalid: timing.marks.invalid,
        position: racer.position,
        grid_position: racer.grid_position,
        penalty_s: racer.penalty_s,
        pit: match racer.visit.map(|visit| visit.phase) {
            Some(PitPhase::Standing) => PitState::Stopped,
            _ if racer.in_pit_lane(circuit) => PitState::Lane,
            _ => PitState::Track,
        },
        run: run(race, racer),
        outcome: match racer {
            Racer { parked: true, .. } => Outcome::Retired,
            Racer { finished: true, .. } => Outcome::Finished,
            _ => Outcome::Active,
        },
        flag: flag(race, racer),
    }
}

fn run(race: &Race, racer: &Racer) -> Run {
    if racer.parked {
        return Run::Garage;
    }
    if race.options().start == Start::Grid {
        return Run::Track;
    }
    match racer.visit.map(|visit| visit.phase) {
        Some(PitPhase::Called | PitPhase::Entering) => Run::In,
        Some(_) => Run::Out,
        None if racer.timing.began_s.is_none() || racer.timing.marks.out_lap => Run::Out,
        None => Run::Flying,
    }
}

fn flag(race: &Race, racer: &Racer) -> Flag {
    let zones = zones(race);
    let zone = zone_of(&race.circuit, racer);
    let ahead = |by: usize| zones.get((zone + by) % MARSHAL_ZONES).copied().unwrap_or_default();
    if ahead(0) == Flag::Yellow || ahead(1) == Flag::Yellow { Flag::Yellow } else { Flag::None }
}
