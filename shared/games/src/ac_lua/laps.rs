//! Infers laps from the lap clock, the only lap data the app sends: a clock that resets means a new lap or a restart.

use trailbrake_model::Moment;
use trailbrake_model::time::LapTime;

use crate::odometer::Odometer;
use crate::session_clock::{Policy, SessionClock, Step};

/// A clock that falls by no more than this belongs to a packet that arrived out of order.
const OVERTAKEN_MS: f64 = 500.0;
/// Shortest lap: an earlier clock reset is a restart.
const SHORTEST_MS: f64 = 5_000.0;
/// A clock that runs further ahead of real time than this is doubtful.
const AHEAD_MS: f64 = 1_000.0;
/// Such a clock is accepted after this many packets in a row.
const STEADY_PACKETS: u32 = 6;
/// A car that moves this much further than it could have driven was moved by the game.
const JUMP_M: f64 = 50.0;
/// A lap whose first packet has at most this on the clock was received from the line on.
const FROM_LINE_MS: f64 = 1_000.0;
/// The longest plausible lap clock: half a day.
const LONGEST_MS: f64 = 43_200_000.0;

/// The lap data of one packet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub(super) moment: Moment,
    pub(super) clock_ms: f64,
    pub(super) speed_mps: Option<f64>,
    pub(super) position: Option<[f64; 3]>,
}

/// The lap clock alone says what happened: when it falls, a lap has ended or begins again.
#[derive(Debug, Default)]
struct LapClock;

impl Policy for LapClock {
    type Time = Point;

    fn judge(&self, before: &Point, now: &Point) -> (Step, u32) {
        let passed_s = now.moment.at.seconds_since(before.moment.at).max(0.0);
        let ran_ms = now.clock_ms - before.clock_ms;
        let step = match -ran_ms {
            _ if was_moved(before, now, passed_s) => Step::Restarts,
            ..=0.0 => Step::Flows,
            fall if fall <= OVERTAKEN_MS => Step::Late,
            _ if before.clock_ms < SHORTEST_MS => Step::Restarts,
            _ => Step::NextLap,
        };
        (step, if ran_ms > passed_s * 1e3 + AHEAD_MS { STEADY_PACKETS } else { 1 })
    }

    fn confirms(&self, _before: &Point, doubted: &Point, now: &Point) -> bool {
        doubted.clock_ms <= now.clock_ms
    }
}

#[derive(Debug, Default)]
pub(super) struct Laps {
    clock: SessionClock<LapClock>,
    /// Inferred laps.
    finished: u16,
    last: Option<LapTime>,
    best: Option<LapTime>,
    odometer: Odometer,
}

impl Laps {
    /// Takes the next packet.
    pub(super) fn step(&mut self, now: Point) -> Step {
        let before = self.clock.newest().copied();
        let is_clock = (0.0..=LONGEST_MS).contains(&now.clock_ms);
        let step = if is_clock { self.clock.step(now) } else { Step::Stray };
        if !step.moves() {
            return step;
        }
        let clock_s = now.clock_ms / 1e3;
        let speed = |point: &Point| point.speed_mps.map(|speed| speed as f32);
        match (step, before, speed(&now)) {
            (Step::NextLap, Some(before), _) => {
                let time = LapTime::from_seconds((before.clock_ms / 1e3) as f32);
                (self.last, self.finished) = (time, self.finished.saturating_add(1));
                self.best = self.best.into_iter().chain(time).min();
            }
            (Step::Restarts, ..) => (self.last, self.best, self.finished) = (None, None, 0),
            _ => {}
        }
        match (step, before, speed(&now)) {
            (Step::Flows, Some(before), Some(to)) => match speed(&before) {
                Some(from) => self.odometer.drive(clock_s - before.clock_ms / 1e3, from, to),
                None => self.odometer.lose(),
            },
            (_, _, Some(speed)) if now.clock_ms <= FROM_LINE_MS => self.odometer.line(speed, clock_s),
            _ => self.odometer.lose(),
        }
        step
    }

    /// The current lap, counted from 1.
    pub(super) fn number(&self) -> u16 {
        self.finished.saturating_add(1)
    }

    /// The time of the previous lap, accurate to one packet.
    pub(super) fn last(&self) -> Option<LapTime> {
        self.last
    }

    /// The time of the best lap, accurate to one packet.
    pub(super) fn best(&self) -> Option<LapTime> {
        self.best
    }

    /// Metres since the line.
    pub(super) fn metres(&self) -> Option<f32> {
        self.odometer.metres()
    }
}

/// Whether the car is further away than it could have driven.
fn was_moved(before: &Point, now: &Point, passed_s: f64) -> bool {
    let Some((from, to)) = before.position.zip(now.position) else { return false };
    let way = from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt();
    let fastest = before.speed_mps.unwrap_or(0.0).max(now.speed_mps.unwrap_or(0.0));
    way > JUMP_M + fastest * passed_s * 2.0
}

#[cfg(test)]
mod tests;
