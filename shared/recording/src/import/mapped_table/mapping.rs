//! Which column is what, and how the table is written.

use serde::{Deserialize, Serialize};
use trailbrake_model::Channel;

use super::column_unit::ColumnUnit;
use super::field::Field;
use super::meaning::Meaning;
use super::not_mapped::NotMapped;

/// How the columns of a table are read. It is the same for all tables with the same heading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableMapping {
    /// What separates fields.
    pub separator: char,
    /// What separates the decimals of a number: a point or a comma.
    pub decimal: char,
    /// The line with the names of the columns, from 1; 0 if there is none.
    pub heading_line: usize,
    /// The first line with values, from 1.
    pub first_line: usize,
    /// How many rows a second has, for a table without a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_per_second: Option<f64>,
    /// The columns that are read.
    pub columns: Vec<MappedColumn>,
}

/// A column that is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappedColumn {
    /// The column's name; of several with the same name, the second one is `Name (2)`.
    pub column: String,
    /// What it is.
    pub is: Meaning,
    /// The unit of its numbers.
    pub unit: String,
    /// Whether its sign is the opposite of ours.
    #[serde(default, skip_serializing_if = "is_false")]
    pub opposite: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A column of a table, ready to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadColumn {
    /// Its place among the fields.
    pub(super) place: usize,
    pub(super) is: Meaning,
    unit: ColumnUnit,
    sign: f64,
}

impl TableMapping {
    /// Reads a mapping from JSON.
    pub fn from_json(json: &str) -> Result<Self, NotMapped> {
        let mapping: Self =
            serde_json::from_str(json).map_err(|why| NotMapped::NoMapping(why.to_string()))?;
        let is_right = mapping.separator.is_ascii()
            && !mapping.separator.is_ascii_alphanumeric()
            && !['"', '\n', '\r', '.', '-', mapping.decimal].contains(&mapping.separator)
            && ['.', ','].contains(&mapping.decimal)
            && mapping.rows_per_second.is_none_or(|rows| rows > 0.0 && rows <= 100_000.0);
        let wrong = "separator, decimal sign or rows per second are not possible";
        is_right.then_some(mapping).ok_or_else(|| NotMapped::NoMapping(wrong.to_owned()))
    }

    /// The mapping as JSON, with a line for each value.
    pub fn to_json(&self) -> String {
        // It has no maps with other keys than texts, so this can't fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Whether a table with these columns has all that the mapping reads.
    pub fn fits(&self, names: &[String]) -> bool {
        self.columns.iter().all(|column| names.contains(&column.column))
    }

    /// The column that is read from the one with a name.
    pub fn column(&self, name: &str) -> Option<&MappedColumn> {
        self.columns.iter().find(|column| column.column == name)
    }

    /// Reads a column as something else, or leaves it out.
    pub fn set_column(&mut self, name: &str, column: Option<MappedColumn>) {
        let place = self.columns.iter().position(|other| other.column == name);
        match (place, column) {
            (Some(place), Some(column)) => {
                self.columns.get_mut(place).into_iter().for_each(|old| old.clone_from(&column));
            }
            (Some(place), None) => drop(self.columns.remove(place)),
            (None, column) => self.columns.extend(column),
        }
    }

    pub(super) fn has_decimal_comma(&self) -> bool {
        self.decimal == ','
    }

    pub(super) fn reads(&self, meaning: Meaning) -> bool {
        self.columns.iter().any(|column| column.is == meaning)
    }

    /// Whether a column is a time, or rows are counted.
    pub fn has_time(&self) -> bool {
        self.reads(Meaning::Time) || self.reads(Meaning::of(Channel::LapClock))
    }

    /// Checks that laps can follow from the columns.
    pub(super) fn check(&self) -> Result<(), NotMapped> {
        for (place, column) in self.columns.iter().enumerate() {
            if let Some(other) = self.columns.iter().take(place).find(|other| other.is == column.is) {
                let (column, other) = (column.column.clone(), other.column.clone());
                return Err(NotMapped::Twice { meaning: self.label(&column), column, other });
            }
        }
        let reads = |channel| self.reads(Meaning::of(channel));
        let has_distance = reads(Channel::LapDistance) || reads(Channel::TotalDistance);
        let has_speed = reads(Channel::Speed);
        if !self.has_time() && self.rows_per_second.is_none() && !(has_distance && has_speed) {
            return Err(NotMapped::NoTime);
        }
        let has_place = has_distance || has_speed || reads(Channel::LapShare);
        has_place.then_some(()).ok_or(NotMapped::NoPlace)
    }

    fn label(&self, name: &str) -> String {
        self.column(name).map(|column| column.is.label()).unwrap_or_default()
    }

    /// The columns of a table with these names.
    pub(super) fn read_columns(&self, names: &[String]) -> Result<Vec<ReadColumn>, NotMapped> {
        self.columns.iter().map(|column| column.read(names)).collect()
    }
}

impl MappedColumn {
    /// The column in a table with these names.
    pub(super) fn read(&self, names: &[String]) -> Result<ReadColumn, NotMapped> {
        let place = names.iter().position(|name| *name == self.column);
        let place = place.ok_or_else(|| NotMapped::NoColumn { missing: self.column.clone() })?;
        let unit = ColumnUnit::called(&self.unit, self.is).ok_or_else(|| NotMapped::Unit {
            column: self.column.clone(),
            unit: self.unit.clone(),
            meaning: self.is.label(),
            known: self.is.units().join(", "),
        })?;
        Ok(ReadColumn { place, is: self.is, unit, sign: if self.opposite { -1.0 } else { 1.0 } })
    }
}

impl ReadColumn {
    /// A field in our unit and sign.
    pub(super) fn value(&self, field: &[u8], decimal_comma: bool) -> Field {
        match self.unit.read(field, decimal_comma) {
            Field::Number(value) => Field::Number(value * self.sign),
            other => other,
        }
    }
}
