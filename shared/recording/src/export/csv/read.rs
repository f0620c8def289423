//! Reads tables that Trailbrake wrote, of both row kinds and of earlier versions too.

use thiserror::Error;
use trailbrake_analysis::laps::{LapFlag, LapFlags};
use trailbrake_model::number;
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Car, Columns, Moment, Slot};

use super::{CLOCK, DATE, FLAGS, FRONT, GAME, LAP_CLOCK, OFFICIAL, SECTORS, SESSION, TRACK, VEHICLE};
use crate::export::date::from_iso;
use crate::export::{About, ImportedLap, ImportedLaps};

/// The largest number of values read from one table, over all laps.
const MOST_VALUES: usize = 100_000_000;
/// Shorter laps are dropped.
const SHORTEST_S: f64 = 1.0;
/// A new lap begins where the lap clock falls by more than this.
const FALL_S: f64 = 1.0;

/// Why a table can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotOurs {
    /// A required column is missing.
    #[error(
        "this is no table of laps as Trailbrake writes it: there is no column {missing:?} in its first line"
    )]
    Columns {
        /// The first missing column.
        missing: &'static str,
    },
    /// No column is a channel.
    #[error("the table has no channel: a column such as \"speed [m/s]\" or \"lap_distance [m]\"")]
    NoChannel,
    /// A row is damaged.
    #[error(transparent)]
    Row(#[from] BadRow),
    /// The table has no lap.
    #[error("the table has no lap of more than a second")]
    NoLap,
    /// The table exceeds the value limit.
    #[error("the table has more than {MOST_VALUES} values: export fewer laps")]
    Long,
}

/// What is wrong with a row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadRow {
    /// A row has too few or too many fields.
    #[error(
        "line {line} of the table has {fields} fields and not {columns}: the file is cut off or was changed"
    )]
    Fields {
        /// The line number, from 1.
        line: usize,
        /// The number of fields found.
        fields: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A field that should be a number isn't one.
    #[error("line {line} of the table has {found:?} for {column}, which is no number")]
    Number {
        /// The line number, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// The field's content.
        found: String,
    },
}

/// The columns of a table.
struct Header {
    names: Vec<String>,
    /// Column index and slot of each channel.
    slots: Vec<(usize, Slot)>,
    front: [usize; 5],
}

/// Whether a file starts like one of our tables.
pub fn begins(head: &[u8]) -> bool {
    const BEGINS: &[u8] = b"driver,car,lap,";
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let len = head.len().min(BEGINS.len());
    len >= 5 && head.get(..len) == BEGINS.get(..len)
}

/// Whether a first line has the columns without which there is no table of ours.
pub fn has_heading(line: &str) -> bool {
    let mut names = Vec::new();
    record(line.strip_prefix('\u{feff}').unwrap_or(line), &mut names);
    FRONT.iter().all(|name| names.iter().any(|other| other == name))
}

/// Reads the laps of a table.
pub fn read(text: &str) -> Result<ImportedLaps, NotOurs> {
    let mut reading = Reading::begin(text)?;
    while reading.bytes_left() > 0 {
        reading.row()?;
    }
    reading.finish()
}

/// Reads the laps of a table a row at a time.
pub struct Reading<'a> {
    header: Header,
    rest: &'a str,
    /// The number of the next line, from 1.
    line: usize,
    /// The fields of the row before, whose memory is used again.
    fields: Vec<String>,
    laps: Laps,
}

impl<'a> Reading<'a> {
    /// Reads the names of the columns.
    pub fn begin(text: &'a str) -> Result<Self, NotOurs> {
        let (header, rest) = Header::read(text.strip_prefix('\u{feff}').unwrap_or(text))?;
        Ok(Self { header, rest, line: 2, fields: Vec::new(), laps: Laps::default() })
    }

    /// How much of the text is not read yet.
    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// Reads the next row.
    pub fn row(&mut self) -> Result<(), NotOurs> {
        let (rest, lines) = record(self.rest, &mut self.fields);
        // Ignore a blank last line.
        if !matches!(self.fields.as_slice(), [only] if only.is_empty()) {
            self.laps.row(&self.header, &self.fields, self.line)?;
        }
        (self.rest, self.line) = (rest, self.line + lines);
        Ok(())
    }

    /// The laps that were read.
    pub fn finish(self) -> Result<ImportedLaps, NotOurs> {
        let Laps { laps, about, driven, .. } = self.laps;
        let mut laps: Vec<ImportedLap> = laps.into_iter().map(OpenLap::finish).collect();
        laps.retain(|lap| lap.columns.seconds().last().is_some_and(|last| last - lap.began_s > SHORTEST_S));
        if laps.is_empty() {
            return Err(NotOurs::NoLap);
        }
        Ok(ImportedLaps { program: "CSV", about, driven, laps, note: None })
    }
}

impl Header {
    /// Reads the first line; also returns the text after it.
    fn read(text: &str) -> Result<(Self, &str), NotOurs> {
        let mut names = Vec::new();
        let (rest, _) = record(text, &mut names);
        let place = |missing: &'static str| {
            names.iter().position(|name| name == missing).ok_or(NotOurs::Columns { missing })
        };
        let front = [place("driver")?, place("car")?, place("lap")?, place(CLOCK)?, place(LAP_CLOCK)?];
        let mut slots: Vec<(usize, Slot)> =
            (0..).zip(&names).filter_map(|(place, name)| Some((place, Slot::headed(name)?))).collect();
        slots.sort_by_key(|(_, slot)| *slot);
        slots.dedup_by_key(|(_, slot)| *slot);
        if slots.is_empty() {
            return Err(NotOurs::NoChannel);
        }
        Ok((Self { names, slots, front }, rest))
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }

    /// The field in the named column; empty if there is no such column.
    fn field<'f>(&self, fields: &'f [String], name: &str) -> &'f str {
        let place = self.names.iter().position(|other| other == name);
        place.and_then(|place| fields.get(place)).map_or("", String::as_str)
    }
}

/// The laps so far.
#[derive(Default)]
struct Laps {
    laps: Vec<OpenLap>,
    about: About,
    driven: Option<Micros>,
    values: usize,
}

/// The lap that rows are being added to.
struct OpenLap {
    lap: ImportedLap,
    /// The lap clock of its last row.
    clock_s: f64,
    /// Whether the table has a column for the official time.
    has_official: bool,
}

impl Laps {
    fn row(&mut self, header: &Header, fields: &[String], line: usize) -> Result<(), NotOurs> {
        let Header { names, slots, front } = header;
        if fields.len() != names.len() {
            return Err(BadRow::Fields { line, fields: fields.len(), columns: names.len() }.into());
        }
        let field = |place: usize| fields.get(place).map_or("", String::as_str);
        let number = |place: usize| {
            let found = field(place);
            number::read(found).filter(|number| number.is_finite()).ok_or_else(|| BadRow::Number {
                line,
                column: names.get(place).cloned().unwrap_or_default(),
                found: found.to_owned(),
            })
        };
        let [driver, car, lap, clock, lap_clock] = *front;
        let (car, lap) = (Car(number(car)? as u8), number(lap)? as u16);
        let (session_s, clock_s) = (number(clock)?.max(0.0), number(lap_clock)?);
        let driver = unquoted(field(driver));
        let goes_on = self.laps.last().is_some_and(|before| {
            (before.lap.car, before.lap.number) == (car, lap)
                && before.lap.driver == driver
                && clock_s > before.clock_s - FALL_S
        });
        if !goes_on {
            self.begin(header, fields, driver, car, lap, session_s - clock_s);
        }
        self.values += slots.len();
        if self.values > MOST_VALUES {
            return Err(NotOurs::Long);
        }
        let Some(underway) = self.laps.last_mut() else { return Ok(()) };
        underway.clock_s = clock_s;
        let moment = Moment { at: Micros::default(), session_time: Some(session_s), frame: None };
        let mut values = Vec::with_capacity(slots.len());
        for (place, slot) in slots.iter().filter(|(place, _)| !field(*place).is_empty()) {
            values.push((*slot, number(*place)? as f32));
        }
        underway.lap.columns.push(moment, values);
        Ok(())
    }

    /// Starts a lap from the fields that are the same in all its rows.
    fn begin(
        &mut self,
        header: &Header,
        fields: &[String],
        driver: String,
        car: Car,
        number: u16,
        began_s: f64,
    ) {
        let field = |name: &str| header.field(fields, name);
        let time = |name: &str| number::read(field(name)).and_then(lap_time);
        let flags = LapFlags::from_words(field(FLAGS));
        let lap = ImportedLap {
            driver,
            car,
            number,
            began_s: began_s.max(0.0),
            time: time(OFFICIAL),
            sectors: SECTORS.into_iter().filter(|name| header.has(name)).map(time).collect(),
            flags,
            columns: Columns::default(),
            distance_from_speed: false,
        };
        if self.laps.is_empty() {
            self.about = About {
                game: unquoted(field(GAME)),
                venue: unquoted(field(TRACK)),
                vehicle: unquoted(field(VEHICLE)),
                session: unquoted(field(SESSION)),
            };
            self.driven = from_iso(field(DATE));
        }
        let has_official = header.has(OFFICIAL);
        self.laps.push(OpenLap { lap, clock_s: f64::NEG_INFINITY, has_official });
    }
}

impl OpenLap {
    /// Tables of earlier versions have no official time: the last row's lap clock stands in for it, marked as
    /// inferred.
    fn finish(self) -> ImportedLap {
        let Self { mut lap, clock_s, has_official } = self;
        if !has_official {
            lap.time = lap_time(clock_s);
            lap.flags = lap.flags.with(LapFlag::Inferred);
        }
        lap
    }
}

/// A lap time rounded to the millisecond; `None` unless positive.
fn lap_time(seconds: f64) -> Option<LapTime> {
    let millis = (seconds * 1e3).round();
    (millis >= 1.0 && millis <= f64::from(u32::MAX)).then_some(LapTime(millis as u32))
}

/// Undoes the apostrophe that protects a name from being run as a formula.
fn unquoted(field: &str) -> String {
    let bare = field.strip_prefix('\'').filter(|bare| super::is_formula(bare));
    bare.unwrap_or(field).to_owned()
}

/// Reads the fields of the next record (RFC 4180). Returns the remaining text and the number of lines consumed.
fn record<'a>(text: &'a str, fields: &mut Vec<String>) -> (&'a str, usize) {
    fields.clear();
    let (mut field, mut quoted, mut lines) = (String::new(), false, 1);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if(|(_, next)| *next == '"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                fields.push(field);
                return (text.get(at + 1..).unwrap_or_default(), lines);
            }
            '\r' if !quoted => {}
            _ => {
                lines += usize::from(letter == '\n');
                field.push(letter);
            }
        }
    }
    fields.push(field);
    ("", lines)
}
