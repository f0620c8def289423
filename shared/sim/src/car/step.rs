//! How a car moves in a step of time.

use super::disturbance::{self, Disturbance};
use super::engine::Inputs;
use super::grip::Grip;
use super::{
    AIR_KG_M3, Car, Controls, FULL_LOCK_RAD, Flight, GRAVITY, SPIN_RADPS, Surroundings, WALL_M, scale, wheels,
};
use crate::circuit::{Circuit, GRASS, Ground, Pose};

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

/// Counts down the current disturbance.
fn recover(car: &mut Car, dt: f64) {
    if car.upset_by().is_some() {
        car.upset = car.upset.map(|(what, left_s)| (what, left_s - dt)).filter(|(_, left_s)| *left_s > 0.0);
    }
}

/// Advances by `dt` seconds.
pub(crate) fn step(car: &mut Car, dt: f64, circuit: &Circuit, around: Surroundings, controls: Controls) {
    let here = circuit.course(car.travelled_m);
    car.throttle = controls.throttle;
    car.brake = controls.brake;
    car.handbrake = controls.handbrake;
    let pressed = car.model.rallied && (car.engine.is_shifting() || car.handbrake);
    car.clutch = match car.speed_ms {
        _ if pressed => 1.0,
        speed_ms if speed_ms < 6.0 => 1.0 - speed_ms / 6.0,
        _ => 0.0,
    };

    let beside = !around.in_pit_lane && car.off_track(circuit);
    let kerb_m = if around.in_pit_lane { 0.0 } else { circuit.kerb_reach_m(car.offset_m).clamp(0.0, 1.0) };
    let ground = if beside { GRASS } else { circuit.ground(car.travelled_m) };
    let bumps_m = if beside { 0.0 } else { kerb_m };
    let hold = ground.hold * (1.0 - KERB_COSTS * bumps_m);
    let grip = Grip::new(car, car.hold(around.wetness) * hold, here.dip);
    let slip = if car.is_airborne() {
        fly(car, dt);
        0.0
    } else {
        let slip = accelerate(car, dt, &here, &grip, around.slipstream, &ground);
        steer(car, dt, &grip, controls.curvature);
        slip
    };
    slide(car, dt, &here, &ground);
    car.spun_rad =
        car.spun_rad.map(|spun| spun + SPIN_RADPS * dt).filter(|spun| *spun < std::f64::consts::TAU);
    advance(car, dt, circuit, &here);
    ride(car, dt, circuit, &here);

    let Controls { throttle, brake, keep_gear, least_gear, .. } = controls;
    let inputs = Inputs { throttle, brake, keep_gear, least_gear };
    car.engine.run(dt, car.speed_ms, slip, inputs);
    let rumble = rumble(car, dt, ground.rough_ms2 + KERB_MS2 * bumps_m);
    car.vertical_ms2 =
        if car.is_airborne() { -GRAVITY } else { car.speed_ms * car.speed_ms * here.dip + rumble };
    let (left, right) = if car.offset_m > 0.0 { (kerb_m, 0.0) } else { (0.0, kerb_m) };
    car.on_kerb = [left, right].map(|reach_m| reach_m > 0.0 && !beside);
    recover(car, dt);
    let upset = car.upset_by();
    let load = wheels::Load {
        speed_ms: car.speed_ms,
        yaw_rate: car.speed_ms * car.curvature,
        lateral: car.lateral_ms2,
        longitudinal: car.longitudinal_ms2,
        vertical: car.vertical_ms2,
        brake: car.brake,
        slip_rear: match upset {
            _ if car.handbrake => -1.0,
            Some(Disturbance::Wheelspin) => slip + disturbance::SPINS,
            _ => slip,
        },
        bump_mm: if upset == Some(Disturbance::Bump) { disturbance::BUMP_MM } else { 0.0 },
        locked: car.locked,
        kerb_left_mm: left * (9.0 + car.vertical_ms2),
        kerb_right_mm: right * (9.0 + car.vertical_ms2),
        air_c: around.air_c,
        wetness: around.wetness,
        compound: car.compound,
        airborne: car.is_airborne(),
        landed_ms: car.landed_ms.unwrap_or_default(),
        suspension_mm: car.model.suspension_mm,
    };
    wheels::roll(&mut car.wheels, dt, &load);
}

/// Updates the speed; returns the slip of the driven wheels.
fn accelerate(car: &mut Car, dt: f64, here: &Pose, grip: &Grip, slipstream: f64, ground: &Ground) -> f64 {
    let speed2 = car.speed_ms * car.speed_ms;
    let lateral = speed2 * car.curvature;
    let traction = grip.traction(speed2, lateral);
    let (coupled, pulled_ms2) = if car.handbrake { (0.0, HANDBRAKE_MS2) } else { (1.0, 0.0) };
    let asked = coupled * car.throttle * car.drive_ms2() * car.engine.shift_cut();
    let drive = asked.min(traction);
    let braking = grip.braking(speed2, lateral);
    let pedal = car.brake * car.model.brakes_ms2;
    // Brakes well beyond the grip lock the wheels, which then grip a little less.
    car.locked = pedal > 1.03 * braking + 1.0 && car.speed_ms > 4.0;
    let brake = if car.locked { 0.95 * braking } else { pedal.min(braking) };
    let drag = car.drag_ms2(speed2, slipstream) + ground.drag_ms2;
    let engine_brake = if car.throttle < 0.02 { 1.2 } else { 0.0 };
    let mut acceleration = drive - brake - drag - engine_brake - pulled_ms2 - GRAVITY * here.slope;
    if car.speed_ms + acceleration * dt <= 0.0
        && drive <= brake + GRAVITY * here.slope.abs() + car.model.rolling_ms2
    {
        acceleration = -car.speed_ms / dt;
    }
    car.longitudinal_ms2 = acceleration;
    car.speed_ms = (car.speed_ms + acceleration * dt).max(0.0);
    let spin = if asked > traction { 0.09 * (asked / traction.max(0.5) - 1.0).min(1.5) } else { 0.0 };
    0.022 * drive / traction.max(0.5) + spin
}

fn steer(car: &mut Car, dt: f64, grip: &Grip, asked: f64) {
    let speed2 = (car.speed_ms * car.speed_ms).max(25.0);
    // Limited by the steering lock even at walking pace.
    let most = (0.985 * grip.limit(speed2) / speed2).min(FULL_LOCK_RAD / car.model.wheelbase_m);
    let yaw_rate = car.speed_ms * car.curvature;
    car.curvature += (asked.clamp(-most, most) - car.curvature) * (dt / 0.03).min(1.0);
    car.curvature = car.curvature.clamp(-most, most);
    car.lateral_ms2 = car.speed_ms * car.speed_ms * car.curvature;
    car.yaw_ms2 = (car.speed_ms * car.curvature - yaw_rate) / dt;
}

/// Moves through the air, where nothing but drag acts on the speed.
fn fly(car: &mut Car, dt: f64) {
    let drag_ms2 = car.drag_ms2(car.speed_ms * car.speed_ms, 0.0) - car.model.rolling_ms2;
    car.longitudinal_ms2 = -drag_ms2;
    car.speed_ms = (car.speed_ms - drag_ms2 * dt).max(0.0);
    (car.curvature, car.lateral_ms2, car.yaw_ms2, car.locked) = (0.0, 0.0, 0.0, false);
}

/// Slides sideways: further on loose ground, and by the handbrake.
fn slide(car: &mut Car, dt: f64, here: &Pose, ground: &Ground) {
    let pulled = if car.handbrake { PULLED_RAD * here.curvature.signum() } else { 0.0 };
    let slide = (ground.loose * car.lateral_ms2 + pulled).clamp(-MOST_SLIDE_RAD, MOST_SLIDE_RAD);
    car.slide_rad += (slide - car.slide_rad) * (dt / SLIDE_S).min(1.0);
}

/// Takes off where the road falls away faster than the car can follow, and lands.
fn ride(car: &mut Car, dt: f64, circuit: &Circuit, here: &Pose) {
    car.landed_ms = None;
    let speed2 = car.speed_ms * car.speed_ms;
    match car.flight {
        None if speed2 > FLIES_FROM_MS * FLIES_FROM_MS && here.dip < 0.0 => {
            let area_m2 = car.model.downforce_area_m2 * car.downforce_part();
            let pressed_ms2 = 0.5 * AIR_KG_M3 * area_m2 * speed2 / car.mass_kg();
            if speed2 * here.dip + GRAVITY + pressed_ms2 < 0.0 {
                let there = circuit.course(car.travelled_m);
                let [_, height_m, _] = there.position;
                car.flight = Some(Flight { height_m, rise_ms: there.slope * car.speed_ms });
            }
        }
        None => {}
        Some(Flight { height_m, rise_ms }) => {
            let falls_ms = rise_ms - GRAVITY * dt;
            let height_m = height_m + 0.5 * (rise_ms + falls_ms) * dt;
            let there = circuit.course(car.travelled_m);
            let [_, road_m, _] = there.position;
            car.flight = (height_m > road_m).then_some(Flight { height_m, rise_ms: falls_ms });
            if car.flight.is_none() {
                car.landed_ms = Some(there.slope * car.speed_ms - falls_ms);
            }
        }
    }
}

fn advance(car: &mut Car, dt: f64, circuit: &Circuit, here: &Pose) {
    let along_before = car.along_ms;
    let angle = car.angle;
    let turned = car.speed_ms * car.curvature;
    car.angle = (angle + (turned - here.curvature * along_before) * dt).clamp(-1.0, 1.0);
    let sideways = libm::sin(0.5 * (angle + car.angle));
    car.offset_m += car.speed_ms * sideways * dt;
    let wall_m = circuit.half_width_m + WALL_M;
    if car.offset_m.abs() > wall_m {
        car.offset_m = car.offset_m.clamp(-wall_m, wall_m);
        car.angle = 0.0;
        car.speed_ms *= 1.0 - 0.8 * dt;
        car.wing_damage = (car.wing_damage + 15.0 * dt).min(80.0);
    }
    let there = circuit.course(car.travelled_m + along_before * dt);
    car.along_ms = car.speed_ms * libm::cos(car.angle) / scale(&there, car.offset_m);
    car.travelled_m += 0.5 * (along_before + car.along_ms) * dt;
}

/// Vertical vibration from kerbs and rough ground, in m/s².
fn rumble(car: &mut Car, dt: f64, strength: f64) -> f64 {
    if strength == 0.0 {
        return 0.0;
    }
    // A kerb has a ridge every 0.7 m.
    car.kerb_phase = (car.kerb_phase + car.speed_ms * dt / 0.7).fract();
    strength * libm::sin(car.kerb_phase * std::f64::consts::TAU) * (car.speed_ms / 40.0).min(1.0)
}
