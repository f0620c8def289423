//! The track map as tables: the coloured quantity at round lap distances and corners, and the brake points.

use leptos::prelude::*;
use trailbrake_shared::analysis::CornerTable;
use trailbrake_shared::plot::chart_table::{brake_point_table, places, table_along};
use trailbrake_shared::plot::colouring::row_words;
use trailbrake_shared::plot::panel::Table;
use trailbrake_shared::plot::{Domain, TickKind};

use super::colours::Tint;
use crate::analyse::Analyse;
use crate::analyse::lanes::lap_head;
use crate::figures::NONE;
use crate::ui::ChartTables;

/// The element id of the tables.
pub(super) const TABLES: &str = "map-tables";

#[component]
pub(super) fn MapTables(tint: Tint) -> impl IntoView {
    let analyse = Analyse::here();
    view! { <ChartTables of="track map" id=TABLES open=analyse.tables.map tables=move || tables(analyse, tint)/> }
}

fn tables(analyse: Analyse, tint: Tint) -> Vec<Table> {
    let Some(shown) = analyse.comparison.shown() else { return Vec::new() };
    let comparison = shown.comparison();
    let name = |number| shown.corner_name(number);
    let colours = shown.laps.first().zip(tint.coloured_now()).map(|(lap, (title, coloured))| {
        let corners: Vec<(f64, String)> =
            comparison.corners.iter().map(|corner| (corner.apex_m, name(corner.number))).collect();
        let places = places(TickKind::Distance, Domain::new(0.0, comparison.length_m), &corners);
        let heads = vec!["from the line".to_owned(), lap_head(analyse, &shown, 0)];
        table_along(title.to_owned(), heads, &places, |at_m| {
            let says = lap.row_at(at_m).and_then(|row| row_words(&coloured, row));
            vec![says.unwrap_or_else(|| NONE.to_owned())]
        })
    });
    colours.into_iter().chain(brake_points(analyse)).collect()
}

/// The brake points of the compared laps; `None` without laps or brake points.
pub(in crate::analyse) fn brake_points(analyse: Analyse) -> Option<Table> {
    let shown = analyse.comparison.shown()?;
    let comparison = shown.comparison();
    let corners: Vec<String> =
        comparison.corners.iter().map(|corner| shown.corner_name(corner.number)).collect();
    let laps = comparison.tables.iter().zip(&shown.laps).enumerate();
    let laps: Vec<(String, &CornerTable)> =
        laps.map(|(place, (table, _))| (lap_head(analyse, &shown, place), table)).collect();
    Some(brake_point_table(&corners, &laps)).filter(|table| !table.rows.is_empty())
}
