//! Prints how often the verdict on a coaching task is right.

#[path = "../tests/analysis/drawn_laps.rs"]
mod drawn_laps;

use drawn_laps::{Draw, Figures, SEEDS, USUAL, figures, verdict};
use trailbrake_shared::analysis::task::Outcome;

fn main() {
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
            let outcome = |after| Some(verdict(seed, &Draw { after, hits: 1.0, ..USUAL })?.outcome);
            (12..=until).any(|after| outcome(after) == Some(Outcome::PaidOff))
        };
        let false_ones = (0..SEEDS).filter(|seed| looks(*seed)).count();
        println!(
            "looked at after each lap from 12 to {until}: {:.1} % false",
            100.0 * false_ones as f64 / SEEDS as f64
        );
    }
}
