//! The lanes as tables: the values of the laps on screen at round lap distances or times, and at corners.

use leptos::prelude::*;
use trailbrake_shared::plot::chart_table::{TablePlace, places, table_along};
use trailbrake_shared::plot::panel::Table;
use trailbrake_shared::plot::{Domain, TickKind};

use super::build::{INKS, Lines, build, slots};
use super::layout::Strip;
use crate::analyse::{
    Axis, Charts, ComparisonStore, Part, SelectionStore, ShownLaps, ShownTables, ViewStore,
};
use crate::painter::{LaneSpec, Readout, Says};
use crate::ui::ChartTables;

/// The id of the tables' element.
pub(crate) const TABLES: &str = "lanes-tables";

/// The tables of the visible part.
#[component]
pub(super) fn LanesTables() -> impl IntoView {
    let (comparison, view) = (expect_context::<ComparisonStore>(), expect_context::<ViewStore>());
    let (charts, open) = (expect_context::<Charts>(), expect_context::<ShownTables>().lanes);
    let part = Memo::new(move |_| {
        let shown = comparison.shown()?;
        Some(view.state.with(|view| view.shown(shown.whole(view.axis))))
    });
    let shown_tables = move || part.get().map(|part| tables(charts, part)).unwrap_or_default();
    view! { <ChartTables of="lanes" id=TABLES open tables=shown_tables/> }
}

/// A table for each lane, of a part of the axis.
pub(crate) fn tables(charts: Charts, part: Part) -> Vec<Table> {
    let Some(shown) = charts.comparison.shown() else { return Vec::new() };
    let axis = charts.view.state.with(|view| view.axis);
    let (kind, along) = match axis {
        Axis::Distance => (TickKind::Distance, "from the line"),
        Axis::Time => (TickKind::Time, "lap clock"),
    };
    let strips = charts.lanes.state.with(|lanes| lanes.strips.clone());
    let built = build(&shown, axis, &strips, false, charts.units.get());
    let corners = shown.comparison().corners.iter();
    let corners: Vec<(f64, String)> = corners
        .filter_map(|corner| Some((shown.on_axis(axis, corner.apex_m)?, shown.corner_name(corner.number))))
        .collect();
    let places = places(kind, Domain::new(part.from, part.to), &corners);
    let lane = |(spec, id): (&LaneSpec, &String)| {
        let title = title(&shown, spec, id);
        let heads = [along.to_owned()].into_iter().chain(heads(charts.selection, &shown, spec)).collect();
        lane_table(title, heads, &places, spec, &built.lines)
    };
    built.specs.iter().zip(&built.ids).map(lane).collect()
}

fn lane_table(
    title: String,
    heads: Vec<String>,
    places: &[TablePlace],
    spec: &LaneSpec,
    lines: &Lines,
) -> Table {
    table_along(title, heads, places, |at| {
        spec.gutter_rows(lines, Some(at)).into_iter().map(|(_, words)| words).collect()
    })
}

/// The lane's name with its unit. If a cell has the values of several channels, their names replace the lane's.
fn title(shown: &ShownLaps, spec: &LaneSpec, id: &str) -> String {
    let channels = slots(shown, &[Strip::usual(id)]);
    let name = match channels.as_slice() {
        [_, _, ..] => channels.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" · "),
        _ => spec.name.to_string(),
    };
    match spec.unit.suffix {
        "" => name,
        unit => format!("{name}, {unit}"),
    }
}

/// The column heads of a lane's values: the laps' names, and the difference.
fn heads(selection: SelectionStore, shown: &ShownLaps, spec: &LaneSpec) -> Vec<String> {
    let head = |Readout { ink, says }: &Readout| match says {
        Says::Difference(..) => "difference".to_owned(),
        Says::Values(_) => {
            let place = INKS.iter().position(|own| own == ink).unwrap_or_default();
            lap_head(selection, shown, place)
        }
    };
    match spec.readouts.as_slice() {
        // Only the delta lane has no readouts.
        [] => vec!["behind the reference".to_owned()],
        readouts => readouts.iter().map(head).collect(),
    }
}

/// The column head of a lap, by its index among the laps on screen.
pub(crate) fn lap_head(selection: SelectionStore, shown: &ShownLaps, place: usize) -> String {
    let name = shown.laps.get(place).map(|lap| selection.lap_name(lap.loaded.key)).unwrap_or_default();
    if place == 1 && shown.compared { format!("{name}, reference") } else { name }
}
