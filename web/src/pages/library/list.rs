//! The list itself: thousands of rows, of which those on the screen are in the document.

use js_sys::Array;
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};

use crate::dom::{Listening, Part, fill_id, part};
use crate::figures::minutes;
use crate::library::{Column, Library, Listed, Window, size};

/// What stays: the head, a row that is not seen and tells how high rows are, and the place of the rows.
pub(super) fn skeleton() -> Part {
    let heads = Column::ALL.map(|(column, word, label)| {
        let press = part("button", "")
            .set("type", "button")
            .set("data-action", "sort")
            .set("data-of", word)
            .says(label);
        part("span", &class(column, word)).set("id", &head_id(word)).set("role", "columnheader").with(press)
    });
    part("div", "list")
        .set("id", "list")
        .set("role", "grid")
        .set("tabindex", "0")
        .set("aria-label", "Recordings")
        .set("data-figure", "recordings")
        .with(part("div", "row names").set("role", "row").with_all(heads.into()))
        .with(part("div", "row probe").set("aria-hidden", "true"))
        .with(
            part("div", "rows")
                .set("id", "rows")
                .with(part("div", "").set("id", "seen").set("role", "rowgroup")),
        )
        .with(part("div", "").set("id", "instead"))
}

/// Looks how much of the list is seen, whenever that changes, until it is dropped.
pub(super) struct Watch {
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn Fn(Array)>,
    _scrolled: Option<Listening>,
}

/// Begins to watch.
pub(super) fn watch(library: &Library) -> Watch {
    let (one, other) = (library.clone(), library.clone());
    let resized = Closure::<dyn Fn(Array)>::new(move |_| measure(&one));
    let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
    let list = document().get_element_by_id("list");
    if let (Some(observer), Some(list)) = (&observer, &list) {
        observer.observe(list);
    }
    let scrolled = list.map(|list| Listening::begin(&list, "scroll", Box::new(move |_| measure(&other))));
    Watch { observer, _resized: resized, _scrolled: scrolled }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

fn measure(library: &Library) {
    let Some(list) = found("list") else { return };
    let height = |place| {
        let child = list.children().item(place)?.dyn_into::<HtmlElement>().ok()?;
        Some(f64::from(child.offset_height()))
    };
    let (head, row) = (height(0).unwrap_or_default(), height(1).unwrap_or_default());
    let seen = f64::from(list.client_height()) - head;
    library.see(Window::new(f64::from(list.scroll_top()), seen, row));
}

/// Draws the rows that are on the screen.
pub(super) fn draw(library: &Library) {
    library.read(|state| {
        let count = state.found.len();
        let range = state.window.rows(count);
        if let Some(list) = found("list") {
            let _ = list.set_attribute("aria-rowcount", &(count + 1).to_string());
            let _ = list.set_attribute("data-count", &count.to_string());
            let at = state.cursor_row().map(row_id).unwrap_or_default();
            let _ = list.set_attribute("aria-activedescendant", &at);
        }
        place("rows", "height", count as f64 * state.window.row);
        place("seen", "top", range.start as f64 * state.window.row);
        let cursor = state.cursor.as_deref();
        let rows = state.found.get(range.clone()).unwrap_or_default().iter().zip(range);
        fill_id("seen", rows.map(|(one, place)| row(one, place, cursor == Some(&one.key))).collect());
    });
}

/// Says by which column the list is sorted.
pub(super) fn draw_names(library: &Library) {
    let (by, descending) = library.read(|state| (state.query.column, state.query.descending));
    for (column, word, _) in Column::ALL {
        let sorted = match (column == by, descending) {
            (false, _) => "none",
            (true, true) => "descending",
            (true, false) => "ascending",
        };
        if let Some(head) = found(&head_id(word)) {
            let _ = head.set_attribute("aria-sort", sorted);
        }
    }
}

/// Scrolls so that the row is seen on which the keyboard stands.
pub(super) fn show_cursor(library: &Library) {
    let top = library.read(|state| state.cursor_row().map(|row| state.window.towards(row)));
    if let (Some(top), Some(list)) = (top, found("list")) {
        list.set_scroll_top(top as i32);
    }
}

fn found(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

fn place(id: &str, what: &str, pixels: f64) {
    if let Some(element) = found(id) {
        let _ = element.style().set_property(what, &format!("{}px", pixels as i64));
    }
}

fn row_id(place: usize) -> String {
    format!("row-{place}")
}

fn head_id(word: &str) -> String {
    format!("by-{word}")
}

fn row(one: &Listed, place: usize, cursor: bool) -> Part {
    let underway = if one.entry.underway { " underway" } else { "" };
    let class = format!("row{underway}{}", if cursor { " cursor" } else { "" });
    let row = part("div", &class)
        .set("id", &row_id(place))
        .set("role", "row")
        // The head is the first row.
        .set("aria-rowindex", &(place + 2).to_string())
        .set("aria-selected", if cursor { "true" } else { "false" })
        .set("data-action", "row")
        .set("data-of", &one.key);
    match &one.entry.trouble {
        Some(trouble) => {
            let cell = part("span", "trouble").set("role", "gridcell");
            row.with(cell.with(part("b", "").says(&one.entry.file)).says(trouble))
        }
        None => row.with_all(Column::ALL.map(|(column, word, _)| cell(one, column, word)).into()),
    }
}

fn cell(one: &Listed, column: Column, word: &str) -> Part {
    let entry = &one.entry;
    let text = match column {
        Column::Date => Some(one.date.clone()),
        Column::Track => entry.track.clone(),
        Column::Car => entry.car.clone(),
        Column::Name => entry.name.clone(),
        Column::Game => one.game.clone(),
        Column::Driver => entry.driver.clone(),
        Column::Laps => (entry.laps > 0).then(|| entry.laps.to_string()),
        Column::Best => entry.best.map(|best| best.to_string()),
        Column::Length => Some(minutes(entry.seconds)),
        Column::Size => Some(size(entry.bytes)),
    };
    let tags = if column == Column::Name { entry.tags.as_slice() } else { &[] };
    let cell = part("span", &class(column, word)).set("role", "gridcell").says(&text.unwrap_or_default());
    cell.with_all(tags.iter().map(|tag| part("i", "tag").says(tag)).collect())
}

fn class(column: Column, word: &str) -> String {
    format!("col-{word}{}", if column.is_number() { " number" } else { "" })
}
