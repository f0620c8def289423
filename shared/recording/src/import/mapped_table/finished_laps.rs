//! The laps of a table with their times.

use trailbrake_analysis::laps::{LapFlag, LapFlags};
use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, Columns, SectorTimes};

use super::lap_rows::LapRows;
use super::not_mapped::NotMapped;
use crate::export::{About, ImportedLap, ImportedLaps};

/// Shorter laps are dropped.
const SHORTEST_S: f64 = 1.0;
/// A lap that drove less than this share of the longest one was broken off; distances from the speed are less exact.
const WHOLE_LAP: f64 = 0.95;
const WHOLE_LAP_FROM_SPEED: f64 = 0.9;
/// Of a lap with shares, so much is in the table.
const WHOLE_SHARE: f64 = 0.95;

/// What the driver reads about the laps.
const TIMES_FROM_SPEED: &str = "the table has no times: they are reckoned from distance and speed";
const TIMES_FROM_ROWS: &str = "the table has no times: its rows were counted";
const LAST_ROW: &str =
    "the lap time is that of the last row: nothing in the table says when the line was passed";
const DISTANCE_FROM_SPEED: &str = "no distance was logged: places are reckoned from the speed";

/// A lap without its time.
#[derive(Debug)]
pub(super) struct FinishedLap {
    pub(super) number: Option<f64>,
    pub(super) began_s: f64,
    /// Whether it begins at the line; `None` if nothing says so.
    pub(super) is_from_line: Option<bool>,
    pub(super) is_from_speed: bool,
    /// The distance and the share at its last row.
    pub(super) reached_m: Option<f64>,
    pub(super) reached_share: Option<f64>,
    /// The speed at its last row, by its distances.
    pub(super) last_mps: f64,
    pub(super) last_s: f64,
    pub(super) columns: Columns,
}

/// The laps of a table.
#[derive(Debug, Default)]
pub(super) struct FinishedLaps {
    laps: Vec<FinishedLap>,
    /// The rows of the last one.
    pub(super) ended: LapRows,
}

/// How times came about, for the note to the driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TimesAre {
    Logged,
    Counted,
    FromSpeed,
}

impl FinishedLaps {
    pub(super) fn push(&mut self, lap: FinishedLap) {
        self.laps.push(lap);
    }

    pub(super) fn len(&self) -> usize {
        self.laps.len()
    }

    /// The laps with their times, as those of a file.
    pub(super) fn imported(self, times: TimesAre) -> Result<ImportedLaps, NotMapped> {
        let at_line_m =
            self.laps.iter().zip(self.laps.iter().skip(1)).filter_map(|(lap, next)| lap.at_line_m(next));
        let longest_m = at_line_m.fold(0.0, f64::max);
        let lasted: Vec<Option<f64>> =
            (0..self.laps.len()).map(|place| self.lasted_s(place, longest_m)).collect();
        let is_alone = self.laps.len() == 1;
        let ends_with_row =
            is_alone && lasted.iter().flatten().next().is_some() && self.ended.rest_s(None).is_none();
        let mut laps = Vec::with_capacity(self.laps.len());
        let is_from_speed = self.laps.iter().any(|lap| lap.is_from_speed);
        for (place, (lap, lasted_s)) in self.laps.into_iter().zip(lasted).enumerate() {
            if lap.last_s - lap.began_s <= SHORTEST_S {
                continue;
            }
            let nth = u16::try_from(place + 1).unwrap_or(u16::MAX);
            let time = lasted_s.and_then(|seconds| LapTime::from_seconds(seconds as f32));
            let flag = if time.is_some() { LapFlag::Inferred } else { LapFlag::Incomplete };
            laps.push(ImportedLap {
                driver: String::new(),
                car: Car(0),
                // The cast turns what is no lap number into the nearest one.
                number: lap.number.map_or(nth, |number| number.round() as u16),
                began_s: lap.began_s,
                time,
                sectors: SectorTimes::default(),
                flags: LapFlags::NONE.with(flag),
                columns: lap.columns,
                distance_from_speed: lap.is_from_speed,
            });
        }
        // The file's clock begins with its first lap.
        let earliest_s = laps.iter().map(|lap| lap.began_s).fold(0.0, f64::min);
        for lap in laps.iter_mut().filter(|_| earliest_s < 0.0) {
            lap.began_s -= earliest_s;
            lap.columns.shift_seconds(-earliest_s);
        }
        if laps.is_empty() {
            return Err(NotMapped::NoLap);
        }
        let note = match times {
            TimesAre::Counted => Some(TIMES_FROM_ROWS),
            TimesAre::FromSpeed => Some(TIMES_FROM_SPEED),
            TimesAre::Logged if ends_with_row => Some(LAST_ROW),
            TimesAre::Logged => is_from_speed.then_some(DISTANCE_FROM_SPEED),
        };
        Ok(ImportedLaps { program: "CSV", about: About::default(), driven: None, laps, note })
    }

    /// How long a lap lasted from line to line; `None` if it is not complete.
    fn lasted_s(&self, place: usize, longest_m: f64) -> Option<f64> {
        let lap = self.laps.get(place)?;
        let Some(next) = self.laps.get(place + 1) else { return self.last_lasted_s(lap, longest_m) };
        let follows = lap.number.zip(next.number).is_none_or(|(number, next)| next == number + 1.0);
        let begins = lap.is_from_line == Some(true) && next.is_from_line == Some(true);
        (begins && follows && lap.is_whole(longest_m)).then_some(next.began_s - lap.began_s)
    }

    /// Like `lasted_s`, of the last lap, whose end is only known from its distance. A lap that is alone in its file is
    /// taken for a complete one if nothing says otherwise.
    fn last_lasted_s(&self, lap: &FinishedLap, longest_m: f64) -> Option<f64> {
        let is_alone = self.laps.len() == 1;
        let from_line = lap.is_from_line.unwrap_or(is_alone);
        if !from_line {
            return None;
        }
        let rest_s = self.ended.rest_s((!is_alone).then_some(longest_m));
        if let Some(rest_s) = rest_s {
            return Some(lap.last_s - lap.began_s + rest_s);
        }
        (is_alone && lap.reached_share.is_none()).then_some(lap.last_s - lap.began_s)
    }
}

impl FinishedLap {
    /// The distance where the next lap begins.
    fn at_line_m(&self, next: &Self) -> Option<f64> {
        Some(self.reached_m? + self.last_mps * (next.began_s - self.last_s).max(0.0))
    }

    /// Whether it drove as far as the longest lap.
    fn is_whole(&self, longest_m: f64) -> bool {
        let least = if self.is_from_speed { WHOLE_LAP_FROM_SPEED } else { WHOLE_LAP };
        match (self.reached_share, self.reached_m) {
            (Some(share), _) => share >= WHOLE_SHARE,
            (None, Some(metres)) => metres >= longest_m * least,
            (None, None) => true,
        }
    }
}
