//! Laps that differ in one respect only, and laps that can't be compared.

use std::sync::Arc;

use trailbrake_shared::analysis::{
    Combo, ExcursionKind, Method, NoComparison, PlacedLap, ReferenceLine, TrackBook, compare, compare_combos,
};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Channel, Columns, Moment};
use trailbrake_shared::sim::{Options, Request};
use trailbrake_shared::time::Micros;

use super::simulated::{SimulatedLap, Simulation, simulated_once};
use crate::circuit_feeds::CIRCUIT_FEEDS;

fn practice(circuit: usize, seed: u64) -> Options {
    Options { cars: 1, player: 0, circuit, seed, again: false, ..Options::default() }
}

fn simulated_laps(feed: Feed, options: Options) -> Arc<Vec<SimulatedLap>> {
    simulated_once(&Simulation { feed, options, seconds: 230, hz: 60, noise_m: 0.1, loses: 0.02 })
}

#[test]
fn a_lap_of_another_track_is_refused_with_a_reason() {
    for (feed, other) in CIRCUIT_FEEDS.into_iter().flat_map(|feed| CIRCUIT_FEEDS.map(|other| (feed, other))) {
        let one = simulated_laps(feed, practice(0, 51));
        let other = simulated_laps(other, practice(2, 51));
        let refused = compare(&one[0].columns(), &other[0].columns()).expect_err("a reason");
        assert!(matches!(refused, NoComparison::OtherTrack(_)));
        assert!(refused.to_string().contains("of different tracks: one is 50"), "{refused}");
    }
}

#[test]
fn laps_of_different_tracks_are_laid_side_by_side_by_their_shares_where_somebody_wants_it() {
    let unknown = Combo::default();
    for feed in CIRCUIT_FEEDS {
        let (one, other) = (simulated_laps(feed, practice(0, 51)), simulated_laps(feed, practice(2, 51)));
        let (one, other) = (one[0].columns(), other[0].columns());
        let laps = [(&one, &unknown), (&other, &unknown)];
        let why = compare_combos(laps, &TrackBook::default(), false).expect_err("a reason");
        let compared = compare_combos(laps, &TrackBook::default(), true).expect("a comparison");
        assert_eq!(compared.strangers, Some(why));
        assert_ne!(compared.method, Method::Position);
        // A place on one track has no counterpart on the other, so there is no corner analysis.
        assert!(compared.corners.is_empty() && compared.losses.is_empty() && compared.straights.is_empty());
        assert!(compared.ledger.rows.is_empty());
        let [lap, reference] = &compared.placed;
        assert_eq!(lap.length_m, reference.length_m);
        for placed in [lap, reference] {
            let end = placed.distance_m.last().expect("a row") / placed.length_m;
            assert!((0.99..1.01).contains(&end), "{feed:?}: {end}");
        }
        let apart = one.time.zip(other.time).map(|(one, other)| one.minus(other) as f64 / 1e3);
        assert_eq!(compared.delta.last().map(|(_, delta)| *delta), apart, "{feed:?}");
        // Laps of one track are still compared by position if lap fractions are allowed.
        let same = compare_combos([(&one, &unknown), (&one, &unknown)], &TrackBook::default(), true)
            .expect("a comparison");
        assert_eq!((same.strangers, same.method), (None, Method::Position));
    }
}

#[test]
fn names_tell_tracks_apart_where_no_positions_do() {
    let laps = simulated_laps(Feed::F1, practice(0, 51));
    let SimulatedLap { lap, columns, known } = &laps[0];
    let columns = without_positions(columns);
    let lap = SimulatedLap { lap: lap.clone(), columns, known: known.clone() };
    let at = |track: &str| Combo { track: Some(track.to_owned()), ..Combo::default() };
    let (spa, monza) = (at("Spa"), at("Monza"));
    let between = |lap: &SimulatedLap, there: &Combo| {
        compare_combos([(&lap.columns(), &spa), (&laps[1].columns(), there)], &TrackBook::default(), false)
    };
    assert_eq!(between(&lap, &monza).map(|_| ()), Err(NoComparison::OtherName));
    assert!(between(&lap, &spa).is_ok());
    assert!(between(&laps[0], &monza).is_ok(), "positions show that it is the same track");
}

pub(super) fn without_positions(columns: &Columns) -> Columns {
    let mut without = Columns::default();
    let slots: Vec<_> = columns.slots().filter(|slot| slot.channel() != Channel::Position).collect();
    for (row, seconds) in (0..).zip(columns.seconds()) {
        let moment = Moment { at: Micros(0), session_time: Some(*seconds), frame: Some(row as u32) };
        let values = slots.iter().filter_map(|slot| Some((*slot, columns.value(*slot, row)?)));
        without.push(moment, values.collect::<Vec<_>>());
    }
    without
}

#[test]
fn a_visit_to_the_pits_and_a_detour_are_flagged_and_leave_the_rest_alone() {
    let mut options = practice(0, 81);
    options.requests =
        vec![(120.0, Request::Pit { car: 0, tyres: trailbrake_shared::sim::car::Compound::Soft })];
    let laps = simulated_laps(Feed::F1, options);
    let line = ReferenceLine::learn(&laps[0].columns()).expect("a line");
    let into = laps.iter().find(|lap| lap.known.truth.marks.in_lap).expect("an in-lap");
    let placed = PlacedLap::on_line(&into.columns(), &line, None).expect("placed");
    let [excursion] = placed.excursions.as_slice() else { panic!("{:?}", placed.excursions) };
    assert_eq!(excursion.kind, ExcursionKind::Pits);
    let before_end_m = line.length_m() - excursion.from_m;
    // The pit lane leaves the track 300 m before the line.
    assert!((180.0..330.0).contains(&before_end_m), "{before_end_m}");
    assert!(PlacedLap::on_line(&laps[0].columns(), &line, None).expect("placed").excursions.is_empty());
}

#[test]
fn a_car_that_is_put_further_on_has_cut() {
    let laps = simulated_laps(Feed::F1, practice(0, 91));
    let whole = &laps[1];
    let line = ReferenceLine::learn(&laps[0].columns()).expect("a line");
    let began = whole.columns.seconds()[0];
    // One second is removed at 20 s: the car moves along the track faster than it drives.
    let mut cut = Columns::default();
    for (row, seconds) in whole.columns.seconds().iter().enumerate() {
        let clock = seconds - began;
        if (20.0..22.0).contains(&clock) {
            continue;
        }
        let earlier = if clock >= 22.0 { 2.0 - 1.0 / 60.0 } else { 0.0 };
        let moment = Moment { at: Micros(0), session_time: Some(seconds - earlier), frame: Some(row as u32) };
        let values: Vec<_> = whole
            .columns
            .slots()
            .filter(|slot| slot.channel() != Channel::LapClock)
            .filter_map(|slot| Some((slot, whole.columns.value(slot, row)?)))
            .collect();
        cut.push(moment, values);
    }
    let mut lap = whole.lap.clone();
    lap.time = None;
    let cut = SimulatedLap { lap, columns: cut, known: whole.known.clone() };
    let placed = PlacedLap::on_line(&cut.columns(), &line, None).expect("placed");
    let [excursion] = placed.excursions.as_slice() else { panic!("{:?}", placed.excursions) };
    assert_eq!(excursion.kind, ExcursionKind::Cut);
    let known_m = whole.known.place_at(22.0) - whole.known.place_at(20.0);
    assert!((excursion.to_m - excursion.from_m - known_m).abs() < 10.0, "{excursion:?} {known_m}");
}
