//! Lap distance integrated from speed and lap clock: the game sends a lap fraction but no track length.

use crate::session_clock::Step;

/// A lap first received at most this many seconds after the line starts near enough to it to extrapolate.
const FROM_LINE_S: f64 = 1.0;
/// Longest gap to integrate over, seconds.
const LONGEST_GAP_S: f64 = 1.0;
/// Faster than any car, metres per second; an apparently faster one was moved by the game.
const FASTEST_MPS: f64 = 200.0;
/// Tolerance of that test, metres.
const SLACK_M: f64 = 5.0;
/// The car crosses the line where its lap fraction falls from above `BEFORE_LINE` to below `BEHIND_LINE`.
const BEFORE_LINE: f32 = 0.9;
const BEHIND_LINE: f32 = 0.1;
/// The lap count increases at most this many packets after the lap fraction has wrapped.
const LATEST_COUNT: u32 = 3;

/// The car's position in one packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackPoint {
    /// The lap clock in seconds.
    pub(super) clock_s: f64,
    pub(super) speed_mps: f64,
    pub(super) share: f32,
    pub(super) position: [f32; 3],
}

/// Lap distance, for laps received from the line on.
#[derive(Debug, Default)]
pub(super) struct Distance {
    metres: Option<f64>,
    /// Metres and packets since the lap fraction wrapped, while the lap count may still increase.
    since_wrap: Option<(f64, u32)>,
    last: Option<TrackPoint>,
}

impl Distance {
    /// Metres since the line; `None` if the crossing was not received.
    pub(super) fn metres(&self) -> Option<f64> {
        self.metres
    }

    /// Takes the next packet that brings new data.
    pub(super) fn step(&mut self, now: Step, seen: TrackPoint, laps: i32) {
        let last = self.last.replace(seen);
        match now {
            Step::NextLap => return self.cross(seen),
            // The first lap begins on the grid or in the pits, not at the line.
            Step::Begins if laps > 0 && seen.clock_s <= FROM_LINE_S => return self.cross(seen),
            Step::Begins | Step::Restarts | Step::Jumps => {
                (self.metres, self.since_wrap) = (None, None);
                return;
            }
            _ => {}
        }
        let Some((last, driven)) = last.and_then(|last| Some((last, driven(last, seen)?))) else {
            (self.metres, self.since_wrap) = (None, None);
            return;
        };
        self.metres = self.metres.map(|metres| metres + driven);
        if last.share > BEFORE_LINE && seen.share < BEHIND_LINE {
            self.since_wrap = Some((0.0, 0));
        } else if let Some((metres, packets)) = self.since_wrap {
            let metres = metres + driven;
            // The line was crossed but no lap counted: this was the drive from the grid to the line.
            let to_the_line = packets + 1 >= LATEST_COUNT;
            if to_the_line {
                self.metres = Some(metres);
            }
            self.since_wrap = (!to_the_line).then_some((metres, packets + 1));
        }
    }

    /// Starts a lap that was just counted: its clock gives the distance since the line.
    fn cross(&mut self, seen: TrackPoint) {
        let metres = seen.speed_mps * seen.clock_s;
        self.metres = (0.0..=FROM_LINE_S).contains(&seen.clock_s).then_some(metres);
        self.since_wrap = None;
    }
}

/// Metres driven between two packets; `None` after a jump or a gap.
fn driven(last: TrackPoint, seen: TrackPoint) -> Option<f64> {
    let seconds = seen.clock_s - last.clock_s;
    let apart = last.position.iter().zip(seen.position);
    let apart = apart.map(|(a, b)| (f64::from(b) - f64::from(*a)).powi(2)).sum::<f64>().sqrt();
    let metres = (last.speed_mps + seen.speed_mps) / 2.0 * seconds;
    let continuous = (0.0..=LONGEST_GAP_S).contains(&seconds) && metres.is_finite();
    (continuous && apart <= FASTEST_MPS * seconds + SLACK_M).then_some(metres)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drives at 50 m/s on a lap of 1 km with ten packets per second; the lap is counted one packet after the line.
    fn drive(distance: &mut Distance, from: u32, to: u32) {
        for step in from..to {
            let metres = f64::from(step) * 5.0;
            let share = (metres / 1000.0).fract() as f32;
            let counted = step >= 201;
            let clock_s = if counted { f64::from(step - 200) / 10.0 } else { f64::from(step) / 10.0 };
            let position = [metres as f32, 0.0, 0.0];
            let now = match step {
                201 => Step::NextLap,
                _ if step == from => Step::Begins,
                _ => Step::Flows,
            };
            distance.step(now, TrackPoint { clock_s, speed_mps: 50.0, share, position }, i32::from(counted));
        }
    }

    #[test]
    fn metres_are_counted_from_a_received_line_crossing() {
        let mut distance = Distance::default();
        drive(&mut distance, 100, 200);
        assert_eq!(distance.metres(), None, "received from the middle of a lap on");
        let mut distance = Distance::default();
        drive(&mut distance, 100, 300);
        assert!((distance.metres().expect("a distance") - 495.0).abs() < 1e-6, "{distance:?}");
    }

    #[test]
    fn the_line_that_ends_no_lap_begins_the_first() {
        let mut distance = Distance::default();
        for step in 0..100_u32 {
            let metres = f64::from(step) * 5.0;
            let share = (0.95 + metres / 1000.0).fract() as f32;
            let now = if step == 0 { Step::Begins } else { Step::Flows };
            let seen = TrackPoint {
                clock_s: f64::from(step) / 10.0,
                speed_mps: 50.0,
                share,
                position: [metres as f32, 0.0, 0.0],
            };
            distance.step(now, seen, 0);
        }
        // From 950 m to 1445 m with a lap of 1000 m.
        assert!((distance.metres().expect("a distance") - 445.0).abs() < 5.1, "{distance:?}");
    }

    #[test]
    fn nothing_is_counted_over_gaps_and_jumps() {
        for (clock_s, x) in [(35.0, 1000.0), (30.1, 5000.0)] {
            let mut distance = Distance::default();
            drive(&mut distance, 190, 300);
            assert!(distance.metres().is_some());
            let seen = TrackPoint { clock_s, speed_mps: 50.0, share: 0.5, position: [x, 0.0, 0.0] };
            distance.step(Step::Flows, seen, 1);
            assert_eq!(distance.metres(), None, "{clock_s} {x}");
        }
    }
}
