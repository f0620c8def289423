//! The date and the time of day, as logs and tables have them.

use crate::time::Micros;

/// The date and the time of day of a moment, by Greenwich: `21/11/2026` and `14:32:05`.
pub(super) fn date_and_time(moment: Micros) -> (String, String) {
    let seconds = moment.0 / 1_000_000;
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    (format!("{day:02}/{month:02}/{year:04}"), format!("{hour:02}:{minute:02}:{second:02}"))
}

/// The moment of a date and a time of day that were written by Greenwich, as ours are. Other programs' are of a zone that
/// they do not name.
pub(super) fn moment(date: &str, time: &str) -> Option<Micros> {
    let numbers = |text: &str, between: char| {
        let numbers: Option<Vec<u64>> =
            text.trim().split(between).map(|part| part.trim().parse().ok()).collect();
        numbers.and_then(|numbers| <[u64; 3]>::try_from(numbers).ok())
    };
    let [day, month, year] = numbers(date, '/')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let plain = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    (plain && hour < 24 && minute < 60 && second < 61).then(|| {
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        Micros(seconds * 1_000_000)
    })
}

/// A moment as tables have it: `2026-11-21T14:32:05.123456Z`.
pub(super) fn iso(moment: Micros) -> String {
    let (seconds, micros) = (moment.0 / 1_000_000, moment.0 % 1_000_000);
    let (year, month, day) = date(seconds / 86_400);
    let of_day = seconds % 86_400;
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// The moment that is written like this.
pub(super) fn from_iso(text: &str) -> Option<Micros> {
    let (day, time) = text.trim().strip_suffix('Z')?.split_once('T')?;
    let (time, micros) = time.split_once('.').unwrap_or((time, "0"));
    let day: Vec<&str> = day.split('-').rev().collect();
    let micros: u64 = micros.parse().ok().filter(|micros| *micros < 1_000_000)?;
    Some(Micros(moment(&day.join("/"), time)?.0 + micros))
}

/// The date so many days after the first of 1970. Years are counted from March, so that the leap day is their last.
fn date(days: u64) -> (u64, u64, u64) {
    // Days since the first of March of the year 0, in eras of 400 years that are all alike.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

/// Days from the first of 1970 to a date.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    (year * 365 + year / 4 - year / 100 + year / 400 + of_year).saturating_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_comes_back_from_its_date() {
        for day in (0..60_000).step_by(13) {
            let at = Micros((day * 86_400 + 52_325) * 1_000_000);
            let (date, time) = date_and_time(at);
            assert_eq!(moment(&date, &time), Some(at), "{date} {time}");
            let later = Micros(at.0 + day);
            assert_eq!(from_iso(&iso(later)), Some(later));
        }
        assert_eq!(date_and_time(Micros(1_700_000_000_000_000)).0, "14/11/2023");
        assert_eq!(iso(Micros(1_700_000_000_000_007)), "2023-11-14T22:13:20.000007Z");
        assert!(["", "2023-11-14", "2023-11-14T22:13:20"].iter().all(|text| from_iso(text).is_none()));
        for (date, time) in
            [("", ""), ("2023-11-14", "22:13:20"), ("14/13/2023", "22:13:20"), ("14/11/2023", "25:00:00")]
        {
            assert_eq!(moment(date, time), None, "{date} {time}");
        }
    }
}
