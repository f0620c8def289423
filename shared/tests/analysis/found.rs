//! What is found of a lap that is like another but for one thing, and of laps that can't be compared.

use trailbrake_shared::analysis::{
    AsideKind, Cause, Comparison, NoComparison, Placed, ReferenceLine, things,
};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Axis, Channel, Columns, Moment};
use trailbrake_shared::sim::{EarlyBraking, Options, Request};
use trailbrake_shared::time::Micros;

use super::heard::{HeardLap, Hearing, changed, hear};

const LAP: u32 = 2;

fn practice(circuit: usize, seed: u64) -> Options {
    Options { cars: 1, player: 0, circuit, seed, again: false, ..Options::default() }
}

fn heard(feed: Feed, options: Options) -> Vec<HeardLap> {
    hear(&Hearing { feed, options, seconds: 230, hz: 60, noise_m: 0.1, loses: 0.02 }).0
}

fn lap(laps: &[HeardLap], number: u32) -> &HeardLap {
    laps.iter().find(|lap| u32::from(lap.lap.number) == number).expect("the lap")
}

#[test]
fn braking_fifteen_metres_earlier_is_found_as_that_corner_first_of_all() {
    for (feed, circuit, seed, corner) in [
        (Feed::F12018, 0, 31, 5),
        (Feed::GranTurismo, 1, 32, 7),
        (Feed::AcRemote, 2, 33, 3),
        (Feed::AcTelemetryTool, 0, 34, 10),
    ] {
        let usual = heard(feed, practice(circuit, seed));
        let early = EarlyBraking { car: 0, lap: LAP, corner, metres: 15.0 };
        let earlier = heard(feed, Options { early: Some(early), ..practice(circuit, seed) });
        let (usual, earlier) = (lap(&usual, LAP), lap(&earlier, LAP));
        let note = |lap: &HeardLap| {
            let note = lap.known.truth.corners.iter().find(|note| note.corner == corner).copied();
            note.and_then(|note| note.braking).expect("a braking")
        };
        let known_m = note(usual).on_m - note(earlier).on_m;
        let known_s =
            f64::from(earlier.known.truth.time_ms) / 1e3 - f64::from(usual.known.truth.time_ms) / 1e3;
        assert!((known_m - 15.0).abs() < 3.0 && known_s > 0.05, "{feed:?}: {known_m} m, {known_s} s");

        let comparison = Comparison::new(&earlier.columns(), &usual.columns()).expect("a comparison");
        let things = things(&comparison, &[]);
        let first = things.first().expect("a thing");
        let Cause::BrakedEarlier { metres } = first.cause else { panic!("{feed:?}: {first:?}") };
        assert_eq!(first.corner, u16::from(corner), "{feed:?}: {first:?}");
        assert!((metres - known_m).abs() < 1.5, "{feed:?}: {metres} of {known_m} m");
        assert!((first.loss_s - known_s).abs() < 0.03, "{feed:?}: {} of {known_s} s", first.loss_s);
        let name = comparison.corners[usize::from(corner) - 1].title();
        let sentence = first.sentence(&name);
        assert!(
            sentence.starts_with(&format!("Turn {corner} at ")) && sentence.contains(" m earlier, "),
            "{sentence}"
        );
        // What is the same is no loss: the other corners cost nothing worth telling.
        assert!(things.iter().skip(1).all(|thing| thing.loss_s < 0.5 * first.loss_s), "{things:?}");
    }
}

#[test]
fn a_lap_against_itself_is_zero_and_swapping_turns_the_sign() {
    let laps = heard(Feed::F12018, practice(2, 41));
    let [first, second, ..] = laps.as_slice() else { panic!("{} laps", laps.len()) };
    let same = Comparison::new(&first.columns(), &first.columns()).expect("a comparison");
    assert!(same.delta.iter().all(|(_, delta)| *delta == 0.0));
    assert!(same.minis.iter().all(|mini| mini.loss_s == Some(0.0)) && things(&same, &[]).is_empty());
    let there = Comparison::new(&second.columns(), &first.columns()).expect("a comparison");
    let back = Comparison::new(&first.columns(), &second.columns()).expect("a comparison");
    assert!(there.delta.iter().any(|(_, delta)| delta.abs() > 0.01));
    assert_eq!(there.delta.len(), back.delta.len());
    for ((place, delta), (other, turned)) in there.delta.iter().zip(&back.delta) {
        assert!(place == other && (delta + turned).abs() < 1e-3, "{delta} and {turned} at {place}");
    }
}

#[test]
fn a_lap_of_another_track_is_refused_with_a_reason() {
    let one = heard(Feed::F12018, practice(0, 51));
    let other = heard(Feed::F12018, practice(2, 51));
    let refused = Comparison::new(&one[0].columns(), &other[0].columns()).expect_err("a reason");
    assert!(matches!(refused, NoComparison::OtherTrack(_)));
    assert!(refused.to_string().contains("of different tracks: one is 50"), "{refused}");
}

#[test]
fn a_visit_to_the_pits_and_a_detour_are_flagged_and_leave_the_rest_alone() {
    let mut options = practice(0, 81);
    options.requests =
        vec![(120.0, Request::Pit { car: 0, tyres: trailbrake_shared::sim::car::Compound::Soft })];
    let laps = heard(Feed::F12018, options);
    let line = ReferenceLine::learn(&laps[0].columns()).expect("a line");
    let into = laps.iter().find(|lap| lap.known.truth.marks.in_lap).expect("an in-lap");
    let placed = Placed::on_line(&into.columns(), &line, None).expect("placed");
    let [aside] = placed.asides.as_slice() else { panic!("{:?}", placed.asides) };
    assert_eq!(aside.kind, AsideKind::Pits);
    let before_end_m = line.length_m() - aside.from_m;
    // The pit lane leaves the track 300 m before the line.
    assert!((180.0..330.0).contains(&before_end_m), "{before_end_m}");
    assert!(Placed::on_line(&laps[0].columns(), &line, None).expect("placed").asides.is_empty());
}

#[test]
fn a_spin_and_a_cut_are_flagged() {
    let laps = heard(Feed::F12018, practice(0, 91));
    let whole = &laps[1];
    let line = ReferenceLine::learn(&laps[0].columns()).expect("a line");
    // Between 30 and 31 s the nose points backwards.
    let began = whole.columns.seconds()[0];
    let forward = Axis::ALL.map(|axis| Channel::Forward.along(axis));
    let within =
        |row: usize, from: f64, to: f64| (from..to).contains(&(whole.columns.seconds()[row] - began));
    let spun = changed(&whole.columns, |row, slot, value| {
        if forward.contains(&slot) && within(row, 30.0, 31.0) { -value } else { value }
    });
    let spun = HeardLap { lap: whole.lap.clone(), columns: spun, known: whole.known.clone() };
    let placed = Placed::on_line(&spun.columns(), &line, None).expect("placed");
    let [aside] = placed.asides.as_slice() else { panic!("{:?}", placed.asides) };
    let [from, to] = [30.0, 31.0].map(|clock| placed.place_at(clock).expect("a place"));
    assert_eq!(aside.kind, AsideKind::Spin);
    assert!((aside.from_m - from).abs() < 5.0 && (aside.to_m - to).abs() < 5.0, "{aside:?} {from} {to}");

    // From 20 s on, a second is left out: the car leaps along the track faster than it drives.
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
    let cut = HeardLap { lap, columns: cut, known: whole.known.clone() };
    let placed = Placed::on_line(&cut.columns(), &line, None).expect("placed");
    let [aside] = placed.asides.as_slice() else { panic!("{:?}", placed.asides) };
    assert_eq!(aside.kind, AsideKind::Cut);
    let known_m = whole.known.place_at(22.0) - whole.known.place_at(20.0);
    assert!((aside.to_m - aside.from_m - known_m).abs() < 10.0, "{aside:?} {known_m}");
}
