//! Tables of what is drawn along a lap.

use trailbrake_model::number;

use crate::panel::{Cell, Row, Table};
use crate::{Domain, TickKind, Ticks};

/// The most round places of a table.
const ROUND: usize = 25;

/// A place on the axis, which is a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePlace {
    /// Where on the axis.
    pub at: f64,
    /// Its name: the corner, if one is there, and the distance or the time.
    pub name: String,
}

/// The places in a part of the axis, rising: round ones, and those of corners, which come with their names.
pub fn places(kind: TickKind, domain: Domain, corners: &[(f64, String)]) -> Vec<TablePlace> {
    let ticks = Ticks::new(kind, domain, ROUND);
    let written = |at: f64| match kind {
        // Kilometres with one decimal would be the same for neighbouring corners.
        TickKind::Distance if ticks.step() >= 1.0 => format!("{} m", number::write(at, 0)),
        _ => ticks.label(at),
    };
    let mut places: Vec<TablePlace> = ticks.values().map(|at| TablePlace { at, name: written(at) }).collect();
    let shown = corners.iter().filter(|(at, _)| (domain.low()..=domain.high()).contains(at));
    places.extend(shown.map(|(at, name)| TablePlace { at: *at, name: format!("{name}, {}", written(*at)) }));
    places.sort_by(|one, other| one.at.total_cmp(&other.at));
    places
}

/// A table with a row for each place. The first head is over the places.
pub fn table_along(
    title: String,
    heads: Vec<String>,
    places: &[TablePlace],
    values: impl Fn(f64) -> Vec<String>,
) -> Table {
    let row = |place: &TablePlace| Row {
        name: place.name.clone(),
        cells: values(place.at).into_iter().map(Cell::Words).collect(),
        stretch: None,
        marked: false,
    };
    Table { title, heads, rows: places.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(kind: TickKind, from: f64, to: f64, corners: &[(f64, &str)]) -> Vec<String> {
        let corners: Vec<(f64, String)> =
            corners.iter().map(|(at, name)| (*at, (*name).to_owned())).collect();
        places(kind, Domain::new(from, to), &corners).into_iter().map(|place| place.name).collect()
    }

    #[test]
    fn corners_stand_between_round_places() {
        let corners = [(1234.4, "T2"), (412.0, "T1"), (9000.0, "T9")];
        let found = names(TickKind::Distance, 0.0, 4800.0, &corners);
        assert_eq!(found[..5], ["0 m", "200 m", "400 m", "T1, 412 m", "600 m"]);
        assert_eq!(found.iter().filter(|name| name.starts_with('T')).count(), 2, "one is out of sight");
        let clocks = names(TickKind::Time, 60.0, 84.0, &[(61.3, "T1")]);
        assert_eq!(clocks[..4], ["1:00", "1:01", "T1, 1:01", "1:02"]);
    }

    #[test]
    fn a_row_has_the_values_of_its_place() {
        let places = places(TickKind::Distance, Domain::new(0.0, 10.0), &[]);
        let heads = vec!["from the line".to_owned(), "lap".to_owned()];
        let table = table_along("Speed".to_owned(), heads, &places, |at| vec![format!("{:.1}", at * 2.0)]);
        assert_eq!(table.rows.len(), places.len());
        for (row, place) in table.rows.iter().zip(&places) {
            assert_eq!((&row.name, row.cells[0].words()), (&place.name, format!("{:.1}", place.at * 2.0)));
        }
    }

    proptest! {
        #[test]
        fn places_are_few_rising_and_inside(from in -50.0..5000.0, length in 1.0..9000.0, corner in 0.0..9000.0) {
            let domain = Domain::new(from, from + length);
            for kind in [TickKind::Distance, TickKind::Time] {
                let found = places(kind, domain, &[(corner, "T1".to_owned())]);
                prop_assert!((2..=ROUND + 1).contains(&found.len()), "{}", found.len());
                prop_assert!(found.windows(2).all(|pair| pair[0].at <= pair[1].at));
                let shown = (domain.low()..=domain.high()).contains(&corner);
                prop_assert_eq!(found.iter().any(|place| place.name.starts_with("T1, ")), shown);
            }
        }
    }
}
