//! The tables of a chart's data, for those who can't see the chart.

use leptos::prelude::*;
use trailbrake_shared::plot::panel::{Row, Table};

/// A button that shows or hides the tables of a chart.
#[component]
pub(crate) fn TableButton(
    /// What the tables are of.
    #[prop(into)]
    of: String,
    /// The id of the tables' element, which also names the button for tests.
    #[prop(into)]
    controls: String,
    open: RwSignal<bool>,
    #[prop(default = "quiet show-table")] class: &'static str,
    /// What the button shows, if not a word.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let name = format!("Table: {of}");
    let testid = format!("show-{controls}");
    view! {
        <button
            type="button"
            class=class
            title=name.clone()
            aria-label=name
            aria-expanded=move || if open.get() { "true" } else { "false" }
            aria-controls=controls
            data-testid=testid
            on:click=move |_| open.update(|open| *open = !*open)
        >
            {children.map_or_else(|| "Table".into_any(), |children| children().into_any())}
        </button>
    }
}

/// The tables of a chart, while they are shown. Their region can have the focus, so that the keyboard can scroll it.
#[component]
pub(crate) fn ChartTables(
    /// What the tables are of.
    #[prop(into)]
    of: String,
    /// The id of the region, to which chart and button refer.
    #[prop(into)]
    id: String,
    open: RwSignal<bool>,
    /// Makes the tables, each time they are shown.
    tables: impl Fn() -> Vec<Table> + 'static,
) -> impl IntoView {
    let tables = StoredValue::new_local(tables);
    let content = move || {
        let made = open.get().then(|| tables.with_value(|tables| tables()));
        made.map(|tables| tables.into_iter().map(|table| view! { <ChartTable table/> }).collect_view())
    };
    let label = format!("Tables: {of}");
    view! {
        <div
            class="chart-tables"
            id=id.clone()
            role="region"
            aria-label=label
            tabindex="0"
            data-testid=id
            hidden=move || !open.get()
        >
            {content}
        </div>
    }
}

#[component]
fn ChartTable(table: Table) -> impl IntoView {
    let Table { title, heads, rows } = table;
    let row = |row: Row| {
        let cells = row.cells.iter().map(|cell| view! { <td>{cell.words()}</td> }).collect_view();
        view! { <tr><th scope="row">{row.name}</th>{cells}</tr> }
    };
    view! {
        <table class="chart-table">
            <caption>{title}</caption>
            <thead>
                <tr>{heads.into_iter().map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
