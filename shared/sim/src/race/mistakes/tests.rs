use std::sync::OnceLock;

use super::super::super::circuit::{CIRCUITS, Corner};
use super::super::super::truth::{BrakingNote, CornerNote, LapTruth};
use super::super::{Finish, Options, Race, Start, start, step};
use super::*;

/// Circuits and corners that need braking: a hairpin, and a corner of medium speed.
const PLACES: [(usize, u8); 2] = [(0, 5), (2, 6)];
/// The lap with the mistake.
const LAP: u32 = 2;

/// The car at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    lap_m: f64,
    speed_ms: f64,
    throttle: f64,
    brake: f64,
    gear: i8,
    /// Offset to the left of the racing line, in metres.
    offset_m: f64,
    deployed_j: f64,
}

/// The laps of a drive until the one with the mistakes, and each step of that one.
struct Drive {
    laps: Vec<LapTruth>,
    samples: Vec<Sample>,
}

/// A drive with one mistake, and the same drive without it.
struct Planted {
    corner: Corner,
    usual: &'static Drive,
    worse: Drive,
}

fn drive(circuit: usize, mistakes: Vec<Mistake>) -> Drive {
    let alone = Options { seed: 31, cars: 1, player: 0, again: false, ..Options::default() };
    let mut race = start(Options { circuit, mistakes, ..alone });
    let mut samples = Vec::new();
    while race.truth().sessions[0].finished.len() < LAP as usize {
        step(&mut race);
        if race.now.racers[0].timing.lap == LAP {
            samples.push(sample(&race));
        }
    }
    Drive { laps: race.truth().sessions[0].finished.clone(), samples }
}

fn sample(race: &Race) -> Sample {
    let car = &race.now.racers[0].car;
    let lap_m = car.lap_m(&race.circuit);
    Sample {
        lap_m,
        speed_ms: car.speed_ms,
        throttle: car.throttle,
        brake: car.brake,
        gear: car.engine.gear,
        offset_m: car.offset_m - race.circuit.racing_line_m(lap_m),
        deployed_j: car.engine.deployed_j,
    }
}

fn usual(circuit: usize) -> &'static Drive {
    static USUAL: [OnceLock<Drive>; 3] = [const { OnceLock::new() }; 3];
    USUAL[circuit].get_or_init(|| drive(circuit, Vec::new()))
}

/// Plants a mistake in both places. Checks that it changes nothing before the corner, and costs time.
fn plant(what: MistakeKind) -> Vec<Planted> {
    let place = |(circuit, corner): (usize, u8)| {
        let worse = drive(circuit, vec![Mistake { car: 0, lap: LAP, corner, what }]);
        let corners = Circuit::new(&CIRCUITS[circuit]).corners;
        let index = usize::from(corner) - 1;
        let planted = Planted { corner: corners[index], usual: usual(circuit), worse };
        let (usual, worse) = (&planted.usual, &planted.worse);
        assert_eq!(usual.laps[0], worse.laps[0], "{what:?}");
        assert_eq!(usual.laps[1].corners[..index], worse.laps[1].corners[..index], "{what:?}");
        let same = usual.samples.iter().zip(&worse.samples).take_while(|(usual, worse)| usual == worse);
        let same_m = usual.samples[same.count()].lap_m;
        assert!(same_m > corners[index - 1].exit_m, "{what:?} begins at {same_m} m");
        assert!(planted.lost_ms() > 10, "{what:?} costs {} ms in corner {corner}", planted.lost_ms());
        planted
    };
    PLACES.into_iter().map(place).collect()
}

impl Planted {
    fn lost_ms(&self) -> i64 {
        i64::from(self.worse.laps[1].time_ms) - i64::from(self.usual.laps[1].time_ms)
    }

    /// A value of the corner's note: usually, and with the mistake.
    fn both(&self, of: impl Fn(&CornerNote) -> f64) -> [f64; 2] {
        let index = usize::from(self.corner.number) - 1;
        [self.usual, &self.worse].map(|drive| of(&drive.laps[1].corners[index]))
    }

    /// How much more of it there is with the mistake.
    fn more(&self, of: impl Fn(&CornerNote) -> f64) -> f64 {
        let [usual, worse] = self.both(of);
        worse - usual
    }

    fn more_of_braking(&self, of: impl Fn(&BrakingNote) -> f64) -> f64 {
        self.more(|note| of(&note.braking.expect("a braking")))
    }

    /// The steps with the mistake between two distances.
    fn between(&self, from_m: f64, to_m: f64) -> impl Iterator<Item = &Sample> {
        self.worse.samples.iter().filter(move |sample| (from_m..to_m).contains(&sample.lap_m))
    }
}

#[test]
fn late_brakes_lead_to_a_later_and_lower_minimum_speed() {
    for planted in plant(MistakeKind::BrakesLate(5.0)) {
        let later_m = planted.more_of_braking(|braking| braking.on_m);
        assert!((later_m - 5.0).abs() < 1.0, "{later_m}");
        assert!(planted.more_of_braking(|braking| braking.release_m) > 3.0);
        let [lower_ms, later_m] =
            [planted.more(|note| note.min_speed_ms), planted.more(|note| note.min_speed_m)];
        assert!(lower_ms < -0.5 && later_m > 3.0, "{lower_ms} m/s {later_m} m later");
        assert!(planted.more(|note| note.exit_speed_ms) < -0.5);
        assert!(planted.worse.laps[1].excursions.is_empty());
    }
}

#[test]
fn soft_brakes_come_sooner_and_lead_to_the_usual_minimum_speed() {
    for planted in plant(MistakeKind::BrakesSoftly(0.7)) {
        let [usual, peak] = planted.both(|note| note.braking.expect("a braking").peak);
        assert!((peak / usual - 0.7).abs() < 0.02, "{peak} of {usual}");
        assert!(planted.more_of_braking(|braking| braking.on_m) < -15.0);
        assert!(planted.more(|note| note.min_speed_ms).abs() < 0.3);
        assert!(planted.more(|note| note.exit_speed_ms).abs() < 0.3);
    }
}

#[test]
fn a_brake_that_is_built_up_slowly_comes_sooner() {
    for seconds in [0.4, 0.7] {
        for planted in plant(MistakeKind::BuildsUpSlowly(seconds)) {
            let Corner { entry_m, apex_m, .. } = planted.corner;
            let braking: Vec<f64> =
                planted.between(entry_m - 250.0, apex_m).map(|sample| sample.brake).collect();
            let peak = braking.iter().copied().fold(0.0, f64::max);
            let on = braking.iter().position(|brake| *brake > 0.0).expect("a braking");
            let peaked = braking.iter().position(|brake| *brake > 0.98 * peak).expect("a peak");
            let took_s = (peaked - on) as f64 * super::super::steps::DT;
            assert!((0.8 * seconds..1.05 * seconds).contains(&took_s), "{took_s} of {seconds} s");
            assert!(peak > 0.8, "{peak}");
            assert!(planted.more_of_braking(|braking| braking.on_m) < -4.0);
            assert!(planted.more(|note| note.min_speed_ms).abs() < 0.8);
        }
    }
}

#[test]
fn an_early_release_is_followed_by_neither_pedal() {
    for metres in [10.0, 20.0] {
        for planted in plant(MistakeKind::ReleasesEarly(metres)) {
            let [on_m, release_m] = [
                planted.more_of_braking(|braking| braking.on_m),
                planted.more_of_braking(|braking| braking.release_m),
            ];
            assert!((release_m + metres).abs() < 5.0 && on_m < -3.0, "{on_m} {release_m} for {metres} m");
            let [_, released_m] = planted.both(|note| note.braking.expect("a braking").release_m);
            let mut rolls = planted.between(released_m + 2.0, released_m + metres);
            assert!(rolls.all(|sample| sample.throttle == 0.0 && sample.brake == 0.0));
            assert!(planted.more(|note| note.min_speed_ms).abs() < 1.2);
        }
    }
}

#[test]
fn a_wide_line_is_beside_the_usual_one_at_the_apex_and_not_before() {
    for planted in plant(MistakeKind::DrivesWide(2.0)) {
        let to_edge_m = planted.more(|note| note.apex_to_edge_m);
        assert!((to_edge_m - 2.0).abs() < 0.4, "{to_edge_m}");
        let Corner { entry_m, exit_m, .. } = planted.corner;
        let offsets = |from_m, to_m| planted.between(from_m, to_m).map(|sample| sample.offset_m.abs());
        assert!(offsets(entry_m - 150.0, entry_m - 80.0).all(|offset_m| offset_m < 0.6));
        assert!(offsets(exit_m + 80.0, exit_m + 150.0).all(|offset_m| offset_m < 0.6));
        assert!(planted.worse.laps[1].excursions.is_empty());
    }
}

#[test]
fn a_second_lift_comes_once_and_lasts() {
    for planted in plant(MistakeKind::LiftsAgain(0.4)) {
        let Corner { apex_m, exit_m, .. } = planted.corner;
        assert_eq!(planted.more(|note| note.throttle_on_m.unwrap_or_default()), 0.0);
        assert_eq!(planted.more(|note| note.min_speed_ms), 0.0);
        let exit: Vec<&Sample> = planted.between(apex_m, exit_m + 100.0).collect();
        let pressed = exit.iter().position(|sample| sample.throttle > 0.6).expect("throttle");
        let off: Vec<bool> = exit[pressed..].iter().map(|sample| sample.throttle < 0.1).collect();
        let off_s = off.iter().filter(|off| **off).count() as f64 * super::super::steps::DT;
        assert_eq!(off.chunk_by(|a, b| a == b).filter(|part| part[0]).count(), 1);
        assert!((0.38..0.5).contains(&off_s), "{off_s}");
    }
}

#[test]
fn half_the_throttle_ends_behind_the_corner() {
    for planted in plant(MistakeKind::HalfThrottle(0.5)) {
        let Corner { apex_m, exit_m, .. } = planted.corner;
        assert!(planted.between(apex_m, exit_m + 60.0).all(|sample| sample.throttle <= 0.5));
        assert!(planted.between(exit_m + 60.0, exit_m + 110.0).any(|sample| sample.throttle > 0.9));
        assert_eq!(planted.more(|note| note.min_speed_ms), 0.0);
    }
}

#[test]
fn a_gear_that_is_too_high_drives_less_until_it_fits() {
    for steps in [1, 2] {
        for planted in plant(MistakeKind::HighGear(steps)) {
            let Corner { exit_m, .. } = planted.corner;
            let gear_at = |drive: &Drive, lap_m: f64| {
                drive.samples.iter().find(|sample| sample.lap_m >= lap_m).expect("a sample").gear
            };
            let [usual_m, _] = planted.both(|note| note.min_speed_m);
            let [usual, worse] = [planted.usual, &planted.worse].map(|drive| gear_at(drive, usual_m));
            assert_eq!(worse, usual + steps as i8);
            let mut gears: Vec<i8> =
                planted.between(usual_m, exit_m + 150.0).map(|sample| sample.gear).collect();
            gears.dedup();
            assert!(gears.is_sorted(), "{gears:?}");
            assert!(planted.more(|note| note.exit_speed_ms) < -0.4);
            assert_eq!(planted.more_of_braking(|braking| braking.release_m), 0.0);
        }
    }
}

#[test]
fn energy_is_not_deployed_until_the_next_corner() {
    for planted in plant(MistakeKind::DeploysLess) {
        let Corner { exit_m, number, .. } = planted.corner;
        let spent = |drive: &Drive| {
            let next_m = planted.usual.laps[1].corners[usize::from(number)].min_speed_m.min(exit_m + 150.0);
            let at =
                |lap_m: f64| drive.samples.iter().find(|sample| sample.lap_m >= lap_m).expect("a sample");
            at(next_m).deployed_j - at(exit_m + 2.0).deployed_j
        };
        assert!(spent(planted.usual) > 1e3, "{}", spent(planted.usual));
        assert_eq!(spent(&planted.worse), 0.0);
        assert_eq!(planted.more(|note| note.exit_speed_ms), 0.0);
        let [usual, worse] =
            [planted.usual, &planted.worse].map(|drive| drive.samples.last().expect("a sample").deployed_j);
        assert!(worse < usual, "{worse} of {usual} J");
    }
}

#[test]
fn three_mistakes_in_one_lap_are_made_each_in_its_corner() {
    let planted = [
        (1, MistakeKind::BrakesSoftly(0.7)),
        (5, MistakeKind::ReleasesEarly(10.0)),
        (10, MistakeKind::LiftsAgain(0.4)),
    ];
    let mistakes = planted.map(|(corner, what)| Mistake { car: 0, lap: LAP, corner, what });
    let three = drive(0, mistakes.to_vec());
    let [usual, worse] = [usual(0), &three].map(|drive| &drive.laps[1]);
    let braking = |lap: &LapTruth, corner: usize| lap.corners[corner - 1].braking.expect("a braking");
    assert!((braking(worse, 1).peak / braking(usual, 1).peak - 0.7).abs() < 0.02);
    assert!(braking(worse, 5).peak > 0.95);
    let later_m = braking(worse, 5).release_m - braking(usual, 5).release_m;
    assert!((later_m + 10.0).abs() < 5.0, "{later_m}");
    assert!((braking(worse, 10).release_m - braking(usual, 10).release_m).abs() < 2.0);
    let lost_ms = worse.time_ms - usual.time_ms;
    assert!((300..1_500).contains(&lost_ms), "{lost_ms}");
}

#[test]
fn mistakes_of_others_in_other_laps_and_in_no_corner_change_nothing() {
    let what = MistakeKind::BrakesSoftly(0.5);
    let mistakes = vec![
        Mistake { car: 1, lap: LAP, corner: 5, what },
        Mistake { car: 0, lap: LAP + 1, corner: 5, what },
        Mistake { car: 0, lap: LAP, corner: 99, what },
    ];
    let drive = drive(0, mistakes);
    assert_eq!(drive.laps, usual(0).laps);
    assert_eq!(drive.samples, usual(0).samples);
}

#[test]
fn a_rally_driver_makes_them_in_the_first_lap() {
    let time_ms = |mistakes| {
        let stage = Start::Stage(Finish::Completed);
        let mut race = start(Options { seed: 3, start: stage, again: false, mistakes, ..Options::default() });
        while race.truth().sessions[0].stage_runs.is_empty() {
            step(&mut race);
        }
        race.truth().sessions[0].stage_runs[0].time_ms.expect("a time")
    };
    let planted = [
        (3, MistakeKind::LiftsAgain(0.3)),
        (5, MistakeKind::BrakesSoftly(0.6)),
        (9, MistakeKind::HighGear(1)),
    ];
    let mistakes = planted.map(|(corner, what)| Mistake { car: 0, lap: 1, corner, what });
    let (usual_ms, worse_ms) = (time_ms(Vec::new()), time_ms(mistakes.to_vec()));
    assert!((500..4_000).contains(&(worse_ms - usual_ms)), "{usual_ms} {worse_ms}");
}
