//! What is wrong in a table is said with its line and column.

use super::*;

fn refused(text: &str, mapping: &TableMapping) -> String {
    read(text.as_bytes(), mapping).expect_err(text).to_string()
}

/// A table with a row instead of its hundredth one.
fn with_row(heading: &str, other: &str) -> String {
    table(heading, 0.0, 2000.0, |moment| match (moment.time_s / STEP_S) as u32 {
        100 => other.to_owned(),
        _ => format!("{:.2},50,{:.2}", moment.time_s, moment.metres),
    })
}

#[test]
fn rows_are_refused_with_line_and_column() {
    let mapping = guessed(with_row("Time,Speed,Distance", "2.01,50,100").as_bytes());
    for (row, words) in [
        ("2.01,50", "line 102 has 2 fields and not 3: the file is cut off"),
        ("2.01,50,100,7", "line 102 has 4 fields and not 3"),
        ("2.01,fast,100", "line 102, column \"Speed\": \"fast\" is no number"),
        ("1.50,50,100", "line 102, column \"Time\": the time goes back from 1.990 s to 1.500 s"),
        ("99999999,50,100", "line 102, column \"Time\": the time jumps by more than a day"),
    ] {
        let reason = refused(&with_row("Time,Speed,Distance", row), &mapping);
        assert!(reason.contains(words), "{reason}");
    }
    // Fields that are empty or no number are absent, and so is a row without a time.
    for row in ["2.01,,NaN", ",50,100", "NaN,NaN,NaN", "", "2.01,50,100,,"] {
        let text = with_row("Time,Speed,Distance", row);
        assert!(read(text.as_bytes(), &mapping).is_ok(), "{row}");
    }
}

#[test]
fn a_pedal_in_the_wrong_unit_is_noticed() {
    // Nothing is braked in the beginning, so nothing shows that it is per cent.
    let text = table("Time,Speed,Brake", 0.0, 2000.0, |moment| {
        format!("{:.2},50,{}", moment.time_s, if moment.metres < 1000.0 { 0 } else { 80 })
    });
    let mut mapping = guessed(&text.as_bytes()[..2000]);
    let reason = refused(&text, &mapping);
    assert!(reason.contains("column \"Brake\": 80 is more than there is of Brake"), "{reason}");
    mapping.columns.iter_mut().filter(|column| column.column == "Brake").for_each(|column| {
        column.unit = "%".to_owned();
    });
    let laps = read(text.as_bytes(), &mapping).expect("a lap");
    assert_eq!(value(&laps.laps[0], Channel::Brake, 1500), 0.8);
}

#[test]
fn a_time_that_begins_again_is_no_running_one() {
    let text = table("Time,Speed,Lap", 0.0, 4000.0, |moment| {
        format!("{:.2},50,{}", moment.lap_m() / SPEED_MPS, moment.lap())
    });
    let mut mapping = guessed(&text.as_bytes()[..10_000]);
    assert!(mapping.has_time());
    let reason = refused(&text, &mapping);
    assert!(reason.contains("line 2002") && reason.contains("read it as the time in the lap"), "{reason}");
    mapping.columns.iter_mut().filter(|column| column.is == Meaning::Time).for_each(|column| {
        column.is = Meaning::of(Channel::LapClock);
    });
    let laps = read(text.as_bytes(), &mapping).expect("laps");
    assert_eq!(times(&laps)[0], Some(40_000));
}

#[test]
fn mappings_that_lack_something_say_what() {
    let text = with_row("Time,Speed,Distance", "2.01,50,100");
    let mapping = guessed(text.as_bytes());
    let without = |name: &str| {
        let mut mapping = mapping.clone();
        mapping.set_column(name, None);
        mapping
    };
    let changed = |name: &str, is: Meaning, unit: &str| {
        let mut mapping = mapping.clone();
        let column = MappedColumn { column: name.to_owned(), is, unit: unit.to_owned(), opposite: false };
        mapping.set_column(name, Some(column));
        mapping
    };
    let mut no_place = without("Speed");
    no_place.set_column("Distance", None);
    assert!(refused(&text, &no_place).contains("no column says where on the track"));
    let mut no_time = without("Time");
    no_time.set_column("Distance", None);
    assert!(refused(&text, &no_time).contains("no column is a time"));
    let unit = refused(&text, &changed("Speed", Meaning::of(Channel::Speed), "parsec"));
    assert!(unit.contains("\"parsec\" is no unit of Speed; it may be km/h, mph, m/s"), "{unit}");
    let twice = refused(&text, &changed("Speed", Meaning::Time, "s"));
    assert!(twice.contains("two columns are read as Time of the file: \"Speed\" and \"Time\""), "{twice}");
    let other = refused(&text.replace("Speed", "Tempo"), &mapping);
    assert!(other.contains("no column \"Speed\""), "{other}");
}
