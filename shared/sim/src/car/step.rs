//! How a car moves in a step of time.

use super::disturbance::{self, Disturbance};
use super::engine::Inputs;
use super::grip::{self, Grip};
use super::{Car, Controls, FULL_LOCK_RAD, Flight, GRAVITY, SPIN_RADPS, Surroundings, WALL_M, scale, wheels};
use crate::circuit::{Circuit, GRASS, Ground, Pose};

/// Share of the drag that DRS removes.
const DRS_DRAG_PART: f64 = 0.16;
/// Share of the friction that a kerb costs.
const KERB_COSTS: f64 = 0.04;
/// Vertical vibration on a kerb, in m/s².
const KERB_MS2: f64 = 9.0;
/// The slide by the handbrake, the most of any slide, in radians, and its time constant, in seconds.
const PULLED_RAD: f64 = 0.35;
const MOST_SLIDE_RAD: f64 = 0.6;
const SLIDE_S: f64 = 0.12;
/// Deceleration by the handbrake, in m/s².
const HANDBRAKE_MS2: f64 = 2.5;
/// A slower car stays on the road, in m/s.
const FLIES_FROM_MS: f64 = 5.0;
/// Wheelspin needs more throttle than this, and every disturbance more speed than this (m/s).
const SPINS_FROM: f64 = 0.6;
const FROM_MS: f64 = 12.0;

impl Car {
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

    /// Counts down the current disturbance.
    fn recover(&mut self, dt: f64) {
        if self.upset_by().is_some() {
            self.upset =
                self.upset.map(|(what, left_s)| (what, left_s - dt)).filter(|(_, left_s)| *left_s > 0.0);
        }
    }

    /// Deceleration from drag and rolling resistance, in m/s².
    pub(crate) fn drag_ms2(&self, speed2: f64, slipstream: f64) -> f64 {
        let wing = if self.drs { 1.0 - DRS_DRAG_PART } else { 1.0 };
        0.5 * grip::AIR_KG_M3 * self.model.drag_area_m2 * wing * (1.0 - slipstream) * speed2 / self.mass_kg()
            + self.model.rolling_ms2
    }

    /// Advances by `dt` seconds.
    pub(crate) fn step(&mut self, dt: f64, circuit: &Circuit, around: Surroundings, controls: Controls) {
        let here = circuit.course(self.travelled_m);
        self.throttle = controls.throttle;
        self.brake = controls.brake;
        self.handbrake = controls.handbrake;
        let pressed = self.model.rallied && (self.engine.is_shifting() || self.handbrake);
        self.clutch = match self.speed_ms {
            _ if pressed => 1.0,
            speed_ms if speed_ms < 6.0 => 1.0 - speed_ms / 6.0,
            _ => 0.0,
        };

        let beside = !around.in_pit_lane && self.off_track(circuit);
        let kerb_m =
            if around.in_pit_lane { 0.0 } else { circuit.kerb_reach_m(self.offset_m).clamp(0.0, 1.0) };
        let ground = if beside { GRASS } else { circuit.ground(self.travelled_m) };
        let bumps_m = if beside { 0.0 } else { kerb_m };
        let hold = ground.hold * (1.0 - KERB_COSTS * bumps_m);
        let grip = Grip::new(self, self.hold(around.wetness) * hold, here.dip);
        let slip = if self.is_airborne() {
            self.fly(dt);
            0.0
        } else {
            let slip = self.accelerate(dt, &here, &grip, around.slipstream, &ground);
            self.steer(dt, &grip, controls.curvature);
            slip
        };
        self.slide(dt, &here, &ground);
        self.spun_rad =
            self.spun_rad.map(|spun| spun + SPIN_RADPS * dt).filter(|spun| *spun < std::f64::consts::TAU);
        self.advance(dt, circuit, &here);
        self.ride(dt, circuit, &here);

        let inputs = Inputs { throttle: self.throttle, brake: self.brake, keep_gear: controls.keep_gear };
        self.engine.run(dt, self.speed_ms, slip, inputs);
        let rumble = self.rumble(dt, ground.rough_ms2 + KERB_MS2 * bumps_m);
        self.vertical_ms2 =
            if self.is_airborne() { -GRAVITY } else { self.speed_ms * self.speed_ms * here.dip + rumble };
        let (left, right) = if self.offset_m > 0.0 { (kerb_m, 0.0) } else { (0.0, kerb_m) };
        self.on_kerb = [left, right].map(|reach_m| reach_m > 0.0 && !beside);
        self.recover(dt);
        let upset = self.upset_by();
        let load = wheels::Load {
            speed_ms: self.speed_ms,
            yaw_rate: self.speed_ms * self.curvature,
            lateral: self.lateral_ms2,
            longitudinal: self.longitudinal_ms2,
            vertical: self.vertical_ms2,
            brake: self.brake,
            slip_rear: match upset {
                _ if self.handbrake => -1.0,
                Some(Disturbance::Wheelspin) => slip + disturbance::SPINS,
                _ => slip,
            },
            bump_mm: if upset == Some(Disturbance::Bump) { disturbance::BUMP_MM } else { 0.0 },
            locked: self.locked,
            kerb_left_mm: left * (9.0 + self.vertical_ms2),
            kerb_right_mm: right * (9.0 + self.vertical_ms2),
            air_c: around.air_c,
            wetness: around.wetness,
            compound: self.compound,
            airborne: self.is_airborne(),
            landed_ms: self.landed_ms.unwrap_or_default(),
            suspension_mm: self.model.suspension_mm,
        };
        wheels::roll(&mut self.wheels, dt, &load);
    }

    /// Updates the speed; returns the slip of the driven wheels.
    fn accelerate(&mut self, dt: f64, here: &Pose, grip: &Grip, slipstream: f64, ground: &Ground) -> f64 {
        let speed2 = self.speed_ms * self.speed_ms;
        let lateral = speed2 * self.curvature;
        let traction = grip.traction(speed2, lateral);
        let (coupled, pulled_ms2) = if self.handbrake { (0.0, HANDBRAKE_MS2) } else { (1.0, 0.0) };
        let asked = coupled * self.throttle * self.drive_ms2() * self.engine.shift_cut();
        let drive = asked.min(traction);
        let braking = grip.braking(speed2, lateral);
        let pedal = self.brake * self.model.brakes_ms2;
        // Brakes well beyond the grip lock the wheels, which then grip a little less.
        self.locked = pedal > 1.03 * braking + 1.0 && self.speed_ms > 4.0;
        let brake = if self.locked { 0.95 * braking } else { pedal.min(braking) };
        let drag = self.drag_ms2(speed2, slipstream) + ground.drag_ms2;
        let engine_brake = if self.throttle < 0.02 { 1.2 } else { 0.0 };
        let mut acceleration = drive - brake - drag - engine_brake - pulled_ms2 - GRAVITY * here.slope;
        if self.speed_ms + acceleration * dt <= 0.0
            && drive <= brake + GRAVITY * here.slope.abs() + self.model.rolling_ms2
        {
            acceleration = -self.speed_ms / dt;
        }
        self.longitudinal_ms2 = acceleration;
        self.speed_ms = (self.speed_ms + acceleration * dt).max(0.0);
        let spin = if asked > traction { 0.09 * (asked / traction.max(0.5) - 1.0).min(1.5) } else { 0.0 };
        0.022 * drive / traction.max(0.5) + spin
    }

    fn steer(&mut self, dt: f64, grip: &Grip, asked: f64) {
        let speed2 = (self.speed_ms * self.speed_ms).max(25.0);
        // Limited by the steering lock even at walking pace.
        let most = (0.985 * grip.limit(speed2) / speed2).min(FULL_LOCK_RAD / self.model.wheelbase_m);
        let yaw_rate = self.speed_ms * self.curvature;
        self.curvature += (asked.clamp(-most, most) - self.curvature) * (dt / 0.03).min(1.0);
        self.curvature = self.curvature.clamp(-most, most);
        self.lateral_ms2 = self.speed_ms * self.speed_ms * self.curvature;
        self.yaw_ms2 = (self.speed_ms * self.curvature - yaw_rate) / dt;
    }

    /// Moves through the air, where nothing but drag acts on the speed.
    fn fly(&mut self, dt: f64) {
        let drag_ms2 = self.drag_ms2(self.speed_ms * self.speed_ms, 0.0) - self.model.rolling_ms2;
        self.longitudinal_ms2 = -drag_ms2;
        self.speed_ms = (self.speed_ms - drag_ms2 * dt).max(0.0);
        (self.curvature, self.lateral_ms2, self.yaw_ms2, self.locked) = (0.0, 0.0, 0.0, false);
    }

    /// Slides sideways: further on loose ground, and by the handbrake.
    fn slide(&mut self, dt: f64, here: &Pose, ground: &Ground) {
        let pulled = if self.handbrake { PULLED_RAD * here.curvature.signum() } else { 0.0 };
        let slide = (ground.loose * self.lateral_ms2 + pulled).clamp(-MOST_SLIDE_RAD, MOST_SLIDE_RAD);
        self.slide_rad += (slide - self.slide_rad) * (dt / SLIDE_S).min(1.0);
    }

    /// Takes off where the road falls away faster than the car can follow, and lands.
    fn ride(&mut self, dt: f64, circuit: &Circuit, here: &Pose) {
        self.landed_ms = None;
        let speed2 = self.speed_ms * self.speed_ms;
        match self.flight {
            None if speed2 > FLIES_FROM_MS * FLIES_FROM_MS && here.dip < 0.0 => {
                let area_m2 = self.model.downforce_area_m2 * self.downforce_part();
                let pressed_ms2 = 0.5 * grip::AIR_KG_M3 * area_m2 * speed2 / self.mass_kg();
                if speed2 * here.dip + GRAVITY + pressed_ms2 < 0.0 {
                    let there = circuit.course(self.travelled_m);
                    let [_, height_m, _] = there.position;
                    self.flight = Some(Flight { height_m, rise_ms: there.slope * self.speed_ms });
                }
            }
            None => {}
            Some(Flight { height_m, rise_ms }) => {
                let falls_ms = rise_ms - GRAVITY * dt;
                let height_m = height_m + 0.5 * (rise_ms + falls_ms) * dt;
                let there = circuit.course(self.travelled_m);
                let [_, road_m, _] = there.position;
                self.flight = (height_m > road_m).then_some(Flight { height_m, rise_ms: falls_ms });
                if self.flight.is_none() {
                    self.landed_ms = Some(there.slope * self.speed_ms - falls_ms);
                }
            }
        }
    }

    fn advance(&mut self, dt: f64, circuit: &Circuit, here: &Pose) {
        let along_before = self.along_ms;
        let angle = self.angle;
        let turned = self.speed_ms * self.curvature;
        self.angle = (angle + (turned - here.curvature * along_before) * dt).clamp(-1.0, 1.0);
        let sideways = libm::sin(0.5 * (angle + self.angle));
        self.offset_m += self.speed_ms * sideways * dt;
        let wall_m = circuit.half_width_m + WALL_M;
        if self.offset_m.abs() > wall_m {
            self.offset_m = self.offset_m.clamp(-wall_m, wall_m);
            self.angle = 0.0;
            self.speed_ms *= 1.0 - 0.8 * dt;
            self.wing_damage = (self.wing_damage + 15.0 * dt).min(80.0);
        }
        let there = circuit.course(self.travelled_m + along_before * dt);
        self.along_ms = self.speed_ms * libm::cos(self.angle) / scale(&there, self.offset_m);
        self.travelled_m += 0.5 * (along_before + self.along_ms) * dt;
    }

    /// Vertical vibration from kerbs and rough ground, in m/s².
    fn rumble(&mut self, dt: f64, strength: f64) -> f64 {
        if strength == 0.0 {
            return 0.0;
        }
        // A kerb has a ridge every 0.7 m.
        self.kerb_phase = (self.kerb_phase + self.speed_ms * dt / 0.7).fract();
        strength * libm::sin(self.kerb_phase * std::f64::consts::TAU) * (self.speed_ms / 40.0).min(1.0)
    }
}
