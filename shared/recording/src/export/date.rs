//! Date and time of day, as logs and tables write them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use trailbrake_model::time::Micros;

const LOG_DATE: &str = "%d/%m/%Y";
const LOG_TIME: &str = "%H:%M:%S";

/// Date and time of day in UTC: `21/11/2026` and `14:32:05`.
pub(super) fn date_and_time(moment: Micros) -> (String, String) {
    let at = moment.date_time(0);
    (at.strftime(LOG_DATE).to_string(), at.strftime(LOG_TIME).to_string())
}

/// The moment of a date and a time of day in UTC, as our own logs write them. Other programs' logs don't name their zone.
pub(super) fn moment(date: &str, time: &str) -> Option<Micros> {
    let date = Date::strptime(LOG_DATE, date.trim()).ok()?;
    let time = Time::strptime(LOG_TIME, time.trim()).ok()?;
    Micros::from_utc(DateTime::from_parts(date, time))
}

/// A moment as tables have it: `2026-11-21T14:32:05.123456Z`.
pub(super) fn iso(moment: Micros) -> String {
    moment.date_time(0).strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
}

/// The moment that a table wrote, in UTC or with an offset.
pub(super) fn from_iso(text: &str) -> Option<Micros> {
    let moment: Timestamp = text.trim().parse().ok()?;
    u64::try_from(moment.as_microsecond()).ok().map(Micros)
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
