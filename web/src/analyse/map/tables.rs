//! The track map as tables: the coloured quantity at round lap distances and corners, and the brake points.

use leptos::prelude::*;
use trailbrake_shared::analysis::CornerTable;
use trailbrake_shared::plot::chart_table::{brake_point_table, places, table_along};
use trailbrake_shared::plot::colouring::row_words;
use trailbrake_shared::plot::panel::Table;
use trailbrake_shared::plot::{Domain, TickKind};

use super::colours::Tint;
use crate::analyse::lanes::lap_head;
use crate::analyse::{ComparisonStore, SelectionStore, ShownTables};
use crate::text::figures::NONE;
use crate::ui::ChartTables;

/// The element id of the tables.
pub(super) const TABLES: &str = "map-tables";

#[component]
pub(super) fn MapTables(tint: Tint) -> impl IntoView {
    let (selection, comparison, shown) = (
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
        expect_context::<ShownTables>(),
    );
    view! { <ChartTables of="track map" id=TABLES open=shown.map tables=move || tables(selection, comparison, tint)/> }
}

fn tables(selection: SelectionStore, compared: ComparisonStore, tint: Tint) -> Vec<Table> {
    let Some(shown) = compared.shown() else { return Vec::new() };
    let comparison = shown.comparison();
    let name = |number| shown.corner_name(number);
    let colours = shown.laps.first().zip(tint.coloured_now()).map(|(lap, (title, coloured))| {
        let corners: Vec<(f64, String)> =
            comparison.corners.iter().map(|corner| (corner.apex_m, name(corner.number))).collect();
        let places = places(TickKind::Distance, Domain::new(0.0, comparison.length_m), &corners);
        let heads = vec!["from the line".to_owned(), lap_head(selection, &shown, 0)];
        table_along(title.to_owned(), heads, &places, |at_m| {
            let says = lap.row_at(at_m).and_then(|row| row_words(&coloured, row));
            vec![says.unwrap_or_else(|| NONE.to_owned())]
        })
    });
    colours.into_iter().chain(brake_points(selection, compared)).collect()
}

/// The brake points of the compared laps; `None` without laps or brake points.
pub(in crate::analyse) fn brake_points(
    selection: SelectionStore,
    comparison: ComparisonStore,
) -> Option<Table> {
    let shown = comparison.shown()?;
    let comparison = shown.comparison();
    let corners: Vec<String> =
        comparison.corners.iter().map(|corner| shown.corner_name(corner.number)).collect();
    let laps = comparison.tables.iter().zip(&shown.laps).enumerate();
    let laps: Vec<(String, &CornerTable)> =
        laps.map(|(place, (table, _))| (lap_head(selection, &shown, place), table)).collect();
    Some(brake_point_table(&corners, &laps)).filter(|table| !table.rows.is_empty())
}
