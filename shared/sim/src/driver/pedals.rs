//! How drivers use the pedals.

use super::super::car::{GRAVITY, Grip};
use super::build_up;
use super::constants::{AHEAD_S, AHEAD_STEPS, ENGINE_BRAKE_MS2, REACTION_S};
use super::view::View;

/// Deceleration for which nobody keeps a foot on the brake, in m/s².
const LEAST_MS2: f64 = 2.0;

/// Speeds of the pedals, in full travels per second. Once the brake has peaked it is only ever pressed a little more.
const BRAKE_PRESSED: f64 = 7.0;
const BRAKE_ADDED: f64 = 0.12;
const BRAKE_RELEASED: f64 = 5.0;
const BRAKE_RELEASED_STANDING: f64 = 14.0;
const THROTTLE_PRESSED: f64 = 5.0;
const THROTTLE_PRESSED_IN_CORNER: f64 = 2.2;
const THROTTLE_RELEASED: f64 = 14.0;
const THROTTLE_EASED: f64 = 1.5;

/// A foot that only rests on the throttle, in corners whose speed needs less throttle than the second to keep.
const RESTING: f64 = 0.06;
const BALANCED: f64 = 0.15;

/// Nobody presses a pedal less than this.
const LEAST_THROTTLE: f64 = 0.15;
const LEAST_BRAKE: f64 = 0.15;

/// The acceleration that is worth pressing the throttle for in such a corner, in m/s².
const WORTH_MS2: f64 = 5.0;

/// How much too fast a driver must be to ease off the throttle in a corner, in m/s.
const EASES_MS: f64 = 1.2;

/// How much too fast a driver must be to brake with more than the grip, in m/s: on a free track, and behind another car
/// or in the pit lane.
const ALARM_MS: f64 = 3.0;
const CLOSE_ALARM_MS: f64 = 0.3;

/// A brake that is pressed slowly has been built up when the car is this close to the planned speed, in m/s.
const BUILT_UP_MS: f64 = 0.15;

/// Share of the grip that drivers brake with at most, so that the wheels just do not lock.
const BRAKED_GRIP: f64 = 0.98;

/// What a driver's feet do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// On the throttle.
    #[default]
    Throttle,
    /// On the brake.
    Brake,
    /// From the release of the brake until the throttle is fully open.
    Exit,
}

/// A driver's feet, and the pedals.
#[derive(Clone, Debug, Default)]
pub(super) struct Pedals {
    phase: Phase,
    /// Throttle and brake, 0–1.
    pub(super) throttle: f64,
    pub(super) brake: f64,
    /// Whether the brake has reached its peak.
    peaked: bool,
    /// Whether the brake is being pressed slowly, ahead of the plan.
    builds_up: bool,
}

/// What the plan asks for.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// How much faster than planned the car is, in m/s.
    over_ms: f64,
    /// Whether a car ahead sets the speed.
    follows: bool,
    /// The planned acceleration, in m/s².
    planned_ms2: f64,
    /// The acceleration without any pedal, in m/s².
    coasting_ms2: f64,
    /// How much speed may still be gained before the slowest place just ahead, in m/s.
    room_ms: f64,
    /// The acceleration that gains it there, in m/s².
    room_ms2: f64,
    in_corner: bool,
    /// Whether the car is so much too fast that the brake is pressed again, whatever the grip.
    urgent: bool,
}

impl Need {
    fn of(view: &View) -> Self {
        let &View { circuit, car, plan, wish, slipstream, .. } = view;
        let reaction_s = if car.limiter { 0.0 } else { REACTION_S };
        let mut target = plan.target(car.travelled_m + car.along_ms * reaction_s);
        let in_corner = car.lateral_ms2.abs() > car.model.corner_ms2;
        // The plan holds on the line; off it a corner is tighter.
        let off_line_m = (car.offset_m - circuit.racing_line(car.travelled_m).value).abs();
        if in_corner && wish.pit_m.is_none() {
            target.speed_ms *= 1.0 - 0.025 * (off_line_m - 1.0).clamp(0.0, 4.0);
        }
        let (mut room_ms, mut room_ms2) = (f64::MAX, f64::MAX);
        for step in 1..=AHEAD_STEPS {
            let seconds = AHEAD_S * f64::from(step) / f64::from(AHEAD_STEPS);
            let there = plan.target(car.travelled_m + car.along_ms * seconds);
            let room = there.speed_ms - car.speed_ms;
            room_ms = room_ms.min(room);
            room_ms2 = room_ms2.min(room / seconds);
        }
        let follows = wish.follow_ms < target.speed_ms;
        let over_ms = car.speed_ms - target.speed_ms.min(wish.follow_ms);
        let alarm_ms = if follows || wish.pit_m.is_some() { CLOSE_ALARM_MS } else { ALARM_MS };
        Self {
            over_ms,
            follows,
            urgent: over_ms > alarm_ms,
            planned_ms2: if follows { 0.0 } else { target.change_ms2 },
            coasting_ms2: -car.drag_ms2(car.speed_ms * car.speed_ms, slipstream)
                - GRAVITY * circuit.course(car.travelled_m).slope
                - ENGINE_BRAKE_MS2,
            room_ms,
            room_ms2,
            in_corner,
        }
    }
}

impl Pedals {
    /// Presses the pedals as the plan asks for the next `dt` seconds.
    pub(super) fn press(&mut self, dt: f64, view: &View) {
        let need = Need::of(view);
        self.change_feet(&need, view);
        let (throttle, brake) = match self.phase {
            _ if view.wish.hold => (0.0, 1.0),
            _ if view.wish.demands.roll => (0.0, 0.0),
            Phase::Brake => (0.0, self.braking(&need, view)),
            _ if view.wish.lift => (0.0, 0.0),
            Phase::Throttle | Phase::Exit => (self.accelerating(&need, view), 0.0),
        };
        let (press, release) = match self.phase {
            Phase::Throttle if !need.in_corner => (THROTTLE_PRESSED, THROTTLE_RELEASED),
            Phase::Brake => (THROTTLE_PRESSED, THROTTLE_RELEASED),
            _ if view.wish.lift => (THROTTLE_PRESSED, THROTTLE_RELEASED),
            _ => (THROTTLE_PRESSED_IN_CORNER, THROTTLE_EASED),
        };
        self.throttle = follow(self.throttle, throttle, dt, press, release);
        self.peaked &= brake > 0.0;
        self.peaked |= brake < self.brake;
        let add = if self.peaked && !need.urgent && !view.wish.hold {
            BRAKE_ADDED
        } else {
            press_brake(&need, view)
        };
        let standing = view.car.speed_ms < 1.0;
        let release = if standing { BRAKE_RELEASED_STANDING } else { BRAKE_RELEASED };
        self.brake = follow(self.brake, brake, dt, add, release);
    }

    /// Whether the driver is about to brake and no longer shifts up.
    pub(super) fn brakes_soon(&self, view: &View) -> bool {
        let soon = view.plan.target(view.car.travelled_m + view.car.along_ms * 0.5);
        self.phase != Phase::Brake && soon.speed_ms < view.car.speed_ms - 2.0
    }

    fn change_feet(&mut self, need: &Need, view: &View) {
        if view.wish.demands.roll {
            (self.phase, self.builds_up) = (Phase::Exit, false);
            return;
        }
        if self.phase != Phase::Brake && builds_up_from_now(need, view) {
            (self.phase, self.builds_up) = (Phase::Brake, true);
        }
        self.builds_up &= need.over_ms < -BUILT_UP_MS && self.brake < most_brake(need, view);
        // In a corner, prefer waiting to braking again.
        let worth = if need.in_corner { 9.0 } else { 4.0 };
        let least = need.coasting_ms2 - worth;
        self.phase = match self.phase {
            Phase::Throttle | Phase::Exit
                if (need.over_ms > -0.15 && need.planned_ms2 < least)
                    || (need.over_ms > 2.0 && need.wanted_ms2() < need.coasting_ms2 - 4.0) =>
            {
                Phase::Brake
            }
            Phase::Brake if self.builds_up => Phase::Brake,
            Phase::Brake if need.braking_ms2() > need.coasting_ms2 - LEAST_MS2 => Phase::Exit,
            Phase::Exit if self.throttle > 0.95 => Phase::Throttle,
            phase => phase,
        };
    }

    fn braking(&self, need: &Need, view: &View) -> f64 {
        let most = most_brake(need, view);
        if self.builds_up {
            return most;
        }
        let wanted = (need.coasting_ms2 - need.braking_ms2()) / view.car.model.brakes_ms2;
        let least = if self.peaked { 0.0 } else { LEAST_BRAKE };
        wanted.clamp(0.0, most).max(least)
    }

    fn accelerating(&self, need: &Need, view: &View) -> f64 {
        let car = view.car;
        let grip = Grip::new(car, view.hold, 0.0);
        let traction = view.skill.traction * grip.traction(car.speed_ms * car.speed_ms, car.lateral_ms2);
        let resistance = -need.coasting_ms2 - ENGINE_BRAKE_MS2;
        let mut wanted = if need.over_ms < -1.5 { f64::MAX } else { need.wanted_ms2() };
        if need.in_corner && self.phase == Phase::Exit {
            wanted = wanted.min(need.room_ms2);
        }
        let asked = (((wanted + resistance).min(traction)) / car.usual_drive_ms2().max(0.1)).clamp(0.0, 1.0);
        // As long as there is nothing to gain, the foot only rests on the pedal.
        let balanced = resistance / car.usual_drive_ms2().max(0.1);
        let waits = need.room_ms2 < WORTH_MS2 && balanced < BALANCED;
        let rests = self.phase == Phase::Exit && need.in_corner && (waits || asked < LEAST_THROTTLE);
        let asked = if rests { asked.min(RESTING) } else { asked };
        // Out of a corner, the foot goes down once.
        let fast = need.over_ms > EASES_MS || need.room_ms < -EASES_MS;
        let holds = self.phase == Phase::Exit && need.in_corner && !fast;
        let pressed = if holds { asked.max(self.throttle) } else { asked };
        pressed.min(view.wish.demands.most_throttle)
    }
}

/// The hardest that the driver presses the brake right now, 0–1.
fn most_brake(need: &Need, view: &View) -> f64 {
    let (car, share) = (view.car, view.wish.demands.most_brake);
    let dip = view.circuit.course(car.travelled_m).dip;
    let grip = Grip::new(car, view.hold, dip).braking(car.speed_ms * car.speed_ms, car.lateral_ms2);
    // A soft foot stays soft.
    let alarmed = need.urgent && share >= 1.0;
    let most = if alarmed { 1.0 } else { BRAKED_GRIP * grip / car.model.brakes_ms2 };
    share * most.min(1.0)
}

/// How fast the brake pedal goes down before its peak, in full travels per second.
fn press_brake(need: &Need, view: &View) -> f64 {
    match view.wish.demands.build_up_s {
        seconds if seconds > 0.0 => most_brake(need, view) / seconds,
        _ => BRAKE_PRESSED,
    }
}

/// Whether a driver who presses the brake slowly begins with it right now.
fn builds_up_from_now(need: &Need, view: &View) -> bool {
    let peak_ms2 = || most_brake(need, view) * view.car.model.brakes_ms2;
    view.wish.demands.build_up_s > 0.0 && build_up::is_due(view, need.coasting_ms2, peak_ms2())
}

impl Need {
    /// The acceleration that leads to the planned speed, in m/s².
    fn wanted_ms2(&self) -> f64 {
        self.planned_ms2 - if self.follows { 9.0 } else { 5.0 } * self.over_ms
    }

    /// Like `wanted_ms2` for a foot on the brake, which is not lifted before the corner's slowest place.
    fn braking_ms2(&self) -> f64 {
        if self.in_corner { self.wanted_ms2().min(self.room_ms2) } else { self.wanted_ms2() }
    }
}

fn follow(now: f64, wanted: f64, dt: f64, up: f64, down: f64) -> f64 {
    now + (wanted - now).clamp(-down * dt, up * dt)
}
