//! Statistics of a stint: the deviation of brake points.

use trailbrake_shared::analysis::{Comparison, LapComparison, Stint, TheoreticalBest, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};

use super::ledger::{LAP, lap, simulated_laps};
use super::simulated::{SimulatedLap, Simulation, simulate};

/// The deviation of the simulator's notes, in metres along the middle of the track.
fn known_m(laps: &[SimulatedLap], corner: u8) -> Option<f64> {
    let places = laps.iter().map(|lap| {
        let note = lap.known.truth.corners.iter().find(|note| note.corner == corner)?;
        Some(note.braking.filter(|_| note.other_brakings == 0)?.on_m)
    });
    let places: Vec<f64> = places.collect::<Option<_>>()?;
    let mean = places.iter().sum::<f64>() / places.len() as f64;
    let squares: f64 = places.iter().map(|place| (place - mean).powi(2)).sum();
    Some((squares / (places.len() - 1) as f64).sqrt())
}

#[test]
fn the_spread_of_a_stint_is_the_same_whichever_of_its_laps_is_the_reference() {
    let mut held = 0;
    for (feed, seed) in [(Feed::F1, 71), (Feed::AcRemote, 72)] {
        let options = Options { cars: 1, player: 0, circuit: 0, seed, again: false, ..Options::default() };
        let (laps, _) =
            simulate(&Simulation { feed, options, seconds: 350, hz: 60, noise_m: 0.0, loses: 0.0 });
        assert!(laps.len() >= 4, "{feed:?}: {} laps", laps.len());
        let spread_m = |lap: &SimulatedLap, reference: &SimulatedLap| -> Vec<Option<f64>> {
            let beside =
                |lap: &SimulatedLap| compare(&lap.columns(), &reference.columns()).expect("a comparison");
            let is = |one: &SimulatedLap, other: &SimulatedLap| one.lap.number == other.lap.number;
            let others = laps.iter().filter(|one| !is(one, lap) && !is(one, reference));
            let (own, others) = (beside(lap), others.map(beside).collect::<Vec<_>>());
            Stint::new(&own, &others, true).brake_spread_m
        };
        let first = spread_m(&laps[0], &laps[1]);
        for (lap, reference) in [(0, 2), (0, 3), (1, 0), (2, 3), (3, 1)] {
            let other = spread_m(&laps[lap], &laps[reference]);
            for (index, (one, other)) in first.iter().zip(&other).enumerate() {
                let same = one.zip(*other).is_none_or(|(one, other)| (one - other).abs() < 0.05);
                assert!(same && one.is_some() == other.is_some(), "{feed:?}, {index}: {one:?} and {other:?}");
            }
        }
        for (corner, deviation_m) in (1..).zip(&first) {
            let Some((known, deviation_m)) = known_m(&laps, corner).zip(*deviation_m) else { continue };
            assert!(
                (known - deviation_m).abs() < 0.5,
                "{feed:?}, turn {corner}: {deviation_m} m, known {known}"
            );
            held += 1;
        }
    }
    assert!(held > 12, "{held}");
}

#[test]
fn the_rest_of_a_stint_says_how_often_a_cause_costs_time_and_how_much() {
    let options = Options { cars: 1, player: 0, circuit: 0, seed: 73, again: false, ..Options::default() };
    let feed = Feed::F1;
    let (laps, _) = simulate(&Simulation { feed, options, seconds: 350, hz: 60, noise_m: 0.0, loses: 0.0 });
    let (reference, laps) = laps.split_first().expect("laps");
    let beside = |lap: &SimulatedLap| compare(&lap.columns(), &reference.columns()).expect("a comparison");
    let comparisons: Vec<Comparison> = laps.iter().map(beside).collect();
    let mut often = 0;
    for (at, comparison) in comparisons.iter().enumerate() {
        let others: Vec<Comparison> = [&comparisons[..at], &comparisons[at + 1..]].concat();
        let whole = Stint::new(comparison, &others, false).to_fix;
        for thing in &whole.advice {
            let row = comparison.ledger.row(thing.row);
            assert_eq!(row.and_then(|row| row.loss_s), Some(thing.loss_s), "{thing:?}");
            let usual = thing.usual.expect("several laps");
            assert!(usual.laps >= 1 && usual.of == comparisons.len(), "{thing:?}");
            often += usize::from(usual.laps > 1);
        }
        assert!(Stint::new(comparison, &[], false).to_fix.advice.iter().all(|thing| thing.usual.is_none()));
    }
    assert!(often > 0);
}

#[test]
fn the_fastest_lap_in_like_conditions_deployed_as_little() {
    let mistakes = |corners: &[u8], what: MistakeKind| -> Vec<Mistake> {
        corners.iter().map(|corner| Mistake { car: 0, lap: LAP, corner: *corner, what }).collect()
    };
    let laps = |mistakes: &[Mistake]| simulated_laps(Feed::F1, 0, 31, mistakes);
    let no_energy = mistakes(&[2, 3, 5, 8], MistakeKind::DeploysLess);
    let slow = mistakes(&[4, 6], MistakeKind::HalfThrottle(0.5));
    let reference = laps(&[]);
    let beside = |mistakes: &[Mistake]| {
        compare(&lap(&laps(mistakes)).columns(), &lap(&reference).columns()).expect("a comparison")
    };
    let both = [no_energy.clone(), slow.clone()].concat();
    let offered = |main: &[Mistake], others: &[(u16, &[Mistake])]| {
        let compared = LapComparison {
            comparison: beside(main),
            others: others.iter().map(|(_, mistakes)| beside(mistakes)).collect(),
            numbers: others.iter().map(|(number, _)| *number).collect(),
            stint: Stint::default(),
            warnings: Vec::new(),
            theoretical_best: TheoreticalBest::default(),
        };
        compared.in_like_conditions()
    };
    let one: &[Mistake] = &slow[..1];
    let some_slower = [no_energy.clone(), one.to_vec()].concat();
    let others: [(u16, &[Mistake]); 3] = [(4, &some_slower), (5, &no_energy), (6, &slow)];
    assert_eq!(offered(&both, &others), Some(5));
    assert_eq!(offered(&both, &others[..1]), Some(4));
    // One had all its energy, as the reference had. And where the reference is in like conditions, none is offered.
    assert_eq!(offered(&both, &others[2..]), None);
    assert_eq!(offered(&slow, &others), None);
    assert_eq!(offered(&no_energy, &others[..1]), None);
}
