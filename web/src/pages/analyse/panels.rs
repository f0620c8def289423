//! The panels below the map: a row of names, and what the open one tells.

use std::cell::{Cell, RefCell};

use leptos::prelude::document;
use trailbrake_shared::model::Channel;
use trailbrake_shared::plot::figure::Figure;
use trailbrake_shared::plot::panel::{Choice, Content, PANELS, Row, Table};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::analyse::{Analyse, CORNERS, Shown, State};
use crate::browser;
use crate::dom::{Part, button, fill_id, part};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Chart, Sheet};

thread_local! {
    /// The figures of the open panel, as they are painted.
    static CHARTS: RefCell<Vec<Chart>> = const { RefCell::new(Vec::new()) };
    /// What an address calls the panel that is open.
    static OPEN: Cell<&'static str> = const { Cell::new("") };
}

/// Paints the figures of the open panel until what comes back is dropped.
pub(super) fn paint(_: Analyse) -> Option<Subscription> {
    let subscription = frame::on(Phase::Draw, move |_| {
        CHARTS.with_borrow_mut(|charts| charts.iter_mut().for_each(|chart| chart.paint(None)));
    });
    Some(subscription)
}

/// Tells of the figures of the open panel, from the top.
pub(super) fn charts<T>(tell: impl FnOnce(&[Chart]) -> T) -> T {
    CHARTS.with_borrow(|charts| tell(charts))
}

/// Draws the row of names and the open panel.
pub(super) fn draw(analyse: Analyse) {
    // The canvases of what was told go with it.
    CHARTS.set(Vec::new());
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
    let (parts, figures) = told;
    fill_id("told", parts);
    let mut charts = Vec::new();
    for (place, figure) in figures.into_iter().enumerate() {
        let host = document().get_element_by_id(&figure_id(place));
        let host = host.and_then(|host| host.dyn_into::<HtmlElement>().ok());
        charts.extend(host.and_then(|host| Sheet::mount(&host)).map(|sheet| Chart::new(sheet, figure)));
    }
    CHARTS.set(charts);
    let open = analyse.read(|state| state.open.id);
    if OPEN.replace(open) != open {
        let panel = if open == CORNERS || open.is_empty() { "#things" } else { "#told" };
        browser::reveal(".analyse .right", panel);
    }
    frame::request();
}

/// What stands in the panel, and the figures that are painted into it.
fn told(state: &State) -> (Vec<Part>, Vec<Figure>) {
    let Some(shown) = &state.shown else { return Default::default() };
    let missing = |words: &str| part("p", "missing").says(words);
    let Some(panel) = state.open.panel() else {
        let none = shown.comparison().corners.is_empty();
        return (if none { vec![missing(no_corners(shown))] } else { Vec::new() }, Vec::new());
    };
    match state.tell(|laps| panel.content(laps, &state.open.wanted)) {
        Some(Ok(content)) => (parts(panel.name, &content), content.figures),
        Some(Err(why)) => {
            let head = part("div", "head").with(part("h2", "").says(panel.name));
            (vec![head, missing(&format!("This can't be shown: {why}."))], Vec::new())
        }
        None => Default::default(),
    }
}

/// Why there is no corner.
fn no_corners(shown: &Shown) -> &'static str {
    let sends =
        shown.laps.iter().any(|lap| !lap.way.is_empty() || lap.values(Channel::Speed.slot()).is_some());
    match shown.comparison() {
        comparison if comparison.strangers.is_some() => {
            "There are no corners here: what is a corner of the one track is nothing of the other."
        }
        _ if !sends => "No corners can be told: the game sends neither positions nor the speed.",
        comparison if comparison.track.is_some() => "This track has no bend that is a corner by its shape.",
        _ => {
            "No corners can be told: neither lap was heard from line to line, and the speed alone shows none."
        }
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
    let mut parts = vec![head];
    for (place, figure) in content.figures.iter().enumerate() {
        if content.figures.len() > 1 {
            parts.push(part("h3", "").says(&figure.title));
        }
        let class = if figure.square { "sheet chart square" } else { "sheet chart" };
        let words = format!("{}: {} over {}", figure.title, figure.y.label, figure.x.label);
        let host = part("div", class).set("id", &figure_id(place));
        parts.push(host.set("role", "img").set("aria-label", &words));
    }
    for table in &content.tables {
        parts.push(described(table));
    }
    for note in &content.notes {
        parts.push(part("p", "missing").says(note));
    }
    parts
}

fn picker(name: &str, choices: &[Choice]) -> Option<Part> {
    let option = |choice: &Choice| {
        part("option", "").set("value", &choice.id).mark("selected", choice.chosen).says(&choice.name)
    };
    let select =
        part("select", "").set("data-action", "wanted").set("aria-label", &format!("What of {name}"));
    (choices.len() > 1).then(|| select.with_all(choices.iter().map(option).collect()))
}

fn described(table: &Table) -> Part {
    let head = |words: &String| part("th", "").set("scope", "col").says(words);
    let heads = part("thead", "").with(part("tr", "").with_all(table.heads.iter().map(head).collect()));
    let rows = part("tbody", "").with_all(table.rows.iter().map(|one| row(&table.heads, one)).collect());
    part("table", "telling").set("aria-label", &table.title).with(heads).with(rows)
}

fn row(heads: &[String], row: &Row) -> Part {
    let name = match row.stretch {
        Some(stretch) => button(&row.name, "", "stretch")
            .set("data-of", &format!("{} {} {}", stretch.from_m, stretch.to_m, stretch.at_m)),
        None => part("span", "").says(&row.name),
    };
    let cells = row.cells.iter().zip(heads.iter().skip(1)).map(|(cell, head)| {
        // What is of one of the two laps has its colour.
        let class = if head == "lap" || head == "reference" { head } else { "" };
        part("td", class).says(&cell.words())
    });
    part("tr", if row.marked { "marked" } else { "" })
        .with(part("th", "").set("scope", "row").with(name))
        .with_all(cells.collect())
}
