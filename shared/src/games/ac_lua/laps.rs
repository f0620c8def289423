//! Laps, of which the app sends nothing but a clock: one that begins anew is a new lap, or a new start.

use crate::games::odometer::Odometer;
use crate::model::Moment;
use crate::time::LapTime;

/// A clock that falls by no more than this belongs to a packet that was overtaken by a later one.
const OVERTAKEN_MS: f64 = 500.0;
/// No lap is shorter: a clock that begins anew before was put back.
const SHORTEST_MS: f64 = 5_000.0;
/// A clock that runs ahead of the time that passed by more than this is doubted.
const AHEAD_MS: f64 = 1_000.0;
/// What is doubted is believed after so many packets in a row.
const STEADY_PACKETS: u32 = 6;
/// A car that is further from where it was than it could have driven, and this much, was put there.
const JUMP_M: f64 = 50.0;
/// A lap that is first heard of with no more on its clock than this is heard from the line on.
const FROM_LINE_MS: f64 = 1_000.0;
/// No clock of a lap shows more: half a day.
const LONGEST_MS: f64 = 43_200_000.0;

/// What one packet tells of the lap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) moment: Moment,
    pub(super) clock_ms: f64,
    pub(super) speed_mps: Option<f64>,
    pub(super) position: Option<[f64; 3]>,
}

/// What a packet is to the lap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Time went on.
    Flows,
    /// The clock began anew where the car was: a lap is over.
    Line,
    /// The car was put elsewhere, or its clock began anew too soon for a lap.
    Anew,
    /// Nothing to go by: overtaken, or a leap that the next packets have not confirmed.
    Doubtful,
}

/// Follows the lap clock.
#[derive(Debug, Default)]
pub(super) struct Laps {
    newest: Option<Point>,
    doubtful: u32,
    /// Laps that were inferred.
    finished: u16,
    last: Option<LapTime>,
    best: Option<LapTime>,
    odometer: Odometer,
}

impl Laps {
    /// Takes the next packet.
    pub(super) fn step(&mut self, now: Point) -> Turn {
        let turn = self.judge(&now);
        if turn == Turn::Doubtful {
            self.doubtful += 1;
            return turn;
        }
        self.doubtful = 0;
        let before = self.newest.replace(now);
        let clock_s = now.clock_ms / 1e3;
        let speed = |point: &Point| point.speed_mps.map(|speed| speed as f32);
        match (turn, before, speed(&now)) {
            (Turn::Line, Some(before), _) => {
                let time = LapTime::from_seconds((before.clock_ms / 1e3) as f32);
                (self.last, self.finished) = (time, self.finished.saturating_add(1));
                self.best = self.best.into_iter().chain(time).min();
            }
            (Turn::Anew, ..) => (self.last, self.best, self.finished) = (None, None, 0),
            _ => {}
        }
        match (turn, before, speed(&now)) {
            (Turn::Flows, Some(before), Some(to)) => match speed(&before) {
                Some(from) => self.odometer.drive(clock_s - before.clock_ms / 1e3, from, to),
                None => self.odometer.lose(),
            },
            (_, _, Some(speed)) if now.clock_ms <= FROM_LINE_MS => self.odometer.line(speed, clock_s),
            _ => self.odometer.lose(),
        }
        turn
    }

    /// The lap under way, counted from 1.
    pub(super) fn number(&self) -> u16 {
        self.finished.saturating_add(1)
    }

    /// The time of the lap before, to the packet.
    pub(super) fn last(&self) -> Option<LapTime> {
        self.last
    }

    /// The time of the best lap, to the packet.
    pub(super) fn best(&self) -> Option<LapTime> {
        self.best
    }

    /// Metres since the line.
    pub(super) fn metres(&self) -> Option<f32> {
        self.odometer.metres()
    }

    fn judge(&self, now: &Point) -> Turn {
        if !(0.0..=LONGEST_MS).contains(&now.clock_ms) {
            return Turn::Doubtful;
        }
        let Some(before) = &self.newest else { return Turn::Flows };
        let passed_s = now.moment.at.seconds_since(before.moment.at).max(0.0);
        let ran_ms = now.clock_ms - before.clock_ms;
        if ran_ms > passed_s * 1e3 + AHEAD_MS && self.doubtful + 1 < STEADY_PACKETS {
            return Turn::Doubtful;
        }
        match -ran_ms {
            _ if was_moved(before, now, passed_s) => Turn::Anew,
            ..=0.0 => Turn::Flows,
            fall if fall <= OVERTAKEN_MS => Turn::Doubtful,
            _ if before.clock_ms < SHORTEST_MS => Turn::Anew,
            _ => Turn::Line,
        }
    }
}

/// Whether a car is where it cannot have driven to.
fn was_moved(before: &Point, now: &Point, passed_s: f64) -> bool {
    let Some((from, to)) = before.position.zip(now.position) else { return false };
    let way = from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt();
    let fastest = before.speed_mps.unwrap_or(0.0).max(now.speed_mps.unwrap_or(0.0));
    way > JUMP_M + fastest * passed_s * 2.0
}

#[cfg(test)]
mod tests;
