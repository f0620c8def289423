//! Verdicts on corner times drawn at random, where the true gain is known.

use trailbrake_shared::analysis::task::{
    Change, CornerLaps, CornerPass, Outcome, PassValue, TaskLaps, TaskMeasure, TaskTarget, Verdict,
};
use trailbrake_shared::sim::random::Random;

pub(super) const SEEDS: u64 = 1000;
const SPREAD_S: f64 = 0.07;
const CORNER_S: f64 = 8.0;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) before: u32,
    pub(super) after: u32,
    pub(super) gain_s: f64,
    /// The part of the laps that has a mistake.
    pub(super) mistakes: f64,
    /// The part of the task's laps in which the driver hits the target.
    pub(super) hits: f64,
}

pub(super) const USUAL: Draw = Draw { before: 12, after: 12, gain_s: 0.0, mistakes: 0.0, hits: 0.8 };

/// A normal number: the sum of four uniform ones has too short tails.
fn normal(chance: &mut Random) -> f64 {
    let (distance, angle) = (1.0 - chance.unit(), chance.unit());
    libm::sqrt(-2.0 * libm::log(distance)) * libm::cos(std::f64::consts::TAU * angle)
}

fn passes(chance: &mut Random, draw: &Draw, laps: u32, mean_s: f64, hits: f64) -> Vec<CornerPass> {
    let pass = |_| {
        let slip_s = if chance.unit() < draw.mistakes { chance.between(0.2, 1.5) } else { 0.0 };
        let seconds = Some(mean_s + SPREAD_S * normal(chance) + slip_s);
        let value = PassValue::Known(if chance.unit() < hits { 400.0 } else { 385.0 });
        CornerPass { seconds, value, has_excursion: false }
    };
    (0..laps).map(pass).collect()
}

/// How often the verdict is each outcome, and the interval covers the true change, in per cent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) paid_off: f64,
    pub(super) no_gain: f64,
    pub(super) not_hit: f64,
    pub(super) not_enough: f64,
    pub(super) covered: f64,
}

pub(super) fn verdict(seed: u64, draw: &Draw) -> Option<Verdict> {
    let mut chance = Random::of(seed, [u64::from(draw.before), 0, 0, 0]);
    let target = TaskTarget::new(TaskMeasure::BrakePoint, 400.0);
    let baseline = CornerLaps::of(&passes(&mut chance, draw, draw.before, CORNER_S, 0.0));
    let driven = passes(&mut chance, draw, draw.after, CORNER_S - draw.gain_s, draw.hits);
    Verdict::of(&baseline, &TaskLaps::of(&target, &driven), draw.after)
}

pub(super) fn figures(draw: &Draw) -> Figures {
    let mut figures = Figures::default();
    let verdicts = || (0..SEEDS).filter_map(|seed| verdict(seed, draw));
    let part = 100.0 / verdicts().count() as f64;
    // Mistakes may leave too few laps before the task.
    for verdict in verdicts() {
        let counted = match verdict.outcome {
            Outcome::PaidOff => &mut figures.paid_off,
            Outcome::NoGain => &mut figures.no_gain,
            Outcome::NotHit => &mut figures.not_hit,
            Outcome::NotEnoughLaps { .. } => &mut figures.not_enough,
        };
        *counted += part;
        let covers = |change: Change| (change.low..=change.high).contains(&-draw.gain_s);
        if verdict.time_s.is_some_and(covers) {
            figures.covered += part;
        }
    }
    figures
}
