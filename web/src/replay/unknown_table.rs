//! A table of a program that is not known, and how its columns are read.

use trailbrake_shared::import::mapped_table::{
    SAMPLE_BYTES, TableMapping, TablePreview, TableSample, guess, preview,
};
use trailbrake_shared::time::LapTime;
use web_sys::File;

use crate::browser::{self, keys};

/// A table about whose columns the driver is asked.
pub(crate) struct UnknownTable {
    pub(crate) file: File,
    /// The beginning of the file, which a preview is made of.
    head: Vec<u8>,
    pub(crate) sample: TableSample,
    /// How it is read at first: as before, or as it seems to be.
    pub(crate) mapping: TableMapping,
    /// Whether the driver chose that before.
    is_remembered: bool,
    /// Why it could not be read so.
    pub(crate) trouble: Option<String>,
}

/// How the columns of a table are read.
#[derive(Clone)]
pub(crate) enum TableChoice {
    /// As the driver chose before for these columns; otherwise they are asked.
    Remembered,
    /// As the driver chose now.
    Chosen(TableMapping),
    /// The driver is asked, even if they chose before.
    Asked,
}

/// What the driver said about a file of another program.
#[derive(Clone)]
pub(crate) struct ImportChoice {
    pub(crate) table: TableChoice,
    /// The official time of a lap that is alone in its file.
    pub(crate) lap_time: Option<LapTime>,
}

impl ImportChoice {
    /// Nothing, or what they said before.
    pub(crate) const REMEMBERED: Self = Self { table: TableChoice::Remembered, lap_time: None };
}

impl UnknownTable {
    /// A table that begins so. `Err` has the reason why it is none.
    pub(super) fn of(file: File, head: Vec<u8>) -> Result<Self, String> {
        let sample = TableSample::of(&head, is_whole(&head)).map_err(|why| why.to_string())?;
        let before = browser::kept(&key(&sample)).and_then(|json| TableMapping::from_json(&json).ok());
        let before = before.filter(|mapping| mapping.fits(sample.names()));
        let is_remembered = before.is_some();
        let mapping = before.unwrap_or_else(|| guess(&sample));
        Ok(Self { file, head, sample, mapping, is_remembered, trouble: None })
    }

    /// The same, which could not be read so, and why.
    pub(super) fn unreadable(self, mapping: TableMapping, why: String) -> Self {
        Self { mapping, trouble: Some(why), ..self }
    }

    /// Whether the driver has chosen how these columns are read.
    pub(super) fn is_remembered(&self) -> bool {
        self.is_remembered
    }

    /// Whether another table has the same columns.
    pub(crate) fn has_columns_of(&self, other: &Self) -> bool {
        self.sample.key() == other.sample.key()
    }

    /// Keeps how tables with these columns are read.
    pub(crate) fn remember(&self, mapping: &TableMapping) {
        browser::keep(&key(&self.sample), &mapping.to_json());
    }

    /// How the beginning is read.
    pub(crate) fn preview(&self, mapping: &TableMapping) -> TablePreview {
        preview(mapping, &self.sample, &self.head, is_whole(&self.head))
    }
}

fn is_whole(head: &[u8]) -> bool {
    head.len() < SAMPLE_BYTES
}

fn key(sample: &TableSample) -> String {
    format!("{}{}", keys::TABLE, sample.key())
}
