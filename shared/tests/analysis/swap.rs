//! A lap compared with itself loses nothing, and swapping lap and reference changes only the sign of every number.

use trailbrake_shared::analysis::{Comparison, CornerRow, Method, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;

use super::shifted_lines::ShiftedLap;
use super::simulated::{SimulatedLap, Simulation, plan_of, simulate};
use super::single_differences::without_positions;

const FEEDS: [(Feed, u32); 4] =
    [(Feed::F1, 60), (Feed::GranTurismo, 20), (Feed::AcRemote, 60), (Feed::AcTelemetryTool, 20)];
/// Circuits of the catalogue, then invented ones, each with a seed of its own.
const FIRST_SEED: u64 = 41;
const RUNS: u64 = 6;

fn runs() -> impl Iterator<Item = (String, Vec<SimulatedLap>)> {
    (0..).zip(FIRST_SEED..FIRST_SEED + RUNS).map(|(circuit, seed)| {
        let plan = plan_of(circuit, seed);
        let (feed, hz) = FEEDS[circuit % FEEDS.len()];
        let options = Options { cars: 1, player: 0, circuit, plan, seed, again: false, ..Options::default() };
        let simulation = Simulation { feed, options, seconds: 300, hz, noise_m: 0.1, loses: 0.02 };
        (format!("{feed:?} at {hz} Hz, seed {seed}"), simulate(&simulation).0)
    })
}

fn blind(lap: &SimulatedLap) -> SimulatedLap {
    SimulatedLap { columns: without_positions(&lap.columns), ..lap.again() }
}

fn compared(lap: &SimulatedLap, reference: &SimulatedLap) -> Comparison {
    compare(&lap.columns(), &reference.columns()).expect("a comparison")
}

/// All losses, in corners and between them.
fn losses(comparison: &Comparison) -> Vec<f64> {
    let corners = comparison.losses.iter().flat_map(|loss| [loss.entry_s, loss.middle_s, loss.exit_s]);
    let all = corners.chain(comparison.straights.iter().map(|straight| straight.loss_s));
    all.map(|loss| loss.expect("a complete lap")).collect()
}

/// Every value of a row that is compared with the reference's.
fn numbers(row: &CornerRow) -> [Option<f64>; 15] {
    let CornerRow { lift_m, brake_on_m, before_apex_m, peak, peak_m, release_m, trail_m, .. } = *row;
    let CornerRow {
        min_ms,
        min_m,
        throttle_on_m,
        full_throttle_m,
        coasting_s,
        entry_ms,
        exit_ms,
        seconds,
        ..
    } = *row;
    [
        lift_m,
        brake_on_m,
        before_apex_m,
        peak,
        peak_m,
        release_m,
        trail_m,
        min_ms,
        min_m,
        throttle_on_m,
        full_throttle_m,
        coasting_s,
        entry_ms,
        exit_ms,
        seconds,
    ]
}

#[test]
fn a_lap_beside_itself_is_zero_everywhere() {
    for (context, laps) in runs() {
        let lap = laps.last().expect("a lap");
        for lap in [lap, &blind(lap)] {
            let same = compared(lap, lap);
            assert!(same.delta.len() > 500 && same.delta.iter().all(|(_, delta)| *delta == 0.0), "{context}");
            assert!(same.minis.iter().all(|mini| mini.loss_s == Some(0.0)), "{context}: {:?}", same.minis);
            assert!(same.ledger.rows.iter().all(|row| row.parts.is_empty()), "{context}");
            let losses = losses(&same);
            assert!(losses.len() > 12 && losses.iter().all(|loss| *loss == 0.0), "{context}: {losses:?}");
            let [own, best] = &same.tables;
            assert!(own == best && own.rows.len() >= 3, "{context}: {own:?} {best:?}");
        }
    }
}

#[test]
fn swapping_laps_turns_every_sign_and_nothing_else() {
    for (context, laps) in runs() {
        let [first, second, ..] = laps.as_slice() else { panic!("{context}: {} laps", laps.len()) };
        let (there, back) = (compared(second, first), compared(first, second));
        assert!(there.method == Method::Position && there.delta.iter().any(|(_, delta)| delta.abs() > 0.01));
        assert_eq!(there.delta.len(), back.delta.len(), "{context}");
        for ((place, delta), (other, turned)) in there.delta.iter().zip(&back.delta) {
            assert!(
                place == other && (delta + turned).abs() < 1e-9,
                "{context}: {delta}, {turned} at {place}"
            );
        }
        let (lost, gained) = (losses(&there), losses(&back));
        assert_eq!(lost.len(), gained.len(), "{context}");
        assert!(lost.iter().zip(&gained).all(|(lost, gained)| (lost + gained).abs() < 1e-9), "{context}");
        let [own, best] = &there.tables;
        assert_eq!([best, own], back.tables.each_ref(), "{context}");
        assert!(
            own.rows.iter().zip(&best.rows).any(|(own, best)| numbers(own) != numbers(best)),
            "{context}"
        );
    }
}

#[test]
fn swapping_laps_without_positions_turns_the_sign_of_what_they_lost() {
    for (context, laps) in runs() {
        let [first, second, ..] = laps.as_slice() else { panic!("{context}: {} laps", laps.len()) };
        let (first, second) = (blind(first), blind(second));
        let (there, back) = (compared(&second, &first), compared(&first, &second));
        assert_ne!(there.method, Method::Position, "{context}");
        let ends = |comparison: &Comparison| comparison.delta.last().expect("an end").1;
        assert_eq!(ends(&there), -ends(&back), "{context}");
        assert_eq!(there.corners.len(), back.corners.len(), "{context}");
        let all = |comparison: &Comparison| losses(comparison).iter().sum::<f64>();
        assert!(
            (all(&there) - ends(&there)).abs() < 2e-3,
            "{context}: {} is not {}",
            all(&there),
            ends(&there)
        );
        for (lost, gained) in there.losses.iter().zip(&back.losses) {
            let sum_s = lost.loss_s().zip(gained.loss_s()).map(|(lost, gained)| lost + gained);
            assert!(sum_s.is_some_and(|sum| sum.abs() < 0.01), "{context}: {lost:?} {gained:?}");
        }
    }
}

#[test]
fn swapping_a_turned_lap_turns_the_sign_of_what_it_lost_between_two_places() {
    for (context, laps) in runs() {
        let [reference, one, next, ..] = laps.as_slice() else { continue };
        let length_m = one.known.points.last().expect("a point").1;
        let turned = ShiftedLap::new(&[one.again(), next.again()], 0.37 * length_m).lap;
        let (there, back) = (compared(&turned, reference), compared(reference, &turned));
        assert!(there.start_line_shift.is_some() && back.start_line_shift.is_some(), "{context}");
        let ends = |comparison: &Comparison| comparison.delta.last().expect("an end").1;
        assert_eq!(ends(&there), -ends(&back), "{context}");
        for (from, to) in [(0.02, 0.17), (0.17, 0.34), (0.4, 0.6), (0.6, 0.81), (0.81, 0.98)] {
            // Times on the reference's clock, on either axis.
            let [from_s, to_s] = [from, to].map(|share| reference.known.time_at(share * length_m));
            let lost = |comparison: &Comparison, which: usize, clock_s: [f64; 2]| {
                let places = clock_s.map(|clock| comparison.placed[which].place_at(clock).expect("a place"));
                comparison.at(places[1]).expect("a delta") - comparison.at(places[0]).expect("a delta")
            };
            let begun_s = back.start_line_shift.expect("turned").clock_s;
            let long_s = reference.columns().seconds();
            let own = [from_s, to_s].map(|clock| (clock - begun_s).rem_euclid(long_s));
            let (lost, gained) = (lost(&there, 1, [from_s, to_s]), lost(&back, 0, own));
            assert!((lost + gained).abs() < 0.02, "{context}, {from} to {to}: {lost} and {gained}");
        }
    }
}
