//! Session time, derived from the lap clock and the lap count.
//!
//! Packets arrive at the game's frame or physics rate, so their number says nothing about time.

use trailbrake_model::time::Micros;

use crate::lap_stamp::{LATE_MS, LapStamp};
use crate::pause_detector::PauseDetector;
use crate::session_clock::{Policy, SessionClock, Step};

/// Maximum difference between a lap's official time and its clock, milliseconds.
const OFFICIAL_MS: i64 = 1_000;

/// A packet's position in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Completed laps.
    pub(super) laps: i32,
    /// The lap clock, milliseconds.
    pub(super) clock: i32,
    /// The last lap's official time, milliseconds; zero if none.
    pub(super) last_lap: i32,
}

impl Stamp {
    fn lap(self) -> LapStamp {
        LapStamp { laps: self.laps, clock_ms: self.clock.into() }
    }
}

/// Adds up the laps, in milliseconds.
#[derive(Debug, Default)]
struct AddedLaps {
    /// Start of the current lap in session time.
    lap_began: i64,
    /// Duration of the previous lap.
    lap_before: i64,
}

impl Policy for AddedLaps {
    type Time = (Micros, Stamp);

    fn judge(&self, (_, newest): &Self::Time, (_, now): &Self::Time) -> (Step, u32) {
        match newest.lap().step_to(&now.lap()) {
            Step::Restarts if self.is_of_the_lap_before(*newest, *now) => (Step::Late, 1),
            Step::Restarts => (Step::Restarts, 2),
            step => (step, 1),
        }
    }

    fn confirms(&self, _: &Self::Time, (_, doubted): &Self::Time, (_, now): &Self::Time) -> bool {
        doubted.lap().goes_on_at(&now.lap())
    }

    fn believe(&mut self, step: Step, newest: Option<&Self::Time>, (at, now): &mut Self::Time) {
        let Some((received, newest)) = newest else { return };
        let passed_ms = (at.seconds_since(*received).max(0.0) * 1e3) as i64;
        match step {
            Step::NextLap => {
                self.lap_before = lasted(*newest, *now, passed_ms);
                self.lap_began += self.lap_before;
            }
            // Only the receive times say how long the missing laps took.
            Step::Jumps => {
                self.lap_began += i64::from(newest.clock) + (passed_ms - i64::from(now.clock)).max(0)
            }
            Step::Restarts => self.lap_began = 0,
            _ => {}
        }
    }
}

impl AddedLaps {
    /// Whether the packet is from the end of the previous lap and arrived out of order.
    fn is_of_the_lap_before(&self, newest: Stamp, now: Stamp) -> bool {
        let (since_line, to_line) = (i64::from(newest.clock), self.lap_before - i64::from(now.clock));
        now.laps.checked_add(1) == Some(newest.laps) && (0..=LATE_MS).contains(&(since_line + to_line))
    }
}

/// Tracks the time of one game.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    clock: SessionClock<AddedLaps>,
    pause: PauseDetector<250>,
}

impl Timeline {
    /// Takes the next packet.
    pub(super) fn step(&mut self, at: Micros, stamp: Stamp, body: &[u8]) -> Step {
        let step = self.clock.step((at, stamp));
        // The clock also stands still before the start.
        if step == Step::Flows && stamp.clock <= 0 && self.pause.has(body) {
            return Step::Still;
        }
        self.pause.follow(step, body, at)
    }

    /// Seconds since the session's first packet, at the newest packet.
    pub(super) fn session_s(&self) -> f64 {
        let clock = self.clock.newest().map_or(0, |(_, newest)| i64::from(newest.clock));
        (self.clock.policy.lap_began + clock) as f64 / 1e3
    }
}

/// The duration in milliseconds of the lap that ended between two packets `passed` milliseconds apart.
fn lasted(before: Stamp, after: Stamp, passed: i64) -> i64 {
    let (official, shown) = (i64::from(after.last_lap), i64::from(before.clock));
    let plausible = shown - OFFICIAL_MS..=shown + passed + OFFICIAL_MS;
    if official > 0 && plausible.contains(&official) { official } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets at 60 Hz: laps, clock, last lap, body.
    fn check(packets: &[(i32, i32, i32, u8)], expected: &str, session_s: f64) {
        let mut timeline = Timeline::default();
        let mut at = Micros(1_000_000);
        let seen: String = packets
            .iter()
            .map(|&(laps, clock, last_lap, body)| {
                at = at.plus_seconds(1.0 / 60.0);
                match timeline.step(at, Stamp { laps, clock, last_lap }, &[body]) {
                    Step::Begins => 'B',
                    Step::Flows => '.',
                    Step::NextLap => 'L',
                    Step::Jumps => 'J',
                    Step::Resumes => '>',
                    Step::Still => '=',
                    Step::Pauses => 'P',
                    Step::Late | Step::Stray => '?',
                    Step::Restarts => 'R',
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        assert_eq!(seen, expected);
        assert!((timeline.session_s() - session_s).abs() < 1e-9, "{}", timeline.session_s());
    }

    #[test]
    fn laps_follow_each_other_by_their_official_times() {
        check(&[(0, 90_000, 0, 1), (0, 90_016, 0, 2), (1, 8, 90_024, 3), (1, 24, 90_024, 4)], "B.L.", 90.048);
        // If the last lap time is not plausible for the lap that ended, the clock counts.
        check(&[(0, 90_000, 0, 1), (1, 8, 0, 2)], "BL", 90.008);
        check(&[(4, 90_000, 80_000, 1), (5, 8, 80_000, 2)], "BL", 90.008);
        check(&[(4, 90_000, 80_000, 1), (5, 8, i32::MAX, 2)], "BL", 90.008);
    }

    #[test]
    fn stragglers_change_nothing() {
        check(&[(0, 1000, 0, 1), (0, 1016, 0, 2), (0, 1008, 0, 9), (0, 1032, 0, 3)], "B.?.", 1.032);
        check(&[(0, 90_016, 0, 1), (1, 8, 90_020, 2), (0, 90_018, 0, 9), (1, 24, 90_020, 3)], "BL?.", 90.044);
        // Two such packets in order are not a new session either.
        check(&[(0, 90_000, 0, 1), (1, 96, 90_020, 2), (0, 89_916, 0, 9), (0, 89_999, 0, 8)], "BL??", 90.116);
    }

    #[test]
    fn a_clock_or_a_count_that_falls_for_good_is_a_restart() {
        check(&[(0, 90_000, 0, 1), (0, 0, 0, 2), (0, 16, 0, 3), (0, 32, 0, 4)], "B?R.", 0.032);
        check(&[(3, 5000, 90_000, 1), (0, 10, 0, 2), (0, 26, 0, 3)], "B?R", 0.026);
        check(&[(1, 5000, 90_000, 1), (0, 10, 0, 2), (0, 26, 0, 3)], "B?R", 0.026);
    }

    #[test]
    fn missing_laps_take_as_long_as_our_own_clock_says() {
        let mut timeline = Timeline::default();
        timeline.step(Micros(0), Stamp { laps: 1, clock: 50_000, last_lap: 90_000 }, &[1]);
        let step =
            timeline.step(Micros(150_000_000), Stamp { laps: 3, clock: 20_000, last_lap: 90_000 }, &[2]);
        assert_eq!((step, timeline.session_s()), (Step::Jumps, 200.0));
    }

    #[test]
    fn the_same_packet_for_a_quarter_of_a_second_is_a_pause() {
        let still = |count: usize| std::iter::repeat_n((0, 1000, 0, 1), count);
        let packets: Vec<_> = still(18).chain([(0, 1016, 0, 2), (0, 1032, 0, 3)]).collect();
        check(&packets, "B==============P==>.", 1.032);
        // On the grid the clock stands still while the engine runs.
        check(&[(0, 0, 0, 1), (0, 0, 0, 2), (0, 0, 0, 3)], "B..", 0.0);
    }
}
