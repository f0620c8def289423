//! The figures of technique, compared with mistakes that the simulated driver was made to make.

use trailbrake_shared::analysis::{Technique, compare};
use trailbrake_shared::sim::{Mistake, MistakeKind};

use super::ledger::{LAP, PLACES, lap, simulated_laps};

/// How a corner was driven with a mistake and without it, in each place.
fn planted(what: MistakeKind) -> Vec<(String, Technique, Technique)> {
    let planted = PLACES.map(|(feed, circuit, seed, corner)| {
        let mistake = Mistake { car: 0, lap: LAP, corner, what };
        let usual = simulated_laps(feed, circuit, seed, &[]);
        let worse = simulated_laps(feed, circuit, seed, &[mistake]);
        let comparison = compare(&lap(&worse).columns(), &lap(&usual).columns()).expect("a comparison");
        let [own, best] = comparison.tables.map(|table| {
            let row = table.rows.into_iter().find(|row| row.number == u16::from(corner));
            row.expect("the corner").technique
        });
        (format!("{what:?}, {feed:?}, {circuit}: {own:?} {best:?}"), own, best)
    });
    planted.into()
}

/// Checks how much larger a figure is with a mistake, in each place that has it, and that some have.
fn differs(what: MistakeKind, figure: fn(&Technique) -> Option<f64>, is_expected: impl Fn(f64, f64) -> bool) {
    let mut known = 0;
    for (context, own, best) in planted(what) {
        if let Some((own, best)) = figure(&own).zip(figure(&best)) {
            assert!(is_expected(own, best), "{own} {best}: {context}");
            known += 1;
        }
    }
    assert!(known >= 2, "{what:?}: {known}");
}

#[test]
fn pedals_that_come_slowly_have_a_lower_speed() {
    differs(MistakeKind::BuildsUpSlowly(0.5), |figures| figures.brake_per_s, |own, best| own < 0.7 * best);
    differs(
        MistakeKind::WaitsWithThrottle(20.0),
        |figures| figures.full_throttle,
        |own, best| own < best - 0.05,
    );
    differs(MistakeKind::HalfThrottle(0.6), |figures| figures.full_throttle, |own, best| own < best - 0.03);
}

#[test]
fn a_second_lift_is_counted_where_it_was_planted() {
    let lifts = |figures: &Technique| figures.second_lifts.map(f64::from);
    differs(MistakeKind::LiftsAgain(0.3), lifts, |own, best| own == 1.0 && best == 0.0);
    differs(MistakeKind::BrakesEarly(15.0), lifts, |own, best| own == 0.0 && best == 0.0);
}

#[test]
fn a_wide_line_and_an_early_release_are_measured() {
    differs(
        MistakeKind::DrivesWide(3.0),
        |figures| figures.wide_m,
        |own, best| (1.5..4.5).contains(&(own - best)),
    );
    differs(MistakeKind::DrivesSlowly(0.95), |figures| figures.wide_m, |own, best| (own - best).abs() < 0.5);
    differs(
        MistakeKind::ReleasesEarly(15.0),
        |figures| figures.release_to_turn_in_s,
        |own, best| own > best + 0.1,
    );
}

#[test]
fn grip_is_used_less_by_a_slow_driver() {
    differs(MistakeKind::DrivesSlowly(0.92), |figures| figures.grip, |own, best| own < best);
    differs(MistakeKind::ReleasesEarly(20.0), |figures| figures.grip_dip, |own, best| own < best);
}
