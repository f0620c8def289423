//! One car's time: packets have no number and no session clock, so the lap clock orders each car's records.

use zerocopy::IntoBytes;

use super::layout::Driver;

/// A lap clock that is behind by no more than this belongs to a packet that arrived out of order.
const OVERTAKEN_MS: u32 = 500;
/// Anything but continuing time is accepted after this many records in a row.
const STEADY_RECORDS: u32 = 6;

/// How a record continues its car's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tick {
    /// The car's first record.
    First,
    /// Time goes on.
    Flows,
    /// The car crossed the line.
    Line,
    /// Identical to the previous record in every byte.
    Still,
    /// Not used: out of order, or a leap that later records have not confirmed.
    Doubtful,
    /// The car is further back than before: a restart.
    FellBack,
    /// Laps are missing.
    Jumped,
}

/// Tracks the records of one car.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    newest: Option<Driver>,
    /// Doubtful records in a row.
    doubtful: u32,
}

impl Timeline {
    /// The newest accepted record.
    pub(super) fn newest(&self) -> Option<&Driver> {
        self.newest.as_ref()
    }

    /// Whether the car has come far enough for a restart to be visible.
    pub(super) fn has_way_behind_it(&self) -> bool {
        let newest = self.newest.as_ref();
        newest.is_some_and(|newest| newest.lap_count.get() > 0 || newest.lap_time.get() > OVERTAKEN_MS)
    }

    /// Judges the car's next record without taking it.
    pub(super) fn tick(&mut self, now: &Driver) -> Tick {
        let tick = self.judge(now);
        self.doubtful = if tick == Tick::Doubtful { self.doubtful.saturating_add(1) } else { 0 };
        tick
    }

    /// Takes a record as the newest one.
    pub(super) fn take(&mut self, now: &Driver) {
        self.newest = Some(*now);
    }

    fn judge(&self, now: &Driver) -> Tick {
        let Some(newest) = &self.newest else { return Tick::First };
        if newest.as_bytes() == now.as_bytes() {
            return Tick::Still;
        }
        let (count, was) = (now.lap_count.get(), newest.lap_count.get());
        let (clock, stood) = (now.lap_time.get(), newest.lap_time.get());
        let steady = self.doubtful + 1 >= STEADY_RECORDS;
        if count == was {
            return match stood.saturating_sub(clock) {
                0 => Tick::Flows,
                1..=OVERTAKEN_MS => Tick::Doubtful,
                _ if steady => Tick::FellBack,
                _ => Tick::Doubtful,
            };
        }
        match was.checked_add(1) {
            Some(next) if count == next => Tick::Line,
            _ if !steady => Tick::Doubtful,
            _ if count > was => Tick::Jumped,
            _ => Tick::FellBack,
        }
    }
}

#[cfg(test)]
mod tests {
    use zerocopy::FromZeros;

    use super::*;

    /// Checks records of lap count and lap clock against one letter for each [`Tick`].
    fn check(records: &[(i16, u32)], expected: &str) {
        let mut timeline = Timeline::default();
        let ticks: String = records
            .iter()
            .map(|&(count, clock)| {
                let mut driver = Driver::new_zeroed();
                (driver.lap_count, driver.lap_time) = (count.into(), clock.into());
                let tick = timeline.tick(&driver);
                if !matches!(tick, Tick::Doubtful | Tick::Still) {
                    timeline.take(&driver);
                }
                match tick {
                    Tick::First => '1',
                    Tick::Flows => '.',
                    Tick::Line => 'L',
                    Tick::Still => '=',
                    Tick::Doubtful => '?',
                    Tick::FellBack => 'B',
                    Tick::Jumped => 'J',
                }
            })
            .collect();
        assert_eq!(ticks, expected);
    }

    #[test]
    fn time_goes_on_over_the_line_and_stands_still() {
        check(&[(0, 100), (0, 116), (0, 116), (0, 5000), (1, 8), (1, 24)], "1.=.L.");
    }

    #[test]
    fn overtaken_packets_change_nothing() {
        check(
            &[(0, 90_000), (0, 90_016), (0, 90_000), (1, 4), (0, 90_016), (1, 20), (1, 4), (1, 36)],
            "1.?L?.?.",
        );
    }

    #[test]
    fn a_leap_is_believed_once_it_is_steady() {
        let back: Vec<(i16, u32)> = (0..8).map(|tick| (0, tick * 16)).collect();
        check(&[&[(3, 50_000)], back.as_slice()].concat(), "1?????B..");
        check(&[&[(0, 50_000)], back.as_slice()].concat(), "1?????B..");
        let on: Vec<(i16, u32)> = (0..7).map(|tick| (5, tick * 16)).collect();
        check(&[&[(3, 50_000)], on.as_slice()].concat(), "1?????J.");
        check(&[(i16::MAX, 5), (i16::MIN, 5)], "1?");
    }
}
