//! Recognises whose tables are whose by their heading.

use super::garage61;
use crate::export::csv;

/// Which program wrote a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Trailbrake.
    Ours,
    /// Garage 61.
    Garage61,
    /// Any other program: the driver says what the columns are.
    Other,
}

impl TableKind {
    /// The kind of a table that begins so.
    pub fn of(head: &[u8]) -> Self {
        let end = head.iter().position(|byte| *byte == b'\n').unwrap_or(head.len());
        let heading = String::from_utf8_lossy(head.get(..end).unwrap_or_default());
        if csv::has_heading(&heading) {
            Self::Ours
        } else if garage61::has_heading(&heading) {
            Self::Garage61
        } else {
            Self::Other
        }
    }
}
