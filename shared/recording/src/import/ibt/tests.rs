mod hostile;
mod recorded;
mod written_file;

use trailbrake_analysis::laps::{LapFlag, LapFlags};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Axis, Channel, Slot, Wheel};

use super::*;
use crate::export::{ImportedLap, ImportedLaps};
use written_file::{Drive, Kind, WrittenFile, driven, official_s, place, written};

fn laps(file: &WrittenFile) -> ImportedLaps {
    read(&file.bytes()).expect("laps")
}

fn flags(flags: &[LapFlag]) -> LapFlags {
    flags.iter().copied().collect()
}

fn value(lap: &ImportedLap, slot: Slot, row: usize) -> f32 {
    lap.columns.value(slot, row).unwrap_or_else(|| panic!("no {} in row {row}", slot.id()))
}

#[track_caller]
fn near(found: f32, expected: f64) {
    assert!((f64::from(found) - expected).abs() <= 2e-6 * expected.abs().max(1.0), "{found}, not {expected}");
}

#[test]
fn laps_are_split_at_the_line_with_their_official_times_and_sectors() {
    let file = laps(&driven());
    let numbers: Vec<u16> = file.laps.iter().map(|lap| lap.number).collect();
    assert_eq!(numbers, [4, 5, 6, 7, 8]);
    let times: Vec<Option<LapTime>> = file.laps.iter().map(|lap| lap.time).collect();
    let official = |lap: f64| LapTime::from_seconds(official_s(lap) as f32);
    assert_eq!(times, [None, official(1.0), official(2.0), official(3.0), None]);
    assert_eq!(file.laps[0].flags, flags(&[LapFlag::Incomplete]));
    assert_eq!(file.laps[4].flags, flags(&[LapFlag::Incomplete]));
    for lap in &file.laps[1..4] {
        assert_eq!(lap.flags, LapFlags::NONE);
        // At 50 m/s the sectors of 300, 300 and 400 m take 6, 6 and 8 s. The last one ends with the official time.
        let rest = lap.time.expect("a time").0 - 12_000;
        assert_eq!(&*lap.sectors, &[6_000, 6_000, rest].map(|time| Some(LapTime(time))));
        let clock = value(lap, Channel::LapClock.slot(), 0);
        assert!((0.0..0.017).contains(&clock), "{clock} s after the line");
        let distance = value(lap, Channel::LapDistance.slot(), 600);
        let later = value(lap, Channel::LapClock.slot(), 600);
        assert!((distance / 50.0 - later).abs() < 1e-3, "{distance} m after {later} s");
    }
    // 500 m before the first line take 10 s.
    assert!((file.laps[1].began_s - 110.0).abs() < 1e-4, "{}", file.laps[1].began_s);
}

#[test]
fn names_are_those_of_the_session_text() {
    let file = laps(&driven());
    assert_eq!((file.about.game.as_str(), file.about.venue.as_str()), ("iRacing", "Nürburg (Ring)"));
    assert_eq!((file.about.vehicle.as_str(), file.about.session.as_str()), ("Formula", "Practice"));
    assert!(file.laps.iter().all(|lap| lap.driver == "Zoë"));
    assert_eq!(file.driven, Some(Micros(1_800_000_000_000_000)));
    assert_eq!(value(&file.laps[1], Channel::MaxRpm.slot(), 0), 8000.0);
}

#[test]
fn numbers_of_every_type_become_ours() {
    let file = laps(&driven());
    let lap = &file.laps[1];
    assert_eq!(value(lap, Channel::Speed.slot(), 5), 50.0);
    assert_eq!(value(lap, Channel::SteeringAngle.slot(), 5), -0.25);
    assert_eq!(value(lap, Channel::PitLimiter.slot(), 5), 1.0);
    assert_eq!(value(lap, Channel::RevLimiter.slot(), 5), 0.0);
    // The circle comes back from latitude and longitude, around its centre.
    let across = |axis| {
        let (low, high) = (0..lap.columns.len())
            .map(|row| value(lap, Channel::Position.along(axis), row))
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), metres| {
                (low.min(metres), high.max(metres))
            });
        high - low
    };
    for axis in [Axis::X, Axis::Z] {
        assert!((across(axis) - 318.3).abs() < 2.0, "{} m", across(axis));
    }
    assert_eq!(value(lap, Channel::Position.along(Axis::Y), 5), 600.0);
}

#[test]
fn a_file_that_was_not_closed_and_is_torn_has_all_whole_samples() {
    let mut file = driven();
    let whole = laps(&file);
    file.is_closed = false;
    let mut bytes = file.bytes();
    bytes.extend(vec![0x55; file.sample_size() - 1]);
    let torn = read(&bytes).expect("laps");
    let rows = |file: &ImportedLaps| file.laps.iter().map(|lap| lap.columns.len()).collect::<Vec<_>>();
    assert_eq!(rows(&torn), rows(&whole));
    // A closed file says how many samples it has, and what follows is none.
    file.is_closed = true;
    let mut bytes = file.bytes();
    bytes.extend(vec![0; file.sample_size() * 3]);
    assert_eq!(rows(&read(&bytes).expect("laps")), rows(&whole));
}

#[test]
fn pieces_of_any_size_make_the_same_laps() {
    let bytes = driven().bytes();
    let whole = read(&bytes).expect("laps");
    for piece in [1, 7, 143, 4096, 70_001] {
        let mut reader = IbtReader::default();
        bytes.chunks(piece).for_each(|piece| reader.push(piece).expect("a file"));
        let laps = reader.finish().expect("laps");
        for (lap, expected) in laps.laps.iter().zip(&whole.laps) {
            assert_eq!(
                (lap.number, lap.time, lap.sectors),
                (expected.number, expected.time, expected.sectors)
            );
            assert_eq!(lap.columns.seconds(), expected.columns.seconds(), "{piece}");
        }
        assert_eq!(laps.laps.len(), whole.laps.len());
    }
}

#[test]
fn samples_without_the_driver_are_dropped_and_the_lap_is_incomplete() {
    let mut file = driven();
    // In lap 6, which begins 30 s into the file, the driver is away for two seconds.
    let away = 35 * 60..37 * 60;
    file.samples[away.clone()].iter_mut().for_each(|sample| sample[place("IsOnTrack")] = 0.0);
    let whole = laps(&driven());
    let found = laps(&file);
    assert_eq!(found.laps[2].columns.len(), whole.laps[2].columns.len() - away.len());
    assert_eq!(found.laps[2].flags, flags(&[LapFlag::Incomplete, LapFlag::Reset]));
    assert_eq!(found.laps[2].time, None);
    assert_eq!(found.laps[3].time, whole.laps[3].time);
}

#[test]
fn off_the_track_and_in_the_pits_are_flags() {
    let mut file = driven();
    let mut set = |seconds: f64, name: &str, to: f64| {
        file.samples[(seconds * 60.0) as usize][place(name)] = to;
    };
    set(15.0, "PlayerTrackSurface", 0.0);
    set(40.0, "OnPitRoad", 1.0);
    // The pit road goes over the line at the end of lap 6.
    for sample in 2995..=3005 {
        set(f64::from(sample) / 60.0, "OnPitRoad", 1.0);
    }
    let found = laps(&file);
    assert_eq!(found.laps[1].flags, flags(&[LapFlag::Invalid]));
    assert_eq!(found.laps[2].flags, flags(&[LapFlag::Pit, LapFlag::In]));
    assert_eq!(found.laps[3].flags, flags(&[LapFlag::Out, LapFlag::Pit]));
}

#[test]
fn a_lap_that_the_game_did_not_time_has_the_time_between_the_lines() {
    let mut file = driven();
    file.samples.iter_mut().for_each(|sample| sample[place("LapLastLapTime")] = -1.0);
    let found = laps(&file);
    for lap in &found.laps[1..4] {
        assert_eq!(lap.time, Some(LapTime(20_000)));
        assert_eq!(lap.flags, flags(&[LapFlag::Inferred]));
    }
    // Two laps of the same time: the game does not change it.
    file.samples[650..].iter_mut().for_each(|sample| sample[place("LapLastLapTime")] = 20.003);
    let found = laps(&file);
    let times: Vec<_> = found.laps.iter().map(|lap| lap.time.map(|time| time.0)).collect();
    // The first change comes before a lap has ended, so it is of no lap in the file.
    assert_eq!(times, [None, Some(20_003), Some(20_003), Some(20_003), None]);
}

#[test]
fn a_race_after_practice_in_the_same_file_is_a_session_of_its_own() {
    let mut samples = Drive { from_m: 0.0, until_m: 2200.0, lap: 1, from_s: 50.0 }.samples();
    let mut race = Drive { from_m: 0.0, until_m: 1500.0, lap: 1, from_s: 0.0 }.samples();
    race.iter_mut().for_each(|sample| sample[place("SessionNum")] = 1.0);
    samples.extend(race);
    let found = laps(&written(samples));
    let numbers: Vec<u16> = found.laps.iter().map(|lap| lap.number).collect();
    assert_eq!(numbers, [1, 2, 3, 1, 2]);
    assert!(found.laps.iter().all(|lap| lap.columns.seconds().is_sorted()));
}

#[test]
fn a_number_that_rises_a_sample_late_or_early_is_at_the_line_all_the_same() {
    for shift in [-1_i32, 1] {
        let mut file = driven();
        let numbers: Vec<f64> = file.samples.iter().map(|sample| sample[place("Lap")]).collect();
        for (nth, sample) in file.samples.iter_mut().enumerate() {
            let other = (nth as i32 - shift).clamp(0, numbers.len() as i32 - 1) as usize;
            sample[place("Lap")] = numbers[other];
        }
        let found = laps(&file);
        for lap in &found.laps[1..4] {
            assert_eq!(lap.flags, LapFlags::NONE, "{shift}");
            let distances: Vec<f32> = (0..lap.columns.len())
                .filter_map(|row| lap.columns.value(Channel::LapDistance.slot(), row))
                .collect();
            assert!(distances.is_sorted(), "no distance of another lap, shifted by {shift}");
        }
    }
}

#[test]
fn without_a_text_the_laps_are_there_without_names() {
    let mut file = driven();
    file.text = vec![0];
    let found = laps(&file);
    assert_eq!(found.about.venue, "");
    assert_eq!(found.laps.len(), 5);
    assert_eq!(found.laps[1].sectors.iter().flatten().count(), 0);
}

#[test]
#[ignore = "needs captures"]
fn the_real_file_has_the_figures_of_its_description() {
    let bytes = trailbrake_captures::read("next/iracing/spielberg-6s.ibt");
    assert!(begins(&bytes));
    let file = read(&bytes).expect("a lap");
    assert_eq!(file.about.venue, "Red Bull Ring (Grand Prix)");
    assert_eq!(file.about.vehicle, "Mercedes-AMG W13 E Performance");
    assert_eq!(file.about.session, "Practice");
    assert_eq!(file.driven, Some(Micros(1_719_258_336_000_000)));
    let [lap] = file.laps.as_slice() else { panic!("{} laps", file.laps.len()) };
    assert_eq!((lap.number, lap.time, lap.columns.len()), (9, None, 390));
    assert!(lap.flags.has_all(flags(&[LapFlag::Incomplete, LapFlag::Pit, LapFlag::Out, LapFlag::In])));
    let seconds = lap.columns.seconds();
    assert!((seconds[0] - 932.0).abs() < 1e-5 && (seconds[389] - 938.483_333).abs() < 1e-5);
    for (row, [speed, gear, rpm, throttle, brake, steering, distance, clock]) in [
        (0, [0.047547, 0.0, 300.0, 0.0, 1.0, -3.804599, 236.524292, 37.661900]),
        (200, [0.873968, 1.0, 4054.7202, 0.0, 0.108662, 0.174078, 237.518295, 40.995235]),
        (389, [0.000022, 1.0, 4000.0393, 0.0, 0.656237, 0.270317, 237.614670, 44.145233]),
    ] {
        near(value(lap, Channel::Speed.slot(), row), speed);
        near(value(lap, Channel::Gear.slot(), row), gear);
        near(value(lap, Channel::Rpm.slot(), row), rpm);
        near(value(lap, Channel::Throttle.slot(), row), throttle);
        near(value(lap, Channel::Brake.slot(), row), brake);
        near(value(lap, Channel::SteeringAngle.slot(), row), -steering);
        near(value(lap, Channel::LapDistance.slot(), row), distance);
        near(value(lap, Channel::LapClock.slot(), row), clock);
        // Released is 1 in the file, and the pedal is pressed throughout.
        near(value(lap, Channel::Clutch.slot(), row), 1.0);
    }
    // The text has the track at 47.220305 N, 14.766722 E.
    let place = |axis| value(lap, Channel::Position.along(axis), 0);
    assert!((place(Axis::Z) + 42.57).abs() < 0.01, "{} m north", place(Axis::Z));
    assert!((place(Axis::X) - 233.7).abs() < 0.05, "{} m west", place(Axis::X));
    near(place(Axis::Y), 677.630_43);
    near(value(lap, Channel::FuelVolume.slot(), 389), 59.996685);
    // At rest: one g is gravity's, and the slope of the pit shows as pitch and as acceleration alike.
    near(value(lap, Channel::GVertical.slot(), 389), 9.804943 / 9.80665 - 1.0);
    near(value(lap, Channel::GLateral.slot(), 389), -0.138816 / 9.80665);
    near(value(lap, Channel::GLongitudinal.slot(), 389), 0.073816 / 9.80665);
    let pitch = value(lap, Channel::Pitch.slot(), 389);
    assert!((pitch - value(lap, Channel::GLongitudinal.slot(), 389)).abs() < 1e-4, "{pitch}");
    // From the world's north, and anticlockwise.
    near(value(lap, Channel::Yaw.slot(), 389), -4.453_871 + std::f64::consts::TAU);
    near(value(lap, Channel::WheelSpeed.of(Wheel::FrontLeft), 200), 0.862_070);
    near(value(lap, Channel::TyrePressure.of(Wheel::RearRight), 0), 144_790.0);
    near(
        value(lap, Channel::TyreInnerTemperature.of(Wheel::FrontLeft), 0),
        (82.53601 + 87.58582 + 91.118_21) / 3.0,
    );
    near(
        value(lap, Channel::TyreWear.of(Wheel::RearLeft), 0),
        1.0 - (0.981_325 + 0.976_091 + 0.976_408) / 3.0,
    );
    near(value(lap, Channel::RideHeightFront.slot(), 0), (0.024_068_36 + 0.026_370_59) / 2.0);
    near(value(lap, Channel::BrakeBias.slot(), 0), 0.525);
    near(value(lap, Channel::ErsStore.slot(), 0), 4_000_000.0);
    near(value(lap, Channel::MaxRpm.slot(), 0), 13_000.0);
    near(value(lap, Channel::TimeOfDay.slot(), 0), 43_200.0);
    assert!(lap.columns.slots().count() >= 70, "{} values a sample", lap.columns.slots().count());
}
