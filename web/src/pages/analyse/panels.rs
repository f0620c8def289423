//! The panels below the map: a row of names, and what the open one tells.

use std::cell::RefCell;

use leptos::prelude::document;
use trailbrake_shared::plot::panel::{Choice, Content, PANELS, Row, Table};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::analyse::{Analyse, CORNERS, State};
use crate::dom::{Part, button, fill_id, part};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Chart, Sheet};

thread_local! {
    /// What the open panel tells, and its figures as they are painted.
    static TOLD: RefCell<Option<(Content, Vec<Chart>)>> = const { RefCell::new(None) };
}

/// Paints the figures of the open panel until what comes back is dropped.
pub(super) fn paint(_: &Analyse) -> Option<Subscription> {
    let subscription = frame::on(Phase::Draw, move |_| {
        TOLD.with_borrow_mut(|told| {
            told.iter_mut().flat_map(|(_, charts)| charts).for_each(|chart| chart.paint(None));
        });
    });
    Some(subscription)
}

/// Draws the row of names and the open panel.
pub(super) fn draw(analyse: &Analyse) {
    // The canvases of what was told go with it.
    TOLD.set(None);
    let told = analyse.read(|state| {
        let id = if state.open.panel().is_some() { state.open.id } else { CORNERS };
        let tabs =
            [(CORNERS, "Corners")].into_iter().chain(PANELS.iter().map(|panel| (panel.id, panel.name)));
        fill_id("tabs", tabs.map(|(other, name)| tab(other, name, other == id)).collect());
        if let Some(right) = document().query_selector(".analyse .right").ok().flatten() {
            let _ = right.set_attribute("data-panel", id);
        }
        told(state)
    });
    let Told { parts, content } = told;
    fill_id("told", parts);
    let Some(content) = content else { return };
    let charts = content.figures.iter().enumerate().filter_map(|(place, figure)| {
        let host = document().get_element_by_id(&figure_id(place))?.dyn_into::<HtmlElement>().ok()?;
        Some(Chart::new(Sheet::mount(&host)?, figure.clone()))
    });
    let charts = charts.collect();
    TOLD.set(Some((content, charts)));
    frame::request();
}

/// What stands in the panel, and what it is made of, unless it can't be told.
struct Told {
    parts: Vec<Part>,
    content: Option<Content>,
}

fn told(state: &State) -> Told {
    let nothing = Told { parts: Vec::new(), content: None };
    let Some(shown) = &state.shown else { return nothing };
    let Some(panel) = state.open.panel() else {
        let words = "No corners can be told: the game sends neither positions nor the speed.";
        let missing = shown.comparison.corners.is_empty().then(|| part("p", "missing").says(words));
        return Told { parts: missing.into_iter().collect(), content: None };
    };
    match shown.panels(|laps| panel.content(laps, &state.open.wanted)) {
        Some(Ok(content)) => Told { parts: parts(panel.name, &content), content: Some(content) },
        Some(Err(why)) => {
            let head = part("div", "head").with(part("h2", "").says(panel.name));
            let words = format!("This can't be shown: {why}.");
            Told { parts: vec![head, part("p", "missing").says(&words)], content: None }
        }
        None => nothing,
    }
}

fn tab(id: &str, name: &str, open: bool) -> Part {
    let pressed = if open { "true" } else { "false" };
    button(name, "tab", "panel").set("data-of", id).set("aria-pressed", pressed)
}

fn figure_id(place: usize) -> String {
    format!("figure-{place}")
}

fn parts(name: &str, content: &Content) -> Vec<Part> {
    let head = part("div", "head").with(part("h2", "").says(name)).perhaps(picker(name, &content.choices));
    let figures = content.figures.iter().enumerate().map(|(place, figure)| {
        let class = if figure.square { "sheet chart square" } else { "sheet chart" };
        let words = format!("{}: {} over {}", figure.title, figure.y.label, figure.x.label);
        part("div", class).set("id", &figure_id(place)).set("role", "img").set("aria-label", &words)
    });
    let notes = content.notes.iter().map(|note| part("p", "missing").says(note));
    [head].into_iter().chain(figures).chain(content.tables.iter().map(table)).chain(notes).collect()
}

fn picker(name: &str, choices: &[Choice]) -> Option<Part> {
    let option = |choice: &Choice| {
        part("option", "").set("value", &choice.id).mark("selected", choice.chosen).says(&choice.name)
    };
    let select =
        part("select", "").set("data-action", "wanted").set("aria-label", &format!("What of {name}"));
    (!choices.is_empty()).then(|| select.with_all(choices.iter().map(option).collect()))
}

fn table(table: &Table) -> Part {
    let head = |words: &String| part("th", "").set("scope", "col").says(words);
    let heads = part("thead", "").with(part("tr", "").with_all(table.heads.iter().map(head).collect()));
    let rows = part("tbody", "").with_all(table.rows.iter().map(row).collect());
    part("table", "telling").set("aria-label", &table.title).with(heads).with(rows)
}

fn row(row: &Row) -> Part {
    let name = match row.stretch {
        Some(stretch) => button(&row.name, "", "stretch")
            .set("data-of", &format!("{} {} {}", stretch.from_m, stretch.to_m, stretch.at_m)),
        None => part("span", "").says(&row.name),
    };
    let cells = row.cells.iter().map(|cell| part("td", "").says(&cell.words()));
    part("tr", if row.marked { "marked" } else { "" })
        .with(part("th", "").set("scope", "row").with(name))
        .with_all(cells.collect())
}
