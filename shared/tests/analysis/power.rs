//! Time lost on straights is the battery's where the game sends it, else the drive's, and never a corner's.

use trailbrake_shared::analysis::ledger::{Figure, Part};
use trailbrake_shared::analysis::{Comparison, ThingsToFix, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;

use super::simulated::{SimulatedLap, Simulation, simulate};

/// Laps of a car whose energy store is empty after a few of them.
fn laps_of(feed: Feed) -> Vec<SimulatedLap> {
    let options = Options { cars: 1, player: 0, circuit: 0, seed: 1, again: false, ..Options::default() };
    let simulation = Simulation { feed, options, seconds: 420, hz: 60, noise_m: 0.1, loses: 0.02 };
    simulate(&simulation).0
}

/// Every pair of laps, with its comparison.
fn pairs(laps: &[SimulatedLap]) -> Vec<([&SimulatedLap; 2], Comparison)> {
    let pairs = laps.iter().flat_map(|lap| laps.iter().map(move |other| [lap, other]));
    pairs
        .map(|[lap, other]| ([lap, other], compare(&lap.columns(), &other.columns()).expect("a comparison")))
        .collect()
}

#[test]
fn an_empty_store_is_reported_as_such_and_not_as_a_slow_corner() {
    let laps = laps_of(Feed::F1);
    let (mut count, mut largest) = (0, 0);
    for ([lap, reference], comparison) in pairs(&laps) {
        for row in comparison.ledger.rows.iter().filter(|row| row.place.corner.is_none()) {
            let Some(part) = row.parts.iter().find(|part| part.part == Part::Battery) else { continue };
            let context = format!("lap {} beside {}: {row:?}", lap.lap.number, reference.lap.number);
            let measured = part.measured.expect("energy");
            assert_eq!(measured.figure, Figure::Joules, "{context}");
            let known_j = |which: usize, lap: &SimulatedLap| {
                let at = |place: f64| {
                    let clock = comparison.placed[which].clock_at(place).expect("a clock");
                    lap.known.at(lap.known.place_at(clock)).deployed_j
                };
                at(row.to_m) - at(row.from_m)
            };
            let known_j = known_j(0, lap) - known_j(1, reference);
            // The counter begins again at the line, and is sent more rarely than positions.
            let within_j = if row.place.after == 0 { 45e3 } else { 8e3 + 0.03 * known_j.abs() };
            assert!((measured.more() - known_j).abs() < within_j, "{context}: {known_j} J");
            if known_j < -100e3 {
                count += 1;
                largest += usize::from(row.largest().is_some_and(|part| part.part == Part::Battery));
                let to_fix = ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]);
                let here = to_fix.advice.iter().find(|thing| thing.row == row.place);
                assert!(here.is_none_or(|thing| thing.cause.part.is_driving()), "{context}: {here:?}");
            }
        }
    }
    assert!(count >= 2 && largest * 10 >= count * 8, "the store was spent {count} times, {largest} named");
}

#[test]
fn what_is_lost_at_full_throttle_is_not_the_driver_s() {
    // This game does not send the energy store.
    let laps = laps_of(Feed::AcRemote);
    let mut count = 0;
    for ([lap, reference], comparison) in pairs(&laps) {
        let drive_s = comparison.ledger.part_s(Part::Drive);
        let context = format!("lap {} against {}: {drive_s}", lap.lap.number, reference.lap.number);
        assert!((comparison.ledger.not_driving_s() - drive_s).abs() < 1e-9, "{context}");
        count += usize::from(drive_s > 0.1);
        let advice = ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]).advice;
        assert!(advice.iter().all(|thing| thing.cause.part.is_driving()), "{context}: {advice:?}");
    }
    assert!(count >= 2, "nothing was lost at full throttle: {count}");
}

#[test]
fn what_to_fix_and_the_ledger_have_the_same_figures() {
    let laps = laps_of(Feed::F1);
    let mut count = 0;
    for (_, comparison) in pairs(&laps) {
        let to_fix = ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]);
        for (place, thing) in to_fix.advice.iter().enumerate() {
            let row = comparison.ledger.rows.iter().find(|row| to_fix.rank(row.place) == Some(place + 1));
            assert_eq!(row.expect("its row").loss_s, Some(thing.loss_s), "{thing:?}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
