//! Drives a stretch forwards: what either lap did in each step with the throttle, and what the difference is due to.

use super::ability::Ability;
use super::replacement::Replacement;
use super::stretch::Stretch;
use crate::corner::{EASED, PRESSED};

/// Pedal travel of full throttle, of a brake that is on, and the least difference of a throttle.
const FULL: f64 = 0.95;
const ON: f64 = 0.05;
const LEAST: f64 = 0.03;
/// A foot that presses less only rests on the throttle.
const RESTING: f64 = 0.1;
/// Smaller differences of the deployed power are ignored, watts.
const LEAST_W: f64 = 8_000.0;
/// With more lateral acceleration, tyres take speed away in a bend, g.
const STRAIGHT_G: f64 = 0.6;
/// No car is slower in a step, m²/s².
const LEAST_SPEED2: f64 = 0.25;

/// What a lap did in one step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// Acceleration, m/s²: above or below what the car can do at that speed, if the throttle is full.
    pub(super) ms2: f64,
    /// Whether the throttle is full: the acceleration then depends on the speed.
    pub(super) full: bool,
}

impl Effort {
    /// What a lap did in each step.
    pub(super) fn of(stretch: &Stretch, ability: &Ability) -> Vec<Self> {
        let accelerations = stretch.accelerations();
        let efforts = accelerations.iter().enumerate().map(|(step, ms2)| {
            let full = is_full(stretch, step).unwrap_or(*ms2 > 0.0);
            let able_ms2 = if full { ability.at(stretch.speed_ms(step)) } else { 0.0 };
            Self { ms2: ms2 - able_ms2, full }
        });
        efforts.collect()
    }

    /// The squared speed at the end of a step that begins with one, m²/s².
    pub(super) fn drive(self, speed2: f64, step_m: f64, ability: &Ability) -> f64 {
        let able_ms2 = if self.full { ability.at(speed2.sqrt()) } else { 0.0 };
        (speed2 + 2.0 * step_m * (self.ms2 + able_ms2)).max(LEAST_SPEED2)
    }
}

/// The throttle over a step. `None` if the game does not send it.
fn throttle(stretch: &Stretch, step: usize) -> Option<f64> {
    let throttle = stretch.throttle.as_ref()?;
    Some(0.5 * (throttle.get(step)? + throttle.get(step + 1)?))
}

/// Whether the throttle is full over a step. `None` if the game does not send it.
pub(super) fn is_full(stretch: &Stretch, step: usize) -> Option<bool> {
    let braked = stretch.brake.as_ref().and_then(|brake| brake.get(step)).is_some_and(|brake| *brake >= ON);
    Some(throttle(stretch, step)? >= FULL && !braked)
}

/// What a lap's throttle did so far.
#[derive(Clone, Copy, Debug, Default)]
struct Pressed {
    most: f64,
    was_full: bool,
}

impl Pressed {
    fn watch(&mut self, throttle: f64) {
        self.most = self.most.max(throttle);
        self.was_full |= throttle >= FULL;
    }
}

/// What the difference of two laps is due to in each step from one on. `exits` says whether the stretch is the exit of
/// a corner.
pub(super) fn causes(laps: [&Stretch; 2], from: usize, exits: bool) -> Vec<Replacement> {
    let [lap, _] = laps;
    let mut pressed = [Pressed::default(); 2];
    (from..lap.steps()).map(|step| cause(laps, step, exits, &mut pressed)).collect()
}

fn cause(laps: [&Stretch; 2], step: usize, exits: bool, pressed: &mut [Pressed; 2]) -> Replacement {
    let [lap, reference] = laps;
    let brakes = laps.map(|lap| lap.brake.as_ref().and_then(|brake| brake.get(step)).copied());
    if !exits && brakes.iter().flatten().any(|brake| *brake >= ON) {
        return Replacement::Braking;
    }
    let (Some(own), Some(best)) = (throttle(lap, step), throttle(reference, step)) else {
        return Replacement::Other;
    };
    for (pressed, throttle) in pressed.iter_mut().zip([own, best]) {
        pressed.watch(throttle);
    }
    if exits && own.max(best) < RESTING {
        return Replacement::Release;
    }
    if (own - best).abs() > LEAST && own.min(best) < FULL {
        let [own_eased, best_eased] = [(pressed[0], own), (pressed[1], best)]
            .map(|(pressed, throttle)| if pressed.most >= PRESSED { pressed.most - throttle } else { 0.0 });
        let eases = if own < best { pressed[0] } else { pressed[1] };
        // A driver who presses more and yet gains less speed has another reason.
        let gains = |lap: &Stretch| Some(lap.speed2.get(step + 1)? - lap.speed2.get(step)?);
        let faster = gains(reference).zip(gains(lap)).map_or(0.0, |(best, own)| best - own);
        match exits {
            _ if (best - own) * faster < 0.0 => {}
            true if (own_eased - best_eased).abs() > EASED => return Replacement::SecondLift,
            false if eases.was_full => return Replacement::Lift,
            _ => return Replacement::Throttle,
        }
    }
    if differ(laps, step, |lap| &lap.drs) {
        return Replacement::Drs;
    }
    let power_w = |lap: &Stretch| {
        let deployed = at(&lap.deployed_j, step + 1)? - at(&lap.deployed_j, step)?;
        let took_s = lap.clock_s.get(step + 1)? - lap.clock_s.get(step)?;
        (took_s > 0.0).then(|| deployed.max(0.0) / took_s)
    };
    if power_w(lap).zip(power_w(reference)).is_some_and(|(own, best)| (own - best).abs() > LEAST_W) {
        return Replacement::Battery;
    }
    if differ(laps, step, |lap| &lap.gear) && !is_gear_of_speed(laps, step) {
        return Replacement::Gears;
    }
    let bends = laps.iter().any(|lap| at(&lap.lateral_g, step).is_some_and(|g| g.abs() > STRAIGHT_G));
    if bends || own.min(best) < FULL { Replacement::Other } else { Replacement::Drive }
}

fn at(values: &Option<Vec<f64>>, end: usize) -> Option<f64> {
    values.as_ref()?.get(end).copied()
}

/// Whether a channel that both laps have differs.
fn differ([lap, reference]: [&Stretch; 2], step: usize, of: fn(&Stretch) -> &Option<Vec<f64>>) -> bool {
    at(of(lap), step).zip(at(of(reference), step)).is_some_and(|(own, best)| own != best)
}

/// Whether the lap's gear is the one that the reference has at that speed, elsewhere in the stretch: it is another one
/// only because the speed is.
fn is_gear_of_speed([lap, reference]: [&Stretch; 2], step: usize) -> bool {
    let Some((speed2, gear)) = lap.speed2.get(step).zip(at(&lap.gear, step)) else { return false };
    let ends = reference.speed2.iter().enumerate();
    let same = ends.min_by(|(_, a), (_, b)| (*a - speed2).abs().total_cmp(&(*b - speed2).abs()));
    same.is_some_and(|(end, _)| at(&reference.gear, end) == Some(gear))
}
