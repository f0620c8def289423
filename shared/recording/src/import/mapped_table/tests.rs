use trailbrake_analysis::laps::LapFlag;
use trailbrake_model::time::LapTime;
use trailbrake_model::{Axis, Channel, Slot};

use super::*;
use crate::export::{ImportedLap, ImportedLaps};

mod hostile;
mod wrong_rows;

/// A track of 2000 m, driven in laps of 40 s at 50 m/s. A row each 20 ms.
const LAP_M: f64 = 2000.0;
const SPEED_MPS: f64 = 50.0;
const STEP_S: f64 = 0.02;

/// A moment of the drive: the time since it began, and the distance.
struct Moment {
    time_s: f64,
    metres: f64,
}

impl Moment {
    fn lap_m(&self) -> f64 {
        self.metres % LAP_M
    }

    fn lap(&self) -> u32 {
        (self.metres / LAP_M) as u32
    }
}

/// A drive from one distance to another, as lines of a table.
fn table(heading: &str, from_m: f64, to_m: f64, row: impl Fn(&Moment) -> String) -> String {
    let mut text = format!("{heading}\n");
    // Half a step off the line, as samples are.
    let mut time_s = STEP_S / 2.0;
    while from_m + time_s * SPEED_MPS < to_m {
        text.push_str(&row(&Moment { time_s, metres: from_m + time_s * SPEED_MPS }));
        text.push('\n');
        time_s += STEP_S;
    }
    text
}

fn read(text: &[u8], mapping: &TableMapping) -> Result<ImportedLaps, NotMapped> {
    let mut table = MappedTable::begin(mapping.clone())?;
    text.chunks(10_007).try_for_each(|piece| table.push(piece))?;
    table.finish()
}

fn guessed(text: &[u8]) -> TableMapping {
    guess(&TableSample::of(text, text.len() <= SAMPLE_BYTES).expect("a table"))
}

fn opened(text: &str) -> ImportedLaps {
    read(text.as_bytes(), &guessed(text.as_bytes())).unwrap_or_else(|why| panic!("{why}\n{text:.200}"))
}

fn times(laps: &ImportedLaps) -> Vec<Option<u32>> {
    laps.laps.iter().map(|lap| lap.time.map(|LapTime(millis)| millis)).collect()
}

fn value(lap: &ImportedLap, channel: Channel, row: usize) -> f32 {
    at(lap, channel.slot(), row)
}

fn at(lap: &ImportedLap, slot: Slot, row: usize) -> f32 {
    lap.columns.value(slot, row).unwrap_or_else(|| panic!("no {} in row {row}", slot.id()))
}

#[test]
fn a_running_time_and_lap_numbers_make_laps() {
    let text = table("Time [s],Lap,Speed [km/h],Distance [m],Throttle %,Gear", 1000.0, 7000.0, |moment| {
        format!("{:.3},{},180,{:.2},55,{}", moment.time_s + 100.0, moment.lap(), moment.metres, 4)
    });
    let laps = opened(&text);
    let none = None;
    // The first lap begins in the middle, the last one ends there.
    assert_eq!(times(&laps), [none, Some(40_000), Some(40_000), none]);
    let numbers: Vec<u16> = laps.laps.iter().map(|lap| lap.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    let lap = &laps.laps[1];
    assert!(lap.flags.has(LapFlag::Inferred));
    assert!((value(lap, Channel::Speed, 0) - 50.0).abs() < 1e-4);
    assert!((value(lap, Channel::Throttle, 0) - 0.55).abs() < 1e-6);
    assert_eq!(value(lap, Channel::Gear, 7), 4.0);
    assert!((value(lap, Channel::LapDistance, 1000) - 1000.0).abs() < 1.0);
}

#[test]
fn a_clock_of_the_lap_makes_laps() {
    let clock = |moment: &Moment| moment.lap_m() / SPEED_MPS;
    let text = table("LapTime (ms);Tempo;Bremse;LapDist", 0.0, 4400.0, |moment| {
        format!("{:.0};{:.1};0,0;{:.1}", clock(moment) * 1e3, 50.0, moment.lap_m()).replace('.', ",")
    });
    let text = text.replace("Tempo", "Speed m/s");
    let laps = opened(&text);
    assert_eq!(times(&laps), [Some(40_000), Some(40_000), None]);
    assert!((value(&laps.laps[1], Channel::LapDistance, 100) - 100.5).abs() < 0.1);
    assert_eq!(value(&laps.laps[1], Channel::Brake, 5), 0.0);
}

#[test]
fn minutes_and_seconds_are_times() {
    let text = table("Lap;Lap Time;Distance;Speed (mph)", 0.0, 4100.0, |moment| {
        let clock = moment.lap_m() / SPEED_MPS + 60.0;
        format!(
            "{};{:.0}:{:06.3};{:.1};111.8468",
            moment.lap() + 1,
            (clock / 60.0).floor(),
            clock % 60.0,
            moment.metres
        )
        .replace('.', ",")
    });
    let mapping = guessed(text.as_bytes());
    assert_eq!(mapping.column("Lap Time").map(|column| column.unit.as_str()), Some("mm:ss"));
    assert_eq!(mapping.column("Speed (mph)").map(|column| column.unit.as_str()), Some("mph"));
}

#[test]
fn a_share_of_the_lap_and_speed_give_the_length() {
    let text = table("time,speed,lap progress", 0.0, 4000.0, |moment| {
        format!("{:.2},50,{:.6}", moment.time_s, moment.lap_m() / LAP_M)
    });
    let laps = opened(&text);
    assert_eq!(times(&laps), [Some(40_000), Some(40_000)]);
    assert!((value(&laps.laps[0], Channel::LapDistance, 1000) - 1000.5).abs() < 0.5);
}

#[test]
fn a_table_without_time_counts_rows_or_has_distance_and_speed() {
    let text = table("Distance,Speed,Gear", 0.0, 2000.0, |moment| format!("{:.2},50,3", moment.metres));
    let laps = opened(&text);
    assert!(laps.note.is_some_and(|note| note.contains("distance and speed")), "{:?}", laps.note);
    let [lap] = laps.laps.as_slice() else { panic!("one lap") };
    assert!(lap.time.is_some_and(|time| time.0.abs_diff(40_000) <= 20), "{:?}", lap.time);
    let text = table("LapDistPct,Speed", 0.0, 2000.0, |moment| format!("{:.6},50", moment.metres / LAP_M));
    let mut mapping = guessed(text.as_bytes());
    assert!(matches!(read(text.as_bytes(), &mapping), Err(NotMapped::NoTime)));
    mapping.rows_per_second = Some(50.0);
    let laps = read(text.as_bytes(), &mapping).expect("a lap");
    assert_eq!(times(&laps), [Some(40_000)]);
    assert!(laps.note.is_some_and(|note| note.contains("rows were counted")));
}

#[test]
fn a_lap_alone_lasts_to_its_last_row() {
    let text = table("Time,Speed,Brake", 0.0, 2000.0, |moment| format!("{:.2},50,0.5", moment.time_s));
    let laps = opened(&text);
    assert_eq!(times(&laps), [Some(39_980)]);
    assert!(laps.note.is_some_and(|note| note.contains("last row")));
    assert!((value(&laps.laps[0], Channel::LapDistance, 1000) - 1000.0).abs() < 1.0);
    assert!(laps.laps[0].distance_from_speed);
}

#[test]
fn positions_are_upright_and_degrees_become_metres() {
    let text = table("Time,Speed,Pos X,Pos Y,Pos Z", 0.0, 2000.0, |moment| {
        let angle = moment.metres / LAP_M * std::f64::consts::TAU;
        format!("{:.2},50,{:.2},{:.2},{:.2}", moment.time_s, 318.0 * angle.sin(), 318.0 * angle.cos(), 3.0)
    });
    let laps = opened(&text);
    assert_eq!(at(&laps.laps[0], Channel::Position.along(Axis::Y), 500), 3.0);
    assert!((at(&laps.laps[0], Channel::Position.along(Axis::X), 500) - 318.0).abs() < 1.0);
    let text = table("Time,Speed,Latitude,Longitude", 0.0, 2000.0, |moment| {
        format!("{:.2},50,{:.7},6.9", moment.time_s, 50.3 + moment.metres / 111_230.0)
    });
    let laps = opened(&text);
    assert!((at(&laps.laps[0], Channel::Position.along(Axis::Z), 1000) - 1000.0).abs() < 5.0);
    assert_eq!(at(&laps.laps[0], Channel::Position.along(Axis::Y), 1000), 0.0);
    // A flat map has no heights, and a sign can be turned.
    let text = table("Time,Speed,X,Y", 0.0, 2000.0, |moment| {
        format!("{:.2},50,{:.2},{:.2}", moment.time_s, moment.metres, 7.0)
    });
    let mut mapping = guessed(text.as_bytes());
    mapping
        .columns
        .iter_mut()
        .filter(|column| column.column == "X")
        .for_each(|column| column.opposite = true);
    let laps = read(text.as_bytes(), &mapping).expect("a lap");
    let axes = Axis::ALL.map(|axis| at(&laps.laps[0], Channel::Position.along(axis), 1000));
    assert!((axes[0] + 1000.5).abs() < 0.1 && axes[1] == 0.0 && axes[2] == 7.0, "{axes:?}");
}

#[test]
fn logs_with_lines_before_the_heading_and_units_below_it_are_read() {
    let text = table(
        "\"Format\",\"Logger\"\n\"Venue\",\"Spa, Francorchamps\"\n\n\"Time\",\"Ground Speed\",\"Lap Distance\",\"Brake Pos\"\n\"s\",\"km/h\",\"m\",\"%\"\n",
        0.0,
        4000.0,
        |moment| format!("{:.2},\"180\",{:.1},25", moment.time_s, moment.lap_m()),
    );
    let laps = opened(&text);
    assert_eq!(times(&laps)[0], Some(40_000));
    assert!((value(&laps.laps[0], Channel::Speed, 3) - 50.0).abs() < 1e-4);
    assert_eq!(value(&laps.laps[0], Channel::Brake, 3), 0.25);
}

#[test]
fn text_of_two_bytes_a_letter_and_any_line_break_make_the_same_laps() {
    let text =
        table("Time\tSpeed\tTemp\u{b0}", 0.0, 2000.0, |moment| format!("{:.2}\t50\t90", moment.time_s));
    let expected = times(&opened(&text));
    let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [little, big, text.replace('\n', "\r\n").into_bytes(), text.replace('\n', "\r").into_bytes()]
    {
        assert_eq!(times(&read(&bytes, &guessed(&bytes)).expect("laps")), expected);
    }
}

#[test]
fn a_mapping_comes_back_from_its_text() {
    let text = table("Time [s],Speed,Lap,Tyre Temp FL", 0.0, 4000.0, |moment| {
        format!("{:.2},50,{},80", moment.time_s, moment.lap())
    });
    let mut mapping = guessed(text.as_bytes());
    mapping.rows_per_second = Some(60.0);
    let json = mapping.to_json();
    assert_eq!(TableMapping::from_json(&json), Ok(mapping.clone()));
    assert!(json.contains("\"tyre_surface_temperature_fl\"") && !json.contains("opposite"), "{json}");
    for wrong in [
        "",
        "{}",
        &json.replace("lap_number", "lap_count"),
        &json.replace("\",\"", "\"1\""),
        &json.replace("60.0", "0.0"),
    ] {
        assert!(matches!(TableMapping::from_json(wrong), Err(NotMapped::NoMapping(_))), "{wrong}");
    }
}

#[test]
fn the_preview_shows_values_with_units_and_laps() {
    let text = table("Time,Lap,Speed [km/h],Lap Distance,Throttle %", 0.0, 6000.0, |moment| {
        format!(
            "{:.2},{},180,{:.1},{}",
            moment.time_s,
            moment.lap(),
            moment.lap_m(),
            if moment.metres < 1.0 { "NaN" } else { "55" }
        )
    });
    let head = text.as_bytes();
    let sample = TableSample::of(head, true).expect("a table");
    let mapping = guess(&sample);
    let shown = preview(&mapping, &sample, head, true);
    let of = |name: &str| {
        shown.values.iter().find(|(other, _)| other == name).map(|(_, values)| values.join(" | "))
    };
    assert_eq!(of("Speed [km/h]").as_deref(), Some("180 km/h | 180 km/h | 180 km/h"));
    assert_eq!(of("Throttle %").as_deref(), Some("empty | 55 % | 55 %"));
    assert_eq!(of("Time").as_deref(), Some("0.010 s | 0.030 s | 0.050 s"));
    assert_eq!(shown.laps.as_deref(), Ok("3 laps: 40.000, 40.000, 40.000"));
    let cut = preview(&mapping, &sample, &head[..head.len() / 2], false);
    assert_eq!(cut.laps.as_deref(), Ok("2 laps in the beginning of the file: 40.000, incomplete"));
}
