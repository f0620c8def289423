//! Progress: the best and the median lap of each day or week.

use serde::Serialize;
use trailbrake_model::time::{LapTime, Micros};

use super::statistics;

/// The period by which laps are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Period {
    /// Days, from midnight to midnight.
    Day,
    /// Weeks, from Monday to Sunday.
    Week,
}

/// The laps of one day or week.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PeriodLaps {
    /// Its first day, in days since 1 January 1970.
    pub first_day: i64,
    /// Number of laps.
    pub laps: usize,
    /// The best lap time.
    pub best: LapTime,
    /// The median lap time, seconds.
    pub median_s: f64,
}

const US_A_DAY: i64 = 86_400_000_000;
const DAYS_A_WEEK: i64 = 7;
/// 1 January 1970 was a Thursday, three days after a Monday.
const SINCE_MONDAY: i64 = 3;

impl Period {
    /// The first day of the period of a moment, where clocks are `ahead_s` seconds ahead of UTC.
    pub fn first_day(self, at: Micros, ahead_s: i32) -> i64 {
        let local = i64::try_from(at.0).unwrap_or(i64::MAX).saturating_add(i64::from(ahead_s) * 1_000_000);
        let day = local.div_euclid(US_A_DAY);
        match self {
            Self::Day => day,
            Self::Week => day - (day + SINCE_MONDAY).rem_euclid(DAYS_A_WEEK),
        }
    }
}

/// Best and median of each period with laps, in order. The laps may come in any order.
pub fn progress(laps: &[(Micros, LapTime)], period: Period, ahead_s: i32) -> Vec<PeriodLaps> {
    let mut dated: Vec<(i64, LapTime)> =
        laps.iter().map(|(at, time)| (period.first_day(*at, ahead_s), *time)).collect();
    dated.sort_unstable();
    let period = |laps: &[(i64, LapTime)]| {
        // Sorted by day and then by time, so the first is the best.
        let (first_day, best) = *laps.first()?;
        let seconds: Vec<f64> = laps.iter().map(|(_, time)| time.seconds()).collect();
        Some(PeriodLaps { first_day, laps: laps.len(), best, median_s: statistics::median(&seconds)? })
    };
    dated.chunk_by(|(one, _), (other, _)| one == other).filter_map(period).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A time, in hours after midnight UTC of Monday, 16 November 2026.
    fn hours(hours: u64) -> Micros {
        Micros((20_773 * 24 + hours) * 3_600_000_000)
    }

    #[test]
    fn days_and_weeks_have_a_best_and_a_middle() {
        let laps = [(22, 91_000), (20, 90_000), (21, 95_000), (30, 89_000), (24 * 7, 88_000)]
            .map(|(at, millis)| (hours(at), LapTime(millis)));
        let days = progress(&laps, Period::Day, 0);
        let rows: Vec<_> = days.iter().map(|day| (day.first_day - 20_773, day.laps, day.best.0)).collect();
        assert_eq!(rows, [(0, 3, 90_000), (1, 1, 89_000), (7, 1, 88_000)]);
        assert_eq!(days[0].median_s, 91.0);
        let weeks = progress(&laps, Period::Week, 0);
        assert_eq!(
            weeks.iter().map(|week| (week.first_day - 20_773, week.laps)).collect::<Vec<_>>(),
            [(0, 4), (7, 1)]
        );
    }

    #[test]
    fn a_day_begins_at_the_drivers_midnight() {
        let late = [(hours(23), LapTime(90_000)), (hours(25), LapTime(91_000))];
        assert_eq!(progress(&late, Period::Day, 0).len(), 2);
        assert_eq!(progress(&late, Period::Day, 2 * 3600).len(), 1);
        assert_eq!(Period::Week.first_day(Micros(0), 0), -3, "the Monday before the first of January 1970");
    }

    proptest! {
        #[test]
        fn no_lap_is_lost(laps in prop::collection::vec((any::<u64>(), 1_u32..200_000), 0..50), ahead_s in -50_000..50_000) {
            let laps: Vec<_> = laps.into_iter().map(|(at, millis)| (Micros(at), LapTime(millis))).collect();
            for period in [Period::Day, Period::Week] {
                let parts = progress(&laps, period, ahead_s);
                prop_assert_eq!(parts.iter().map(|part| part.laps).sum::<usize>(), laps.len());
                prop_assert!(parts.is_sorted_by(|a, b| a.first_day < b.first_day));
            }
        }
    }
}
