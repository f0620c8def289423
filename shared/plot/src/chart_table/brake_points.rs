//! The table of a map's brake points.

use trailbrake_analysis::CornerTable;

use crate::panel::{Cell, Row, Table};

/// Where laps braked for each corner, metres before its apex. Corners and laps come with their names; corners for which
/// nobody braked are left out.
pub fn brake_point_table(corners: &[String], laps: &[(String, &CornerTable)]) -> Table {
    let before_m = |lap: &CornerTable, corner: usize| lap.rows.get(corner).and_then(|row| row.before_apex_m);
    let row = |(place, name): (usize, &String)| {
        let cells: Vec<Cell> = laps.iter().map(|(_, lap)| Cell::number(before_m(lap, place), 0)).collect();
        let is_braked = cells.iter().any(|cell| *cell != Cell::Nothing);
        is_braked.then(|| Row { name: name.clone(), cells, stretch: None, marked: false })
    };
    let heads = laps.iter().map(|(name, _)| name.clone());
    Table {
        title: "Brake points, m before the apex".to_owned(),
        heads: ["corner".to_owned()].into_iter().chain(heads).collect(),
        rows: corners.iter().enumerate().filter_map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_analysis::CornerRow;

    use super::*;

    fn lap(before_m: [Option<f64>; 3]) -> CornerTable {
        let row = |before_apex_m| CornerRow { before_apex_m, ..CornerRow::default() };
        CornerTable { brake_source: None, line_ms: None, rows: before_m.map(row).to_vec() }
    }

    #[test]
    fn each_lap_has_its_brake_point_for_each_corner() {
        let corners = ["T1", "T2", "T3"].map(str::to_owned);
        let (main, reference) = (lap([Some(86.4), None, None]), lap([Some(72.0), None, Some(40.6)]));
        let laps = [("Lap 3".to_owned(), &main), ("Lap 2".to_owned(), &reference)];
        let table = brake_point_table(&corners, &laps);
        assert_eq!(table.heads, ["corner", "Lap 3", "Lap 2"]);
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| [row.name.clone()].into_iter().chain(row.cells.iter().map(Cell::words)).collect())
            .collect();
        assert_eq!(rows, [["T1", "86", "72"], ["T3", "–", "41"]], "nobody braked for T2");
    }
}
