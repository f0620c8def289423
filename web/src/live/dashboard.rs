//! The dash across the page, and below it the panels in their columns.

use leptos::prelude::*;

use super::actions::ActionContext;
use super::arrangement::Row;
use super::panel::{Panel, Room};
use super::registry;
use super::strip::Strip;
use crate::cockpit::TelemetryStore;

/// Dash and columns. Panels that the game can't fill are missing, and the others take their room.
#[component]
pub(super) fn Dashboard() -> impl IntoView {
    let view = ActionContext::here().view;
    let sent = TelemetryStore::here().sampled(registry::all_sent);
    let columns = Memo::new(move |_| sent.with(|sent| view.rows(sent)));
    let count = Memo::new(move |_| columns.with(Vec::len));
    view! {
        <div
            class="dashboard"
            data-preset=move || view.preset().id()
            data-size=move || view.size.get().id()
            data-columns=move || count.get()
        >
            {registry::component(Panel::Dash)}
            <For each=move || 0..count.get() key=|column| *column let:column><Column columns column/></For>
        </div>
    }
    .into_any()
}

#[component]
fn Column(columns: Memo<Vec<Vec<Row>>>, column: usize) -> impl IntoView {
    let rows = Memo::new(move |_| columns.with(|columns| columns.get(column).cloned().unwrap_or_default()));
    let row = move |row: Row| match row.as_slice() {
        // The dash stands above all columns. What it says in words stays in its own.
        [Panel::Dash] => view! { <Strip/> }.into_any(),
        [panel] if column > 0 || matches!(panel.room(), Room::Glance | Room::Large) => {
            registry::component(*panel)
        }
        panels => {
            let panels = panels.iter().map(|panel| registry::component(*panel)).collect_view();
            view! { <div class="below">{panels}</div> }.into_any()
        }
    };
    view! {
        <div class=if column == 0 { "centre" } else { "side" }>
            <For each=move || rows.get() key=Row::clone let:panels>{row(panels)}</For>
        </div>
    }
}
