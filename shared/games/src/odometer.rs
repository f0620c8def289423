//! Lap distance for games that send a speed and a lap clock but no distance.

/// Longest time between two packets over which speed is integrated; a longer gap loses the distance.
const LONGEST_STEP_S: f64 = 2.0;

/// Integrates speed over the lap clock, from the start line on.
///
/// The lap clock stops when the game is paused, so a pause adds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Odometer {
    metres: Option<f64>,
}

impl Odometer {
    /// The car crossed the line `seconds_ago`, at this speed.
    pub(super) fn line(&mut self, speed_mps: f32, seconds_ago: f64) {
        let metres = f64::from(speed_mps) * seconds_ago;
        self.metres = (metres.is_finite() && metres >= 0.0).then_some(metres);
    }

    /// The lap clock advanced by `seconds` while the speed changed from `from_mps` to `to_mps`.
    pub(super) fn drive(&mut self, seconds: f64, from_mps: f32, to_mps: f32) {
        let way = (f64::from(from_mps) + f64::from(to_mps)) / 2.0 * seconds;
        let known = way.is_finite() && (0.0..=LONGEST_STEP_S).contains(&seconds);
        self.metres = self.metres.filter(|_| known).map(|metres| metres + way);
    }

    /// The car is this many metres past the line, where it has been before.
    pub(super) fn resume(&mut self, metres: f32) {
        self.metres = Some(f64::from(metres));
    }

    /// Forgets the distance until the next [`line`](Self::line).
    pub(super) fn lose(&mut self) {
        self.metres = None;
    }

    /// Metres since the line; `None` until the car has crossed it.
    pub(super) fn metres(self) -> Option<f32> {
        self.metres.map(|metres| metres as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_counted_from_the_line_alone() {
        let mut odometer = Odometer::default();
        odometer.drive(1.0, 50.0, 50.0);
        assert_eq!(odometer.metres(), None);
        odometer.line(50.0, 0.01);
        odometer.drive(1.0, 50.0, 52.0);
        assert_eq!(odometer.metres(), Some(51.5));
        odometer.drive(0.0, 52.0, 52.0);
        assert_eq!(odometer.metres(), Some(51.5), "a clock that stands adds nothing");
    }

    #[test]
    fn a_gap_or_a_speed_that_is_none_ends_the_reckoning() {
        for (seconds, speed) in [(2.5, 50.0), (-0.1, 50.0), (0.1, f32::NAN), (f64::NAN, 1.0)] {
            let mut odometer = Odometer::default();
            odometer.line(10.0, 0.0);
            odometer.drive(seconds, speed, speed);
            assert_eq!(odometer.metres(), None, "{seconds} s at {speed}");
        }
        let mut odometer = Odometer::default();
        odometer.line(f32::NAN, 0.1);
        assert_eq!(odometer.metres(), None);
    }
}
