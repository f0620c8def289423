//! Numbers as text, with a typographic minus, and a dash for a missing number.

use trailbrake_shared::number;
use trailbrake_shared::session::Gap;
use trailbrake_shared::time::LapTime;
use trailbrake_shared::units::DisplayUnit;

/// Stands for a missing number.
pub(crate) const NONE: &str = "–";

/// A value in SI units, converted to a display unit; without the unit's suffix.
pub(crate) fn figure(value: Option<f32>, unit: &DisplayUnit) -> String {
    match value {
        Some(value) => number::write(unit.value(f64::from(value)), unit.decimals),
        None => NONE.to_owned(),
    }
}

/// A lap time in a table.
pub(crate) fn lap_time(time: Option<LapTime>) -> String {
    time.map_or_else(|| NONE.to_owned(), |time| time.to_string())
}

/// A lap's time in a list of laps: its place is kept where it has none, and an inferred one is only about right.
pub(crate) fn listed_time(time: Option<LapTime>, inferred: bool) -> String {
    let about = if inferred { "≈ " } else { "" };
    time.map_or_else(|| "–:––.–––".to_owned(), |time| format!("{about}{time}"))
}

/// A gap to another car.
pub(crate) fn gap(gap: Gap) -> String {
    match gap {
        Gap::Leader => "leader".to_owned(),
        Gap::Seconds(seconds) => format!("+{}", number::write(seconds.into(), 3)),
        Gap::Laps(1) => "+1 lap".to_owned(),
        Gap::Laps(laps) => format!("+{laps} laps"),
        Gap::Unknown => NONE.to_owned(),
    }
}

/// A running lap clock, to the tenth: `1:23.4`.
pub(crate) fn clock(seconds: f32) -> String {
    // Truncated, not rounded, as clocks are: 59.97 is not 1:00.0 yet.
    let tenths = (f64::from(seconds.max(0.0)) * 10.0 + 1e-3).floor() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

/// A clock to the thousandth, like a lap time: `1:23.456`.
pub(crate) fn precise_clock(seconds: f64) -> String {
    let millis = (seconds.max(0.0) * 1e3).round() as u64;
    format!("{}:{:02}.{:03}", millis / 60_000, millis / 1000 % 60, millis % 1000)
}

/// A time in a session: `24:12`, with hours from the first one on.
pub(crate) fn minutes(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// A difference of lap times in seconds with its sign, so that it does not need a colour: `+0.421`.
pub(crate) fn delta(millis: i64) -> String {
    number::write_signed(millis as f64 / 1e3, 3)
}

/// A gear as drivers name it: R, N, then numbers.
pub(crate) fn gear(value: Option<f32>) -> String {
    match value.map(f32::round) {
        None => NONE.to_owned(),
        Some(gear) if gear < 0.0 => "R".to_owned(),
        Some(0.0) => "N".to_owned(),
        Some(gear) => number::write(f64::from(gear), 0),
    }
}

/// A file's size in words.
pub(crate) fn size(bytes: u64) -> String {
    let (value, unit) = match bytes {
        ..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (bytes as f64 / 1e3, "KB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    format!("{} {unit}", number::write(value, if value < 9.95 { 1 } else { 0 }))
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::units::Unit;

    use super::*;

    #[test]
    fn values_are_converted_and_rounded() {
        let speed = Unit::MetresPerSecond.shown();
        assert_eq!(figure(Some(55.9), speed), "201");
        assert_eq!(figure(None, speed), "–");
    }

    #[test]
    fn times_are_cut_to_what_can_be_read() {
        assert_eq!(clock(38.214), "0:38.2");
        assert_eq!(clock(59.97), "0:59.9");
        assert_eq!(clock(83.3), "1:23.3");
        assert_eq!(clock(-1.0), "0:00.0");
        assert_eq!(minutes(1452.9), "24:12");
        assert_eq!(minutes(7325.0), "2:02:05");
    }

    #[test]
    fn differences_have_a_sign() {
        assert_eq!([delta(421), delta(-182), delta(0)], ["+0.421", "−0.182", "0.000"]);
    }

    #[test]
    fn gears_have_names() {
        let shown: Vec<String> =
            [Some(-1.0), Some(0.0), Some(1.0), Some(8.0), None].into_iter().map(gear).collect();
        assert_eq!(shown, ["R", "N", "1", "8", "–"]);
    }

    #[test]
    fn sizes_have_two_figures_or_more() {
        for (bytes, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (9_949, "9.9 KB"),
            (12_300, "12 KB"),
            (3_440_000, "3.4 MB"),
            (123_456_789, "123 MB"),
            (2_050_000_000, "2.0 GB"),
        ] {
            assert_eq!(size(bytes), words, "{bytes}");
        }
    }
}
