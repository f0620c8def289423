//! Two kinds of time that must never be mixed: when a packet was received, and how long a lap took.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

/// When a packet was received: microseconds since 1970, never running backwards within one relay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub u64);

impl Micros {
    /// The same moment, `seconds` later.
    pub fn plus_seconds(self, seconds: f64) -> Self {
        Self(self.0.saturating_add_signed((seconds * 1e6).round() as i64))
    }

    /// The local date and time in a zone `zone_s` seconds ahead of UTC.
    pub fn date_time(self, zone_s: i32) -> DateTime {
        let moment = i64::try_from(self.0).ok().and_then(|micros| Timestamp::from_microsecond(micros).ok());
        let zone = Offset::from_seconds(zone_s).unwrap_or(Offset::UTC);
        zone.to_datetime(moment.unwrap_or(Timestamp::MAX))
    }

    /// Converts a UTC date and time; `None` before 1970.
    pub fn from_utc(date_time: DateTime) -> Option<Self> {
        let moment = Offset::UTC.to_timestamp(date_time).ok()?;
        u64::try_from(moment.as_microsecond()).ok().map(Self)
    }

    /// Seconds from `earlier` to this moment; negative when `earlier` is later.
    pub fn seconds_since(self, earlier: Self) -> f64 {
        (self.0 as f64 - earlier.0 as f64) / 1e6
    }
}

/// A lap or sector time in milliseconds, the precision of games and stewards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LapTime(pub u32);

impl LapTime {
    /// Converts a time sent in seconds; `None` for the values that games send when there is no time (zero, negative,
    /// NaN).
    pub fn from_seconds(seconds: f32) -> Option<Self> {
        // The library's rounding takes longer than all the rest. The sum is exact: the product has 34 digits at most.
        let above = f64::from(seconds) * 1e3 + 0.5;
        (above >= 1.0 && above < f64::from(u32::MAX) + 1.0).then_some(Self(above as u32))
    }

    /// The time in seconds.
    pub fn seconds(self) -> f64 {
        f64::from(self.0) / 1e3
    }

    /// Milliseconds by which this time is longer than `other`.
    pub fn minus(self, other: Self) -> i64 {
        i64::from(self.0) - i64::from(other.0)
    }
}

/// Formats as drivers read it: `1:43.512`, and `52.007` below a minute.
impl fmt::Display for LapTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, rest) = (self.0 / 60_000, self.0 % 60_000);
        let (seconds, millis) = (rest / 1000, rest % 1000);
        match minutes {
            0 => write!(f, "{seconds}.{millis:03}"),
            _ => write!(f, "{minutes}:{seconds:02}.{millis:03}"),
        }
    }
}

/// Reads a time as drivers write it: `1:43.512`, `52.007` or `1:43,5`.
impl FromStr for LapTime {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const NO_TIME: &str = "is no lap time such as 1:43.512";
        let text = text.trim().replace(',', ".");
        let (minutes, seconds) = text.split_once(':').unwrap_or(("0", &text));
        let minutes: u32 = minutes.parse().map_err(|_| NO_TIME)?;
        let is_number = seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let seconds = crate::number::read(seconds).filter(|_| is_number).ok_or(NO_TIME)?;
        let limit = if text.contains(':') { 60.0 } else { 86_400.0 };
        let millis = ((f64::from(minutes) * 60.0 + seconds) * 1e3).round();
        (millis >= 1.0 && seconds < limit && minutes < 1440).then_some(Self(millis as u32)).ok_or(NO_TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (micros, zone_s, expected) in [
            (0, 0, "1970-01-01T00:00:00"),
            (0, -1, "1969-12-31T23:59:59"),
            (951_782_400_000_000, 0, "2000-02-29T00:00:00"),
            (1_795_271_520_000_001, 3600, "2026-11-21T15:32:00.000001"),
            (4_107_542_400_000_000, 0, "2100-03-01T00:00:00"),
        ] {
            let at = Micros(micros);
            assert_eq!(at.date_time(zone_s).to_string(), expected);
            assert_eq!(Micros::from_utc(at.date_time(0)), Some(at));
        }
        // Every `u64` has a date.
        assert_eq!(Micros(u64::MAX).date_time(0).year(), 9999);
    }

    #[test]
    fn lap_times_print_as_drivers_read_them() {
        assert_eq!(LapTime(103_512).to_string(), "1:43.512");
        assert_eq!(LapTime(52_007).to_string(), "52.007");
        assert_eq!(LapTime(600_000).to_string(), "10:00.000");
    }

    #[test]
    fn lap_times_are_read_as_drivers_write_them() {
        for (text, millis) in
            [("1:43.512", 103_512), (" 52,007 ", 52_007), ("78.786", 78_786), ("45:00", 2_700_000)]
        {
            assert_eq!(text.parse(), Ok(LapTime(millis)), "{text}");
        }
        for text in ["", "0", "1:60", "-1.2", "1:-2", "1e3", "1:2:3", "a", "NaN", "99999:01"] {
            assert!(text.parse::<LapTime>().is_err(), "{text}");
        }
    }

    #[test]
    fn no_time_is_none() {
        for nothing in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(LapTime::from_seconds(nothing), None, "{nothing}");
        }
        assert_eq!(LapTime::from_seconds(83.4567), Some(LapTime(83_457)));
    }

    #[test]
    fn every_millisecond_below_half_an_hour_survives_single_precision() {
        for millis in (1..1_800_000).step_by(7) {
            let sent = (f64::from(millis) / 1e3) as f32;
            assert_eq!(LapTime::from_seconds(sent), Some(LapTime(millis)));
        }
    }

    #[test]
    fn micros_measure_both_ways() {
        let start = Micros(1_000_000);
        let later = start.plus_seconds(2.5);
        assert_eq!(later, Micros(3_500_000));
        assert_eq!(start.seconds_since(later), -2.5);
    }
}
