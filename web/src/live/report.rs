//! What the game reports of a session besides what it measures, as tables: tyre sets, the forecast, rules; and in the
//! room of the timing table the results, the laps of a time trial, or who waits in the lobby.

use leptos::prelude::*;
use trailbrake_shared::model::SessionKind;
use trailbrake_shared::plot::panel::{Cell, Row, Table};
use trailbrake_shared::plot::session_table::SessionTable;
use trailbrake_shared::session::Session;

use super::panel::Panel;
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::ui::RowList;

/// Whether the game has reported a table.
pub(super) fn is_sent(table: SessionTable, telemetry: &Telemetry) -> bool {
    telemetry.session().is_some_and(|session| table.is_reported(session))
}

/// The table that stands in the room of the timing table: the results once they are there, the laps that a time trial
/// is driven against, or the lobby until cars are listed.
pub(super) fn instead_of_timing(session: &Session, lists_cars: bool) -> Option<SessionTable> {
    let is_time_trial = session.info().is_some_and(|info| info.kind == SessionKind::TimeTrial);
    let all = [
        (SessionTable::Results, true),
        (SessionTable::Rivals, is_time_trial || !lists_cars),
        (SessionTable::Lobby, !lists_cars),
    ];
    let fits = |(table, fits): (SessionTable, bool)| (fits && table.is_reported(session)).then_some(table);
    all.into_iter().find_map(fits)
}

/// A panel with one table.
#[component]
pub(super) fn ReportPanel(panel: Panel, table: SessionTable) -> impl IntoView {
    let (id, label) = (panel.id(), panel.label());
    view! {
        <section class=format!("panel {id} report") aria-label=label>
            <div class="head"><h2>{label}</h2></div>
            <ReportTable table label/>
        </section>
    }
    .into_any()
}

/// A table in a list that scrolls.
#[component]
pub(super) fn ReportTable(table: SessionTable, label: &'static str) -> impl IntoView {
    let (display, telemetry) = (Display::here(), TelemetryStore::here());
    let table = telemetry.sampled(move |telemetry| {
        let source = telemetry.shown()?;
        table.of(&source.session, source.origin.feed, display.units.get())
    });
    view! {
        <RowList label=format!("Table: {label}")>
            {move || table.get().map(|table| view! { <ShownTable table/> })}
        </RowList>
    }
}

#[component]
fn ShownTable(table: Table) -> impl IntoView {
    let Table { heads, rows, .. } = table;
    // A first column of text begins at the left.
    let begins_left = rows.iter().all(|row| matches!(row.cells.first(), Some(Cell::Words(_))));
    let head = |head: &String| view! { <th scope="col" data-head=head.clone()>{head.clone()}</th> };
    let row = |Row { name, cells, marked, .. }: Row| {
        let cell = |(cell, head): (Cell, &String)| view! { <td data-head=head.clone()>{cell.words()}</td> };
        let cells = cells.into_iter().zip(heads.iter().skip(1)).map(cell).collect_view();
        view! { <tr class:own=marked><th scope="row">{name}</th>{cells}</tr> }
    };
    view! {
        <table class:begins-left=begins_left>
            <thead><tr>{heads.iter().map(head).collect_view()}</tr></thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
