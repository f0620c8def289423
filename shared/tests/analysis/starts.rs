//! The time lost between the start line and the first corner has its own place and cause.

use trailbrake_shared::analysis::ledger::{Part, RowPlace};
use trailbrake_shared::analysis::{Advice, CornerReference, ReferenceLine, ThingsToFix, TrackBook, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Options, Start};
use trailbrake_shared::units::Units;

use super::simulated::{SimulatedLap, Simulation, simulate};

const LAPS: u8 = 3;

/// The laps of a race, and of a practice session.
fn laps(feed: Feed, start: Start, seed: u64) -> Vec<SimulatedLap> {
    // From the first place, so that no other car costs time in the first corners.
    let (cars, player) = if start == Start::Grid { (2, 0) } else { (1, 0) };
    let circuit = seed as usize % 3;
    let options =
        Options { cars, player, circuit, seed, start, laps: LAPS, again: false, ..Options::default() };
    simulate(&Simulation { feed, options, seconds: 330, hz: 60, noise_m: 0.1, loses: 0.02 }).0
}

/// The advice of the page and that of the driver's own ears.
fn advice(lap: &SimulatedLap, reference: &SimulatedLap) -> Vec<Vec<Advice>> {
    let comparison = compare(&lap.columns(), &reference.columns()).expect("a comparison");
    let line = ReferenceLine::learn(&reference.columns()).expect("a line");
    let live = CornerReference::learn(&reference.columns(), Some(&line), &TrackBook::default());
    let live = live.expect("corners").advice(&lap.columns()).into_iter().map(|(_, advice)| advice);
    vec![ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]).advice, live.collect()]
}

#[test]
fn a_standing_start_is_no_loss_of_the_first_corner() {
    for (feed, seed) in [(Feed::F1, 8_201), (Feed::GranTurismo, 8_202), (Feed::AcRemote, 8_203)] {
        let laps = laps(feed, Start::Grid, seed);
        let [first, flying, ..] = &laps[..] else { panic!("{feed:?}: {} laps", laps.len()) };
        assert_eq!((first.lap.number, flying.lap.number), (1, 2), "{feed:?}");
        for advice in advice(first, flying) {
            let context = format!("{feed:?}: {advice:?}");
            let start = advice.first().expect("the start is the largest loss");
            assert_eq!((start.cause.part, start.row), (Part::BroughtIn, RowPlace::straight(0)), "{context}");
            assert!(start.loss_s > 0.5, "{context}");
            assert!(advice.iter().skip(1).all(|thing| thing.cause.part != Part::BroughtIn), "{context}");
            let sentence = start.sentence("Line to Turn 1", &Units::default());
            let words = "Line to Turn 1: Started from the grid or the pits, the reference did not. (+";
            assert!(sentence.starts_with(words), "{sentence}");
        }
    }
}

#[test]
fn a_lower_speed_at_the_line_is_the_cause_of_what_it_costs() {
    let mut count = 0;
    for (feed, seed) in [(Feed::F1, 8_211), (Feed::AcRemote, 8_212), (Feed::GranTurismo, 8_213)] {
        let laps = laps(feed, Start::Flying, seed);
        for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
            for thing in advice(lap, reference).into_iter().flatten() {
                let context = format!("{feed:?}, lap {}: {thing:?}", lap.lap.number);
                if thing.cause.part != Part::BroughtIn {
                    continue;
                }
                count += 1;
                let kmh = -3.6 * thing.cause.measured.expect("speeds").more();
                let [own, best] = [lap, reference].map(|lap| lap.known.at(0.0).speed_ms);
                assert!((kmh - (best - own) * 3.6).abs() < 2.0, "{context}: {best} and {own} m/s");
                assert!(thing.sentence("Esses", &Units::default()).contains(": Came in "));
            }
        }
    }
    eprintln!("{count} lower speeds at the line");
    assert!(count >= 2, "no lap came slower to the line: {count}");
}
