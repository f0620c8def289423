//! The sets of tyres of a car.

use trailbrake_model::{TyreSet, number};

use super::reports::{Reports, session_words};
use crate::panel::{Cell, Row, Table};

const HEADS: [&str; 5] = ["Set", "Wear", "Laps left", "A lap", "Best for"];

/// The sets: the fitted one first, then those that may be fitted, as the game orders them.
pub(super) fn table(title: &str, reports: Reports<'_>, sets: &[TyreSet]) -> Table {
    let mut sets: Vec<&TyreSet> = sets.iter().collect();
    sets.sort_by_key(|set| (!set.fitted, !set.available));
    let mut table = Table::new(title, &HEADS);
    for set in sets {
        let pace = match (set.fitted, set.available) {
            (true, _) => "fitted".to_owned(),
            (false, true) => format!("{} s", number::write_signed(f64::from(set.slower_ms) / 1e3, 3)),
            (false, false) => "not available".to_owned(),
        };
        let laps = match (set.laps_left, set.usable_laps) {
            (0, 0) => Cell::Nothing,
            (left, _) => Cell::Number(left.into(), 0),
        };
        let cells = vec![
            Cell::Words(format!("{} %", number::write(f64::from(set.wear) * 100.0, 0))),
            laps,
            Cell::Words(pace),
            session_words(set.recommended_for),
        ];
        let name = reports.compound(set.compound, set.compound_of_season);
        let name = name.unwrap_or_else(|| format!("Compound {}", set.compound));
        table.rows.push(Row { name, cells, stretch: None, marked: set.fitted });
    }
    table
}
