use proptest::prelude::*;

use super::*;

const CIRCLE_M: f64 = 1000.0;

/// A lap in a circle at 50 m/s, of twenty seconds from line to line.
fn circle(columns: &str) -> String {
    let mut text = format!("{columns}\r\n");
    for row in 0..1199 {
        let fraction = (f64::from(row) + 0.5) / 1200.0;
        let angle = fraction * std::f64::consts::TAU;
        let radius_deg = CIRCLE_M / std::f64::consts::TAU / 111_200.0;
        let fields = columns.split(',').map(|column| match column {
            "Speed" => "50".to_owned(),
            "LapDistPct" => fraction.to_string(),
            "Lat" => (50.3 + radius_deg * angle.sin()).to_string(),
            "Lon" => (6.9 + radius_deg / 50.3_f64.to_radians().cos() * angle.cos()).to_string(),
            // Anticlockwise: it begins in the east, and drives to the north. Its track's north is in the west.
            "Yaw" => (within_half_turn(angle - 1.5)).to_string(),
            "ABSActive" => "true".to_owned(),
            "Clutch" => "1.0000001".to_owned(),
            _ => "0.5".to_owned(),
        });
        text.push_str(&fields.collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
    }
    text
}

fn lap(text: &str) -> ImportedLap {
    let file = read(text).expect("a lap");
    let [lap] = file.laps.as_slice() else { panic!("{} laps", file.laps.len()) };
    lap.clone()
}

fn value(lap: &ImportedLap, slot: Slot, row: usize) -> f32 {
    lap.columns.value(slot, row).unwrap_or_else(|| panic!("no {} in row {row}", slot.id()))
}

#[test]
fn time_and_length_follow_from_the_rows() {
    let lap = lap(&circle("Speed,LapDistPct,Lat,Lon,Yaw,ABSActive,Clutch,SteeringWheelAngle"));
    // Half a row before the first one, and one and a half behind the last one.
    assert_eq!((lap.time, lap.flags), (Some(LapTime(20_000)), LapFlags::NONE.with(LapFlag::Inferred)));
    assert!((value(&lap, Channel::LapDistance.slot(), 600) - 500.4).abs() < 0.1);
    assert!((value(&lap, Channel::LapClock.slot(), 600) - 600.5 / 60.0).abs() < 1e-4);
    assert_eq!(value(&lap, Channel::AbsActive.slot(), 3), 1.0);
    assert_eq!(value(&lap, Channel::Clutch.slot(), 3), 0.0);
    assert_eq!(value(&lap, Channel::SteeringAngle.slot(), 3), -0.5);
    // It begins by driving to the north, where the yaw is zero, and is in the west half a lap later.
    assert!(value(&lap, Channel::Yaw.slot(), 0).abs() < 0.01);
    let west = value(&lap, Channel::Position.along(Axis::X), 600);
    assert!((west - 318.3).abs() < 2.0, "{west} m");
}

#[test]
fn columns_may_be_in_any_order_and_missing() {
    let text = circle("OffAsphalt,LapDistPct,Speed");
    assert!(has_heading(&text) && !begins(text.as_bytes()));
    let lap = lap(&text);
    assert_eq!(lap.time, Some(LapTime(20_000)));
    assert!(lap.columns.line(Channel::Position.slot()).is_none());
    assert!(lap.columns.line(Channel::Brake.slot()).is_none());
    // With a mark, and without the carriage returns.
    let text = format!("\u{feff}{}", circle("Speed,LapDistPct,Brake").replace('\r', ""));
    assert!(begins(text.as_bytes()));
    assert_eq!(read(&text).expect("a lap").laps[0].time, Some(LapTime(20_000)));
}

#[test]
fn a_part_of_a_lap_has_no_time() {
    let text = circle("Speed,LapDistPct");
    let cut: String = text.lines().take(900).map(|line| format!("{line}\n")).collect();
    let file = read(&cut).expect("a part of a lap");
    assert_eq!((file.laps[0].time, file.note), (None, None));
    assert_eq!(file.laps[0].flags, LapFlags::NONE.with(LapFlag::Incomplete));
}

#[test]
fn what_is_no_lap_is_refused_in_words() {
    let heading = "Speed,LapDistPct\n";
    for (text, words) in [
        ("LapDistPct,RPM\n1,2\n", "no column \"Speed\""),
        (heading, "less than a second"),
        ("Speed,LapDistPct\n1,2,3\n", "line 2 of the table has 3 fields and not 2"),
        ("Speed,LapDistPct\n1,0.1\n1,far\n", "line 3 of the table has \"far\" for LapDistPct"),
        ("Speed,LapDistPct\n1,NaN\n", "\"NaN\" for LapDistPct"),
    ] {
        let reason = read(text).expect_err(text).to_string();
        assert!(reason.contains(words), "{reason}");
    }
}

#[test]
#[ignore = "needs captures"]
fn the_real_lap_has_the_figures_of_its_description() {
    let bytes = trailbrake_captures::read("next/garage61/road-atlanta-lap.csv");
    let text = std::str::from_utf8(&bytes).expect("text");
    assert!(begins(&bytes) && has_heading(text));
    let lap = lap(text);
    assert_eq!(lap.columns.len(), 4727);
    // 78.7667 s between the rows, 9.8 ms before and 9.2 ms behind them.
    assert_eq!(lap.time, Some(LapTime(78_786)));
    let column = |slot: Slot| (0..4727).map(|row| value(&lap, slot, row)).collect::<Vec<_>>();
    let range = |slot| {
        let values = column(slot);
        [
            values.iter().copied().fold(f32::INFINITY, f32::min),
            values.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        ]
    };
    let near = |found: f32, expected: f32| {
        assert!((found - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{found}, not {expected}");
    };
    let check = |channel: Channel, expected: [f32; 2]| {
        let found = range(channel.slot());
        near(found[0], expected[0]);
        near(found[1], expected[1]);
    };
    check(Channel::Speed, [24.41195, 72.9535]);
    check(Channel::Brake, [0.0, 0.878_589_4]);
    check(Channel::Rpm, [4676.218, 7164.112]);
    check(Channel::SteeringAngle, [-1.350_789_3, 1.678_192_5]);
    check(Channel::GLateral, [-38.806_843 / 9.80665, 27.617_685 / 9.80665]);
    check(Channel::GLongitudinal, [-23.166_424 / 9.80665, 11.212_996 / 9.80665]);
    check(Channel::GVertical, [-2.046_343 / 9.80665 - 1.0, 29.030_848 / 9.80665 - 1.0]);
    check(Channel::Clutch, [0.0, 0.0]);
    check(Channel::AbsActive, [0.0, 0.0]);
    check(Channel::Drs, [0.0, 0.0]);
    let yaw_rate = range(Channel::AngularVelocity.along(Axis::Y));
    near(yaw_rate[0], -0.918_167_65);
    near(yaw_rate[1], 0.803_026_74);
    let gears = column(Channel::Gear.slot());
    let counts: Vec<usize> =
        (0..=6).map(|gear| gears.iter().filter(|other| **other == gear as f32).count()).collect();
    assert_eq!(counts, [42, 491, 990, 1281, 963, 505, 455]);
    let [first, last] = [0, 4726].map(|row| {
        [Channel::Speed, Channel::Throttle, Channel::Rpm].map(|channel| value(&lap, channel.slot(), row))
    });
    near(first[0], 63.145_733);
    near(first[1], 1.0);
    near(first[2], 6989.3467);
    near(last[0], 63.581);
    near(last[2], 6128.888);
    // 4 058.33 m of track, of which the last row is 0.6 m before the line.
    let distances = column(Channel::LapDistance.slot());
    assert!(distances.is_sorted());
    near(distances[4726], 4058.33 * 0.999_856_23);
    // The driven path, by latitude and longitude. On a sphere of 6371 km it has 4053.2 m; the speed in north-south and
    // east-west parts of the lap shows that the game's earth is flattened.
    let [x, z] = [Axis::X, Axis::Z].map(|axis| column(Channel::Position.along(axis)));
    let steps = (1..4727).map(|row| f64::from((x[row] - x[row - 1]).hypot(z[row] - z[row - 1])));
    let path_m: f64 = steps.sum();
    assert!((path_m - 4048.80).abs() < 0.5, "{path_m} m");
    // The track's north is turned by 31.8 degrees: the yaw is the course.
    let course = (x[2001] - x[2000]).atan2(z[2001] - z[2000]);
    let slip = value(&lap, Channel::Yaw.slot(), 2000) - course;
    assert!(slip.abs() < 0.05, "{slip} rad");
    let begins = value(&lap, Channel::Yaw.slot(), 0);
    assert!((begins - (-1.518_933_7 - 31.8_f32.to_radians())).abs() < 0.005, "{begins} rad");
}

proptest! {
    #[test]
    fn any_table_is_read_or_refused(
        rows in prop::collection::vec(prop::collection::vec("[0-9.eE+-]{0,6}|true|NaN|1e300|-1e-300", 4), 0..90),
        tail in "\\PC{0,40}",
    ) {
        let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        let text = format!("Speed,LapDistPct,Lat,Lon\n{}\n{tail}", rows.join("\n"));
        match read(&text) {
            Ok(file) => prop_assert!(file.laps[0].columns.seconds().is_sorted()),
            Err(reason) => prop_assert!(!reason.to_string().is_empty()),
        }
    }

    #[test]
    fn any_numbers_are_read(values in prop::collection::vec(prop::array::uniform4(any::<f64>()), 60..90)) {
        let rows: Vec<String> = values
            .iter()
            .map(|row| row.map(|value| if value.is_finite() { value.to_string() } else { String::new() }).join(","))
            .collect();
        let file = read(&format!("Speed,LapDistPct,Lat,Lon\n{}", rows.join("\n"))).expect("a lap");
        prop_assert_eq!(file.laps[0].columns.len(), values.len());
    }
}
