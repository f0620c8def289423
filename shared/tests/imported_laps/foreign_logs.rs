//! Logs with other programs' names and units import into our channels.

use trailbrake_shared::export::motec::{LdChannel, LdFile, NoLap, import, laps_of};
use trailbrake_shared::laps::LapFlags;
use trailbrake_shared::model::{Axis, Channel, Columns, Slot, Wheel};

/// A constant channel of half a minute at 10 Hz.
fn steady(name: &str, unit: &str, value: f32) -> LdChannel {
    LdChannel { name: name.into(), unit: unit.into(), rate_hz: 10, samples: vec![value; 300] }
}

/// The columns of the second lap.
fn lap(channels: Vec<LdChannel>) -> Columns {
    let log = LdFile { channels, ..LdFile::default() };
    let mut laps = laps_of(&log, &[0.0, 10.0, 20.0]).expect("laps");
    assert_eq!((laps.len(), laps[1].flags), (2, LapFlags::NONE));
    laps.remove(1).columns
}

fn check(named: (&str, &str, f32), slot: Slot, kept: f32) {
    let (name, unit, value) = named;
    let columns = lap(vec![steady("Distance", "m", 5.0), steady(name, unit, value)]);
    let found = columns.value(slot, 50).unwrap_or_else(|| panic!("{name} [{unit}] is not read"));
    assert!((found - kept).abs() <= kept.abs() * 1e-5, "{name} [{unit}]: {found}");
}

#[test]
fn the_names_and_units_of_other_programs_are_known() {
    use Channel as C;
    const DEGREE: f32 = std::f32::consts::PI / 180.0;
    check(("SPEED", "km/h", 72.0), C::Speed.slot(), 20.0);
    check(("Corr Speed", "m/s", 20.0), C::Speed.slot(), 20.0);
    check(("Vehicle Speed", "mph", 10.0), C::Speed.slot(), 4.4704);
    check(("Throttle Pos", "%", 50.0), C::Throttle.slot(), 0.5);
    check(("THROTTLE", "", 0.5), C::Throttle.slot(), 0.5);
    check(("Brake Pos", "", 80.0), C::Brake.slot(), 0.8);
    check(("BRAKE", "%", 80.0), C::Brake.slot(), 0.8);
    check(("Steering Angle", "deg", 90.0), C::SteeringAngle.slot(), 90.0 * DEGREE);
    check(("STEERANGLE", "rad", 1.5), C::SteeringAngle.slot(), 1.5);
    check(("SteeringWheelAngle", "rad", 1.5), C::SteeringAngle.slot(), 1.5);
    check(("Engine RPM", "rpm", 7000.0), C::Rpm.slot(), 7000.0);
    check(("RPMS", "1/min", 7000.0), C::Rpm.slot(), 7000.0);
    check(("Gear", "", 4.0), C::Gear.slot(), 4.0);
    check(("GEAR", "no", 4.0), C::Gear.slot(), 4.0);
    check(("G Force Lat", "G", 1.5), C::GLateral.slot(), 1.5);
    check(("LatAccel", "m/s/s", 9.806_65), C::GLateral.slot(), 1.0);
    check(("G_LON", "m/s^2", -9.806_65), C::GLongitudinal.slot(), -1.0);
    check(("CG Accel Longitudinal", "G", -1.0), C::GLongitudinal.slot(), -1.0);
    check(("TYRE_PRESS_LF", "psi", 27.0), C::TyrePressure.of(Wheel::FrontLeft), 186_158.44);
    check(("BRAKE_TEMP_RR", "C", 400.0), C::BrakeTemperature.of(Wheel::RearRight), 400.0);
    check(("WHEEL_SPEED_RF", "m/s", 30.0), C::WheelSpeed.of(Wheel::FrontRight), 30.0);
    check(("SUS_TRAVEL_LR", "mm", 30.0), C::SuspensionPosition.of(Wheel::RearLeft), 0.03);
    check(("Tyre Pressure RL", "kPa", 180.0), C::TyrePressure.of(Wheel::RearLeft), 180_000.0);
    check(("Car Coord Y", "m", 12.0), C::Position.along(Axis::Y), 12.0);
    check(("Eng Oil Temp", "C", 95.0), C::OilTemperature.slot(), 95.0);
}

#[test]
fn a_unit_that_is_not_of_the_quantity_is_not_guessed_at() {
    for (name, unit) in [("Brake Pos", "bar"), ("Engine RPM", "Hz"), ("G Force Lat", "N"), ("Gear", "rpm")] {
        let columns = lap(vec![steady("Ground Speed", "km/h", 36.0), steady(name, unit, 1.0)]);
        let slots: Vec<String> = columns.slots().map(Slot::id).collect();
        assert_eq!(slots, ["lap_clock", "lap_distance", "speed"], "{name} [{unit}]");
    }
}

#[test]
fn distances_start_at_the_line_whatever_they_count_from() {
    let distance = |name: &str, of: fn(usize) -> f32| LdChannel {
        name: name.into(),
        unit: "m".into(),
        rate_hz: 10,
        samples: (0..300).map(of).collect(),
    };
    // Two metres per sample, two hundred per lap.
    let counts_on = distance("Corr Dist", |nth| nth as f32 * 2.0);
    let restarts = distance("Lap Distance", |nth| (nth % 100) as f32 * 2.0);
    // The game's count changes a little after the line.
    let late = distance("LapDist", |nth| ((nth + 98) % 100) as f32 * 2.0);
    for (channel, place, first) in
        [(counts_on, 100.0, Some(0.0)), (restarts, 100.0, Some(0.0)), (late, 96.0, None)]
    {
        let name = channel.name.clone();
        let columns = lap(vec![channel]);
        let at = |row| columns.value(Channel::LapDistance.slot(), row);
        assert_eq!((at(50), at(0)), (Some(place), first), "{name}");
    }
    let log = |channels| LdFile { channels, ..LdFile::default() };
    let speed = laps_of(&log(vec![steady("Ground Speed", "km/h", 36.0)]), &[0.0, 10.0]).expect("a lap");
    assert!(speed[0].distance_from_speed);
    let mut gap = steady("Ground Speed", "km/h", 36.0);
    gap.samples[50] = f32::NAN;
    let lap = laps_of(&log(vec![gap]), &[0.0, 10.0]).expect("a lap").remove(0);
    let at = |row| lap.columns.value(Channel::LapDistance.slot(), row);
    assert!(at(50).is_some() && at(51).is_none() && at(99).is_none(), "behind a gap the distance is unknown");
    let none = laps_of(&log(vec![steady("Engine RPM", "rpm", 1.0)]), &[0.0, 10.0]).expect_err("a reason");
    assert_eq!(none, NoLap::NoPlace);
}

#[test]
fn channels_of_other_rates_lie_between_their_samples() {
    let rising = |name: &str, unit: &str, rate_hz: u16| LdChannel {
        name: name.into(),
        unit: unit.into(),
        rate_hz,
        samples: (0..usize::from(rate_hz) * 30).map(|nth| nth as f32 / f32::from(rate_hz)).collect(),
    };
    let log = LdFile {
        channels: vec![
            rising("Ground Speed", "m/s", 50),
            rising("Brake Temp FL", "C", 20),
            rising("Gear", "", 1),
        ],
        ..LdFile::default()
    };
    // The line was crossed between two samples.
    let lap = laps_of(&log, &[10.007, 20.003]).expect("a lap").remove(0);
    assert_eq!(lap.time.map(|time| time.0), Some(9_996));
    for (row, seconds) in lap.columns.seconds().iter().enumerate() {
        let value = |slot| lap.columns.value(slot, row).expect("a value");
        assert!((f64::from(value(Channel::Speed.slot())) - seconds).abs() < 1e-5);
        let clock = f64::from(value(Channel::LapClock.slot()));
        assert!((clock - (seconds - 10.007)).abs() < 1e-5 && clock >= 0.0);
        let between = f64::from(value(Channel::BrakeTemperature.of(Wheel::FrontLeft)));
        assert!((between - seconds).abs() < 0.051, "{between} at {seconds}");
        assert!((f64::from(value(Channel::Gear.slot())) - seconds.floor()).abs() < 1.001);
    }
}

#[test]
fn a_log_without_the_file_beside_it_is_refused_in_words() {
    let words = import(&[0x40; 4], None).expect_err("a reason").to_string();
    assert!(words.contains("ends before its header"), "{words}");
}
