//! Reads a table piece by piece, as a mapping says.

use trailbrake_model::{Channel, Slot};

use super::field::{self, Field};
use super::finished_laps::TimesAre;
use super::lap_rows::{TableChannels, TableRow};
use super::lap_splitter::{LapSplitter, TimeSource};
use super::mapping::{ReadColumn, TableMapping};
use super::meaning::Meaning;
use super::not_mapped::{MOST_VALUES, NotMapped};
use super::records::{Record, RecordSplitter};
use super::sample::unique_names;
use super::text_decoder::TextDecoder;
use crate::export::ImportedLaps;

/// A pedal or a share of the lap may be a little more than 1, but not so much.
const MOST_SHARE: f64 = 1.5;

/// A table that is read piece by piece: of a large one only its channels are in memory.
pub struct MappedTable {
    decoder: TextDecoder,
    splitter: RecordSplitter,
    rows: TableRows,
}

/// The rows of a table.
struct TableRows {
    mapping: TableMapping,
    columns: Option<KnownColumns>,
    laps: LapSplitter,
    times: TimesAre,
    slots: Vec<Slot>,
    values_left: usize,
}

/// The columns, once the heading is read.
struct KnownColumns {
    names: Vec<String>,
    read: Vec<ReadColumn>,
    /// How many fields a row has at least.
    least: usize,
}

impl MappedTable {
    /// Begins to read a table.
    pub fn begin(mapping: TableMapping) -> Result<Self, NotMapped> {
        mapping.check()?;
        let name = |is: Meaning| {
            mapping.columns.iter().find(|column| column.is == is).map(|column| column.column.clone())
        };
        let running = name(Meaning::Time);
        let clock = name(Meaning::of(Channel::LapClock));
        let source = match (&running, &clock, mapping.rows_per_second) {
            (Some(_), ..) => TimeSource::Running,
            (None, Some(_), _) => TimeSource::LapClock,
            (None, None, Some(rows)) => TimeSource::Rows(1.0 / rows),
            (None, None, None) => TimeSource::Speed,
        };
        let times = match source {
            TimeSource::Running | TimeSource::LapClock => TimesAre::Logged,
            TimeSource::Rows(_) => TimesAre::Counted,
            TimeSource::Speed => TimesAre::FromSpeed,
        };
        let slots: Vec<Slot> = mapping.columns.iter().filter_map(|column| logged(column.is)).collect();
        let channels = TableChannels { slots: slots.clone(), plane: None, track_m: None };
        let laps = LapSplitter::new(source, running.or(clock).unwrap_or_default(), channels);
        let splitter = RecordSplitter::new(u8::try_from(mapping.separator).unwrap_or(b','));
        let rows = TableRows { mapping, columns: None, laps, times, slots, values_left: MOST_VALUES };
        Ok(Self { decoder: TextDecoder::default(), splitter, rows })
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), NotMapped> {
        let Self { decoder, splitter, rows } = self;
        // An empty piece would be the last one.
        if bytes.is_empty() {
            return Ok(());
        }
        splitter.push(decoder.decoded(bytes), &mut |record| rows.take(record))
    }

    /// The laps of the table.
    pub fn finish(self) -> Result<ImportedLaps, NotMapped> {
        let Self { mut decoder, mut splitter, mut rows } = self;
        splitter.push(decoder.decoded(&[]), &mut |record| rows.take(record))?;
        splitter.finish(&mut |record| rows.take(record))?;
        rows.laps.finish().imported(rows.times)
    }

    /// The laps up to here, without what is left of the last line.
    pub(super) fn finish_cut(self) -> Result<ImportedLaps, NotMapped> {
        self.rows.laps.finish().imported(self.rows.times)
    }
}

impl TableRows {
    fn take(&mut self, record: &Record<'_>) -> Result<(), NotMapped> {
        let Self { mapping, columns, .. } = self;
        let is_heading = record.line == mapping.heading_line;
        if columns.is_none() && (is_heading || mapping.heading_line == 0 && record.line >= mapping.first_line)
        {
            let texts: Vec<String> = match is_heading {
                true => (0..record.len()).map(|place| field::shown(record.field(place))).collect(),
                false => Vec::new(),
            };
            let names = unique_names(texts.iter().map(String::as_str), record.len());
            let read = mapping.read_columns(&names)?;
            let filled = texts.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
            let farthest = read.iter().map(|column| column.place + 1).max().unwrap_or_default();
            *columns = Some(KnownColumns { names, read, least: filled.max(farthest) });
        }
        if record.line < mapping.first_line || record.is_blank() || is_heading {
            return Ok(());
        }
        let Some(columns) = columns else {
            let missing = mapping.columns.first().map(|column| column.column.clone()).unwrap_or_default();
            return Err(NotMapped::NoColumn { missing });
        };
        if record.len() < columns.least || record.filled() > columns.names.len() {
            let (fields, columns) = (record.len(), columns.names.len());
            return Err(NotMapped::Fields { line: record.line, fields, columns });
        }
        self.values_left = self.values_left.saturating_sub(columns.read.len() + 2);
        if self.values_left == 0 {
            return Err(NotMapped::Large { line: record.line });
        }
        let mut row =
            TableRow { line: record.line, values: vec![f32::NAN; self.slots.len()], ..TableRow::default() };
        let mut running_s = None;
        for column in &columns.read {
            let found = record.field(column.place);
            let value = match column.value(found, mapping.has_decimal_comma()) {
                Field::Number(value) => value,
                Field::Absent => continue,
                Field::Text => {
                    let name = columns.names.get(column.place).cloned().unwrap_or_default();
                    let found = field::shown(found);
                    return Err(NotMapped::Number { line: record.line, column: name, found });
                }
            };
            if value > MOST_SHARE && is_share(column.is) {
                let name = columns.names.get(column.place).cloned().unwrap_or_default();
                let (found, meaning) = (field::shown(found), column.is.label());
                return Err(NotMapped::TooMuch { line: record.line, column: name, found, meaning });
            }
            match column.is {
                Meaning::Time => running_s = Some(value),
                Meaning::LapNumber => row.number = Some(value),
                Meaning::Latitude => row.degrees.0 = Some(value),
                Meaning::Longitude => row.degrees.1 = Some(value),
                Meaning::Channel(slot) => match slot.channel() {
                    Channel::LapClock => row.clock_s = Some(value),
                    Channel::LapDistance => row.lap_m = Some(value),
                    Channel::TotalDistance => row.total_m = Some(value),
                    Channel::LapShare => row.share = Some(value),
                    channel => {
                        if channel == Channel::Speed {
                            row.speed_mps = Some(value);
                        }
                        let place = self.slots.iter().position(|other| *other == slot);
                        let value_of = place.and_then(|place| row.values.get_mut(place));
                        value_of.into_iter().for_each(|own| *own = value as f32);
                    }
                },
            }
        }
        self.laps.push(row, running_s)
    }
}

/// Whether a column is a share of which there can't be more than 1.
fn is_share(is: Meaning) -> bool {
    const SHARES: [Channel; 5] =
        [Channel::Throttle, Channel::Brake, Channel::Clutch, Channel::Handbrake, Channel::LapShare];
    SHARES.iter().any(|channel| is == Meaning::of(*channel))
}

/// The channel of a column whose values are kept as they are.
fn logged(is: Meaning) -> Option<Slot> {
    let Meaning::Channel(slot) = is else { return None };
    let placing = [Channel::LapClock, Channel::LapDistance, Channel::TotalDistance, Channel::LapShare];
    (!placing.contains(&slot.channel())).then_some(slot)
}
