//! Reads laps that Garage 61 exports: a table with sixty rows a second, and no time in it.

use thiserror::Error;
use trailbrake_analysis::laps::{LapFlag, LapFlags};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Axis, Car, Channel, Columns, Moment, SectorTimes, Slot, number};

use super::ibt::{Convert, channels_called, within_half_turn};
use super::plane::Plane;
use crate::export::csv::BadRow;
use crate::export::{About, ImportedLap, ImportedLaps};

/// The table has no time: its rows are those of the game.
const ROWS_A_SECOND: f64 = 60.0;
/// More than four hours.
const MOST_ROWS: usize = 1_000_000;
/// A lap that begins and ends this close to the line, as a fraction of it, is complete.
const NEAR_LINE: f64 = 0.01;
/// No track is shorter or longer.
const LENGTHS_M: std::ops::RangeInclusive<f64> = 100.0..=100_000.0;
/// The car's course is known from steps of this length on.
const SHORTEST_STEP_M: f32 = 0.1;
const FRACTION: &str = "LapDistPct";
/// What the driver reads about the lap.
const NOTE: &str = "the lap time is ± 0.02 s: the table has no times, only 60 rows a second";

/// Why a table can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotGarage61 {
    /// A column is missing without which there is no lap.
    #[error("the table has no column {missing:?}, without which there is no lap")]
    Columns {
        /// The missing column.
        missing: &'static str,
    },
    /// A row is damaged.
    #[error(transparent)]
    Row(#[from] BadRow),
    /// Fewer rows than in a second.
    #[error("the table has less than a second of a lap")]
    NoLap,
    /// The table exceeds the limit of rows.
    #[error("the table has more than {MOST_ROWS} rows, which is more than a lap")]
    Long,
}

/// Whether a file begins like one of these tables.
pub fn begins(head: &[u8]) -> bool {
    const BEGINS: &[u8] = b"Speed,LapDistPct,";
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let len = head.len().min(BEGINS.len());
    len >= 5 && head.get(..len) == BEGINS.get(..len)
}

/// Columns that these tables lack: a table of iRacing's variables with one of them is of another program.
const NEVER: [&str; 5] = ["Time", "SessionTime", "SessionTick", "Lap", "LapCurrentLapTime"];

/// Whether the first line of a text names the columns of such a table, in any order.
pub fn has_heading(text: &str) -> bool {
    let line = first_line(text).0;
    let has = |wanted: &str| line.split(',').any(|name| name == wanted);
    has(FRACTION) && !NEVER.iter().any(|name| has(name))
}

/// Reads a whole table.
pub fn read(text: &str) -> Result<ImportedLaps, NotGarage61> {
    let mut reading = Reading::begin(text)?;
    while reading.bytes_left() > 0 {
        reading.row()?;
    }
    reading.finish()
}

/// Reads a table a row at a time.
pub struct Reading<'a> {
    columns: Vec<Column>,
    rest: &'a str,
    /// The number of the next line, from 1.
    line: usize,
    rows: Vec<Row>,
}

/// A column and what its numbers are.
struct Column {
    name: String,
    meaning: Meaning,
}

enum Meaning {
    Fraction,
    Latitude,
    Longitude,
    /// From the track's own north, which the table does not give.
    Yaw,
    /// Channels, and how numbers become theirs.
    Channels(Vec<(Slot, Convert)>),
}

/// A row. Unknown values are absent.
#[derive(Default)]
struct Row {
    fraction: Option<f64>,
    latitude_deg: Option<f64>,
    longitude_deg: Option<f64>,
    yaw: Option<f64>,
    values: Vec<(Slot, f32)>,
}

impl<'a> Reading<'a> {
    /// Reads the names of the columns. Unknown ones are skipped, and missing ones are absent.
    pub fn begin(text: &'a str) -> Result<Self, NotGarage61> {
        let (line, rest) = first_line(text);
        let columns: Vec<Column> = line.split(',').map(Column::called).collect();
        for missing in [FRACTION, "Speed"] {
            if !columns.iter().any(|column| column.name == missing) {
                return Err(NotGarage61::Columns { missing });
            }
        }
        Ok(Self { columns, rest, line: 2, rows: Vec::new() })
    }

    /// How much of the text is not read yet.
    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// Reads the next row.
    pub fn row(&mut self) -> Result<(), NotGarage61> {
        let (text, rest) = next_line(self.rest);
        let line = self.line;
        (self.rest, self.line) = (rest, line + 1);
        // Ignore a blank last line.
        if text.is_empty() {
            return Ok(());
        }
        let (fields, columns) = (text.split(',').count(), self.columns.len());
        if fields != columns {
            return Err(BadRow::Fields { line, fields, columns }.into());
        }
        if self.rows.len() >= MOST_ROWS {
            return Err(NotGarage61::Long);
        }
        let mut row = Row::default();
        for (column, field) in self.columns.iter().zip(text.split(',')) {
            let Some(value) = column.value(field, line)? else { continue };
            match &column.meaning {
                Meaning::Fraction => row.fraction = Some(value),
                Meaning::Latitude => row.latitude_deg = Some(value),
                Meaning::Longitude => row.longitude_deg = Some(value),
                Meaning::Yaw => row.yaw = Some(value),
                Meaning::Channels(channels) => {
                    let values = channels.iter().map(|(slot, convert)| (*slot, convert(value) as f32));
                    row.values.extend(values.filter(|(_, value)| value.is_finite()));
                }
            }
        }
        self.rows.push(row);
        Ok(())
    }

    /// The lap that was read.
    pub fn finish(self) -> Result<ImportedLaps, NotGarage61> {
        let rows = self.rows;
        let fractions: Vec<f64> = rows.iter().filter_map(|row| row.fraction).collect();
        if (rows.len() as f64) < ROWS_A_SECOND {
            return Err(NotGarage61::NoLap);
        }
        let length_m = length_m(&rows);
        let ends_s = ends_s(&fractions);
        let places = places(&rows);
        let north = north(&rows, &places);
        let (before_s, behind_s) = ends_s.unwrap_or_default();
        let mut columns = Columns::default();
        for (nth, (row, place)) in rows.iter().zip(&places).enumerate() {
            let clock_s = before_s + nth as f64 / ROWS_A_SECOND;
            let yaw = row.yaw.zip(north).map(|(yaw, north)| within_half_turn(yaw + north));
            let own = [
                (Channel::LapClock, Some(clock_s)),
                (Channel::LapShare, row.fraction),
                (
                    Channel::LapDistance,
                    row.fraction.zip(length_m).map(|(fraction, length)| fraction * length),
                ),
                (Channel::Yaw, yaw),
            ];
            let own = own.into_iter().filter_map(|(channel, value)| Some((channel.slot(), value? as f32)));
            // Heights are not in the table, so the track is flat.
            let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
            let place = place.iter().flat_map(|[x, z]| axes.into_iter().zip([*x, 0.0, *z]));
            let moment = Moment { at: Micros::default(), session_time: Some(clock_s), frame: None };
            columns.push(moment, row.values.iter().copied().chain(own).chain(place));
        }
        let lasted_s = before_s + (rows.len() - 1) as f64 / ROWS_A_SECOND + behind_s;
        let flag = if ends_s.is_some() { LapFlag::Inferred } else { LapFlag::Incomplete };
        let lap = ImportedLap {
            driver: String::new(),
            car: Car(0),
            number: 1,
            began_s: 0.0,
            time: ends_s.and_then(|_| LapTime::from_seconds(lasted_s as f32)),
            sectors: SectorTimes::default(),
            flags: LapFlags::NONE.with(flag),
            columns,
            distance_from_speed: false,
        };
        let about = About { game: "iRacing".to_owned(), ..About::default() };
        let note = ends_s.map(|_| NOTE);
        Ok(ImportedLaps { program: "Garage 61 CSV", about, driven: None, laps: vec![lap], note })
    }
}

impl Column {
    fn called(name: &str) -> Self {
        let meaning = match name {
            FRACTION => Meaning::Fraction,
            "Lat" => Meaning::Latitude,
            "Lon" => Meaning::Longitude,
            "Yaw" => Meaning::Yaw,
            // Other columns have the game's own names.
            "ABSActive" => Meaning::Channels(channels_called("BrakeABSactive")),
            "DRSActive" => Meaning::Channels(vec![(Channel::Drs.slot(), |is_open| is_open)]),
            name => Meaning::Channels(channels_called(name)),
        };
        Self { name: name.to_owned(), meaning }
    }

    /// The value of a field; `None` if it is empty or the column is unknown.
    fn value(&self, field: &str, line: usize) -> Result<Option<f64>, BadRow> {
        if field.is_empty() || matches!(&self.meaning, Meaning::Channels(channels) if channels.is_empty()) {
            return Ok(None);
        }
        let value = match field {
            "true" | "True" => Some(1.0),
            "false" | "False" => Some(0.0),
            field => number::read(field),
        };
        let no_number = || BadRow::Number { line, column: self.name.clone(), found: field.to_owned() };
        value.map(Some).ok_or_else(no_number)
    }
}

/// The first line without a mark, and the text after it.
fn first_line(text: &str) -> (&str, &str) {
    next_line(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn next_line(text: &str) -> (&str, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    (line.strip_suffix('\r').unwrap_or(line), rest)
}

/// The time from the line to the first row and from the last row to the line, in seconds; `None` if the lap is
/// incomplete.
fn ends_s(fractions: &[f64]) -> Option<(f64, f64)> {
    let [first, second, .., last_but_one, last] = *fractions else { return None };
    let is_complete = (0.0..NEAR_LINE).contains(&first) && (0.0..NEAR_LINE).contains(&(1.0 - last));
    let end_s = |left: f64, step: f64| Some(left / step / ROWS_A_SECOND).filter(|end_s| *end_s <= 1.0);
    if !is_complete || second <= first || last <= last_but_one {
        return None;
    }
    Some((end_s(first, second - first)?, end_s(1.0 - last, last - last_but_one)?))
}

/// The length of the track: the distance driven over the change of the fraction, in the middle of all rows.
fn length_m(rows: &[Row]) -> Option<f64> {
    let speed = |row: &Row| row.values.iter().copied().find(|(slot, _)| *slot == Channel::Speed.slot());
    let lengths = rows.iter().zip(rows.iter().skip(1)).filter_map(|(row, next)| {
        let (_, speed_mps) = speed(row)?;
        let share = next.fraction? - row.fraction?;
        Some(f64::from(speed_mps) / ROWS_A_SECOND / share).filter(|_| share > 0.0)
    });
    let mut lengths: Vec<f64> = lengths.collect();
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().filter(|length| LENGTHS_M.contains(length))
}

/// Each row's place on a plane that touches the earth at the first one.
fn places(rows: &[Row]) -> Vec<Option<[f32; 2]>> {
    let place_deg = |row: &Row| row.latitude_deg.zip(row.longitude_deg);
    let plane =
        rows.iter().find_map(place_deg).and_then(|(latitude, longitude)| Plane::at(latitude, longitude));
    let place = |row| plane.zip(place_deg(row)).map(|(plane, (lat, lon))| plane.place(lat, lon));
    rows.iter().map(place).collect()
}

/// The direction of the track's own north, anticlockwise from the world's: the course of a car is its yaw, in the mean.
fn north(rows: &[Row], places: &[Option<[f32; 2]>]) -> Option<f64> {
    let steps = places.iter().zip(places.iter().skip(1)).zip(rows).filter_map(|((from, to), row)| {
        let ([x, z], [to_x, to_z]) = ((*from)?, (*to)?);
        let (west, north) = (to_x - x, to_z - z);
        let course = libm::atan2(west.into(), north.into());
        Some(course - row.yaw?).filter(|_| west.hypot(north) >= SHORTEST_STEP_M)
    });
    let sums =
        steps.fold((0.0, 0.0), |(sines, cosines), turn| (sines + libm::sin(turn), cosines + libm::cos(turn)));
    (sums != (0.0, 0.0)).then(|| libm::atan2(sums.0, sums.1))
}

#[cfg(test)]
mod tests;
