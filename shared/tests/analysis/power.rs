//! Losses in flat-out sections have a cause in the power unit and are not charged to a corner.

use trailbrake_shared::analysis::{Cause, Comparison, compare, find_advice, lost_because_of};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;
use trailbrake_shared::units::Units;

use super::simulated::{SimulatedLap, Simulation, simulate};

/// Laps of a car whose energy store is empty after a few of them.
fn laps() -> Vec<SimulatedLap> {
    laps_of(Feed::F1)
}

fn laps_of(feed: Feed) -> Vec<SimulatedLap> {
    let options = Options { cars: 1, player: 0, circuit: 0, seed: 1, again: false, ..Options::default() };
    let simulation = Simulation { feed, options, seconds: 420, hz: 60, noise_m: 0.1, loses: 0.02 };
    simulate(&simulation).0
}

/// How much less energy a lap deployed than another in the section charged to a corner, in kJ. The section begins at
/// the corner before, or at the corner's own entry if it is braked for, and ends at the next corner that is braked for.
pub(super) fn less_kj(comparison: &Comparison, laps: [&SimulatedLap; 2], corner: u16) -> f64 {
    let index = usize::from(corner) - 1;
    let slows = |index: &usize| comparison.tables[0].rows[*index].flat != Some(true);
    let first = if slows(&index) { index } else { index.saturating_sub(1) };
    let next = (first + 1..comparison.corners.len()).find(slows);
    let [own_j, best_j] = [0, 1].map(|which: usize| {
        let known = &laps[which].known;
        let at = |place: f64| {
            let clock = comparison.placed[which].clock_at(place).expect("a clock");
            known.at(known.place_at(clock)).deployed_j
        };
        let end_j = next.map(|next| at(comparison.corners[next].entry_m));
        end_j.unwrap_or(known.did.last().expect("a frame").deployed_j) - at(comparison.corners[first].entry_m)
    });
    (best_j - own_j) / 1e3
}

#[test]
fn an_empty_store_is_reported_as_such_and_not_as_a_slow_corner() {
    let laps = laps();
    let mut count = 0;
    for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
        let comparison = compare(&lap.columns(), &reference.columns()).expect("a comparison");
        for thing in find_advice(&comparison, &[]) {
            let Cause::LessElectric { kilojoules } = thing.cause else { continue };
            count += 1;
            let known_kj = less_kj(&comparison, [lap, reference], thing.corner);
            let context = format!("lap {} beside {}: {thing:?}", lap.lap.number, reference.lap.number);
            assert!((kilojoules - known_kj).abs() < 5.0 + 0.015 * known_kj, "{context}, known {known_kj}");
            assert!(
                thing.sentence("Esses", &Units::default()).contains(" MJ less ERS deployed, "),
                "{context}"
            );
        }
    }
    assert!(count >= 2, "the store was never spent: {count}");
}

#[test]
fn the_largest_unexplained_loss_is_not_attributed_to_the_driver() {
    // This game does not send the energy store.
    let laps = laps_of(Feed::AcRemote);
    let mut count = 0;
    for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
        let comparison = compare(&lap.columns(), &reference.columns()).expect("a comparison");
        let found = find_advice(&comparison, &[]);
        let context = format!("lap {} against {}: {found:?}", lap.lap.number, reference.lap.number);
        assert!(found.iter().skip(1).all(|thing| thing.cause.is_known()), "{context}");
        let Some(first) = found.first().filter(|first| !first.cause.is_known()) else { continue };
        count += usize::from(first.cause == Cause::FullThrottle);
        assert!(found.iter().all(|thing| thing.loss_s <= first.loss_s), "{context}");
    }
    assert!(count >= 2, "nothing was lost at full throttle: {count}");
}

#[test]
fn what_to_fix_and_the_corner_table_have_the_same_figures() {
    let laps = laps();
    let mut split = 0;
    for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
        let comparison = compare(&lap.columns(), &reference.columns()).expect("a comparison");
        for thing in find_advice(&comparison, &[]).iter().filter(|thing| thing.in_corner_s.is_some()) {
            let index = usize::from(thing.corner) - 1;
            assert_eq!(lost_because_of(&comparison, index), Some(thing.loss_s), "{thing:?}");
            assert_eq!(comparison.lost_in(index), thing.in_corner_s, "{thing:?}");
            let Some((own_s, behind_s)) = thing.split_s() else { continue };
            assert!((own_s + behind_s - thing.loss_s).abs() < 1e-9, "{thing:?}");
            split += 1;
        }
    }
    assert!(split > 3, "nothing was lost behind a corner: {split}");
}
