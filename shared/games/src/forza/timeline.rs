//! Session time by the race clock: laps, restarts, rewinds and pauses.
//!
//! The packet's own time in milliseconds is not used: it has steps of its own and begins again at the start of a race.

use trailbrake_model::time::Micros;

use super::race_point::RacePoint;
use crate::session_clock::{Policy, SessionClock, Step};

/// A packet whose clock is behind by no more than this arrived out of order, seconds.
const LATE_S: f64 = 0.5;
/// A race clock that falls below this has begun again, seconds.
const START_S: f64 = 3.0;
/// Two packets in a row are no further apart than this, seconds.
const TOGETHER_S: f64 = 1.0;
/// The game was paused if it sent nothing for so many seconds that its clock does not count.
const PAUSE_S: f64 = 1.5;
/// A lap clock that has run for this long has not just begun, seconds.
const RUNNING_S: f64 = 5.0;

/// How the race goes on.
#[derive(Debug, Default)]
struct Races;

impl Policy for Races {
    type Time = RacePoint;

    fn judge(&self, newest: &RacePoint, now: &RacePoint) -> (Step, u32) {
        if newest.is_elsewhere(now) || (newest.is_racing() && !now.is_racing()) {
            return (Step::Begins, 2);
        }
        let passed = now.race_s - newest.race_s;
        if passed < 0.0 {
            return match now.race_s {
                _ if passed >= -LATE_S => (Step::Late, 1),
                // From free roam into a race.
                ..START_S if !newest.is_racing() => (Step::Begins, 2),
                ..START_S => (Step::Restarts, 2),
                _ => (Step::Rewinds { millis: millis(-passed) }, 2),
            };
        }
        if passed == 0.0 {
            return (Step::Still, 1);
        }
        match i32::from(now.laps) - i32::from(newest.laps) {
            0 => self.judge_lap(newest, now),
            1 => (Step::NextLap, 1),
            2.. => (Step::Jumps, 2),
            _ => (Step::Begins, 2),
        }
    }

    fn confirms(&self, _: &RacePoint, doubted: &RacePoint, now: &RacePoint) -> bool {
        let passed = now.race_s - doubted.race_s;
        let alike = !doubted.is_elsewhere(now) && doubted.laps == now.laps;
        alike && doubted.is_racing() == now.is_racing() && (0.0..TOGETHER_S).contains(&passed)
    }
}

impl Races {
    /// What the lap clock says while the race clock runs on in the same lap.
    fn judge_lap(&self, newest: &RacePoint, now: &RacePoint) -> (Step, u32) {
        let fell = newest.lap_s - now.lap_s;
        // At the end of the last lap its time comes instead of a new lap.
        if fell <= LATE_S || newest.last_lap != now.last_lap {
            return (Step::Flows, 1);
        }
        match now.lap_s {
            // At the end of a route the car is parked.
            0.0 if newest.lap_s >= RUNNING_S => (Step::Begins, 2),
            0.0 => (Step::Restarts, 2),
            _ => (Step::Rewinds { millis: millis(fell) }, 2),
        }
    }
}

/// How a packet goes on after a pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pause {
    /// There was none.
    #[default]
    None,
    /// One that the game announced has ended.
    Ended,
    /// There was one that shows only in hindsight: nothing arrived, and the clock did not go on.
    Missed,
}

/// Follows the clock of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    clock: SessionClock<Races>,
    received: Micros,
    paused: bool,
    /// Session time is so many seconds behind the race clock, which runs on in a rewind.
    rewound_s: f64,
}

impl Timeline {
    /// Takes the next packet of a driving car.
    pub(super) fn step(&mut self, at: Micros, now: RacePoint) -> (Step, Pause) {
        let before = self.clock.newest().copied();
        let step = self.clock.step(now);
        if !step.moves() {
            return (step, Pause::None);
        }
        let silent_s = at.seconds_since(std::mem::replace(&mut self.received, at));
        let announced = std::mem::take(&mut self.paused);
        let passed = before.map_or(0.0, |before| now.race_s - before.race_s);
        match step {
            Step::Begins | Step::Restarts => {
                self.rewound_s = 0.0;
                return (step, Pause::None);
            }
            Step::Rewinds { millis } if passed > 0.0 => {
                // The first packet after it says how far it went.
                let ran_on = before.map_or(0.0, |before| self.clock.first().race_s - before.race_s);
                self.rewound_s += ran_on + f64::from(millis) / 1e3;
            }
            _ => {}
        }
        let pause = match announced {
            true => Pause::Ended,
            false if passed >= 0.0 && silent_s - passed > PAUSE_S => Pause::Missed,
            false => Pause::None,
        };
        (step, pause)
    }

    /// The game shows a menu, or is paused. Returns whether that is news.
    pub(super) fn stop(&mut self) -> bool {
        self.clock.newest().is_some() && !std::mem::replace(&mut self.paused, true)
    }

    /// Session time at the newest packet, in seconds; 0 before the first.
    pub(super) fn session_s(&self) -> f64 {
        self.clock.newest().map_or(0.0, |newest| newest.race_s) - self.rewound_s
    }
}

fn millis(seconds: f64) -> u32 {
    (seconds * 1e3).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A racing car: race clock, completed laps, lap clock.
    fn point(race_s: f64, laps: u16, lap_s: f64) -> RacePoint {
        RacePoint { race_s, laps, lap_s, position: 1, car: 7, ..RacePoint::default() }
    }

    /// Packets at these seconds of receipt, with one letter each for what they mean.
    fn check(packets: &[(f64, RacePoint)], expected: &str, session_s: f64) {
        let mut timeline = Timeline::default();
        let steps: String = packets
            .iter()
            .map(|&(at, point)| match timeline.step(Micros(0).plus_seconds(100.0 + at), point) {
                (Step::Flows, Pause::Missed) => '>',
                (Step::Begins, _) => 'B',
                (Step::Flows, _) => '.',
                (Step::NextLap, _) => 'L',
                (Step::Jumps, _) => 'J',
                (Step::Restarts, _) => 'R',
                (Step::Rewinds { .. }, _) => 'W',
                (Step::Still, _) => '=',
                (Step::Late | Step::Stray, _) => '?',
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(steps, expected);
        assert!((timeline.session_s() - session_s).abs() < 1e-9, "{}", timeline.session_s());
    }

    #[test]
    fn laps_follow_each_other_and_stragglers_change_nothing() {
        let packets = [
            (0.0, point(10.0, 0, 8.0)),
            (0.1, point(10.1, 0, 8.1)),
            (0.1, point(10.1, 0, 8.1)),
            (0.2, point(10.05, 0, 8.05)),
            (0.2, point(10.2, 1, 0.05)),
            (0.3, point(10.15, 0, 8.15)),
            (0.3, point(10.3, 1, 0.15)),
        ];
        check(&packets, "B.=?L?.", 10.3);
        check(
            &[(0.0, point(10.0, 0, 8.0)), (9.0, point(19.0, 2, 1.0)), (9.1, point(19.1, 2, 1.1))],
            "B?J",
            19.1,
        );
    }

    #[test]
    fn silence_in_which_the_clock_stands_is_a_pause_and_lost_packets_are_none() {
        check(&[(0.0, point(10.0, 0, 8.0)), (20.3, point(10.1, 0, 8.1))], "B>", 10.1);
        check(&[(0.0, point(10.0, 0, 8.0)), (20.3, point(30.2, 0, 28.2))], "B.", 30.2);
    }

    #[test]
    fn a_race_clock_that_begins_again_is_a_restart_and_one_that_falls_a_rewind() {
        let again = [(0.1, point(0.1, 0, 0.0)), (0.2, point(0.2, 0, 0.0)), (0.3, point(0.3, 0, 0.0))];
        check(&[&[(0.0, point(40.0, 0, 38.0))], &again[..]].concat(), "B?R.", 0.3);
        let back = [(0.1, point(30.0, 0, 28.0)), (0.2, point(30.1, 0, 28.1))];
        check(&[&[(0.0, point(40.0, 0, 38.0))], &back[..]].concat(), "B?W", 30.1);
        // One packet alone is a stray.
        check(
            &[(0.0, point(40.0, 0, 38.0)), (0.1, point(2.0, 0, 0.0)), (0.2, point(40.2, 0, 38.2))],
            "B?.",
            40.2,
        );
    }

    #[test]
    fn a_lap_clock_that_falls_while_the_race_clock_runs_is_a_rewind_too() {
        let packets = [
            (0.0, point(40.0, 0, 38.0)),
            (0.1, point(40.1, 0, 30.0)),
            (0.2, point(40.2, 0, 30.1)),
            (0.3, point(40.3, 0, 30.2)),
        ];
        // From 40.0 it went back by 7.9 s.
        check(&packets, "B?W.", 32.2);
    }

    #[test]
    fn another_car_another_track_and_free_roam_begin_a_session() {
        let race = point(40.0, 0, 38.0);
        for other in [
            RacePoint { car: 8, ..point(40.1, 0, 38.1) },
            RacePoint { track: Some(3), ..point(40.1, 0, 38.1) },
            RacePoint { position: 0, ..point(40.1, 0, 0.0) },
        ] {
            let next = RacePoint { race_s: 40.2, ..other };
            check(&[(0.0, race), (0.1, other), (0.2, next)], "B?B", 40.2);
        }
    }

    #[test]
    fn a_race_that_begins_in_free_roam_is_a_session_of_its_own() {
        let roam = RacePoint { position: 0, ..point(300.0, 0, 0.0) };
        check(&[(0.0, roam), (0.1, point(0.1, 0, 0.0)), (0.2, point(0.2, 0, 0.0))], "B?B", 0.2);
    }

    #[test]
    fn the_end_of_the_last_lap_flows_on() {
        let finished = |race_s| RacePoint {
            last_lap: trailbrake_model::time::LapTime::from_seconds(38.1),
            ..point(race_s, 0, 0.0)
        };
        check(&[(0.0, point(40.0, 0, 38.0)), (0.1, finished(40.1)), (0.2, finished(40.2))], "B..", 40.2);
        // Without a time, the car has been parked at the end of its route.
        check(
            &[(0.0, point(40.0, 0, 38.0)), (12.0, point(52.0, 0, 0.0)), (12.1, point(52.1, 0, 0.0))],
            "B?B",
            52.1,
        );
    }

    #[test]
    fn a_pause_that_the_game_announces_is_one_until_it_goes_on() {
        let mut timeline = Timeline::default();
        assert!(!timeline.stop(), "nothing has been driven");
        timeline.step(Micros(1), point(10.0, 0, 8.0));
        assert_eq!([timeline.stop(), timeline.stop()], [true, false]);
        assert_eq!(timeline.step(Micros(9_000_000), point(10.1, 0, 8.1)), (Step::Flows, Pause::Ended));
        assert_eq!(timeline.step(Micros(9_100_000), point(10.2, 0, 8.2)), (Step::Flows, Pause::None));
    }
}
