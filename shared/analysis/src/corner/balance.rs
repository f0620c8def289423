//! The car's balance in each part of each corner.

use serde::Serialize;

use super::find::Corner;
use crate::PlacedLap;
use crate::balance::{Balance, Mean};

/// The balance in one corner: the angle by which the front slides more than the rear. A part in which the car hardly
/// turned has none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CornerBalance {
    /// The corner's number.
    pub number: u16,
    /// From the entry until halfway to the apex.
    pub entry: Option<Mean>,
    /// Around the apex.
    pub middle: Option<Mean>,
    /// From halfway between apex and exit to the exit.
    pub exit: Option<Mean>,
}

impl CornerBalance {
    /// A lap's balance, by corner.
    pub fn of(balance: &Balance, placed: &PlacedLap, corners: &[Corner]) -> Vec<Self> {
        let one = |corner: &Corner| {
            let [first_m, second_m] =
                [corner.entry_m, corner.exit_m].map(|end_m| (end_m + corner.apex_m) / 2.0);
            let over =
                |from_m: f64, to_m: f64| balance.between(placed.clock_at(from_m)?..placed.clock_at(to_m)?);
            Self {
                number: corner.number,
                entry: over(corner.entry_m, first_m),
                middle: over(first_m, second_m),
                exit: over(second_m, corner.exit_m),
            }
        };
        corners.iter().map(one).collect()
    }

    /// Entry, middle and exit.
    pub fn parts(&self) -> [Option<Mean>; 3] {
        [self.entry, self.middle, self.exit]
    }

    /// The means over several corners: of their entries, their middles, and their exits.
    pub fn together(corners: &[Self]) -> [Option<Mean>; 3] {
        [0, 1, 2].map(|part| {
            Mean::together(corners.iter().filter_map(|corner| corner.parts().get(part).copied()?))
        })
    }
}
