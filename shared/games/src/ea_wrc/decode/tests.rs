//! Packets made for what happens on a stage.

use proptest::prelude::*;
use trailbrake_model::time::LapTime;
use trailbrake_model::{LapProgress, ResultStatus};
use trailbrake_sink::Recorder;

use super::super::structure::Structure;
use super::*;

const LENGTH_M: f64 = 4000.0;

/// A decoder, what it has pushed, and the time.
struct Drive {
    structure: Structure<'static>,
    decoder: Decoder,
    recorder: Recorder,
    at: Micros,
}

impl Drive {
    fn new(structure: Structure<'static>) -> Self {
        let (decoder, recorder) = Default::default();
        Self { structure, decoder, recorder, at: Micros(1_000_000) }
    }

    fn marked() -> Self {
        Self::new(Structure::EVERYTHING)
    }

    /// Receives a packet so many seconds after the one before.
    fn take(&mut self, seconds: f64, mark: SessionMark, numbers: &Numbers) {
        self.at = self.at.plus_seconds(seconds);
        let mark = if self.structure == Structure::WRC { Vec::new() } else { mark.bytes().to_vec() };
        let bytes = [mark, self.structure.write(numbers)].concat();
        self.decoder.receive(self.at, &bytes, &mut self.recorder).expect("a packet");
    }

    fn update(&mut self, numbers: &Numbers) {
        self.take(0.1, SessionMark::Update, numbers);
    }

    /// Waits at the start for a second.
    fn wait(&mut self, total_s: f64) {
        (0..10).for_each(|step| self.update(&car(total_s + f64::from(step) / 10.0, 0.0)));
    }

    /// Drives at 40 m/s from one time of the stage to another, ten packets a second, changed by `with`.
    fn drive(&mut self, start_s: f64, from_s: f64, to_s: f64, with: impl Fn(&mut Numbers)) {
        for step in 0..=((to_s - from_s) * 10.0).round() as u32 {
            let stage_s = from_s + f64::from(step) / 10.0;
            let mut numbers = car(start_s + stage_s, stage_s);
            with(&mut numbers);
            self.update(&numbers);
        }
    }

    fn last(&self) -> LapProgress {
        *self.recorder.progress.last().expect("progress")
    }

    fn kinds(&self) -> Vec<EventKind> {
        self.recorder.kinds().to_vec()
    }
}

/// A car headed along z at 40 m/s, at this time of the game and of the stage.
fn car(total_s: f64, stage_s: f64) -> Numbers {
    let mut numbers = Numbers::default();
    for (field, number) in [
        (Field::GameTotalTime, total_s),
        (Field::GameFrameCount, (total_s * 60.0).round()),
        (Field::ShiftlightsFraction, 0.25),
        (Field::ShiftlightsRpmEnd, 7000.0),
        (Field::ShiftlightsRpmValid, 1.0),
        (Field::GearIndex, 4.0),
        (Field::GearIndexReverse, 10.0),
        (Field::GearMaximum, 5.0),
        (Field::Speed, 40.0),
        (Field::PositionZ, 40.0 * stage_s),
        (Field::VelocityZ, 40.0),
        (Field::LeftDirectionX, 1.0),
        (Field::ForwardDirectionZ, 1.0),
        (Field::UpDirectionY, 1.0),
        (Field::EngineRpmMax, 8500.0),
        (Field::EngineRpmIdle, 2250.0),
        (Field::EngineRpmCurrent, 5000.0 + total_s),
        (Field::StageCurrentTime, stage_s),
        (Field::StageCurrentDistance, 40.0 * stage_s),
        (Field::StageLength, LENGTH_M),
        (Field::VehicleId, 104.0),
        (Field::VehicleClassId, 19.0),
        (Field::LocationId, 27.0),
        (Field::RouteId, 361.0),
    ] {
        numbers.set(field, number);
    }
    numbers
}

fn finished(time_s: f64) -> impl Fn(&mut Numbers) {
    move |numbers| {
        numbers.set(Field::StageResultStatus, 1.0);
        numbers.set(Field::StageResultTime, time_s);
    }
}

use EventKind::{Abandoned, Finished, Go, Paused, Penalty, Recovered, Restarted, Resumed, SessionStarted};

#[test]
fn values_are_on_the_axes_of_the_model() {
    let mut drive = Drive::marked();
    let mut numbers = car(100.0, 10.0);
    for (field, number) in [
        (Field::AccelerationX, 9.806_65),
        (Field::AccelerationY, 0.5 * 9.806_65),
        (Field::AccelerationZ, -2.0 * 9.806_65),
        (Field::VelocityX, 3.0),
        (Field::HubPositionBl, -0.1),
        (Field::HubPositionFr, 0.05),
        (Field::CpForwardSpeedBr, 41.0),
        (Field::BrakeTemperatureFl, 250.0),
        (Field::Steering, 0.5),
        (Field::Clutch, 1.0),
        (Field::StageProgress, 1.4),
        (Field::TyreStateFl, 2.0),
        (Field::ClusterAbs, 1.0),
    ] {
        numbers.set(field, number);
    }
    drive.update(&numbers);
    for (id, expected) in [
        ("g_lateral", 1.0),
        ("g_vertical", 0.5),
        ("g_longitudinal", -2.0),
        ("local_velocity_x", 3.0),
        ("local_velocity_z", 40.0),
        ("right_x", -1.0),
        ("forward_z", 1.0),
        ("up_y", 1.0),
        ("position_z", 400.0),
        ("suspension_position_rl", -0.1),
        ("suspension_position_fr", 0.05),
        ("wheel_speed_rr", 41.0),
        ("brake_temperature_fl", 250.0),
        ("steering", 0.5),
        ("clutch", 1.0),
        ("gear", 4.0),
        ("rev_lights", 0.25),
        ("shift_rpm", 7000.0),
        ("stage_progress", 1.0),
        ("tyre_damage_fl", 1.0),
        ("tyre_damage_fr", 0.0),
        ("abs_active", 1.0),
        ("lap_clock", 10.0),
        ("lap_distance", 400.0),
    ] {
        assert!((drive.recorder.value(id) - expected).abs() < 1e-5, "{id}: {}", drive.recorder.value(id));
    }
    assert_eq!(drive.recorder.samples[0].0.frame, Some(6000));
}

#[test]
fn neutral_and_reverse_are_what_the_packet_names() {
    for (index, gear) in [(0.0, 0.0), (10.0, -1.0), (1.0, 1.0), (5.0, 5.0)] {
        let mut drive = Drive::marked();
        let mut numbers = car(100.0, 10.0);
        numbers.set(Field::GearIndex, index);
        drive.update(&numbers);
        assert_eq!(drive.recorder.value("gear"), gear);
    }
}

#[test]
fn shift_lights_that_are_not_valid_are_absent() {
    let mut drive = Drive::new(Structure::WRC);
    let mut numbers = car(100.0, 10.0);
    numbers.set(Field::ShiftlightsRpmValid, 0.0);
    drive.update(&numbers);
    assert_eq!((drive.recorder.newest("rev_lights"), drive.recorder.newest("abs_active")), (None, None));
    assert_eq!(drive.recorder.value("stage_progress"), 0.1, "by distance");
}

#[test]
fn stage_and_car_are_known_by_their_numbers_or_their_shape() {
    let facts = |structure: Structure<'static>| {
        let mut drive = Drive::new(structure);
        drive.wait(100.0);
        let session = drive.recorder.session().clone();
        let vehicle = drive.recorder.newest_vehicle().expect("a car").clone();
        let rules = drive.recorder.facts.iter().find_map(|fact| match fact {
            Fact::Rules(rules) => {
                Some(rules.iter().map(|rule| format!("{}: {}", rule.rule, rule.setting)).collect())
            }
            _ => None,
        });
        (session.track.expect("a track").id, session.track_length_m, vehicle.id, vehicle.class, rules)
    };
    let text = |text: &str| Some(text.to_owned());
    let rules = vec!["Shakedown: no".to_owned(), "Mode: time trial".to_owned()];
    assert_eq!(
        facts(Structure::EVERYTHING),
        ("27/361".to_owned(), Some(4000.0), text("104"), text("19"), Some(rules.clone()))
    );
    assert_eq!(facts(Structure::WITH_IDS).4, Some(rules[..1].to_vec()));
    let by_shape = ("4000.00@0".to_owned(), Some(4000.0), text("8500/2250/5"), None, None);
    assert_eq!(facts(Structure::WRC), by_shape);
}

#[test]
fn a_stage_begins_at_the_signal_and_has_its_official_time() {
    let mut drive = Drive::marked();
    drive.take(0.1, SessionMark::Start, &Numbers::default());
    drive.wait(99.0);
    assert_eq!(drive.recorder.progress.len(), 0);
    drive.drive(100.0, 0.1, 100.5, |_| ());
    // The clock runs on behind the line, and the time is shown some packets later.
    assert_eq!(drive.kinds(), [SessionStarted, Go]);
    drive.drive(100.0, 100.6, 102.0, finished(99.987));
    let time = Some(LapTime(99_987));
    assert_eq!(drive.kinds(), [SessionStarted, Go, Finished { time }]);
    let last = drive.last();
    assert_eq!((last.lap, last.last_lap, last.result), (1, time, ResultStatus::Finished));
    assert_eq!(last.distance, Some(4000.0));
}

#[test]
fn without_an_official_time_the_clock_at_the_line_is_the_time() {
    let mut drive = Drive::new(Structure::WRC);
    drive.wait(99.0);
    // The line is between two packets.
    drive.drive(100.0, 0.05, 99.95, |_| ());
    assert_eq!(drive.kinds(), [SessionStarted, Go]);
    drive.drive(100.0, 100.05, 101.0, |_| ());
    assert_eq!(drive.kinds(), [SessionStarted, Go, Finished { time: Some(LapTime(100_000)) }]);
    // With fields for it that stay empty, some seconds later.
    let mut drive = Drive::marked();
    drive.drive(100.0, 0.05, 101.0, |_| ());
    assert_eq!(drive.kinds(), [SessionStarted]);
    drive.drive(100.0, 101.1, 103.0, |_| ());
    assert_eq!(drive.kinds(), [SessionStarted, Finished { time: Some(LapTime(100_000)) }]);
}

#[test]
fn the_end_of_the_session_has_the_sure_time() {
    let mut drive = Drive::marked();
    drive.wait(99.0);
    drive.drive(100.0, 0.1, 100.5, |_| ());
    let mut end = car(200.6, 100.6);
    finished(99.9)(&mut end);
    // The game repeats it.
    (0..3).for_each(|_| drive.take(0.1, SessionMark::End, &end));
    let time = Some(LapTime(99_900));
    assert_eq!(drive.kinds(), [SessionStarted, Go, Finished { time }]);
    assert_eq!(drive.last().last_lap, time);
    // It corrects the one before.
    let mut drive = Drive::marked();
    drive.drive(100.0, 0.1, 103.0, |_| ());
    assert_eq!(drive.last().last_lap, Some(LapTime(100_000)));
    drive.take(0.1, SessionMark::End, &end);
    assert_eq!(drive.last().last_lap, time);
    let finishes = drive.kinds().iter().filter(|kind| matches!(kind, Finished { .. })).count();
    assert_eq!(finishes, 1);
}

#[test]
fn a_stage_left_early_is_abandoned_with_its_result() {
    for (status, result) in
        [(2.0, ResultStatus::NotClassified), (4.0, ResultStatus::Retired), (5.0, ResultStatus::Disqualified)]
    {
        let mut drive = Drive::marked();
        drive.wait(99.0);
        drive.drive(100.0, 0.1, 40.0, |_| ());
        let mut end = car(140.1, 40.1);
        end.set(Field::StageResultStatus, status);
        drive.take(0.1, SessionMark::End, &end);
        assert_eq!(drive.kinds(), [SessionStarted, Go, Abandoned]);
        assert_eq!((drive.last().result, drive.last().last_lap), (result, None));
        // Also without the mark, once two packets have it.
        let mut drive = Drive::marked();
        drive.drive(100.0, 1.0, 40.0, |_| ());
        drive.drive(100.0, 40.1, 45.0, |numbers| numbers.set(Field::StageResultStatus, status));
        assert_eq!(drive.kinds(), [SessionStarted, Abandoned]);
        assert_eq!(drive.last().result, result);
    }
}

#[test]
fn a_stage_that_goes_on_after_its_end_was_not_over() {
    let mut drive = Drive::marked();
    drive.drive(100.0, 1.0, 40.0, |_| ());
    drive.take(0.1, SessionMark::End, &car(140.1, 40.1));
    let samples = drive.recorder.samples.len();
    // Late packets change nothing.
    drive.drive(100.0, 40.2, 40.5, |_| ());
    assert_eq!((drive.kinds(), drive.recorder.samples.len()), (vec![SessionStarted, Abandoned], samples));
    drive.drive(100.0, 40.6, 45.0, |_| ());
    assert!(drive.recorder.samples.len() > samples + 20);
    assert_eq!(drive.last().clock, Some(45.0));
}

#[test]
fn a_result_of_the_run_before_ends_no_new_run() {
    let mut drive = Drive::marked();
    drive.wait(99.0);
    drive.drive(100.0, 0.1, 2.0, finished(99.9));
    assert_eq!(drive.kinds(), [SessionStarted, Go]);
}

#[test]
fn splits_are_sent_as_sectors_or_since_the_start() {
    for sent in [[30.02, 40.03, 35.04], [30.02, 70.05, 105.09]] {
        let mut drive = Drive::marked();
        // Before the first split, the value means nothing.
        let with = |split_s: f64| {
            move |numbers: &mut Numbers| {
                numbers.set(Field::StageLength, 6000.0);
                numbers.set(Field::StagePreviousSplitTime, split_s);
            }
        };
        drive.drive(100.0, 0.1, 30.0, with(7.0));
        drive.drive(100.0, 30.1, 70.0, with(sent[0]));
        drive.drive(100.0, 70.1, 105.0, with(sent[1]));
        drive.drive(100.0, 105.1, 120.0, with(sent[2]));
        let splits: Vec<(u8, LapTime)> = drive
            .kinds()
            .iter()
            .filter_map(|kind| match kind {
                EventKind::Split { number, time } => Some((*number, *time)),
                _ => None,
            })
            .collect();
        assert_eq!(splits, [(1, LapTime(30_020)), (2, LapTime(70_050)), (3, LapTime(105_090))]);
        let sectors = [30_020, 40_030, 35_040].map(|millis| Some(LapTime(millis)));
        assert_eq!((drive.last().sector, &drive.last().sectors[..3]), (3, &sectors[..]));
    }
}

#[test]
fn penalties_are_what_the_game_adds() {
    let mut drive = Drive::marked();
    drive.drive(100.0, 1.0, 20.0, |_| ());
    drive.drive(100.0, 20.1, 30.0, |numbers| numbers.set(Field::StageResultTimePenalty, 10.0));
    drive.drive(100.0, 30.1, 40.0, |numbers| numbers.set(Field::StageResultTimePenalty, 15.0));
    let ten = Penalty { millis: 10_000 };
    assert_eq!(drive.kinds(), [SessionStarted, ten.clone(), Penalty { millis: 5_000 }]);
    // In the default structure, the clock of the stage jumps ahead, and the car is put back.
    let mut drive = Drive::new(Structure::WRC);
    drive.drive(100.0, 1.0, 20.0, |_| ());
    drive.drive(90.0, 30.1, 40.0, |numbers| {
        numbers.set(Field::StageCurrentDistance, numbers.of(Field::StageCurrentDistance) - 420.0);
        numbers.set(Field::PositionZ, numbers.of(Field::PositionZ) - 420.0);
    });
    assert_eq!(drive.kinds(), [SessionStarted, Recovered, ten]);
}

#[test]
fn a_clock_that_falls_is_a_restart() {
    let mut drive = Drive::marked();
    drive.wait(99.0);
    drive.drive(100.0, 0.1, 60.0, |_| ());
    drive.wait(165.0);
    drive.drive(166.0, 0.1, 100.5, |_| ());
    drive.drive(166.0, 100.6, 101.0, finished(100.0));
    let time = Some(LapTime(100_000));
    assert_eq!(drive.kinds(), [SessionStarted, Go, Restarted, Go, Finished { time }]);
    assert_eq!(drive.last().lap, 1);
}

#[test]
fn a_pause_lasts_until_the_game_goes_on_however_often_it_is_repeated() {
    let paused = |drive: &mut Drive, stage_s: f64| {
        drive.take(0.02, SessionMark::Pause, &car(100.0 + stage_s, stage_s));
    };
    let mut drive = Drive::marked();
    drive.drive(100.0, 1.0, 20.0, |_| ());
    (0..30).for_each(|_| paused(&mut drive, 20.0));
    assert_eq!(drive.kinds(), [SessionStarted, Paused]);
    drive.take(1.0, SessionMark::Resume, &car(120.0, 20.0));
    drive.take(0.1, SessionMark::Resume, &car(120.0, 20.0));
    drive.drive(101.0, 20.1, 21.0, |_| ());
    assert_eq!(drive.kinds(), [SessionStarted, Paused, Resumed]);
    // Without that mark, the stage's clock says it. What is repeated while the car drives is no pause.
    paused(&mut drive, 21.0);
    drive.drive(101.0, 21.1, 22.0, |_| ());
    paused(&mut drive, 22.0);
    drive.drive(101.0, 22.1, 23.0, |_| ());
    assert_eq!(drive.kinds()[3..], [Paused, Resumed]);
}

#[test]
fn without_marks_a_pause_is_silence_or_the_same_packet_again() {
    let mut drive = Drive::new(Structure::WRC);
    drive.drive(100.0, 1.0, 20.0, |_| ());
    drive.at = drive.at.plus_seconds(30.0);
    drive.drive(130.0, 20.1, 30.0, |_| ());
    assert_eq!(drive.kinds(), [SessionStarted, Paused, Resumed]);
    for step in 0..20 {
        let mut numbers = car(160.1 + f64::from(step) / 10.0, 30.0);
        numbers.set(Field::EngineRpmCurrent, 5160.0);
        drive.update(&numbers);
    }
    drive.drive(132.0, 30.1, 31.0, |_| ());
    assert_eq!(drive.kinds()[3..], [Paused, Resumed]);
}

#[test]
fn two_structures_for_one_address_are_one_stage() {
    let mut drive = Drive::marked();
    for step in 0..100 {
        let stage_s = 1.0 + f64::from(step) / 10.0;
        for structure in [Structure::EVERYTHING, Structure::WRC] {
            drive.structure = structure;
            drive.take(0.05, SessionMark::Update, &car(100.0 + stage_s, stage_s));
        }
    }
    assert_eq!(drive.kinds(), [SessionStarted]);
    assert_eq!(drive.recorder.samples.len(), 100);
}

#[test]
fn a_clock_that_is_no_number_is_rejected() {
    for field in [Field::GameTotalTime, Field::StageCurrentTime] {
        let mut drive = Drive::marked();
        let mut numbers = car(100.0, 10.0);
        numbers.set(field, f64::NAN);
        let bytes = [&SessionMark::Update.bytes()[..], &Structure::EVERYTHING.write(&numbers)].concat();
        let outcome = drive.decoder.receive(Micros(1), &bytes, &mut drive.recorder);
        assert!(outcome.expect_err("a reason").to_string().contains("no number"));
        assert_eq!(drive.recorder.samples.len(), 0);
    }
}

proptest! {
    #[test]
    fn no_packet_is_too_strange(packets in prop::collection::vec(
        (0_usize..5, prop::bool::ANY, prop::collection::vec(any::<u8>(), 271)), 1..20,
    )) {
        let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
        for (place, (mark, all, bytes)) in packets.iter().enumerate() {
            let body = &bytes[..if *all { 271 } else { 248 }];
            let datagram = [&SessionMark::ALL[*mark].bytes()[..], body].concat();
            let _ = decoder.receive(Micros(place as u64 * 20_000), &datagram, &mut recorder);
        }
        prop_assert!(recorder.samples.iter().all(|(_, values)| values.values().all(|value| value.is_finite())));
    }
}
