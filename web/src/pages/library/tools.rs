//! What stands above the list: the search, the filters, the way into the bin, and the door for files.

use leptos::prelude::document;
use trailbrake_shared::number::count;
use wasm_bindgen::JsCast;

use crate::dom::{Part, button, chooser, fill_id, part};
use crate::library::{Filter, Library, State};

/// By which the keyboard finds the search.
pub(super) const SEARCH: &str = "search";

/// What stays.
pub(super) fn skeleton() -> Part {
    let search = part("input", "")
        .set("id", SEARCH)
        .set("type", "search")
        .set("placeholder", "Search  /")
        .set("aria-label", "Search the recordings")
        .set("autocomplete", "off")
        .set("spellcheck", "false")
        .set("data-action", "search");
    let filters = Filter::ALL.map(|filter| {
        part("select", "")
            .set("id", filter.word())
            .set("aria-label", filter.all())
            .set("data-action", "filter")
            .set("data-of", filter.word())
    });
    let count = part("span", "count").set("id", "count").set("role", "status").set("data-figure", "count");
    part("div", "tools")
        .with(search)
        .with_all(filters.into())
        .with(count)
        .with(part("span", "grow"))
        .with(part("div", "ends").set("id", "ends"))
}

/// Draws all that changes.
pub(super) fn draw(library: &Library) {
    library.read(|state| {
        say_search(&state.query.text);
        for filter in Filter::ALL {
            fill_id(filter.word(), options(state, filter));
        }
        let (all, found) = (state.shelf.all.len(), state.found.len());
        let words = count(all, "recording", "recordings");
        let words = if found == all { words } else { format!("{found} of {words}") };
        fill_id("count", vec![part("span", "").says(if state.shelf.here { &words } else { "" })]);
        fill_id("ends", if state.query.bin { in_bin(state) } else { outside() });
    });
}

/// What is typed there stands there already; a link may say something else.
fn say_search(text: &str) {
    let field = document().get_element_by_id(SEARCH);
    let field = field.and_then(|field| field.dyn_into::<web_sys::HtmlInputElement>().ok());
    if let Some(field) = field.filter(|field| field.value() != text) {
        field.set_value(text);
    }
}

fn outside() -> Vec<Part> {
    vec![button("Bin", "plain", "bin"), chooser("Import", "button plain", "import", true)]
}

/// Emptying the bin is asked once more: nothing brings back what is gone from there.
fn in_bin(state: &State) -> Vec<Part> {
    let deleted = state.shelf.all.len();
    let mut ends = Vec::new();
    if state.sure {
        let question = format!("Remove {} for good?", count(deleted, "recording", "recordings"));
        ends.push(part("span", "").set("data-figure", "sure").says(&question));
        ends.push(button("Remove for good", "danger", "empty-bin-for-good"));
        ends.push(button("Keep", "plain", "keep-bin"));
    } else if deleted > 0 {
        ends.push(button("Empty the bin", "plain", "empty-bin"));
    }
    ends.push(button("Back to the library", "plain", "leave-bin"));
    ends
}

/// What a filter can be set to, with how many recordings each value would show.
fn options(state: &State, filter: Filter) -> Vec<Part> {
    let mut values = state.choices(filter).to_vec();
    let chosen = state.query.filter(filter);
    // A link may ask for what is not there any more.
    if !chosen.is_empty() && values.iter().all(|(value, _)| value != chosen) {
        values.push((chosen.to_owned(), 0));
    }
    let mut options = vec![part("option", "").set("value", "").says(filter.all())];
    for (value, count) in values {
        let words = format!("{value} ({count})");
        options.push(part("option", "").set("value", &value).mark("selected", value == chosen).says(&words));
    }
    options
}
