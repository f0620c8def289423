//! The dialog with the printed report: preview, print, save.

use js_sys::encode_uri_component;
use leptos::prelude::*;

use super::{Printed, PrintedReport};
use crate::analyse::lanes::tables;
use crate::analyse::map::brake_points;
use crate::analyse::{Charts, Part, ReportStore, ShownTables};
use crate::browser;
use crate::ui::{ChartTables, Dialog, TableButton};

/// The element id of the tables.
const TABLES: &str = "report-tables";

/// The dialog with the report.
#[component]
pub(crate) fn ReportDialog(on_close: Callback<()>) -> impl IntoView {
    let report = expect_context::<ReportStore>().state;
    let progress = Memo::new(move |_| report.with(|report| report.progress.clone()));
    let printed = Memo::new(move |_| report.with(|report| report.printed.clone()));
    view! {
        <Dialog label="Report" class="report" on_close>
            {move || match printed.get() {
                None => view! { <p class="soft" role="status">{move || progress.get()}</p> }.into_any(),
                Some(printed) => printed_report(printed),
            }}
        </Dialog>
    }
}

/// The report with its buttons, or why there is none.
fn printed_report(printed: Printed) -> AnyView {
    let PrintedReport { svg, html } = match printed {
        Ok(printed) => printed,
        Err(why) => return view! { <p role="alert">{why}</p> }.into_any(),
    };
    let (picture, page) = (data_address("image/svg+xml", &svg), data_address("text/html", &html));
    let (charts, open) = (expect_context::<Charts>(), expect_context::<ShownTables>().report);
    let tables = move || {
        let axis = charts.view.state.with(|view| view.axis);
        let whole = charts.comparison.shown().map(|shown| shown.whole(axis));
        let lanes = whole.map(|to| tables(charts, Part { from: 0.0, to })).unwrap_or_default();
        lanes.into_iter().chain(brake_points(charts.selection, charts.comparison)).collect()
    };
    view! {
        <p class="tools">
            <button type="button" class="primary" on:click=|_| browser::print()>"Print or save as PDF"</button>
            <a class="button" href=picture.clone() download="lap-report.svg">"Save as .svg"</a>
            <a class="button" href=page download="lap-report.html">"Save as .html"</a>
            <TableButton of="report" controls=TABLES open/>
        </p>
        // The region scrolls, so it has to be focusable.
        <div class="found" role="region" aria-label="Report" tabindex="0">
            <img class="paper" alt="The report of the lap" aria-details=TABLES src=picture/>
            <ChartTables of="report" id=TABLES open tables/>
        </div>
    }
    .into_any()
}

/// A data URL of the content. Unlike an object URL it never has to be released.
fn data_address(kind: &str, content: &str) -> String {
    format!("data:{kind};charset=utf-8,{}", String::from(encode_uri_component(content)))
}
