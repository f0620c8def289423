//! Rows as data: what is needed now and then, of any record, is read off them in a loop.

use core::ops::Range;

use super::{Sizes, Version};
use crate::Value;

/// A row in one of its forms.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The field's name.
    pub name: &'static str,
    /// The versions that have it in this form.
    pub versions: VersionRange,
    /// The number of bytes in each version.
    pub sizes: &'static Sizes,
    /// The value as sent.
    pub describe: Describe,
}

/// Describes the value at a place, which then stands behind it.
pub type Describe = fn(bytes: &[u8], at: &mut usize, version: Version) -> Value;

/// Versions from one to another, by number.
#[derive(Clone, Copy, Debug)]
pub struct VersionRange {
    /// The first one.
    pub first: u16,
    /// The last one.
    pub last: u16,
}

impl VersionRange {
    /// Every version.
    pub const ALL: Self = Self { first: 0, last: u16::MAX };

    /// Whether a version is one of them.
    #[inline(always)]
    pub const fn contains(self, version: Version) -> bool {
        self.first <= version.number() && version.number() <= self.last
    }
}

/// The rows of a version.
fn rows_of(rows: &[Row], version: Version) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.versions.contains(version))
}

/// The fields by name, as sent. One function serves all tables.
#[inline(never)]
pub fn describe_rows(rows: &[Row], bytes: &[u8], at: &mut usize, version: Version) -> Value {
    let field = |row: &Row| (row.name, (row.describe)(bytes, at, version));
    Value::Record(rows_of(rows, version).map(field).collect())
}

/// So many values of one form, as sent. One function serves all forms.
#[inline(never)]
pub fn describe_list(
    count: usize,
    describe: Describe,
    bytes: &[u8],
    at: &mut usize,
    version: Version,
) -> Value {
    Value::List((0..count).map(|_| describe(bytes, at, version)).collect())
}

/// Where a field stands; `None` if the version has none of that name.
pub fn place_in_rows(rows: &[Row], field: &str, version: Version) -> Option<Range<usize>> {
    let mut at = 0;
    for row in rows_of(rows, version) {
        let size = version.of(row.sizes);
        if row.name == field {
            return (size > 0).then_some(at..at + size);
        }
        at += size;
    }
    None
}
