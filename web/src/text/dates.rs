//! Dates and times of day.

use trailbrake_shared::time::Micros;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A date and time in the time zone `minutes_west` of Greenwich: `21 Nov 2026 14:32`.
pub(crate) fn date(at: Micros, minutes_west: i64) -> String {
    let minutes = (at.0 / 60_000_000) as i64 - minutes_west;
    let (days, minute) = (minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = civil(days);
    let month = usize::try_from(month - 1).ok().and_then(|month| MONTHS.get(month)).unwrap_or(&"?");
    format!("{day} {month} {year} {:02}:{:02}", minute / 60, minute % 60)
}

/// A time of day in the time zone `minutes_west` of Greenwich, to the millisecond: `14:32:05.120`.
pub(crate) fn time_of_day(at: Micros, minutes_west: i64) -> String {
    let millis = (at.0 / 1000) as i64 - minutes_west * 60_000;
    let millis = millis.rem_euclid(86_400_000);
    let (seconds, millis) = (millis / 1000, millis % 1000);
    format!("{:02}:{:02}:{:02}.{millis:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Year, month (from 1) and day of a number of days since 1 January 1970. Inside, years begin in March, so that the
/// leap day is the last day of a year.
fn civil(days: i64) -> (i64, i64, i64) {
    const FOUR_CENTURIES: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(FOUR_CENTURIES), days.rem_euclid(FOUR_CENTURIES));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_place() {
        let at = Micros(1_795_271_525_120_900);
        assert_eq!(
            (time_of_day(at, 0), time_of_day(at, 15 * 60)),
            ("14:32:05.120".into(), "23:32:05.120".into())
        );
        assert_eq!(time_of_day(Micros(0), -60), "01:00:00.000");
    }

    #[test]
    fn dates_are_those_of_the_place() {
        let second = |seconds: u64| Micros(seconds * 1_000_000);
        assert_eq!(date(second(0), 0), "1 Jan 1970 00:00");
        assert_eq!(date(second(0), 60), "31 Dec 1969 23:00");
        assert_eq!(date(second(1_795_271_520), 0), "21 Nov 2026 14:32");
        assert_eq!(date(second(1_795_271_520), -60), "21 Nov 2026 15:32");
        assert_eq!(date(second(951_782_340), 0), "28 Feb 2000 23:59");
        assert_eq!(date(second(951_782_400), 0), "29 Feb 2000 00:00");
        assert_eq!(date(second(4_107_542_400), 0), "1 Mar 2100 00:00");
    }
}
