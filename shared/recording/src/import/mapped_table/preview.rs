//! Shows how a table is read before it is opened.

use trailbrake_model::number::count;

use super::field::Field;
use super::mapping::TableMapping;
use super::not_mapped::NotMapped;
use super::reading::MappedTable;
use super::sample::TableSample;
use crate::export::ImportedLaps;

/// How many rows and laps are shown.
const ROWS: usize = 3;
const LAPS: usize = 6;

/// How a table is read.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePreview {
    /// The name of each column that is read, and its first values with their unit.
    pub values: Vec<(String, Vec<String>)>,
    /// The laps in words, or why there are none.
    pub laps: Result<String, NotMapped>,
}

/// How the beginning of a table is read. `is_whole` says that it is all of it.
pub fn preview(mapping: &TableMapping, sample: &TableSample, head: &[u8], is_whole: bool) -> TablePreview {
    let values = mapping.columns.iter().map(|column| {
        let read = column.read(sample.names());
        let written = |field: &str| match read
            .as_ref()
            .map(|read| read.value(field.as_bytes(), mapping.has_decimal_comma()))
        {
            Ok(Field::Number(value)) => column.is.written(value),
            Ok(Field::Absent) => "empty".to_owned(),
            Ok(Field::Text) | Err(_) => "no number".to_owned(),
        };
        let place = read.as_ref().ok().map(|read| read.place);
        let fields = place.into_iter().flat_map(|place| sample.fields(place));
        (column.column.clone(), fields.take(ROWS).map(written).collect())
    });
    let laps = || {
        let mut table = MappedTable::begin(mapping.clone())?;
        table.push(head)?;
        let laps = if is_whole { table.finish() } else { table.finish_cut() }?;
        Ok(laps_in_words(&laps, is_whole))
    };
    TablePreview { values: values.collect(), laps: laps() }
}

/// The laps in words: `2 laps: 1:21.345, incomplete`.
pub fn laps_in_words(laps: &ImportedLaps, is_whole: bool) -> String {
    let laps = &laps.laps;
    let times = laps.iter().take(LAPS).map(|lap| match lap.time {
        Some(time) => time.to_string(),
        None => "incomplete".to_owned(),
    });
    let times: Vec<String> = times.collect();
    let more = if laps.len() > LAPS { ", …" } else { "" };
    let part = if is_whole { "" } else { " in the beginning of the file" };
    format!("{}{part}: {}{more}", count(laps.len(), "lap", "laps"), times.join(", "))
}
