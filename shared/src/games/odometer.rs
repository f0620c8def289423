//! Metres since the line, for games that send a speed and a lap clock but no distance.

/// Between two words of a car more time than this is no drive that could be reckoned.
const LONGEST_STEP_S: f64 = 2.0;

/// Reckons how far a car has come in its lap: speed over the lap's own clock, from the line on.
///
/// The clock stands still when the game does, so a pause adds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Odometer {
    metres: Option<f64>,
}

impl Odometer {
    /// The line was crossed so many seconds ago, at this speed.
    pub(super) fn line(&mut self, speed_mps: f32, seconds_ago: f64) {
        let metres = f64::from(speed_mps) * seconds_ago;
        self.metres = (metres.is_finite() && metres >= 0.0).then_some(metres);
    }

    /// The lap's clock went on by so many seconds, from one speed to another.
    pub(super) fn drive(&mut self, seconds: f64, from_mps: f32, to_mps: f32) {
        let way = (f64::from(from_mps) + f64::from(to_mps)) / 2.0 * seconds;
        let known = way.is_finite() && (0.0..=LONGEST_STEP_S).contains(&seconds);
        self.metres = self.metres.filter(|_| known).map(|metres| metres + way);
    }

    /// Nothing is known of the way any more.
    pub(super) fn lose(&mut self) {
        self.metres = None;
    }

    /// Metres since the line; `None` as long as the car was not seen to cross it.
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
