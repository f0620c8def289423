//! A race from the grid in the packet sizes without a lap clock, compared with the size that has one.

use trailbrake_shared::analysis::{Comparison, LapColumns, NoDelta, compare};
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::sim::gran_turismo::Dialect;
use trailbrake_shared::sim::{Options, Request};

use super::{CAR, DecodedRun, decode, race};

const WITHOUT_CLOCK: [Dialect; 3] =
    [Dialect::Gt7With(Letter::A), Dialect::Gt7With(Letter::B), Dialect::Gt7With(Letter::Tilde)];
/// Two packets: the official time is not a whole number of ticks.
const NEAR_S: f64 = 2.0 / 60.0;

fn lap<'a>(decoded: &'a DecodedRun, number: u16) -> (&'a Lap, LapColumns<'a>) {
    let car = decoded.session().car(CAR).expect("the car");
    let lap = car.laps.finished().iter().find(|lap| lap.number == number).expect("the lap");
    (lap, LapColumns::new(lap, car.traces.lap(lap.serial).expect("its columns")))
}

/// The second lap compared with the first, both as received.
fn compare_laps(decoded: &DecodedRun) -> Comparison {
    let [(_, first), (_, second)] = [lap(decoded, 1), lap(decoded, 2)];
    compare(&second, &first).expect("a comparison")
}

fn check(options: &Options, seconds: f64, pause_s: f64) {
    let clocked = decode(Dialect::Gt7, options.clone(), seconds, false, Vec::new());
    let (expected, expected_rows) = lap(&clocked, 1);
    let expected_delta = compare_laps(&clocked);
    for dialect in WITHOUT_CLOCK {
        let decoded = decode(dialect, options.clone(), seconds, false, Vec::new());
        let (first, rows) = lap(&decoded, 1);
        assert!((first.began_s - expected.began_s).abs() < NEAR_S, "{dialect:?}: {first:?}, {expected:?}");
        assert_eq!((first.time, first.flags), (expected.time, expected.flags), "{dialect:?}");
        let time_s = first.time.expect("an official time").seconds();
        let driven_s = first.ended_s.expect("an end") - first.began_s - pause_s;
        assert!((driven_s - time_s).abs() < NEAR_S, "{dialect:?}: {driven_s} s of {time_s} s");

        // The lap is complete, with the lap clock that packet C sends.
        assert!(rows.clock_s()[0] < NEAR_S, "{dialect:?}: {}", rows.clock_s()[0]);
        assert!(rows.len().abs_diff(expected_rows.len()) <= 2, "{dialect:?}");
        let apart = rows.clock_s().iter().rev().zip(expected_rows.clock_s().iter().rev());
        let most = apart.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(most < NEAR_S, "{dialect:?}: clocks differ by {most} s");

        let comparison = compare_laps(&decoded);
        assert_eq!(comparison.delta.len(), expected_delta.delta.len(), "{dialect:?}");
        for ((place_m, delta_s), (_, expected_s)) in comparison.delta.iter().zip(&expected_delta.delta) {
            assert!(
                (delta_s - expected_s).abs() < 0.05,
                "{dialect:?}: {delta_s} s, {expected_s} s at {place_m} m"
            );
        }
        for (mini, expected) in comparison.minis.iter().zip(&expected_delta.minis) {
            let lost = mini.loss_s.unwrap_or_default() - expected.loss_s.unwrap_or_default();
            assert!(lost.abs() < 0.05, "{dialect:?}: {mini:?}, {expected:?}");
        }
    }
}

#[test]
fn the_first_lap_of_a_race_begins_at_the_lights_with_and_without_a_lap_clock() {
    check(&race(2), 240.0, 0.0);
}

#[test]
fn a_pause_takes_none_of_the_first_lap() {
    let requests = vec![(60.0, Request::Pause { seconds: 20.0 })];
    check(&Options { requests, ..race(2) }, 260.0, 20.0);
}

#[test]
fn no_clock_is_shown_until_the_official_time_says_when_the_lights_went_out() {
    let decoded = decode(Dialect::Gt7With(Letter::A), race(2), 60.0, false, Vec::new());
    let car = decoded.session().car(CAR).expect("the car");
    assert_eq!(car.progress().expect("progress").clock, None);
    assert_eq!(decoded.session().live_comparison().delta(), Err(NoDelta::NoClock));
    assert!(!car.laps.current().expect("a lap").flags.has(LapFlag::Incomplete));
}
