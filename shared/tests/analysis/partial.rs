//! Abandoned laps, laps received only from some point on, and laps with gaps, compared with complete ones: what was
//! received gives the same results as in the complete lap, and the rest is missing.

use trailbrake_shared::analysis::{
    Answer, Comparison, Method, MissingRange, NoComparison, NoLine, ReferenceLine, compare,
};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Axis, Channel};
use trailbrake_shared::sim::{Options, Start};

use super::shifted_lines::elsewhere;
use super::simulated::{SimulatedLap, Simulation, changed, simulate};
use crate::circuit_feeds::CIRCUIT_FEEDS;

fn simulated_laps(feed: Feed, circuit: usize, seed: u64) -> Vec<SimulatedLap> {
    let options = Options { cars: 1, player: 0, circuit, seed, again: false, ..Options::default() };
    simulate(&Simulation { feed, options, seconds: 230, hz: 60, noise_m: 0.1, loses: 0.02 }).0
}

fn all(_: Channel) -> bool {
    true
}

fn without(channels: &'static [Channel]) -> impl Fn(Channel) -> bool {
    move |channel: Channel| !channels.contains(&channel)
}

/// A lap abandoned at a time, without a lap time.
fn broken_off(lap: &SimulatedLap, at_s: f64, which: impl Fn(Channel) -> bool) -> SimulatedLap {
    let mut part = lap.only(|clock| clock < at_s, which);
    part.lap.time = None;
    part
}

/// A lap with no data between two times.
fn holed(lap: &SimulatedLap, from_s: f64, to_s: f64) -> SimulatedLap {
    lap.only(|clock| !(from_s..to_s).contains(&clock), all)
}

fn compare_laps(lap: &SimulatedLap, reference: &SimulatedLap, context: &str) -> Comparison {
    compare(&lap.columns(), &reference.columns()).unwrap_or_else(|why| panic!("{context}: {why}"))
}

/// Where the lap was not received, so that neither delta nor losses may have values.
fn missing(comparison: &Comparison, which: usize) -> Vec<MissingRange> {
    comparison.placed[which].missing()
}

/// Compares a comparison of partial laps with that of the complete laps. Their reference lines may differ, so places
/// are matched by the lap clock.
fn same_as_whole(part: &Comparison, whole: &Comparison, within_s: f64, context: &str) {
    let mut count = 0;
    for (place, delta) in &part.delta {
        let clock = part.placed[0].clock_at(*place).expect("a clock");
        // Between the line and the first row there is no place to compare.
        let known = whole.placed[0].place_at(clock).and_then(|place| whole.at(place));
        let Some(known) = known else { continue };
        assert!((delta - known).abs() < within_s, "{context}: {delta} is not {known} at {place} m");
        count += 1;
    }
    assert!(count > 100, "{context}: {count}");
}

/// Checks that missing ranges have no results, and that swapping the laps changes the sign of the rest.
fn check_missing_ranges(
    lap: &SimulatedLap,
    reference: &SimulatedLap,
    comparison: &Comparison,
    context: &str,
) {
    let stretches = missing(comparison, 0);
    assert!(!stretches.is_empty(), "{context}");
    for MissingRange { from_m, to_m } in &stretches {
        let inside = |place: f64| place > from_m + 0.01 && place < to_m - 0.01;
        assert!(comparison.delta.iter().all(|(place, _)| !inside(*place)), "{context}: {from_m} {to_m}");
        assert_eq!(comparison.at((from_m + to_m) / 2.0), None, "{context}");
        for mini in &comparison.minis {
            let touched = inside(mini.from_m) || inside(mini.to_m);
            assert!(!touched || mini.loss_s.is_none(), "{context}: {mini:?}");
        }
    }
    let back = compare_laps(reference, lap, context);
    assert_eq!(back.delta.len(), comparison.delta.len(), "{context}");
    for ((place, delta), (other, turned)) in comparison.delta.iter().zip(&back.delta) {
        assert!(place == other && (delta + turned).abs() < 1e-9, "{context}: {delta} {turned} at {place}");
    }
}

#[test]
fn an_abandoned_lap_is_compared_up_to_where_it_ends() {
    for (nth, feed) in (0..).zip(CIRCUIT_FEEDS) {
        let laps = simulated_laps(feed, nth as usize % 3, 7_301 + nth);
        let [first, second, ..] = &laps[..] else { panic!("{feed:?}: {} laps", laps.len()) };
        let whole = compare_laps(second, first, "whole");
        for share in [0.2, 0.55, 0.9] {
            let context = format!("{feed:?}, broken off at {share}");
            let at_s = second.known.truth.time_ms as f64 / 1e3 * share;
            let part = broken_off(second, at_s, all);
            let compared = compare_laps(&part, first, &context);
            assert_eq!(compared.method, Method::Position, "{context}");
            same_as_whole(&compared, &whole, 0.01, &context);
            check_missing_ranges(&part, first, &compared, &context);
            let [MissingRange { from_m, to_m }] = missing(&compared, 0)[..] else { panic!("{context}") };
            let last_m = whole.placed[0].place_at(at_s).expect("a place");
            assert!(
                (from_m - last_m).abs() < 5.0 && to_m == compared.length_m,
                "{context}: {from_m} {last_m}"
            );
            let (end_m, _) = *compared.delta.last().expect("a delta");
            assert!((from_m - end_m).abs() < 5.0, "{context}: ends at {end_m}, last received at {from_m}");
            assert!((compared.length_m / whole.length_m - 1.0).abs() < 0.003, "{context}");
            assert!(compared.track.is_some() && compared.sameness.is_none(), "{context}");
            let same = compare_laps(&part, &part, &context);
            assert!(same.delta.iter().all(|(_, delta)| *delta == 0.0) && same.track.is_none(), "{context}");
        }
    }
}

#[test]
fn a_lap_of_another_world_that_was_broken_off_finds_itself_on_the_line() {
    let (here, there) = (simulated_laps(Feed::F1, 1, 7_305), simulated_laps(Feed::F1, 1, 7_306));
    let (first, second) = (&here[0], &there[1]);
    let whole = compare_laps(second, first, "whole");
    let mut part = broken_off(second, 45.0, all);
    part.columns = elsewhere(&part.columns);
    let compared = compare_laps(&part, first, "another world");
    assert_eq!(compared.method, Method::Position);
    same_as_whole(&compared, &whole, 0.03, "another world");
}

#[test]
fn two_abandoned_laps_are_compared_up_to_the_end_of_the_shorter() {
    let laps = simulated_laps(Feed::GranTurismo, 1, 7_311);
    let (one, other) = (broken_off(&laps[0], 50.0, all), broken_off(&laps[1], 20.0, all));
    let compared = compare_laps(&other, &one, "both");
    same_as_whole(&compared, &compare_laps(&laps[1], &laps[0], "whole"), 0.01, "both");
    let place_m = compared.placed[0].place_at(20.0).expect("a place");
    assert!((compared.delta.last().expect("a delta").0 - place_m).abs() < 10.0);
}

#[test]
fn a_hole_of_a_kilometre_is_absent_and_the_rest_is_what_it_was() {
    for (nth, feed) in (0..).zip(CIRCUIT_FEEDS) {
        let laps = simulated_laps(feed, nth as usize % 3, 7_321 + nth);
        let [first, second, ..] = &laps[..] else { panic!("{feed:?}: {} laps", laps.len()) };
        let whole = compare_laps(second, first, "whole");
        for from_s in [12.0, 40.0] {
            let context = format!("{feed:?}, no data from {from_s} s on");
            let from_m = second.known.place_at(from_s);
            let to_s = second.known.time_at(from_m + 1000.0);
            let holed = holed(second, from_s, to_s);
            let compared = compare_laps(&holed, first, &context);
            assert_eq!(compared.method, Method::Position, "{context}");
            same_as_whole(&compared, &whole, 0.012, &context);
            check_missing_ranges(&holed, first, &compared, &context);
            let [hole] = missing(&compared, 0)[..] else { panic!("{context}: {:?}", missing(&compared, 0)) };
            assert!((hole.to_m - hole.from_m - 1000.0).abs() < 30.0, "{context}: {hole:?}");
            assert!((compared.length_m / whole.length_m - 1.0).abs() < 0.003, "{context}");
            let excursions = compared.placed[0].excursions.len();
            assert!(excursions <= whole.placed[0].excursions.len(), "{context}: a hole is no cut");
            let line = ReferenceLine::learn(&holed.columns()).map(|line| line.length_m());
            assert_eq!(line, Err(NoLine::Hole), "{context}");
            let official = second.lap.time.expect("a time").minus(first.lap.time.expect("a time"));
            let end = compared.delta.last().expect("an end");
            assert_eq!(*end, (compared.length_m, official as f64 / 1e3), "{context}");
        }
    }
}

#[test]
fn a_short_hole_on_a_straight_is_bridged_but_another_lap_draws_the_line() {
    let laps = simulated_laps(Feed::F1, 0, 7_325);
    let (first, second) = (&laps[0], &laps[1]);
    let whole = compare_laps(second, first, "whole");
    let (quicker, other) = if first.lap.time < second.lap.time { (first, second) } else { (second, first) };
    // The longest straight of this circuit lies before its line.
    let end_s = quicker.columns().seconds();
    let gapped = holed(quicker, end_s - 3.5, end_s - 2.0);
    let own = ReferenceLine::learn(&gapped.columns()).expect("a line");
    assert!((own.length_m() / whole.length_m - 1.0).abs() < 0.002, "{}", own.length_m());
    let line = ReferenceLine::learn(&other.columns()).expect("a line");
    let compared = compare_laps(&gapped, other, "gapped");
    assert_eq!(compared.length_m, line.length_m());
    assert_eq!(compare_laps(other, &gapped, "swapped").length_m, line.length_m());
}

#[test]
fn a_lap_without_its_beginning_or_end_has_no_delta_there() {
    let laps = simulated_laps(Feed::AcRemote, 0, 7_331);
    let (first, second) = (&laps[0], &laps[1]);
    let whole = compare_laps(second, first, "whole");
    let long_s = f64::from(second.known.truth.time_ms) / 1e3;
    for (context, from_s, to_s) in
        [("late", 9.0, long_s), ("its last seconds", long_s - 4.0, long_s), ("early", 0.0, long_s - 9.0)]
    {
        let part = second.only(|clock| (from_s..to_s).contains(&clock), all);
        let compared = compare_laps(&part, first, context);
        let known_m = |seconds: f64| whole.placed[0].place_at(seconds).expect("a place");
        let [MissingRange { from_m, to_m }] = missing(&compared, 0)[..] else { panic!("{context}") };
        if context == "early" {
            assert!((from_m - known_m(to_s)).abs() < 5.0 && to_m == compared.length_m, "{context}: {from_m}");
            // The official delta is known, but not how it built up.
            assert!(compared.delta.last().expect("a delta").0 < from_m, "{context}");
        } else {
            assert!(from_m == 0.0 && (to_m - known_m(from_s)).abs() < 5.0, "{context}: {from_m} {to_m}");
            assert!(compared.delta.first().expect("a delta").0 >= to_m, "{context}");
        }
    }
}

#[test]
fn a_race_s_first_lap_that_was_broken_off_begins_on_the_grid() {
    let options = Options {
        cars: 18,
        player: 10,
        seed: 7_341,
        start: Start::Grid,
        laps: 3,
        again: false,
        ..Options::default()
    };
    let (laps, _) =
        simulate(&Simulation { feed: Feed::F1, options, seconds: 330, hz: 60, noise_m: 0.1, loses: 0.02 });
    let [first, flying, ..] = &laps[..] else { panic!("{} laps", laps.len()) };
    let whole = compare_laps(first, flying, "whole");
    let part = compare_laps(&broken_off(first, 50.0, all), flying, "broken off");
    assert!(
        whole.began_m[0] < -20.0 && (part.began_m[0] - whole.began_m[0]).abs() < 3.0,
        "{:?}",
        part.began_m
    );
    assert_eq!(part.began_m[1], 0.0);
    let at = |comparison: &Comparison| comparison.at(1500.0).expect("a delta");
    assert!((at(&part) - at(&whole)).abs() < 0.03);
}

#[test]
fn a_part_of_another_track_or_of_the_other_way_is_refused_with_a_true_reason() {
    let here = simulated_laps(Feed::F1, 0, 7_351);
    let there = simulated_laps(Feed::F1, 2, 7_352);
    let part = broken_off(&there[1], 45.0, all);
    for pair in [[&part, &here[0]], [&here[0], &part]] {
        let why = compare(&pair[0].columns(), &pair[1].columns()).map(|_| ()).expect_err("a reason");
        let NoComparison::Elsewhere { share } = why else { panic!("{why:?}") };
        assert!(share > 0.25 && why.to_string().contains("away from the path of the other"), "{why}");
    }
    // The same places in the other order, on the same clock.
    let laps = simulated_laps(Feed::GranTurismo, 0, 7_353);
    let other = &laps[1];
    let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
    let has_position = |row: &usize| other.columns.value(axes[0], *row).is_some();
    let rows_with_position: Vec<usize> = (0..other.columns.len()).filter(has_position).collect();
    let columns = changed(&other.columns, |row, slot, value| {
        let rank = rows_with_position.partition_point(|other| *other < row);
        if axes.contains(&slot) {
            other
                .columns
                .value(slot, rows_with_position[rows_with_position.len() - 1 - rank])
                .expect("a position")
        } else {
            value
        }
    });
    let back = SimulatedLap { lap: other.lap.clone(), columns, known: other.known.clone() };
    let part = broken_off(&back, 45.0, all);
    let why = compare(&part.columns(), &laps[0].columns()).map(|_| ()).expect_err("a reason");
    assert_eq!(why, NoComparison::OtherTrack(Answer::OtherWay), "{why}");
    let begun = broken_off(other, 0.8, all);
    let why = compare(&begun.columns(), &laps[0].columns()).map(|_| ()).expect_err("a reason");
    assert_eq!(why, NoComparison::Empty);
}

const NO_POSITIONS: &[Channel] = &[Channel::Position];
const SPEED_ONLY: &[Channel] =
    &[Channel::Position, Channel::LapDistance, Channel::LapShare, Channel::StageProgress];
const CLOCK_ONLY: &[Channel] =
    &[Channel::Position, Channel::LapDistance, Channel::LapShare, Channel::StageProgress, Channel::Speed];

#[test]
fn without_positions_a_part_is_placed_where_it_was_driven_and_not_stretched() {
    for (feed, left_out, method, within_s) in [
        (Feed::F1, NO_POSITIONS, Method::Distance, 0.06),
        (Feed::AcRemote, NO_POSITIONS, Method::Share, 0.06),
        (Feed::F1, SPEED_ONLY, Method::Speed, 0.5),
        (Feed::GranTurismo, SPEED_ONLY, Method::Speed, 0.5),
    ] {
        let laps = simulated_laps(feed, 0, 7_361);
        let whole = compare_laps(&laps[1], &laps[0], "whole");
        let [first, second] = [0, 1].map(|lap| laps[lap].only(|_| true, without(left_out)));
        let long_s = f64::from(second.known.truth.time_ms) / 1e3;
        let (hole_s, behind_s) = (30.0, second.known.time_at(second.known.place_at(30.0) + 1000.0));
        let itself = compare_laps(&first, &first, "itself");
        let (apexes, long_m): (Vec<f64>, f64) =
            (itself.corners.iter().map(|corner| corner.apex_m).collect(), itself.length_m);
        let parts = [
            ("broken off", broken_off(&second, 0.6 * long_s, all)),
            ("late", second.only(|clock| clock > 9.0, all)),
            ("holed", holed(&second, hole_s, behind_s)),
        ];
        for (what, part) in parts {
            let context = format!("{feed:?} by {method}, {what}");
            let compared = compare_laps(&part, &first, &context);
            assert_eq!(compared.method, method, "{context}");
            same_as_whole(&compared, &whole, within_s, &context);
            check_missing_ranges(&part, &first, &compared, &context);
            assert!((compared.length_m / whole.length_m - 1.0).abs() < 0.02, "{context}");
            assert!(compared.in_metres && compared.track.is_none(), "{context}");
            // The slow places of the complete lap, however little of the other was received.
            let known: Vec<f64> = apexes.iter().map(|apex_m| apex_m * compared.length_m / long_m).collect();
            let found: Vec<f64> = compared.corners.iter().map(|corner| corner.apex_m).collect();
            assert_eq!(found.len(), known.len(), "{context}");
            let off_m =
                found.iter().zip(&known).map(|(found, known)| (found - known).abs()).fold(0.0, f64::max);
            assert!(off_m < 0.01, "{context}: {off_m}");
            assert_eq!(compared.residual_m.is_none(), method == Method::Speed, "{context}");
        }
        // Two partial laps: no complete lap provides a length.
        let (one, other) = (broken_off(&first, 40.0, all), broken_off(&second, 25.0, all));
        let compared = compare_laps(&other, &one, "parts");
        same_as_whole(&compared, &whole, within_s, &format!("{feed:?}: parts by {method}"));
        // Abandoned after a gap: speed alone does not show where.
        let lost = broken_off(&holed(&second, hole_s, behind_s), 0.9 * long_s, all);
        let compared = compare(&lost.columns(), &first.columns());
        assert_eq!(compared.is_err(), method == Method::Speed, "{feed:?}");
    }
}

#[test]
fn laps_compared_by_speed_alone_report_the_residual() {
    for feed in CIRCUIT_FEEDS {
        let laps = simulated_laps(feed, 2, 7_371);
        let [first, second] = [0, 1].map(|lap| laps[lap].only(|_| true, without(SPEED_ONLY)));
        let compared = compare_laps(&second, &first, "by speed");
        let whole = compare_laps(&laps[1], &laps[0], "by position");
        assert_eq!((compared.method, compared.in_metres), (Method::Speed, true), "{feed:?}");
        same_as_whole(&compared, &whole, 0.1, &format!("{feed:?} by speed"));
        let residual_m = compared.residual_m.expect("metres");
        // No two laps have exactly the same length.
        assert!((0.001..60.0).contains(&residual_m), "{feed:?}: {residual_m}");
        let same = compare_laps(&second, &second, "itself");
        assert!(same.delta.iter().all(|(_, delta)| *delta == 0.0) && same.residual_m == Some(0.0));
        let back = compare_laps(&first, &second, "swapped");
        assert_eq!((back.length_m, back.residual_m), (compared.length_m, compared.residual_m), "{feed:?}");
        for ((place, delta), (other, turned)) in compared.delta.iter().zip(&back.delta) {
            assert!(place == other && (delta + turned).abs() < 1e-3, "{feed:?}: {delta} {turned}");
        }
    }
}

#[test]
fn laps_with_only_a_clock_have_no_metres() {
    let laps = simulated_laps(Feed::F1, 1, 7_381);
    let [first, second] = [0, 1].map(|lap| laps[lap].only(|_| true, without(CLOCK_ONLY)));
    let compared = compare_laps(&second, &first, "by the clock");
    assert_eq!(
        (compared.method, compared.residual_m, compared.known_length_m()),
        (Method::Fraction, None, None)
    );
    assert!(compared.corners.is_empty() && !compared.minis.is_empty());
    let official = second.lap.time.expect("a time").minus(first.lap.time.expect("a time")) as f64 / 1e3;
    // With a clock alone, every lap fraction loses the same.
    for (place, delta) in &compared.delta {
        assert!((delta - official * place / compared.length_m).abs() < 2e-3, "{delta} at {place}");
    }
    assert_eq!(compared.delta.last(), Some(&(compared.length_m, official)));
    let part = broken_off(&second, 50.0, all);
    let why = compare(&part.columns(), &first.columns()).map(|_| ()).expect_err("a reason");
    assert_eq!(why, NoComparison::Unplaced);
}

#[test]
fn the_fingerprint_s_answer_is_reported() {
    let laps = simulated_laps(Feed::F1, 1, 7_391);
    let compared = compare_laps(&laps[1], &laps[0], "whole");
    let Some(Answer::Same { shift_m, alike }) = compared.sameness else { panic!("{:?}", compared.sameness) };
    assert!(shift_m.abs() < 40.0 && (0.9..=1.0).contains(&alike), "{shift_m} {alike}");
    let [first, second] = [0, 1].map(|lap| laps[lap].only(|_| true, without(NO_POSITIONS)));
    assert_eq!(compare_laps(&second, &first, "without positions").sameness, None);
}
