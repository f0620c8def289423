//! Gaps between a lap's rows in which the distance driven is unknown.

/// A gap between two rows is longer than this, seconds, and than this many usual intervals.
const LEAST_S: f64 = 1.0;
const USUAL: f64 = 4.0;

/// The interval between rows above which there is a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holes {
    over_s: f64,
}

impl Holes {
    /// The limit for rows with these clocks, seconds.
    pub(super) fn of(clocks: &[f64]) -> Self {
        let long_s = clocks.first().zip(clocks.last()).map_or(0.0, |(first, last)| last - first);
        let usual_s = long_s / clocks.len().saturating_sub(1).max(1) as f64;
        Self { over_s: LEAST_S.max(USUAL * usual_s) }
    }

    /// Whether there is a gap between the clocks of two consecutive rows.
    pub(super) fn is_between(self, from_s: f64, to_s: f64) -> bool {
        to_s - from_s > self.over_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_is_longer_than_a_second_and_much_longer_than_usual() {
        let clocks: Vec<f64> = (0..600).map(|row| f64::from(row) / 60.0).collect();
        let holes = Holes::of(&clocks);
        assert!(!holes.is_between(3.0, 3.9) && holes.is_between(3.0, 4.1));
        let rare: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(!Holes::of(&rare).is_between(3.0, 5.0) && Holes::of(&rare).is_between(3.0, 8.0));
        assert!(Holes::of(&[]).is_between(0.0, 2.0) && !Holes::of(&[5.0]).is_between(0.0, 0.5));
    }
}
