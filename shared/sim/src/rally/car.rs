//! A rally car as a point mass that can leave the ground.

use super::road::{Place, Road};
use crate::car::GRAVITY;

/// Forward gears.
pub const GEARS: u8 = 5;
/// The rev limit, in rpm.
pub const MAX_RPM: f64 = 8_000.0;
/// Idle speed, in rpm.
pub const IDLE_RPM: f64 = 1_450.0;

/// Speed at the rev limit in each gear, in m/s.
const TOPS_MS: [f64; GEARS as usize] = [15.0, 22.0, 30.0, 38.5, 48.0];
/// Engine speeds for upshift and downshift, in rpm, and the duration of a shift, in seconds.
const SHIFT_UP_RPM: f64 = 7_500.0;
const SHIFT_DOWN_RPM: f64 = 4_300.0;
const SHIFT_S: f64 = 0.16;
/// Engine speed while the clutch slips at the start, in rpm.
const LAUNCH_RPM: f64 = 4_800.0;
/// Power-to-mass ratio, in W/kg, and drag deceleration per squared speed, in 1/m.
const POWER_W_KG: f64 = 240.0;
const DRAG_PER_M: f64 = 9e-4;
const ROLLING_MS2: f64 = 0.25;
/// Acceleration and braking limit on the best surface, in m/s².
const MOST_MS2: f64 = 10.5;

/// Share of the grip that the brakes use at full pedal: drivers press as the ground allows.
const BRAKES_PART: f64 = 0.95;

/// Deceleration from which the driver brakes, and below which the foot comes off, in m/s².
const BRAKES_FROM_MS2: f64 = 2.0;
const BRAKES_UNTIL_MS2: f64 = 0.5;

/// Curvature from which a bend is a hairpin, in 1/m, the distance at which the driver sees it, in metres, and for how
/// long and how hard the handbrake slows the car in it, in seconds and m/s².
const HAIRPIN: f64 = 1.0 / 24.0;
const PEAK_AHEAD_M: f64 = 12.0;
const HANDBRAKE_S: f64 = 0.55;
const HANDBRAKE_MS2: f64 = 2.5;

/// Spring travel in the air and fully compressed, in metres, and the time constant, in seconds.
const HANGING_M: f64 = -0.092;
const PRESSED_M: f64 = 0.088;
const SETTLES_S: f64 = 0.03;
/// Spring compression by a landing, in metres per m/s.
const LANDING_S: f64 = 0.035;

/// An unused brake's temperature as the game sends it, in °C.
const COLD_C: f64 = -118.985_87;
const AMBIENT_C: f64 = 18.0;

/// A wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RallyWheel {
    /// Spring compression, in metres.
    pub spring_m: f64,
    /// Speed of the compression, in m/s.
    pub spring_ms: f64,
    /// Speed of the tread, in m/s.
    pub speed_ms: f64,
    /// Brake temperature, in °C.
    pub brake_c: f64,
}

/// The car. Wheel order: rear left, rear right, front left, front right.
#[derive(Clone, Debug)]
pub struct RallyCar {
    /// Horizontal distance along the road from the start, in metres.
    pub metres: f64,
    /// Horizontal speed along the road, in m/s.
    pub speed_ms: f64,
    /// Height, in metres.
    pub height_m: f64,
    /// Vertical speed, in m/s.
    pub rise_ms: f64,
    /// Whether all wheels are in the air.
    pub airborne: bool,
    /// Throttle, 0–1.
    pub throttle: f64,
    /// Brake, 0–1.
    pub brake: f64,
    /// Clutch pedal, 0–1; 1 is fully pressed.
    pub clutch: f64,
    /// Steering, −1 full left to 1 full right.
    pub steer: f64,
    /// −1 reverse, 0 neutral, 1–5.
    pub gear: i8,
    /// Engine speed, in rpm.
    pub rpm: f64,
    /// Forward acceleration, in m/s².
    pub longitudinal_ms2: f64,
    /// Leftward acceleration, in m/s².
    pub lateral_ms2: f64,
    /// Angle between heading and direction of travel, nose to the left positive, in radians.
    pub drift: f64,
    /// Pitch, nose up positive, in radians.
    pub pitch: f64,
    /// The wheels.
    pub wheels: [RallyWheel; 4],
    /// The current shift: remaining seconds and the target gear.
    shift: Option<(f64, i8)>,
    /// Whether the driver's foot is on the brake, and whether the brake has reached its peak.
    brakes: bool,
    peaked: bool,
    /// For how many more seconds the handbrake is pulled.
    handbrake_s: f64,
    /// Whether it was pulled in the current hairpin.
    turned_in: bool,
}

/// What the driver aims for.
#[derive(Clone, Copy, Debug)]
pub(super) struct RallyWish {
    /// Speed, in m/s.
    pub(super) speed_ms: f64,
    /// The planned acceleration, in m/s².
    pub(super) change_ms2: f64,
}

/// Vertical impact speed of a landing, in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing(pub(super) f64);

/// The car's motion in the world.
#[derive(Clone, Copy, Debug)]
pub struct RallyMotion {
    /// Position, in metres.
    pub position: [f64; 3],
    /// Velocity, in m/s.
    pub velocity: [f64; 3],
    /// Unit vector to the front.
    pub forward: [f64; 3],
    /// Unit vector to the right.
    pub right: [f64; 3],
    /// Heading, in radians.
    pub yaw: f64,
    /// Yaw rate, left positive, in rad/s.
    pub yaw_rate: f64,
}

impl RallyCar {
    /// A car standing on the road.
    pub(super) fn standing(road: &Road, metres: f64) -> Self {
        let place = road.at(metres);
        let wheel = RallyWheel { spring_m: 0.0, spring_ms: 0.0, speed_ms: 0.0, brake_c: COLD_C };
        let [_, height_m, _] = place.position;
        Self {
            metres,
            speed_ms: 0.0,
            height_m,
            rise_ms: 0.0,
            airborne: false,
            throttle: 0.0,
            brake: 0.0,
            clutch: 1.0,
            steer: 0.0,
            gear: 1,
            rpm: IDLE_RPM,
            longitudinal_ms2: 0.0,
            lateral_ms2: 0.0,
            drift: 0.0,
            pitch: libm::atan(place.slope),
            wheels: [wheel; 4],
            shift: None,
            brakes: false,
            peaked: false,
            handbrake_s: 0.0,
            turned_in: false,
        }
    }

    /// Advances by `dt` seconds as the driver wishes; returns a landing.
    pub(super) fn step(&mut self, dt: f64, road: &Road, wish: RallyWish) -> Option<Landing> {
        let here = road.at(self.metres);
        self.press_pedals(dt, here.hold, wish);
        self.pull_handbrake(dt, road);
        self.shift(dt);
        self.accelerate(dt, &here);
        self.metres += self.speed_ms * dt;
        let landing = self.ride(dt, &road.at(self.metres));
        self.turn(dt, &here);
        self.spring(dt, &here, landing);
        self.warm(dt);
        landing
    }

    /// Stands still with the engine idling.
    pub(super) fn wait(&mut self, clock_s: f64) {
        // A slightly uneven idle.
        self.rpm = IDLE_RPM * (1.0 + 0.01 * libm::sin(clock_s * 31.0));
        (self.throttle, self.brake, self.clutch) = (0.0, 0.0, 1.0);
    }

    /// Puts the car back on the road at this distance; the wheels keep their state.
    pub(super) fn put_back(&mut self, road: &Road, metres: f64) {
        *self = Self { wheels: self.wheels, ..Self::standing(road, metres) };
    }

    /// Hits an obstacle, losing most of the speed at once.
    pub(super) fn hit(&mut self) {
        self.speed_ms *= 0.4;
    }

    /// The car's motion in the world.
    pub fn motion(&self, road: &Road) -> RallyMotion {
        let here = road.at(self.metres);
        let [x, _, z] = here.position;
        let (sin, cos) = (libm::sin(here.heading), libm::cos(here.heading));
        let yaw = here.heading + self.drift;
        let (sin_yaw, cos_yaw) = (libm::sin(yaw), libm::cos(yaw));
        let (sin_pitch, cos_pitch) = (libm::sin(self.pitch), libm::cos(self.pitch));
        RallyMotion {
            position: [x, self.height_m, z],
            velocity: [self.speed_ms * sin, self.rise_ms, self.speed_ms * cos],
            forward: [cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw],
            right: [-cos_yaw, 0.0, sin_yaw],
            yaw: libm::atan2(sin_yaw, cos_yaw),
            yaw_rate: self.speed_ms * here.curvature,
        }
    }

    fn press_pedals(&mut self, dt: f64, hold: f64, wish: RallyWish) {
        let error_ms = wish.speed_ms - self.speed_ms;
        let air_ms2 = DRAG_PER_M * self.speed_ms * self.speed_ms + ROLLING_MS2;
        let brake_ms2 = -wish.change_ms2 - 3.0 * error_ms - air_ms2;
        let presses = if self.brakes { BRAKES_UNTIL_MS2 } else { BRAKES_FROM_MS2 };
        self.brakes = error_ms < 2.0 && brake_ms2 > presses;
        self.brakes &= !self.handbrake();
        let drive_ms2 = POWER_W_KG / self.speed_ms.max(6.0);
        let throttle = (wish.change_ms2.max(0.0) + 3.0 * error_ms + air_ms2) / drive_ms2;
        let brake = brake_ms2 / (BRAKES_PART * hold * MOST_MS2);
        let (throttle, brake) = if self.brakes { (0.0, brake) } else { (throttle, 0.0) };
        self.throttle = follow(self.throttle, throttle.clamp(0.0, 1.0), 4.0 * dt, 10.0 * dt);
        // After its peak, the brake is pressed only a little more.
        self.peaked = self.brakes && (self.peaked || brake < self.brake);
        let press = if self.peaked { 0.3 } else { 6.0 };
        self.brake = follow(self.brake, brake.clamp(0.0, 1.0), press * dt, 5.0 * dt);
    }

    /// Pulls the handbrake at the turn-in of a hairpin, once for each.
    fn pull_handbrake(&mut self, dt: f64, road: &Road) {
        let ahead = |metres: f64| road.at(self.metres + metres).curvature.abs();
        self.handbrake_s = (self.handbrake_s - dt).max(0.0);
        if ahead(0.0) < 1.0 / 80.0 && ahead(PEAK_AHEAD_M) < HAIRPIN {
            self.turned_in = false;
        }
        let hairpin = ahead(0.0) > 1.0 / 60.0 && ahead(PEAK_AHEAD_M) > HAIRPIN;
        if hairpin && !self.turned_in && !self.airborne {
            (self.turned_in, self.handbrake_s) = (true, HANDBRAKE_S);
        }
    }

    /// Whether the handbrake is pulled, which locks the rear wheels.
    pub fn handbrake(&self) -> bool {
        self.handbrake_s > 0.0
    }

    fn shift(&mut self, dt: f64) {
        if let Some((left_s, gear)) = self.shift {
            self.shift = (left_s > dt).then_some((left_s - dt, gear));
            if self.shift.is_none() {
                self.gear = gear;
            }
        } else if !self.airborne {
            let gear = match self.rpm {
                SHIFT_UP_RPM.. if self.gear < GEARS as i8 => self.gear + 1,
                rpm if rpm < SHIFT_DOWN_RPM && self.gear > 1 => self.gear - 1,
                _ => self.gear,
            };
            self.shift = (gear != self.gear).then_some((SHIFT_S, gear));
        }
        let rolls = (self.speed_ms / 6.0).min(1.0);
        let opened = self.shift.is_some() || self.handbrake();
        self.clutch = if opened { 1.0 } else { 1.0 - rolls };
        let top = TOPS_MS.get((self.gear.max(1) - 1) as usize).copied().unwrap_or(48.0);
        let driven = self.speed_ms / top * MAX_RPM;
        let held = if self.throttle > 0.1 && self.gear == 1 { LAUNCH_RPM } else { IDLE_RPM };
        // In the air the engine runs without load.
        let aim = if self.airborne { driven + 900.0 * self.throttle } else { driven.max(held) };
        self.rpm += (aim.clamp(IDLE_RPM, MAX_RPM + 250.0) - self.rpm) * (dt / 0.04).min(1.0);
    }

    fn accelerate(&mut self, dt: f64, here: &Place) {
        let air = DRAG_PER_M * self.speed_ms * self.speed_ms;
        if self.airborne {
            self.longitudinal_ms2 = -air;
            self.speed_ms = (self.speed_ms - air * dt).max(0.0);
            return;
        }
        let most = here.hold * MOST_MS2;
        let engaged = if self.shift.is_some() || self.handbrake() { 0.0 } else { self.throttle };
        let drive = (engaged * POWER_W_KG / self.speed_ms.max(6.0)).min(0.8 * most);
        let pulled_ms2 = if self.handbrake() { HANDBRAKE_MS2 } else { 0.0 };
        let brake = (self.brake * BRAKES_PART * most + pulled_ms2).min(most);
        let asked = drive - brake - air - ROLLING_MS2 - GRAVITY * here.slope;
        let asked = if self.speed_ms + asked * dt < 0.0 { -self.speed_ms / dt } else { asked };
        self.longitudinal_ms2 = asked;
        self.speed_ms = (self.speed_ms + asked * dt).max(0.0);
    }

    /// Vertical motion: on the road, taking off, or in the air.
    fn ride(&mut self, dt: f64, there: &Place) -> Option<Landing> {
        let [_, road_m, _] = there.position;
        let road_ms = there.slope * self.speed_ms;
        if self.airborne {
            let before_ms = self.rise_ms;
            self.rise_ms -= GRAVITY * dt;
            self.height_m += 0.5 * (before_ms + self.rise_ms) * dt;
            if self.height_m > road_m {
                return None;
            }
            let hard = Landing(road_ms - self.rise_ms);
            self.airborne = false;
            (self.height_m, self.rise_ms) = (road_m, road_ms);
            return Some(hard);
        }
        // The road falls away faster than the car can follow.
        if road_ms < self.rise_ms - GRAVITY * dt && self.speed_ms > 5.0 {
            self.airborne = true;
            self.rise_ms -= GRAVITY * dt;
            self.height_m += self.rise_ms * dt;
            self.height_m = self.height_m.max(road_m);
            return None;
        }
        (self.height_m, self.rise_ms) = (road_m, road_ms);
        self.pitch = libm::atan(there.slope);
        None
    }

    fn turn(&mut self, dt: f64, here: &Place) {
        let lateral = if self.airborne { 0.0 } else { self.speed_ms * self.speed_ms * here.curvature };
        self.lateral_ms2 = lateral;
        let share = (dt / 0.12).min(1.0);
        // Looser ground gives more drift, with the nose pointing into the bend, and so does the handbrake.
        let pulled = if self.handbrake() { 0.35 * here.curvature.signum() } else { 0.0 };
        let drift = (0.09 * lateral / (here.hold * here.hold * GRAVITY) + pulled).clamp(-0.6, 0.6);
        self.drift += (drift - self.drift) * share;
        // The driver steers against a large drift, and saws at the wheel where the ground is loose.
        let against = (self.drift.abs() - 0.15).max(0.0) * self.drift.signum();
        let loose = (1.0 - here.hold) * (lateral.abs() / 5.0).min(1.0);
        let saws = loose * (0.10 * libm::sin(0.93 * self.metres) + 0.06 * libm::sin(1.61 * self.metres));
        let steer = (-here.curvature * 12.0 - 0.012 * lateral + 0.7 * against + saws).clamp(-1.0, 1.0);
        self.steer += (steer - self.steer) * share;
    }

    fn spring(&mut self, dt: f64, here: &Place, landing: Option<Landing>) {
        let rough = |shift: f64| here.rough_m * libm::sin(self.metres * 1.9 + shift);
        let (dive, lean) = (-0.0035 * self.longitudinal_ms2, 0.004 * self.lateral_ms2);
        let speed_ms = self.speed_ms;
        let spin = if self.throttle > 0.6 { 1.0 + 0.9 / (1.0 + speed_ms) } else { 1.0 };
        let rests = [
            // Lateral acceleration to the left compresses the right side, forward acceleration the rear.
            rough(0.0) - dive - lean,
            rough(1.3) - dive + lean,
            rough(2.1) + dive - lean,
            rough(3.7) + dive + lean,
        ];
        let locked = self.handbrake();
        let driven = [true, true, false, false];
        for ((wheel, rest), driven) in self.wheels.iter_mut().zip(rests).zip(driven) {
            let before = wheel.spring_m;
            let rest = if self.airborne { HANGING_M } else { rest };
            wheel.spring_m += (rest - wheel.spring_m) * (dt / SETTLES_S).min(1.0);
            if let Some(Landing(hard_ms)) = landing {
                wheel.spring_m += LANDING_S * hard_ms;
            }
            wheel.spring_m = wheel.spring_m.clamp(HANGING_M, PRESSED_M);
            wheel.spring_ms = (wheel.spring_m - before) / dt;
            wheel.speed_ms = match driven {
                true if locked => wheel.speed_ms * (1.0 - (dt / 0.04).min(1.0)),
                true => speed_ms * spin,
                false => speed_ms,
            };
        }
    }

    fn warm(&mut self, dt: f64) {
        for (index, wheel) in self.wheels.iter_mut().enumerate() {
            if wheel.brake_c < 0.0 {
                wheel.brake_c = AMBIENT_C;
            }
            let front = if index >= 2 { 1.5 } else { 1.0 };
            wheel.brake_c +=
                (self.brake * self.speed_ms * 5.0 * front - 0.08 * (wheel.brake_c - AMBIENT_C)) * dt;
        }
    }
}

fn follow(now: f64, wanted: f64, up: f64, down: f64) -> f64 {
    now + (wanted - now).clamp(-down, up)
}
