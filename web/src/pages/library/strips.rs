//! Lines that come and go: what is wrong, which files are on their way in, what was done just now.

use crate::dom::{button, fill_id, part};
use crate::library::Library;

/// What is wrong while a list stands there all the same.
pub(super) fn draw_trouble(library: &Library) {
    let words = library.read(|state| {
        let shelf = &state.shelf;
        let last = |words: String| format!("{words} This is what was in the library last.");
        let words =
            shelf.failed.as_ref().map(|failed| last(failed.words())).or_else(|| shelf.trouble.clone());
        words.filter(|_| !shelf.all.is_empty())
    });
    let strip = |words: String| {
        part("p", "stopped").set("role", "status").set("data-figure", "library-trouble").says(&words)
    };
    fill_id("trouble", words.into_iter().map(strip).collect());
}

/// How far files are that come in, and how to do without one.
pub(super) fn draw_arrivals(library: &Library) {
    let rows = library.read(|state| {
        let rows = state.arrivals.iter().map(|arrival| {
            let number = arrival.number.to_string();
            let row =
                part("li", "").set("data-figure", "arrival").mark("data-failed", arrival.failed.is_some());
            let row = row.with(part("b", "").says(&arrival.name));
            let row = match arrival.failed {
                Some(_) => row,
                None => row.with(
                    part("progress", "").set("max", "100").set("value", &arrival.percent().to_string()),
                ),
            };
            let done = if arrival.failed.is_some() { "Dismiss" } else { "Cancel" };
            row.with(part("span", "").says(&arrival.words()))
                .with(button(done, "quiet", "cancel-arrival").set("data-of", &number))
        });
        rows.collect()
    });
    fill_id("arriving", rows);
}

/// What was done just now, and the way back.
pub(super) fn draw_toast(library: &Library) {
    let parts = library.read(|state| {
        let Some(toast) = &state.toast else { return Vec::new() };
        let mut parts = vec![part("span", "").says(&toast.words)];
        parts.extend(toast.undo.then(|| button("Undo", "", "undo")));
        parts
    });
    fill_id("toast", parts);
}
