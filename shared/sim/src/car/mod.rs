//! A car as a point mass: forces, grip and the state of its parts.

mod constants;
mod disturbance;
mod engine;
mod grip;
mod model;
mod step;
mod wheels;

pub(crate) use constants::AIR_KG_M3;
pub use constants::GRAVITY;
pub use disturbance::Disturbance;
pub use engine::{Deploy, Engine, EngineModel, IDLE_RPM, MAX_RPM, STORE_J};
pub(crate) use grip::Grip;
pub use model::{CarModel, RALLY_CAR, SINGLE_SEATER};
pub(crate) use model::{DOWNFORCE_AREA_M2, DRY_MASS_KG, FRICTION, WHEELBASE_M};
pub(crate) use step::step;
pub use wheels::{Compound, WHEELS, WheelState};

use super::circuit::{Circuit, HALF_CAR_M, Pose};

/// Front wheel angle at full lock, in radians.
pub const FULL_LOCK_RAD: f64 = 0.33;
/// The slide from which the driver steers against it, in radians, and by which part of what is beyond.
const FREE_SLIDE_RAD: f64 = 0.15;
const COUNTERED: f64 = 0.3;
/// Share of the drag that DRS removes.
const DRS_DRAG_PART: f64 = 0.16;
/// Wheelspin needs more throttle than this, and every disturbance more speed than this (m/s).
const SPINS_FROM: f64 = 0.6;
const FROM_MS: f64 = 12.0;
/// Yaw rate in a spin, in rad/s.
const SPIN_RADPS: f64 = 2.6;
/// The part of the speed that a hit leaves.
const HIT_LEAVES: f64 = 0.4;
/// Distance from the track's edge to the walls, in metres.
pub(crate) const WALL_M: f64 = 17.0;

/// A car: its motion along the circuit and its parts.
#[derive(Clone, Debug)]
pub struct Car {
    /// The kind of car.
    pub model: &'static CarModel,
    /// Distance along the centre line since the first crossing of the start line; negative before it, in metres.
    pub travelled_m: f64,
    /// Offset to the left of the centre line, in metres.
    pub offset_m: f64,
    /// Direction of travel relative to the centre line, left positive, in radians.
    pub angle: f64,
    /// Speed, in m/s.
    pub speed_ms: f64,
    /// Curvature of the car's path, left positive, in 1/m.
    pub curvature: f64,
    /// Speed along the centre line, in m/s.
    pub along_ms: f64,
    /// Forward acceleration, in m/s².
    pub longitudinal_ms2: f64,
    /// Leftward acceleration, in m/s².
    pub lateral_ms2: f64,
    /// Upward acceleration without gravity, in m/s².
    pub vertical_ms2: f64,
    /// Yaw acceleration, in rad/s².
    pub yaw_ms2: f64,
    /// Throttle, 0–1.
    pub throttle: f64,
    /// Brake, 0–1.
    pub brake: f64,
    /// Clutch pedal, 0–1; 1 is fully pressed.
    pub clutch: f64,
    /// Whether DRS is open.
    pub drs: bool,
    /// Whether the pit limiter is on.
    pub limiter: bool,
    /// Whether the front wheels are locked.
    pub locked: bool,
    /// Engine, gearbox, fuel and energy.
    pub engine: Engine,
    /// The wheels: rear left, rear right, front left, front right.
    pub wheels: [WheelState; 4],
    /// The fitted tyres.
    pub compound: Compound,
    /// Front wing damage, in per cent.
    pub wing_damage: f64,
    /// Extra front wheel angle beyond what the path needs, because the front slides more, in radians.
    pub understeer_rad: f64,
    /// Rotation so far in the current spin, in radians.
    spun_rad: Option<f64>,
    /// How far the car slides sideways on loose ground or by the handbrake: nose to the left positive, in radians.
    slide_rad: f64,
    /// The flight over a crest.
    pub(crate) flight: Option<Flight>,
    /// Vertical impact speed of a landing in the last step, in m/s.
    pub(crate) landed_ms: Option<f64>,
    /// Whether the driver pulls the handbrake, which locks the rear wheels.
    pub handbrake: bool,
    /// The current disturbance and its remaining seconds.
    upset: Option<(Disturbance, f64)>,
    /// Whether the left and the right wheels are on a kerb.
    pub on_kerb: [bool; 2],
    kerb_phase: f64,
}

/// A car in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flight {
    /// Height, in metres.
    pub(crate) height_m: f64,
    /// Vertical speed, in m/s.
    pub(crate) rise_ms: f64,
}

/// External conditions of a car in one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings {
    /// Wetness of the track, 0–1.
    pub(crate) wetness: f64,
    /// Air temperature, in °C.
    pub(crate) air_c: f64,
    /// Share of the drag removed by the slipstream of the car ahead.
    pub(crate) slipstream: f64,
    /// Whether the car is in the pit lane, which has no track edge.
    pub(crate) in_pit_lane: bool,
}

/// The driver's inputs in one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Controls {
    pub(crate) throttle: f64,
    pub(crate) brake: f64,
    /// The curvature steered for, left positive, in 1/m.
    pub(crate) curvature: f64,
    /// Whether to shift up no further.
    pub(crate) keep_gear: bool,
    /// The gear below which not to shift down.
    pub(crate) least_gear: i8,
    /// Whether the handbrake is pulled.
    pub(crate) handbrake: bool,
}

impl Car {
    /// A car on the grid with this much fuel.
    pub fn new(model: &'static CarModel, fuel_kg: f64, compound: Compound) -> Self {
        Self {
            model,
            travelled_m: 0.0,
            offset_m: 0.0,
            angle: 0.0,
            speed_ms: 0.0,
            curvature: 0.0,
            along_ms: 0.0,
            longitudinal_ms2: 0.0,
            lateral_ms2: 0.0,
            vertical_ms2: 0.0,
            yaw_ms2: 0.0,
            throttle: 0.0,
            brake: 0.0,
            clutch: 0.0,
            drs: false,
            limiter: false,
            locked: false,
            engine: Engine::new(&model.engine, fuel_kg),
            wheels: wheels::fresh(82.0),
            compound,
            wing_damage: 0.0,
            understeer_rad: 0.0,
            spun_rad: None,
            slide_rad: 0.0,
            flight: None,
            landed_ms: None,
            handbrake: false,
            upset: None,
            on_kerb: [false; 2],
            kerb_phase: 0.0,
        }
    }

    /// Mass with driver and fuel, in kg.
    pub fn mass_kg(&self) -> f64 {
        self.model.dry_mass_kg + self.engine.fuel_kg
    }

    /// Lap distance, in metres.
    pub fn lap_m(&self, circuit: &Circuit) -> f64 {
        self.travelled_m.rem_euclid(circuit.length_m)
    }

    /// Yaw rate, left positive, in rad/s.
    pub fn yaw_rate(&self) -> f64 {
        self.speed_ms * self.curvature + if self.spun_rad.is_some() { SPIN_RADPS } else { 0.0 }
    }

    /// Angle between heading and direction of travel, nose to the left positive, in radians.
    pub fn slip_angle(&self) -> f64 {
        7e-4 * self.lateral_ms2 + self.spun_rad.unwrap_or_default() + self.slide_rad
    }

    /// Starts a spin of one full turn.
    pub(crate) fn spin(&mut self) {
        self.spun_rad = Some(0.0);
    }

    /// Whether the car is spinning.
    pub(crate) fn spins(&self) -> bool {
        self.spun_rad.is_some()
    }

    /// Whether a spin has turned the car to face backwards.
    pub(crate) fn points_back(&self) -> bool {
        self.spun_rad.is_some_and(|spun| libm::cos(spun) < 0.0)
    }

    /// Front wheel angle, left positive, in radians.
    pub fn wheel_angle(&self) -> f64 {
        let more = self.understeer_rad * self.curvature.signum();
        // The driver steers against a large slide.
        let against = COUNTERED * (self.slide_rad.abs() - FREE_SLIDE_RAD).max(0.0) * self.slide_rad.signum();
        let angle = self.model.wheelbase_m * self.curvature + 8e-4 * self.lateral_ms2 + more - against;
        angle.clamp(-FULL_LOCK_RAD, FULL_LOCK_RAD)
    }

    /// Whether all four wheels are off the track.
    pub fn off_track(&self, circuit: &Circuit) -> bool {
        self.offset_m.abs() > circuit.half_width_m + HALF_CAR_M
    }

    /// The share of full downforce that the car has.
    pub(crate) fn downforce_part(&self) -> f64 {
        downforce_part(self.drs, self.wing_damage)
    }

    /// Acceleration available from the engine at the current speed, in m/s².
    pub(crate) fn drive_ms2(&self) -> f64 {
        self.drive_of_ms2(self.engine.power_w())
    }

    /// Like `drive_ms2` without the loss in a gear that is too high, which a driver's foot doesn't know.
    pub(crate) fn usual_drive_ms2(&self) -> f64 {
        self.drive_of_ms2(self.engine.usual_power_w())
    }

    fn drive_of_ms2(&self, combustion_w: f64) -> f64 {
        let power = combustion_w + self.engine.electric_w(self.speed_ms);
        power / (self.mass_kg() * self.speed_ms.max(8.0))
    }

    /// The share of the best friction that tyres and weather leave.
    pub(crate) fn hold(&self, wetness: f64) -> f64 {
        self.compound.hold(wetness) * wheels::condition(&self.wheels, self.compound)
    }

    /// Fits new tyres.
    pub(crate) fn change_tyres(&mut self, compound: Compound) {
        let brakes = self.wheels.map(|wheel| wheel.brake_c);
        self.compound = compound;
        self.wheels = wheels::fresh(if compound.treaded() { 62.0 } else { 82.0 });
        for (wheel, brake_c) in self.wheels.iter_mut().zip(brakes) {
            wheel.brake_c = brake_c;
        }
    }

    /// Whether all wheels are in the air.
    pub fn is_airborne(&self) -> bool {
        self.flight.is_some()
    }

    /// Stands still with the engine idling, slightly unevenly.
    pub(crate) fn wait(&mut self, now_s: f64) {
        self.engine.rpm = f64::from(self.model.engine.idle_rpm) * (1.0 + 0.01 * libm::sin(now_s * 31.0));
        (self.throttle, self.brake, self.clutch) = (0.0, 0.0, 1.0);
    }

    /// Puts the car back on the road at this distance, standing. Wheels and engine keep their state.
    pub(crate) fn put_back(&mut self, travelled_m: f64) {
        *self = Self {
            travelled_m,
            engine: self.engine.clone(),
            wheels: self.wheels,
            ..Self::new(self.model, 0.0, self.compound)
        };
        self.engine.engage(0.0);
    }

    /// Hits an obstacle, losing most of the speed at once.
    pub(crate) fn hit(&mut self) {
        self.speed_ms *= HIT_LEAVES;
        self.along_ms *= HIT_LEAVES;
    }

    /// Disturbs the car for `seconds`, from the moment that the conditions allow it.
    pub(crate) fn upset(&mut self, what: Disturbance, seconds: f64) {
        self.upset = Some((what, seconds));
    }

    /// The disturbance acting right now.
    pub fn upset_by(&self) -> Option<Disturbance> {
        self.upset.map(|(what, _)| what).filter(|what| match what {
            Disturbance::Wheelspin => self.throttle > SPINS_FROM && self.speed_ms > FROM_MS,
            Disturbance::Bump | Disturbance::Handbrake => self.speed_ms > FROM_MS,
        })
    }

    /// Deceleration from drag and rolling resistance, in m/s².
    pub(crate) fn drag_ms2(&self, speed2: f64, slipstream: f64) -> f64 {
        let wing = if self.drs { 1.0 - DRS_DRAG_PART } else { 1.0 };
        0.5 * AIR_KG_M3 * self.model.drag_area_m2 * wing * (1.0 - slipstream) * speed2 / self.mass_kg()
            + self.model.rolling_ms2
    }

    /// Sets the car rolling at this speed in the right gear.
    pub(crate) fn roll_at(&mut self, speed_ms: f64) {
        self.speed_ms = speed_ms;
        self.along_ms = speed_ms;
        self.engine.engage(speed_ms);
    }
}

/// Metres driven at this offset per metre of centre line.
pub(super) fn scale(here: &Pose, offset_m: f64) -> f64 {
    let flat = here.level - offset_m * here.curvature;
    (flat * flat + here.slope * here.slope).sqrt().max(0.15)
}

/// The share of downforce left by open DRS and wing damage (per cent).
pub(crate) fn downforce_part(drs: bool, wing_damage: f64) -> f64 {
    (if drs { 0.9 } else { 1.0 }) - 0.0012 * wing_damage
}
