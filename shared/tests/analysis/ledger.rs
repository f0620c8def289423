//! The ledger, compared with mistakes that the simulated driver was made to make.

use std::sync::Arc;

use trailbrake_shared::analysis::ledger::{Ledger, LedgerRow, Part};
use trailbrake_shared::analysis::{Comparison, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};

use super::simulated::{SimulatedLap, Simulation, simulated_once};

const LAP: u32 = 2;
/// For each feed: circuit, seed, and a corner that needs braking.
const PLACES: [(Feed, usize, u64, u8); 4] = [
    (Feed::F1, 0, 31, 5),
    (Feed::GranTurismo, 1, 32, 7),
    (Feed::F1, 2, 4_131, 3),
    (Feed::GranTurismo, 0, 4_132, 5),
];

fn simulated_laps(feed: Feed, circuit: usize, seed: u64, mistakes: &[Mistake]) -> Arc<Vec<SimulatedLap>> {
    let options = Options {
        cars: 1,
        player: 0,
        circuit,
        seed,
        again: false,
        mistakes: mistakes.to_vec(),
        ..Options::default()
    };
    simulated_once(&Simulation { feed, options, seconds: 230, hz: 60, noise_m: 0.1, loses: 0.02 })
}

fn lap(laps: &[SimulatedLap]) -> &SimulatedLap {
    laps.iter().find(|lap| u32::from(lap.lap.number) == LAP).expect("the lap")
}

fn ledger(lap: &SimulatedLap, reference: &SimulatedLap) -> (Ledger, Comparison) {
    let (own, best) = (lap.columns(), reference.columns());
    let comparison = compare(&own, &best).expect("a comparison");
    (Ledger::of(&comparison, [&own, &best], &[]).expect("a ledger"), comparison)
}

/// Seconds of some parts of a row.
fn sum(row: &LedgerRow, parts: &[Part]) -> f64 {
    row.parts.iter().filter(|part| parts.contains(&part.part)).map(|part| part.loss_s).sum()
}

/// Plants a mistake in each place, and checks that its corner has the largest loss, and these parts most of it.
fn plant(what: MistakeKind, parts: &[Part]) {
    for (feed, circuit, seed, corner) in PLACES {
        let context = format!("{what:?}, {feed:?}, {circuit}");
        let mistake = Mistake { car: 0, lap: LAP, corner, what };
        let usual = simulated_laps(feed, circuit, seed, &[]);
        let worse = simulated_laps(feed, circuit, seed, &[mistake]);
        let (usual, worse) = (lap(&usual), lap(&worse));
        let (ledger, comparison) = ledger(worse, usual);
        let rows = &ledger.rows;
        let row = rows.iter().find(|row| row.corner == Some(u16::from(corner))).expect("the corner");
        // What the mistake cost until the next corner that needs the brake: behind it, chance differs.
        let braked = comparison.tables[1].rows.iter().skip(usize::from(corner));
        let end_m = braked.filter_map(|row| row.lift_m.or(row.brake_on_m)).next().expect("one more corner");
        let middle_m = usual.known.place_at(comparison.placed[1].clock_at(end_m).expect("a clock"));
        let lost_s = worse.known.time_at(middle_m) - usual.known.time_at(middle_m);
        let loss_s = row.loss_s.expect("a loss");
        let within_s = (0.15 * lost_s.abs()).max(0.012);
        assert!((loss_s - lost_s).abs() < within_s, "{context}: {loss_s} of {lost_s}: {row:?}");
        let named_s = sum(row, parts);
        assert!(
            (named_s - lost_s).abs() < (0.2 * lost_s.abs()).max(0.02),
            "{context}: {named_s} of {lost_s}: {row:?}"
        );
        let largest = row.parts.iter().max_by(|a, b| a.loss_s.total_cmp(&b.loss_s)).expect("a part");
        assert!(parts.contains(&largest.part), "{context}: {row:?}");
        let others = rows.iter().filter(|other| other.corner != row.corner);
        for other in others {
            assert!(
                other.loss_s.is_some_and(|other_s| other_s < 0.5 * loss_s.max(0.04)),
                "{context}: {other:?}"
            );
        }
    }
}

#[test]
fn braking_early_is_the_brake_point() {
    plant(MistakeKind::BrakesEarly(15.0), &[Part::BrakePoint]);
}

#[test]
fn a_slow_corner_is_its_minimum_speed() {
    plant(MistakeKind::DrivesSlowly(0.95), &[Part::MinimumSpeed, Part::Line, Part::Throttle, Part::After]);
}

#[test]
fn a_late_throttle_is_the_throttle_and_what_it_costs_after_the_corner() {
    plant(MistakeKind::WaitsWithThrottle(25.0), &[Part::Throttle, Part::After]);
}

#[test]
fn an_early_lift_is_the_lift() {
    plant(MistakeKind::LiftsEarly(60.0), &[Part::Lift, Part::BrakePoint, Part::Release]);
}

#[test]
fn the_rows_of_any_two_laps_add_up_to_their_difference() {
    for (feed, circuit, seed, _) in PLACES {
        let laps = simulated_laps(feed, circuit, seed, &[]);
        for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
            let (ledger, comparison) = ledger(lap, reference);
            let behind_s = lap.columns().seconds() - reference.columns().seconds();
            let loss_s = ledger.loss_s().expect("a loss");
            assert!((loss_s - behind_s).abs() < 5e-4, "{feed:?}: {loss_s} of {behind_s}");
            for row in &ledger.rows {
                let lost_s: f64 = row.parts.iter().map(|part| part.loss_s).sum();
                assert!((lost_s - row.loss_s.expect("a loss")).abs() < 1e-9, "{row:?}");
            }
            let ends_m = ledger.rows.windows(2).map(|pair| pair[1].from_m - pair[0].to_m);
            assert!(ends_m.map(f64::abs).fold(0.0, f64::max) < 1e-9);
            let ends = (ledger.rows.first().map(|row| row.from_m), ledger.rows.last().map(|row| row.to_m));
            assert_eq!(ends, (Some(0.0), Some(comparison.length_m)));
            if lap.lap.number == reference.lap.number {
                assert!(ledger.rows.iter().all(|row| row.parts.is_empty()), "{ledger:?}");
            }
        }
    }
}
