//! Coverage of a lap: how often samples came, and where they are missing.

use serde::Serialize;

use super::{LapColumns, PlacedLap};

/// Samples that are this many usual intervals apart have others missing between them.
const APART: f64 = 1.8;

/// A gap is longer than this, seconds, and than this many usual intervals. What was done in it is unknown.
const SILENCE_S: f64 = 0.5;
const SILENCE: f64 = 4.0;

/// Coverage of a lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Number of samples received.
    pub samples: usize,
    /// Usual number of samples per second.
    pub per_second: f64,
    /// Number of samples missing, by that rate.
    pub missing: usize,
    /// Where they are missing.
    pub holes: Vec<Hole>,
}

/// A stretch of a lap without samples, seconds on the lap's clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// The last sample before it.
    pub from_s: f64,
    /// The first sample after it.
    pub to_s: f64,
}

/// Coverage of a lap. `None` for fewer than two samples.
pub fn coverage(lap: &LapColumns<'_>) -> Option<Coverage> {
    let clock = lap.clock_s();
    let usual = usual_s(clock)?;
    let pairs = clock.windows(2).zip(1..).filter_map(|(pair, row)| {
        let hole = Hole { from_s: *pair.first()?, to_s: *pair.last()? };
        // Penalty seconds on the clock were not driven.
        let driven_s = lap.driven_s(row).unwrap_or(f64::INFINITY);
        Some(hole).filter(|hole| (hole.to_s - hole.from_s).min(driven_s) > APART * usual)
    });
    let holes: Vec<Hole> = pairs.collect();
    let missing = holes.iter().map(|hole| ((hole.to_s - hole.from_s) / usual).round() as usize - 1).sum();
    Some(Coverage { samples: clock.len(), per_second: 1.0 / usual, missing, holes })
}

/// Coverage of a placed lap.
pub(super) struct PlacedCoverage<'a> {
    placed: &'a PlacedLap,
    clock_s: &'a [f64],
    /// A longer interval between two samples is a gap, seconds.
    silence_s: f64,
}

impl<'a> PlacedCoverage<'a> {
    pub(super) fn new(placed: &'a PlacedLap) -> Self {
        Self { placed, clock_s: placed.clock_s(), silence_s: silence_s(placed.clock_s()) }
    }

    /// Whether the lap has data from one place to another, without a gap.
    pub(super) fn is_covered(&self, from_m: f64, to_m: f64) -> bool {
        let clock = |place_m| self.placed.clock_at(place_m);
        let Some((from_s, to_s)) = clock(from_m).zip(clock(to_m)) else { return false };
        let first = self.clock_s.partition_point(|clock| *clock <= from_s).saturating_sub(1);
        let last = self.clock_s.partition_point(|clock| *clock < to_s);
        let rows = self.clock_s.get(first..).unwrap_or_default();
        let rows = rows.get(..=last.saturating_sub(first)).unwrap_or(rows);
        let ends = rows.first().zip(rows.last());
        ends.is_some_and(|(first, last)| self.goes_on(from_s, *first) && self.goes_on(*last, to_s))
            && rows.windows(2).all(|pair| matches!(pair, [from, to] if self.goes_on(*from, *to)))
    }

    /// The lap's clock at a place, seconds. `None` in a gap; at the line it is the official clock.
    pub(super) fn clock_at(&self, place_m: f64) -> Option<f64> {
        let at_line = place_m <= 0.0 || place_m >= self.placed.length_m;
        if at_line || self.is_covered(place_m, place_m) { self.placed.clock_at(place_m) } else { None }
    }

    /// Whether there is no gap from one sample to the next.
    pub(super) fn goes_on(&self, from_s: f64, to_s: f64) -> bool {
        to_s - from_s <= self.silence_s
    }
}

/// The usual interval between samples, seconds. `None` for fewer than two.
fn usual_s(clock_s: &[f64]) -> Option<f64> {
    let mut apart: Vec<f64> =
        clock_s.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).collect();
    apart.sort_by(f64::total_cmp);
    apart.get(apart.len() / 2).copied().filter(|usual| *usual > 0.0)
}

/// The longest interval between samples that is not a gap, seconds.
pub(super) fn silence_s(clock_s: &[f64]) -> f64 {
    usual_s(clock_s).map_or(SILENCE_S, |usual| SILENCE_S.max(SILENCE * usual))
}

#[cfg(test)]
mod tests {
    use trailbrake_model::time::Micros;
    use trailbrake_model::{Channel, Columns, LapProgress, Moment};

    use super::*;
    use crate::laps::CarLaps;

    fn coverage_at(rows: impl Iterator<Item = u32>) -> Option<Coverage> {
        let mut laps = CarLaps::default();
        laps.progress(&LapProgress { lap: 1, clock: Some(0.0), ..LapProgress::default() });
        let mut columns = Columns::default();
        for row in rows {
            let seconds = f64::from(row) / 50.0;
            let moment = Moment { at: Micros(0), session_time: Some(seconds), frame: Some(row) };
            columns.push(moment, [(Channel::LapClock.slot(), seconds as f32 + 0.1)]);
        }
        coverage(&LapColumns::new(laps.current().expect("a lap"), &columns))
    }

    #[test]
    fn what_is_missing_is_counted_by_what_is_usual() {
        let whole = coverage_at(0..500).expect("samples");
        assert_eq!((whole.samples, whole.missing, whole.holes.len()), (500, 0, 0));
        assert!((whole.per_second - 50.0).abs() < 0.1, "{whole:?}");
        let holed =
            coverage_at((0..500).filter(|row| *row != 70 && !(200..225).contains(row))).expect("samples");
        assert_eq!((holed.samples, holed.missing, holed.holes.len()), (474, 26, 2));
        let [_, long] = holed.holes[..] else { panic!("two holes: {holed:?}") };
        assert!((long.from_s - 4.08).abs() < 1e-3 && (long.to_s - 4.6).abs() < 1e-3, "{long:?}");
        assert_eq!(coverage_at(0..1), None);
    }
}
