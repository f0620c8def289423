//! Sentences as a voice reads them.

use trailbrake_analysis::Advice;
use trailbrake_model::number;
use trailbrake_model::time::LapTime;
use trailbrake_model::units::Units;

use crate::NextCorner;

/// Units as they are written, and as they are read.
const UNITS: [(&str, &str); 6] = [
    ("m", "metres"),
    ("s", "seconds"),
    ("km/h", "kilometres an hour"),
    ("mph", "miles an hour"),
    ("kJ", "kilojoules"),
    ("MJ", "megajoules"),
];

/// A lap time, and its difference to the reference in milliseconds.
pub(super) fn lap(time: LapTime, behind_ms: Option<i64>) -> String {
    let (minutes, rest) = (time.0 / 60_000, f64::from(time.0 % 60_000) / 1e3);
    let seconds = number::write(rest, 2);
    let time = match minutes {
        0 => format!("{seconds} seconds"),
        1 => format!("1 minute {seconds}"),
        minutes => format!("{minutes} minutes {seconds}"),
    };
    let Some(behind_ms) = behind_ms else { return time };
    let difference = number::write(behind_ms.unsigned_abs() as f64 / 1e3, 2);
    match behind_ms {
        0 => format!("{time}, the same as your reference"),
        1.. => format!("{time}, {difference} slower"),
        _ => format!("{time}, {difference} faster"),
    }
}

/// A corner or straight that cost time, and why.
pub(super) fn costly(title: &str, advice: &Advice, units: &Units) -> String {
    let lost = number::write(advice.cause.cost_s, 2);
    format!("{title} cost {lost}: {}", readable(&advice.cause.words(units)))
}

/// The next corner's name.
pub(super) fn next(next: &NextCorner) -> String {
    next.title.clone()
}

/// Words with their units spelled out.
fn readable(words: &str) -> String {
    let spelled = |word: &str| UNITS.iter().find(|(unit, _)| *unit == word).map(|(_, name)| *name);
    let words: Vec<&str> = words.split(' ').map(|word| spelled(word).unwrap_or(word)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_units_are_readable() {
        assert_eq!(lap(LapTime(77_755), None), "1 minute 17.75");
        assert_eq!(lap(LapTime(59_300), Some(210)), "59.30 seconds, 0.21 slower");
        assert_eq!(lap(LapTime(155_734), Some(-80)), "2 minutes 35.73, 0.08 faster");
        assert_eq!(readable("braked 12 m earlier"), "braked 12 metres earlier");
        assert_eq!(readable("3 km/h slower at the apex"), "3 kilometres an hour slower at the apex");
        assert_eq!(readable("coasted 0.30 s longer"), "coasted 0.30 seconds longer");
    }
}
