//! How much of a lap was heard: how often samples came, and where none did.

use serde::Serialize;

use super::LapColumns;

/// Samples that are so many times further apart than usual have others missing between them.
const APART: f64 = 1.8;

/// Longer than this, and so many times as long as usual, nothing is told of what was done meanwhile, seconds.
const SILENCE_S: f64 = 0.5;
const SILENCE: f64 = 4.0;

/// How much of a lap was heard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heard {
    /// Samples that came.
    pub samples: usize,
    /// How many came in a second while they came.
    pub per_second: f64,
    /// How many did not come, by that measure.
    pub missing: usize,
    /// Where none came.
    pub holes: Vec<Hole>,
}

/// A stretch of a lap in which no sample came, seconds on the lap's clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// The last sample before it.
    pub from_s: f64,
    /// The first sample behind it.
    pub to_s: f64,
}

/// How much of a lap was heard; `None` of fewer than two samples.
pub fn heard(lap: &LapColumns<'_>) -> Option<Heard> {
    let clock = lap.clock_s();
    let usual = usual_s(clock)?;
    let pairs =
        clock.windows(2).filter_map(|pair| Some(Hole { from_s: *pair.first()?, to_s: *pair.last()? }));
    let holes: Vec<Hole> = pairs.filter(|hole| hole.to_s - hole.from_s > APART * usual).collect();
    let missing = holes.iter().map(|hole| ((hole.to_s - hole.from_s) / usual).round() as usize - 1).sum();
    Some(Heard { samples: clock.len(), per_second: 1.0 / usual, missing, holes })
}

/// How far apart samples usually are; `None` of fewer than two.
fn usual_s(clock_s: &[f64]) -> Option<f64> {
    let mut apart: Vec<f64> =
        clock_s.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).collect();
    apart.sort_by(f64::total_cmp);
    apart.get(apart.len() / 2).copied().filter(|usual| *usual > 0.0)
}

/// How far apart the samples of a lap are at most between which something can be told of what was done, seconds.
pub(super) fn silence_s(clock_s: &[f64]) -> f64 {
    usual_s(clock_s).map_or(SILENCE_S, |usual| SILENCE_S.max(SILENCE * usual))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laps::CarLaps;
    use crate::model::{Channel, Columns, LapProgress, Moment};
    use crate::time::Micros;

    fn heard_at(rows: impl Iterator<Item = u32>) -> Option<Heard> {
        let mut laps = CarLaps::default();
        laps.progress(&LapProgress { lap: 1, clock: Some(0.0), ..LapProgress::default() });
        let mut columns = Columns::default();
        for row in rows {
            let seconds = f64::from(row) / 50.0;
            let moment = Moment { at: Micros(0), session_time: Some(seconds), frame: Some(row) };
            columns.push(moment, [(Channel::LapClock.slot(), seconds as f32 + 0.1)]);
        }
        heard(&LapColumns::new(laps.current().expect("a lap"), &columns))
    }

    #[test]
    fn what_is_missing_is_counted_by_what_is_usual() {
        let whole = heard_at(0..500).expect("samples");
        assert_eq!((whole.samples, whole.missing, whole.holes.len()), (500, 0, 0));
        assert!((whole.per_second - 50.0).abs() < 0.1, "{whole:?}");
        let holed =
            heard_at((0..500).filter(|row| *row != 70 && !(200..225).contains(row))).expect("samples");
        assert_eq!((holed.samples, holed.missing, holed.holes.len()), (474, 26, 2));
        let [_, long] = holed.holes[..] else { panic!("two holes: {holed:?}") };
        assert!((long.from_s - 4.08).abs() < 1e-3 && (long.to_s - 4.6).abs() < 1e-3, "{long:?}");
        assert_eq!(heard_at(0..1), None);
    }
}
