//! Why a table can't be read.

use thiserror::Error;

/// A table with more columns is not read.
pub(super) const MOST_COLUMNS: usize = 10_000;
/// A longer record is not read.
pub(super) const LONGEST_RECORD: usize = 1 << 20;
/// The largest number of laps.
pub(super) const MOST_LAPS: usize = 10_000;
/// The largest number of values that are read, over all laps.
pub(super) const MOST_VALUES: usize = 100_000_000;

/// Why a table can't be read, with the line and the column.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotMapped {
    /// Nothing in the beginning looks like rows of numbers.
    #[error("it is no table: there are no rows with at least two numbers in them")]
    NoTable,
    /// The mapping is no JSON of ours.
    #[error("the mapping can't be read: {0}")]
    NoMapping(String),
    /// The table lacks a column of the mapping.
    #[error(
        "the table has no column {missing:?}, which the mapping reads: choose the columns for this table again"
    )]
    NoColumn {
        /// The missing column.
        missing: String,
    },
    /// The unit does not measure the channel.
    #[error("column {column:?}: {unit:?} is no unit of {meaning}; it may be {known}")]
    Unit {
        /// The column's name.
        column: String,
        /// The unit in the mapping.
        unit: String,
        /// What the column is read as.
        meaning: String,
        /// The units that are possible.
        known: String,
    },
    /// Two columns are read as the same.
    #[error("two columns are read as {meaning}: {column:?} and {other:?}. Leave one of them out")]
    Twice {
        /// What both are read as.
        meaning: String,
        /// One column.
        column: String,
        /// The other column.
        other: String,
    },
    /// Nothing says when a row was.
    #[error("no column is a time: choose one, say how many rows a second has, or choose distance and speed")]
    NoTime,
    /// Nothing says where a row was.
    #[error(
        "no column says where on the track a row is: choose a distance, the share of the lap or the speed"
    )]
    NoPlace,
    /// A row has too few or too many fields.
    #[error("line {line} has {fields} fields and not {columns}: the file is cut off or was changed")]
    Fields {
        /// The line number, from 1.
        line: usize,
        /// The number of fields found.
        fields: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A field is no number.
    #[error(
        "line {line}, column {column:?}: {found:?} is no number. Leave the column out, or correct the file"
    )]
    Number {
        /// The line number, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// The field's content.
        found: String,
    },
    /// A share of more than everything.
    #[error(
        "line {line}, column {column:?}: {found} is more than there is of {meaning}. Choose another unit"
    )]
    TooMuch {
        /// The line number, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// The field's content.
        found: String,
        /// What the column is read as.
        meaning: String,
    },
    /// The time runs back.
    #[error(
        "line {line}, column {column:?}: the time goes back from {from} to {to}. If it begins again with each lap, read it \
         as the time in the lap"
    )]
    TimeBack {
        /// The line number, from 1.
        line: usize,
        /// The column's name.
        column: String,
        /// The time of the row before, in seconds.
        from: String,
        /// The time of this row, in seconds.
        to: String,
    },
    /// The time jumps ahead by more than a day.
    #[error("line {line}, column {column:?}: the time jumps by more than a day. Choose another unit")]
    TimeJump {
        /// The line number, from 1.
        line: usize,
        /// The column's name.
        column: String,
    },
    /// A row has too many fields.
    #[error("line {line} has more than {MOST_COLUMNS} fields, which is more than is read")]
    Wide {
        /// The line number, from 1.
        line: usize,
    },
    /// A row is too long.
    #[error("line {line} is longer than {LONGEST_RECORD} bytes: perhaps a quotation mark is not closed")]
    Long {
        /// The line number, from 1.
        line: usize,
    },
    /// The table exceeds the limit of values.
    #[error(
        "line {line}: the columns have more than {MOST_VALUES} values up to here: read fewer columns, or split the file"
    )]
    Large {
        /// The line number, from 1.
        line: usize,
    },
    /// There are too many laps.
    #[error(
        "line {line}: there are more than {MOST_LAPS} laps up to here. Is the column with the lap's number another one?"
    )]
    ManyLaps {
        /// The line number, from 1.
        line: usize,
    },
    /// No lap is long enough.
    #[error("there is no lap of more than a second in it")]
    NoLap,
}
