//! Follows a car along the reference line live. The cost of a sample does not depend on how many came before.

use super::line::ReferenceLine;
use super::line_crossings;
use super::project::{LEAP_M, ProjectedPoint};

/// Time constant with which positions correct the place predicted by speed, seconds.
const SETTLES_S: f64 = 0.25;
/// A car further from the line than this is not on the track, metres.
const AWAY_M: f64 = 60.0;

/// A car's place on a line, from sample to sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Follower {
    /// The last sample's projection, with its filtered place.
    last: Option<ProjectedPoint>,
    /// Number of samples since the last jump.
    samples: u32,
    /// The error of the place where the lap's clock began, once known.
    off_m: Option<f64>,
}

impl Follower {
    /// The place of a sample, metres from the start line. `None` if the car is too far from the line.
    pub fn place(
        &mut self,
        line: &ReferenceLine,
        position: [f64; 3],
        clock_s: f64,
        speed_ms: Option<f64>,
    ) -> Option<f64> {
        let foot = ProjectedPoint::of(line, position, self.last.as_ref(), clock_s, speed_ms)?;
        if foot.offset_m.abs() > AWAY_M {
            *self = Self::default();
            return None;
        }
        let place_m = self.settled(&foot);
        if let Some(speed_ms) = speed_ms.filter(|_| self.off_m.is_none() && clock_s < line_crossings::LOOSE_S)
        {
            let off_m = place_m - speed_ms * clock_s;
            self.off_m = Some(off_m).filter(|off_m| off_m.abs() <= line_crossings::MOST_OFF_M).or(Some(0.0));
        }
        self.samples += 1;
        self.last = Some(ProjectedPoint { place_m, ..foot });
        Some(
            place_m
                - self.off_m.unwrap_or_default() * (1.0 - place_m.abs() / line_crossings::OVER_M).max(0.0),
        )
    }

    /// Forgets the last place, when another lap begins or the car was moved. The next sample is searched along the line
    /// again.
    pub fn lose(&mut self) {
        *self = Self::default();
    }

    /// Combines the place by position with the one predicted by speed.
    fn settled(&mut self, foot: &ProjectedPoint) -> f64 {
        let before = self.last.filter(|before| foot.clock_s > before.clock_s);
        let way = before.and_then(|before| {
            let (from, to) = (before.along_ms(before.speed_ms?), foot.along_ms(foot.speed_ms?));
            let seconds = foot.clock_s - before.clock_s;
            Some((before.place_m, (from + to) / 2.0 * seconds, seconds))
        });
        let Some((from_m, way_m, seconds)) = way else { return foot.place_m };
        let off_m = foot.place_m - from_m - way_m;
        if off_m.abs() > LEAP_M + 0.5 * way_m {
            self.samples = 0;
            return foot.place_m;
        }
        // At first a running mean over all samples.
        let counts = (seconds / SETTLES_S).max(1.0 / f64::from(self.samples.saturating_add(1))).min(1.0);
        from_m + way_m + counts * off_m
    }
}
