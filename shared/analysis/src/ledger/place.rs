//! What a row of the ledger is about: a corner or a straight.

use serde::Serialize;

use crate::Corner;

/// A corner or a straight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct RowPlace {
    /// The corner's number. `None` for a straight.
    pub corner: Option<u16>,
    /// For a straight, the number of the corner before; 0 is the start line.
    pub after: u16,
}

impl RowPlace {
    /// A corner, by its number.
    pub const fn corner(number: u16) -> Self {
        Self { corner: Some(number), after: number }
    }

    /// The straight behind a corner, by the corner's number; behind the start line for 0.
    pub const fn straight(after: u16) -> Self {
        Self { corner: None, after }
    }

    /// Its corner among those of the track. `None` for a straight.
    pub fn find(self, corners: &[Corner]) -> Option<&Corner> {
        let number = self.corner?;
        corners.iter().find(|corner| corner.number == number)
    }

    /// Its name, from a function that names corners by their number: `T5`, or `T5–T6` for a straight.
    pub fn title(self, corners: &[Corner], name: &dyn Fn(u16) -> String) -> String {
        if let Some(corner) = self.corner {
            return name(corner);
        }
        let before = corners.iter().position(|corner| corner.number == self.after);
        let next = corners.get(before.map_or(0, |before| before + 1));
        let [from, to] = [before.and_then(|before| corners.get(before)), next]
            .map(|corner| corner.map_or_else(|| "line".to_owned(), |corner| name(corner.number)));
        format!("{from}–{to}")
    }
}
