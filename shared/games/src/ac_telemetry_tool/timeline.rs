//! One car's time: packets have no number and no session clock, so the lap clock orders each car's records.

use super::layout::Driver;
use crate::lap_stamp::{LATE_MS, LapStamp};
use crate::session_clock::{Policy, SessionClock, Step};
use crate::table::Entry;

/// Anything but continuing time is accepted after this many records in a row.
const STEADY_RECORDS: u32 = 6;

#[derive(Debug, Default)]
struct SteadyLaps;

impl Policy for SteadyLaps {
    type Time = LapStamp;

    fn judge(&self, newest: &LapStamp, now: &LapStamp) -> (Step, u32) {
        match newest.step_to(now) {
            step @ (Step::Jumps | Step::Restarts) => (step, STEADY_RECORDS),
            step => (step, 1),
        }
    }

    fn confirms(&self, _newest: &LapStamp, doubted: &LapStamp, now: &LapStamp) -> bool {
        doubted.goes_on_at(now)
    }
}

/// Tracks the records of one car.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    clock: SessionClock<SteadyLaps>,
    newest: Option<Driver>,
    /// Its bytes.
    content: Vec<u8>,
}

impl Timeline {
    /// The newest accepted record.
    pub(super) fn newest(&self) -> Option<&Driver> {
        self.newest.as_ref()
    }

    /// Whether the car has come far enough for a restart to be visible.
    pub(super) fn has_way_behind_it(&self) -> bool {
        self.newest().map(stamp).is_some_and(|newest| newest.laps > 0 || newest.clock_ms > LATE_MS)
    }

    /// Takes the time of the car's next record.
    pub(super) fn step(&mut self, now: &Entry<'_, Driver>) -> Step {
        if self.content == now.bytes() { Step::Still } else { self.clock.step(stamp(&now.read())) }
    }

    /// Takes a record as the newest one.
    pub(super) fn take(&mut self, now: &Entry<'_, Driver>) {
        self.newest = Some(now.read());
        now.bytes().clone_into(&mut self.content);
    }
}

fn stamp(driver: &Driver) -> LapStamp {
    LapStamp { laps: driver.lap_count.into(), clock_ms: driver.lap_time.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ONLY_VERSION, Rest, Sent};

    /// Checks records of lap count and lap clock against one letter for each [`Step`].
    fn check(records: &[(i16, u32)], expected: &str) {
        let mut timeline = Timeline::default();
        let steps: String = records
            .iter()
            .map(|&(count, clock)| {
                let driver = Driver { lap_count: count, lap_time: clock, ..Driver::default() };
                let bytes = driver.bytes(ONLY_VERSION);
                let records = Rest::<Driver>::read(&bytes, &mut 0, ONLY_VERSION);
                let record = records.all().next().expect("a record");
                let step = timeline.step(&record);
                if step.moves() {
                    timeline.take(&record);
                }
                match step {
                    Step::Begins => '1',
                    Step::Flows => '.',
                    Step::NextLap => 'L',
                    Step::Still => '=',
                    Step::Late | Step::Stray => '?',
                    Step::Restarts => 'B',
                    Step::Jumps => 'J',
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        assert_eq!(steps, expected);
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
