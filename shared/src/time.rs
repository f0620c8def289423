//! Two kinds of time that must never be mixed: when a packet was received, and how long a lap took.

use std::fmt;

use serde::{Deserialize, Serialize};

/// When a packet was received: microseconds since the start of 1970, never running back within one relay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub u64);

impl Micros {
    /// The same moment, `seconds` later.
    pub fn plus_seconds(self, seconds: f64) -> Self {
        Self(self.0.saturating_add_signed((seconds * 1e6).round() as i64))
    }

    /// Seconds from `earlier` to this moment; negative when `earlier` is in fact later.
    pub fn seconds_since(self, earlier: Self) -> f64 {
        (self.0 as f64 - earlier.0 as f64) / 1e6
    }
}

/// How long a lap or a sector took, to the millisecond that games and stewards count in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LapTime(pub u32);

impl LapTime {
    /// A time that a game sent in seconds; `None` for what games send when there is no time (zero, negative, NaN).
    pub fn from_seconds(seconds: f32) -> Option<Self> {
        let millis = (f64::from(seconds) * 1e3).round();
        (millis >= 1.0 && millis <= f64::from(u32::MAX)).then_some(Self(millis as u32))
    }

    /// The time in seconds.
    pub fn seconds(self) -> f64 {
        f64::from(self.0) / 1e3
    }

    /// How much longer this time is than `other`, in milliseconds.
    pub fn minus(self, other: Self) -> i64 {
        i64::from(self.0) - i64::from(other.0)
    }
}

/// Prints as drivers read it: `1:43.512`, and `52.007` below a minute.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lap_times_print_as_drivers_read_them() {
        assert_eq!(LapTime(103_512).to_string(), "1:43.512");
        assert_eq!(LapTime(52_007).to_string(), "52.007");
        assert_eq!(LapTime(600_000).to_string(), "10:00.000");
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
