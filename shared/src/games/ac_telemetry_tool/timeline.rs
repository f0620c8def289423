//! One car's time: packets carry neither number nor clock of the session, so each car's lap clock orders its records.

use zerocopy::IntoBytes;

use super::layout::Driver;

/// A lap clock that is behind by no more than this belongs to a packet that was overtaken by a later one.
const OVERTAKEN_MS: u32 = 500;
/// Anything but time going on is believed once so many records in a row agree.
const STEADY_RECORDS: u32 = 6;

/// What a record is, given the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tick {
    /// The first of its car.
    First,
    /// Time went on.
    Flows,
    /// The car came over the line.
    Line,
    /// The same as the one before, to the last byte: nothing moved.
    Still,
    /// Nothing to go by: overtaken by a later one, or a leap that the next ones have not confirmed.
    Doubtful,
    /// The car is further back than it was: it began anew.
    FellBack,
    /// Laps went by unheard.
    Jumped,
}

/// Follows the records of one car.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    newest: Option<Driver>,
    /// How many records in a row have not agreed with the newest one.
    doubtful: u32,
}

impl Timeline {
    /// The newest record that is believed.
    pub(super) fn newest(&self) -> Option<&Driver> {
        self.newest.as_ref()
    }

    /// Whether a car that begins anew would show it: it has come some way.
    pub(super) fn has_way_behind_it(&self) -> bool {
        let newest = self.newest.as_ref();
        newest.is_some_and(|newest| newest.lap_count.get() > 0 || newest.lap_time.get() > OVERTAKEN_MS)
    }

    /// What the car's next record is. It is not yet taken.
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

    /// Records by lap count and lap clock, and a letter for what each is taken for.
    fn check(records: &[(i16, u32)], expected: &str) {
        let mut timeline = Timeline::default();
        let told: String = records
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
        assert_eq!(told, expected);
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
