//! Splits the rows of a table into laps.

use super::finished_laps::{FinishedLap, FinishedLaps};
use super::lap_rows::{LapRows, TableChannels, TableRow};
use super::not_mapped::{MOST_LAPS, NotMapped};
use crate::import::plane::Plane;

/// The lap's clock falls by more than this where a lap begins.
const FALL_S: f64 = 1.0;
/// A distance falls to less than this share of its largest value where a lap begins, and a share of the lap by this much.
const FALL: f64 = 0.5;
/// A lap has driven this far before it can end.
const SHORTEST_LAP_M: f64 = 100.0;
/// A longer time between two rows is a wrong unit.
const LONGEST_GAP_S: f64 = 86_400.0;
/// A car that creeps makes no rows in distance.
const SLOWEST_MPS: f64 = 1.0;

/// Where a row's time comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TimeSource {
    /// A column that runs on over the whole file.
    Running,
    /// A column that begins at 0 with each lap.
    LapClock,
    /// Rows are counted; the time between two of them in seconds.
    Rows(f64),
    /// From distance and speed.
    Speed,
}

/// Splits rows into laps.
pub(super) struct LapSplitter {
    source: TimeSource,
    /// The name of the column of the time.
    time_column: String,
    channels: TableChannels,
    open: LapRows,
    /// The largest distance of the open lap.
    farthest_m: f64,
    /// The file's time at which the lap's clock is 0, for a table without a running time.
    base_s: f64,
    /// The first running time.
    origin_s: Option<f64>,
    /// The row before, and the time between the two rows before.
    before: Option<TableRow>,
    step_s: f64,
    /// The last row of the lap before.
    before_lap: Option<TableRow>,
    finished: FinishedLaps,
}

impl LapSplitter {
    pub(super) fn new(source: TimeSource, time_column: String, channels: TableChannels) -> Self {
        Self {
            source,
            time_column,
            channels,
            open: LapRows::default(),
            farthest_m: 0.0,
            base_s: 0.0,
            origin_s: None,
            before: None,
            step_s: 0.0,
            before_lap: None,
            finished: FinishedLaps::default(),
        }
    }

    /// Adds a row, whose `time_s` is that of its column. A row without a time is left out.
    pub(super) fn push(&mut self, mut row: TableRow, running_s: Option<f64>) -> Result<(), NotMapped> {
        let begins = self.begins(&row);
        if row.clock_s.is_some_and(|clock| clock < 0.0) {
            // Stands for no time.
            row.clock_s = None;
        }
        let Some(time_s) = self.time_s(&row, running_s, begins)? else { return Ok(()) };
        row.time_s = time_s;
        if let Some(before) = &self.before {
            let passed_s = time_s - before.time_s;
            if passed_s > LONGEST_GAP_S {
                return Err(NotMapped::TimeJump { line: row.line, column: self.time_column.clone() });
            }
            if passed_s == 0.0 && !begins {
                // Two rows at once: the first one counts.
                return Ok(());
            }
            self.step_s = passed_s;
        }
        if begins {
            if self.finished.len() >= MOST_LAPS {
                return Err(NotMapped::ManyLaps { line: row.line });
            }
            self.close();
        }
        if self.channels.plane.is_none()
            && let (Some(latitude), Some(longitude)) = row.degrees
        {
            self.channels.plane = Plane::at(latitude, longitude);
        }
        let metres = row.lap_m.or(row.total_m).unwrap_or_default();
        self.farthest_m = self.farthest_m.max(metres);
        self.before = Some(TableRow { values: Vec::new(), ..row.clone() });
        self.open.rows.push(row);
        Ok(())
    }

    /// Whether a row is the first one of another lap.
    fn begins(&self, row: &TableRow) -> bool {
        let Some(before) = &self.before else { return false };
        if let Some((clock, earlier)) = row.clock_s.zip(before.clock_s) {
            let is_next = row.number.zip(before.number).is_some_and(|(now, before)| now != before);
            return clock < earlier && (is_next || earlier - clock > FALL_S);
        }
        if let Some((now, before)) = row.number.zip(before.number) {
            return now != before;
        }
        if let Some((now, before)) = row.share.zip(before.share) {
            return before - now > FALL;
        }
        let (now, earlier) = (row.lap_m, before.lap_m);
        now.zip(earlier).is_some_and(|(now, earlier)| {
            now < earlier && now < self.farthest_m * FALL && self.farthest_m > SHORTEST_LAP_M
        })
    }

    /// A row's time on the file's clock; `None` if it has none.
    fn time_s(
        &mut self,
        row: &TableRow,
        running_s: Option<f64>,
        begins: bool,
    ) -> Result<Option<f64>, NotMapped> {
        let earlier_s = self.before.as_ref().map(|before| before.time_s);
        let time_s = match self.source {
            TimeSource::Running => {
                let Some(running_s) = running_s else { return Ok(None) };
                running_s - *self.origin_s.get_or_insert(running_s)
            }
            TimeSource::LapClock => {
                let Some(clock_s) = row.clock_s else { return Ok(None) };
                if let Some(earlier_s) = earlier_s.filter(|_| begins) {
                    // Rows are as far apart at the line as elsewhere.
                    self.base_s = earlier_s + self.open.step_s() - clock_s;
                }
                self.base_s + clock_s
            }
            TimeSource::Rows(step_s) => earlier_s.map_or(0.0, |earlier_s| earlier_s + step_s),
            TimeSource::Speed => match &self.before {
                None => 0.0,
                Some(before) => {
                    let place = |row: &TableRow| row.lap_m.or(row.total_m);
                    let Some((now, earlier)) = place(row).zip(place(before)) else { return Ok(None) };
                    let Some((speed, slower)) = row.speed_mps.zip(before.speed_mps) else { return Ok(None) };
                    let metres = now - earlier;
                    let mean = ((speed + slower) / 2.0).max(SLOWEST_MPS);
                    before.time_s + if metres < 0.0 { self.step_s } else { metres / mean }
                }
            },
        };
        if let Some(earlier_s) = earlier_s.filter(|earlier_s| time_s < *earlier_s) {
            let zero_s = match self.source {
                TimeSource::LapClock => self.base_s,
                _ => -self.origin_s.unwrap_or_default(),
            };
            let written = |time_s: f64| format!("{:.3} s", time_s - zero_s);
            let (from, to) = (written(earlier_s), written(time_s));
            return Err(NotMapped::TimeBack { line: row.line, column: self.time_column.clone(), from, to });
        }
        Ok(Some(time_s))
    }

    /// Closes the open lap.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.farthest_m = 0.0;
        if open.rows.is_empty() {
            return;
        }
        if self.channels.track_m.is_none() {
            self.channels.track_m = open.track_m();
        }
        let before = self.before_lap.as_ref();
        let began_s = open.began_s(before);
        let made = open.columns(&self.channels, before, began_s);
        let middle = open.rows.get(open.rows.len() / 2);
        let is_near = open.first().and_then(TableRow::is_near_line);
        self.finished.push(FinishedLap {
            number: middle.and_then(|row| row.number),
            began_s,
            is_from_line: is_near.or_else(|| before.map(|_| true)),
            is_from_speed: made.is_from_speed,
            reached_m: made.reached_m,
            last_mps: made.last_mps,
            reached_share: open.last().and_then(|last| last.share),
            last_s: open.last().map_or(began_s, |last| last.time_s),
            columns: made.columns,
        });
        self.before_lap = open.last().map(|last| TableRow { values: Vec::new(), ..last.clone() });
        self.finished.ended = open;
    }

    /// The laps of the table.
    pub(super) fn finish(mut self) -> FinishedLaps {
        self.close();
        self.finished
    }
}
