//! A stretch of one lap, cut into steps of equal length on the reference line.

use super::channels::{CHANNELS, LedgerChannels};
use crate::PlacedLap;
use crate::coverage::PlacedCoverage;

/// Length of a step, metres, except in stretches that would have more steps than this.
const STEP_M: f64 = 1.0;
const MOST_STEPS: f64 = 8_000.0;
/// A car that stands is taken to be this fast, m/s, so that its steps take a time.
const LEAST_MS: f64 = 0.5;
/// No car is faster, m/s.
const MOST_MS: f64 = 200.0;
/// A speed with which a lap would drive this many times more or fewer metres than it did is no speed.
const FITS: f64 = 1.5;

/// A lap's channels by place.
pub(super) struct Trace<'a> {
    placed: &'a PlacedLap,
    coverage: PlacedCoverage<'a>,
    speed: &'a [f64],
    channels: &'a LedgerChannels,
}

/// A stretch of a lap. Each list has a value for every end of a step.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) from_m: f64,
    pub(super) step_m: f64,
    /// Lap clock, seconds.
    pub(super) clock_s: Vec<f64>,
    /// Squared speed, m²/s².
    pub(super) speed2: Vec<f64>,
    pub(super) throttle: Option<Vec<f64>>,
    pub(super) brake: Option<Vec<f64>>,
    pub(super) gear: Option<Vec<f64>>,
    /// Electrical energy deployed so far in the lap, joules.
    pub(super) deployed_j: Option<Vec<f64>>,
    pub(super) drs: Option<Vec<f64>>,
    /// Lateral acceleration, g.
    pub(super) lateral_g: Option<Vec<f64>>,
    pub(super) fuel_kg: Option<Vec<f64>>,
}

impl<'a> Trace<'a> {
    /// `None` if the game sends no speed.
    pub(super) fn new(channels: &'a LedgerChannels, placed: &'a PlacedLap) -> Option<Self> {
        Some(Self {
            placed,
            coverage: PlacedCoverage::new(placed),
            speed: channels.speed.as_deref()?,
            channels,
        })
    }

    /// The stretch between two places. `None` if data is missing there.
    pub(super) fn cut(&self, from_m: f64, to_m: f64) -> Option<Stretch> {
        let steps = ((to_m - from_m) / STEP_M).ceil().clamp(1.0, MOST_STEPS);
        let step_m = (to_m - from_m) / steps;
        if step_m <= 0.0 || !self.coverage.is_covered(from_m, to_m) {
            return None;
        }
        // The last place is exactly where the next stretch begins: a car that stands there has two clocks.
        let count = steps as usize;
        let place = |step: usize| if step == count { to_m } else { from_m + step_m * step as f64 };
        let places = || (0..=count).map(place);
        let clock_s = places().map(|place| self.placed.clock_at(place)).collect::<Option<Vec<f64>>>()?;
        let between: Vec<(usize, f64)> = places().map(|place| self.row_at(place)).collect();
        let values = |all: &[f64], steps: bool| -> Vec<f64> {
            let value = |(row, share): &(usize, f64)| {
                let from = all.get(*row).copied().unwrap_or_default();
                let to = all.get(row + 1).copied().unwrap_or(from);
                if steps { from } else { from + (to - from) * share }
            };
            between.iter().map(value).collect()
        };
        let speed2 =
            values(self.speed, false).into_iter().map(|speed| speed.clamp(LEAST_MS, MOST_MS).powi(2));
        let mut channels = self
            .channels
            .others
            .iter()
            .zip(CHANNELS)
            .map(|(channel, (_, steps))| channel.as_ref().map(|channel| values(channel, steps)));
        let mut next = || channels.next().flatten();
        Some(Stretch {
            from_m,
            step_m,
            clock_s,
            speed2: speed2.collect(),
            throttle: next(),
            brake: next(),
            gear: next(),
            deployed_j: next(),
            drs: next(),
            lateral_g: next(),
            fuel_kg: next(),
        })
    }

    /// The row before a place, and how far the place is on the way to the next row.
    fn row_at(&self, place_m: f64) -> (usize, f64) {
        let places = &self.placed.distance_m;
        let row = places.partition_point(|place| *place <= place_m).saturating_sub(1);
        let ends = places.get(row).zip(places.get(row + 1));
        let share = ends
            .filter(|(from, to)| to > from)
            .map_or(0.0, |(from, to)| ((place_m - from) / (to - from)).clamp(0.0, 1.0));
        (row, share)
    }
}

impl Stretch {
    /// Number of steps.
    pub(super) fn steps(&self) -> usize {
        self.speed2.len().saturating_sub(1)
    }

    /// The place of the end of a step, metres from the start line.
    pub(super) fn place_m(&self, end: usize) -> f64 {
        self.from_m + self.step_m * end as f64
    }

    /// The end of a step that is next to a place.
    pub(super) fn nearest(&self, place_m: f64) -> usize {
        (((place_m - self.from_m) / self.step_m).round().max(0.0) as usize).min(self.steps())
    }

    /// Speed at the end of a step, m/s.
    pub(super) fn speed_ms(&self, end: usize) -> f64 {
        self.speed2.get(end).copied().unwrap_or_default().sqrt()
    }

    /// Speed at a place, m/s.
    pub(super) fn speed_at(&self, place_m: f64) -> f64 {
        between(&self.speed2, (place_m - self.from_m) / self.step_m).sqrt()
    }

    /// Lap clock at a place, seconds.
    pub(super) fn clock_at(&self, place_m: f64) -> f64 {
        between(&self.clock_s, (place_m - self.from_m) / self.step_m)
    }

    /// Seconds that the lap took for it.
    pub(super) fn took_s(&self) -> f64 {
        self.clock_s.last().zip(self.clock_s.first()).map_or(0.0, |(to, from)| to - from)
    }

    /// Whether the speed fits the places and the clock.
    pub(super) fn fits(&self) -> bool {
        let metres: f64 = self.metres_driven().iter().sum();
        let steps = self.steps() as f64;
        metres < FITS * steps && metres > steps / FITS
    }

    /// Metres driven in each step for a metre of the reference line.
    pub(super) fn metres_driven(&self) -> Vec<f64> {
        let clocks = self.clock_s.windows(2);
        clocks
            .zip(self.speed2.windows(2))
            .map(|(clock, speed2)| match (clock, speed2) {
                ([from_s, to_s], [from, to]) => (to_s - from_s) / seconds(*from, *to, self.step_m),
                _ => 1.0,
            })
            .collect()
    }

    /// The change of half the squared speed over each step, for a metre: the acceleration, m/s².
    pub(super) fn accelerations(&self) -> Vec<f64> {
        self.speed2
            .windows(2)
            .map(|pair| match pair {
                [from, to] => (to - from) / (2.0 * self.step_m),
                _ => 0.0,
            })
            .collect()
    }
}

/// Seconds for a step between two squared speeds.
pub(super) fn seconds(from2: f64, to2: f64, step_m: f64) -> f64 {
    0.5 * step_m * (1.0 / from2.sqrt() + 1.0 / to2.sqrt())
}

/// The value at a place between the values of a list.
fn between(values: &[f64], place: f64) -> f64 {
    let place = place.clamp(0.0, values.len().saturating_sub(1) as f64);
    let at = |index: usize| values.get(index).or(values.last()).copied().unwrap_or_default();
    let (from, to) = (at(place as usize), at(place as usize + 1));
    from + (to - from) * place.fract()
}
