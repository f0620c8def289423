//! What is said where there is no list: that it is asked for, that nobody answers, that there is nothing yet.

use leptos::prelude::document;

use crate::dom::{Part, button, chooser, fill_id, part};
use crate::http::Failed;
use crate::library::{Library, State};

/// Draws it, or nothing where there are rows.
pub(super) fn draw(library: &Library) {
    let parts = library.read(|state| if state.found.is_empty() { vec![instead(state)] } else { Vec::new() });
    fill_id("instead", parts);
    // Where there is no library, there is nothing to search.
    if let Some(main) = document().get_element_by_id("main") {
        let _ = main.toggle_attribute_with_force("data-nowhere", !library.is_somewhere());
    }
}

fn instead(state: &State) -> Part {
    let shelf = &state.shelf;
    let (name, head, words) = match (&shelf.failed, &shelf.trouble) {
        _ if !shelf.all.is_empty() => {
            ("nothing-fits", "Nothing fits", "No recording has all of these words and values.".to_owned())
        }
        (Some(Failed::Silent), _) => (
            "silent",
            "The relay does not answer",
            "What it recorded is safe in its folder, and is listed here as soon as it runs again.".to_owned(),
        ),
        (Some(failed), _) => (
            "nowhere",
            "There is no library here",
            format!("{} A recording that you have as a file can be opened all the same.", failed.words()),
        ),
        (None, _) if !shelf.here => ("asked", "Reading the library…", String::new()),
        (None, Some(trouble)) => ("trouble", "The library can't be read", trouble.clone()),
        (None, None) if state.query.bin => {
            ("empty-bin", "The bin is empty", "What is deleted waits here for thirty days.".to_owned())
        }
        (None, None) => (
            "empty",
            "Nothing is recorded yet",
            format!(
                "Drive: whatever a game sends is kept by itself, in {}. Or drop recordings here.",
                shelf.folder
            ),
        ),
    };
    let said = part("div", "instead").set("data-figure", "instead").set("data-state", name);
    let said = said.with(part("p", "").with(part("b", "").says(head))).with(part("p", "").says(&words));
    match name {
        "nothing-fits" => said.with(button("Show everything", "", "widen")),
        "nowhere" => said.with(chooser("Open a recording", "button", "open", false)),
        _ => said,
    }
}
