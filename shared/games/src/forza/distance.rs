//! Lap distance: speed over the race clock, since the distance that the games send is not the driven one.

use super::race_point::RacePoint;
use crate::odometer::Odometer;
use crate::session_clock::Step;

/// A lap first received at most this many seconds after the line began near enough to it.
const FROM_LINE_S: f64 = 1.0;
/// Seconds between places that are kept for a rewind.
const EVERY_S: f64 = 0.1;
/// The most places that are kept: an hour.
const MOST: usize = 36_000;

/// Metres since the line, of laps received from there on.
#[derive(Debug, Default)]
pub(super) struct LapDistance {
    odometer: Odometer,
    /// Lap clock and metres of this lap, for a rewind.
    driven: Vec<(f64, f32)>,
}

impl LapDistance {
    /// Takes the next packet, and the one before it.
    pub(super) fn follow(&mut self, step: Step, before: Option<&RacePoint>, now: &RacePoint) {
        let from_line = now.along >= 0.0 && now.lap_s > 0.0 && now.lap_s <= FROM_LINE_S;
        let starts = before.is_some_and(|before| before.lap_s == 0.0);
        let crosses = before.is_some_and(|before| before.along < 0.0 && now.along >= 0.0);
        match (step, before) {
            (Step::Begins | Step::Restarts | Step::Jumps | Step::NextLap, _) | (_, None) => {
                self.begin(from_line, now);
            }
            (Step::Rewinds { .. }, _) => self.go_back(now.lap_s),
            // From the grid to the line the distance is negative.
            _ if crosses && now.lap_s > 0.0 => self.cross(now),
            _ if starts || now.along < 0.0 => self.begin(from_line, now),
            (_, Some(before)) => {
                self.odometer.drive(now.race_s - before.race_s, before.speed_mps, now.speed_mps);
            }
        }
        self.keep(now.lap_s);
    }

    /// Metres since the line; `None` before it, and in a lap whose beginning is missing.
    pub(super) fn metres(&self) -> Option<f32> {
        self.odometer.metres()
    }

    fn begin(&mut self, from_line: bool, now: &RacePoint) {
        self.driven.clear();
        if from_line {
            self.odometer.line(now.speed_mps, now.lap_s);
        } else {
            self.odometer.lose();
        }
    }

    /// The car crosses the line of its first lap, whose clock may have run since the lights.
    fn cross(&mut self, now: &RacePoint) {
        self.driven.clear();
        self.odometer.resume(now.along);
    }

    fn go_back(&mut self, lap_s: f64) {
        let kept = self.driven.partition_point(|(clock, _)| *clock <= lap_s);
        self.driven.truncate(kept);
        match self.driven.last() {
            Some((clock, metres)) if lap_s - clock <= 2.0 * EVERY_S => self.odometer.resume(*metres),
            _ => self.odometer.lose(),
        }
    }

    fn keep(&mut self, lap_s: f64) {
        let Some(metres) = self.metres() else { return };
        let is_due = self.driven.last().is_none_or(|(clock, _)| lap_s - clock >= EVERY_S);
        if is_due && self.driven.len() < MOST {
            self.driven.push((lap_s, metres));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(lap_s: f64) -> RacePoint {
        RacePoint { race_s: lap_s + 2.0, lap_s, speed_mps: 50.0, ..RacePoint::default() }
    }

    /// Drives from one lap clock to another at 50 m/s, sixty packets per second.
    fn drive(distance: &mut LapDistance, from_s: f64, to_s: f64) {
        let at = |step: u32| point(from_s + f64::from(step) / 60.0);
        for step in 1..=((to_s - from_s) * 60.0).round() as u32 {
            distance.follow(Step::Flows, Some(&at(step - 1)), &at(step));
        }
    }

    #[test]
    fn metres_count_from_the_line() {
        let mut distance = LapDistance::default();
        distance.follow(Step::Begins, None, &point(0.0));
        assert_eq!(distance.metres(), None, "on the grid");
        distance.follow(Step::Flows, Some(&point(0.0)), &point(0.5));
        assert_eq!(distance.metres(), Some(25.0));
        drive(&mut distance, 0.5, 10.5);
        assert!((distance.metres().expect("a distance") - 525.0).abs() < 0.1);
        distance.follow(Step::NextLap, Some(&point(10.5)), &point(0.01));
        assert_eq!(distance.metres(), Some(0.5));
        distance.follow(Step::Begins, None, &point(20.0));
        assert_eq!(distance.metres(), None, "received from the middle of a lap on");
    }

    #[test]
    fn a_rewind_goes_back_to_where_the_car_was() {
        let mut distance = LapDistance::default();
        distance.follow(Step::Begins, None, &point(0.5));
        drive(&mut distance, 0.5, 30.5);
        distance.follow(Step::Rewinds { millis: 10_000 }, Some(&point(30.5)), &point(20.5));
        assert!((distance.metres().expect("a distance") - 1025.0).abs() < 6.0);
        drive(&mut distance, 20.5, 21.5);
        assert!((distance.metres().expect("a distance") - 1075.0).abs() < 6.0);
        // Beyond what was received.
        let mut joined = LapDistance::default();
        joined.follow(Step::Begins, None, &point(20.0));
        joined.follow(Step::Rewinds { millis: 5_000 }, Some(&point(20.0)), &point(15.0));
        assert_eq!(joined.metres(), None);
    }
}
