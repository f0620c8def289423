//! How often a verdict is right, over 1 000 seeds.

use trailbrake_shared::analysis::task::Outcome;

use super::drawn_laps::{Draw, SEEDS, USUAL, figures, verdict};

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
        if let Outcome::NotEnoughLaps { more } = verdict(seed, &draw).expect("a baseline").outcome {
            assert!(more >= 1);
            asked += 1;
            let more = verdict(seed, &Draw { after: 5 + more, ..draw }).expect("a baseline");
            settled += u32::from(!matches!(more.outcome, Outcome::NotEnoughLaps { .. }));
        }
    }
    assert!(asked > 100 && f64::from(settled) > 0.5 * f64::from(asked), "{settled} of {asked}");
}
