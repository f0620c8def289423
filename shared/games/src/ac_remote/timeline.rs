//! Session time, derived from the lap clock and the lap count.
//!
//! Packets arrive at the game's frame or physics rate, so their number says nothing about time.

use trailbrake_model::time::Micros;

/// A packet whose clock is this far behind the newest did not arrive out of order, milliseconds.
const RESTART_MS: i64 = 500;
/// Identical packets for this many seconds mean that the game is paused.
const PAUSE_S: f64 = 0.25;
/// Maximum difference between a lap's official time and its clock, milliseconds.
const OFFICIAL_MS: i64 = 1_000;

/// How a packet continues the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tick {
    /// The first packet.
    Begins,
    /// Time goes on.
    Flows,
    /// The next lap has begun.
    NextLap,
    /// A later lap: the laps between were not received.
    Jumps,
    /// Time goes on after a pause.
    Resumes,
    /// Identical to the previous packet.
    Still,
    /// Identical for so long that the game must be paused.
    Pauses,
    /// Older than the previous packets.
    Late,
    /// The lap count or the clock has been reset.
    Restarts,
}

impl Tick {
    /// Whether the packet brings new data.
    pub(super) const fn moves(self) -> bool {
        !matches!(self, Self::Still | Self::Pauses | Self::Late)
    }
}

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

/// Tracks the time of one game.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    newest: Option<Stamp>,
    /// A single stamp older than the newest: either out of order, or the first after a restart.
    suspect: Option<Stamp>,
    /// Start of the current lap in session time, milliseconds.
    lap_began: i64,
    /// Duration of the previous lap, milliseconds.
    lap_before: i64,
    received: Micros,
    moved: Micros,
    body: Vec<u8>,
    paused: bool,
}

impl Timeline {
    /// Takes the next packet.
    pub(super) fn tick(&mut self, at: Micros, stamp: Stamp, body: &[u8]) -> Tick {
        let passed_s = at.seconds_since(self.received);
        let Some(newest) = self.newest else {
            return self.begin(at, stamp, body, Tick::Begins);
        };
        if newest == stamp && self.body == body {
            self.received = at;
            // The clock also stands still before the start.
            let pauses = stamp.clock > 0 && at.seconds_since(self.moved) >= PAUSE_S;
            if pauses && !self.paused {
                self.paused = true;
                return Tick::Pauses;
            }
            return Tick::Still;
        }
        let laps = i64::from(stamp.laps) - i64::from(newest.laps);
        let ahead = i64::from(stamp.clock) - i64::from(newest.clock);
        let turn = match laps {
            0 if ahead >= 0 => Tick::Flows,
            0 if ahead >= -RESTART_MS => return Tick::Late,
            1 => Tick::NextLap,
            2.. => Tick::Jumps,
            -1 if self.is_of_the_lap_before(newest, stamp) => return Tick::Late,
            _ => return self.doubt(at, stamp, body),
        };
        match turn {
            Tick::NextLap => {
                self.lap_before = lasted(newest, stamp, passed_s);
                self.lap_began += self.lap_before;
            }
            // Only the receive times say how long the missing laps took.
            Tick::Jumps => {
                let passed_ms = (passed_s.max(0.0) * 1e3) as i64;
                self.lap_began += i64::from(newest.clock) + (passed_ms - i64::from(stamp.clock)).max(0);
            }
            _ => {}
        }
        self.keep(at, stamp, body);
        let paused = std::mem::take(&mut self.paused);
        if paused && turn == Tick::Flows { Tick::Resumes } else { turn }
    }

    /// Seconds since the session's first packet, at the newest packet.
    pub(super) fn session_s(&self) -> f64 {
        let clock = self.newest.map_or(0, |newest| i64::from(newest.clock));
        (self.lap_began + clock) as f64 / 1e3
    }

    /// Whether the packet is from the end of the previous lap and arrived out of order.
    fn is_of_the_lap_before(&self, newest: Stamp, stamp: Stamp) -> bool {
        let (since_line, to_line) = (i64::from(newest.clock), self.lap_before - i64::from(stamp.clock));
        (0..=RESTART_MS).contains(&(since_line + to_line))
    }

    /// Count or clock went backwards: a restart is accepted after two such packets in a row.
    fn doubt(&mut self, at: Micros, stamp: Stamp, body: &[u8]) -> Tick {
        let goes_on = self.suspect.is_some_and(|first| {
            first.laps == stamp.laps
                && (0..=RESTART_MS).contains(&(i64::from(stamp.clock) - i64::from(first.clock)))
        });
        if goes_on {
            return self.begin(at, stamp, body, Tick::Restarts);
        }
        self.suspect = Some(stamp);
        Tick::Late
    }

    fn begin(&mut self, at: Micros, stamp: Stamp, body: &[u8], tick: Tick) -> Tick {
        (self.lap_began, self.paused) = (0, false);
        self.keep(at, stamp, body);
        tick
    }

    fn keep(&mut self, at: Micros, stamp: Stamp, body: &[u8]) {
        (self.newest, self.suspect) = (Some(stamp), None);
        (self.received, self.moved) = (at, at);
        self.body.clear();
        self.body.extend_from_slice(body);
    }
}

/// The duration in milliseconds of the lap that ended between two packets `passed_s` apart.
fn lasted(before: Stamp, after: Stamp, passed_s: f64) -> i64 {
    let (official, shown) = (i64::from(after.last_lap), i64::from(before.clock));
    let passed = (passed_s.max(0.0) * 1e3) as i64;
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
                match timeline.tick(at, Stamp { laps, clock, last_lap }, &[body]) {
                    Tick::Begins => 'B',
                    Tick::Flows => '.',
                    Tick::NextLap => 'L',
                    Tick::Jumps => 'J',
                    Tick::Resumes => '>',
                    Tick::Still => '=',
                    Tick::Pauses => 'P',
                    Tick::Late => '?',
                    Tick::Restarts => 'R',
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
        timeline.tick(Micros(0), Stamp { laps: 1, clock: 50_000, last_lap: 90_000 }, &[1]);
        let tick =
            timeline.tick(Micros(150_000_000), Stamp { laps: 3, clock: 20_000, last_lap: 90_000 }, &[2]);
        assert_eq!((tick, timeline.session_s()), (Tick::Jumps, 200.0));
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
