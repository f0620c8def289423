//! The verdict on drawn corner times: how often it is right, over 1 000 seeds.

use super::*;
use crate::sim::random::Random;
use crate::units::Units;

const SEEDS: u64 = 1000;
const SPREAD_S: f64 = 0.07;
const CORNER_S: f64 = 8.0;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
struct Draw {
    before: u32,
    after: u32,
    gain_s: f64,
    /// The part of the laps that has a mistake.
    mistakes: f64,
    /// The part of the task's laps in which the driver hits the target.
    hits: f64,
}

const USUAL: Draw = Draw { before: 12, after: 12, gain_s: 0.0, mistakes: 0.0, hits: 0.8 };

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
struct Figures {
    paid_off: f64,
    no_gain: f64,
    not_hit: f64,
    not_enough: f64,
    covered: f64,
}

fn verdict(seed: u64, draw: &Draw) -> Verdict {
    let mut chance = Random::of(seed, [u64::from(draw.before), 0, 0, 0]);
    let target = TaskTarget::new(TaskMeasure::BrakePoint, 400.0);
    let baseline = CornerLaps::of(&passes(&mut chance, draw, draw.before, CORNER_S, 0.0));
    let driven = passes(&mut chance, draw, draw.after, CORNER_S - draw.gain_s, draw.hits);
    Verdict::of(&baseline, &TaskLaps::of(&target, &driven), draw.after).expect("a baseline")
}

fn figures(draw: &Draw) -> Figures {
    let mut figures = Figures::default();
    for seed in 0..SEEDS {
        let verdict = verdict(seed, draw);
        let counted = match verdict.outcome {
            Outcome::PaidOff => &mut figures.paid_off,
            Outcome::NoGain => &mut figures.no_gain,
            Outcome::NotHit => &mut figures.not_hit,
            Outcome::NotEnoughLaps { .. } => &mut figures.not_enough,
        };
        *counted += 100.0 / SEEDS as f64;
        let change = verdict.time_s.expect("an interval");
        if (change.low..=change.high).contains(&-draw.gain_s) {
            figures.covered += 100.0 / SEEDS as f64;
        }
    }
    figures
}

#[test]
fn no_effect_rarely_pays_off_and_intervals_cover_the_truth() {
    for laps in [6, 8, 12, 20] {
        for mistakes in [0.0, 0.08] {
            let draw = Draw { before: laps, after: laps, mistakes, ..USUAL };
            let found = figures(&draw);
            assert!(found.paid_off <= 5.0, "{draw:?}: {found:?}");
            assert!((93.0..=97.0).contains(&found.covered), "{draw:?}: {found:?}");
        }
    }
}

#[test]
fn a_tenth_of_a_second_is_found_in_twelve_laps() {
    let found = figures(&Draw { gain_s: 0.1, hits: 1.0, ..USUAL });
    assert!(found.paid_off >= 90.0 && (93.0..=97.0).contains(&found.covered), "{found:?}");
    // Most of it is still found if one lap in twelve has a mistake.
    let found = figures(&Draw { gain_s: 0.1, hits: 1.0, mistakes: 0.08, ..USUAL });
    assert!(found.paid_off >= 80.0, "{found:?}");
}

#[test]
fn a_task_that_is_rarely_followed_is_not_hit_and_a_slower_corner_is_no_gain() {
    let found = figures(&Draw { hits: 0.1, gain_s: 0.1, ..USUAL });
    assert!(found.not_hit >= 99.0, "{found:?}");
    let found = figures(&Draw { hits: 1.0, gain_s: -0.1, ..USUAL });
    assert!(found.no_gain >= 99.0, "{found:?}");
}

#[test]
fn the_laps_asked_for_settle_it() {
    let (mut asked, mut settled) = (0, 0);
    for seed in 0..SEEDS {
        let draw = Draw { before: 12, after: 5, gain_s: 0.1, hits: 1.0, ..USUAL };
        if let Outcome::NotEnoughLaps { more } = verdict(seed, &draw).outcome {
            assert!(more >= 1);
            asked += 1;
            let more = verdict(seed, &Draw { after: 5 + more, ..draw });
            settled += u32::from(!matches!(more.outcome, Outcome::NotEnoughLaps { .. }));
        }
    }
    assert!(asked > 100 && f64::from(settled) > 0.5 * f64::from(asked), "{settled} of {asked}");
}

#[test]
fn a_verdict_is_a_sentence() {
    let mean = |laps: u32, mean: f64, deviation: f64| LapMean { laps, mean, deviation };
    let corner = |laps: u32, time: f64, place: f64| CornerLaps {
        time_s: mean(laps, time, 0.07),
        value: mean(laps, place, 3.0),
        mistakes: 0,
    };
    let (target, units) = (TaskTarget::new(TaskMeasure::BrakePoint, 400.0), Units::default());
    let say = |baseline: u32, driven: &TaskLaps| {
        let verdict = Verdict::of(&corner(baseline, 8.0, 391.0), driven, 12);
        verdict.map(|verdict| verdict.sentence(&target, &units))
    };
    let driven = TaskLaps { hits: 8, nears: 3, misses: 1, laps: corner(12, 7.9, 400.0) };
    assert_eq!(
        say(12, &driven).as_deref(),
        Some("Hit 8 of 12 laps, brake point 9 m later, 0.10 s gained (0.04 to 0.16): paid off.")
    );
    let slower = TaskLaps { laps: corner(12, 8.02, 391.2), ..driven };
    assert_eq!(
        say(12, &slower).as_deref(),
        Some("Hit 8 of 12 laps, 0.02 s lost (−0.04 to 0.08): hit, but no gain.")
    );
    let begun = TaskLaps { hits: 1, laps: corner(1, 7.9, 400.0), ..TaskLaps::default() };
    assert_eq!(say(12, &begun).as_deref(), Some("Hit 1 of 1 lap: not enough laps: 11 more."));
    assert_eq!(say(3, &driven), None);
}

/// Prints the whole table. `cargo test -p trailbrake-shared --lib verdict_table -- --ignored --nocapture`
#[test]
#[ignore = "prints a table"]
fn verdict_table() {
    println!("laps      gain   mistakes | paid off  no gain  not hit  not enough | covered");
    for (before, after) in [(5, 5), (8, 8), (12, 6), (12, 12), (20, 20)] {
        for gain_s in [-0.1, 0.0, 0.05, 0.1, 0.2] {
            for mistakes in [0.0, 0.08] {
                let found = figures(&Draw { before, after, gain_s, mistakes, hits: 1.0 });
                let Figures { paid_off, no_gain, not_hit, not_enough, covered } = found;
                println!(
                    "{before:2} + {after:2}  {gain_s:5.2} s  {mistakes:7.2} | {paid_off:7.1} % {no_gain:6.1} % {not_hit:6.1} % {not_enough:9.1} % | {covered:5.1} %"
                );
            }
        }
    }
    for until in [12, 18, 24] {
        let looks = |seed: u64| {
            (12..=until)
                .any(|after| verdict(seed, &Draw { after, hits: 1.0, ..USUAL }).outcome == Outcome::PaidOff)
        };
        let false_ones = (0..SEEDS).filter(|seed| looks(*seed)).count();
        println!(
            "looked at after each lap from 12 to {until}: {:.1} % false",
            100.0 * false_ones as f64 / SEEDS as f64
        );
    }
}
