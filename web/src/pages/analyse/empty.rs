//! What stands in the place of the lanes where there are none: what is looked for, what is missing, and what to do.

use leptos::prelude::document;

use crate::analyse::{Analyse, Name, Origin, Sought, State};
use crate::dom::{Part, button, chooser, fill_id, link, part};
use crate::route::Page;

/// Draws it, or takes it away.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        let parts = match (&state.shown, &state.sought) {
            (Some(_), _) => Vec::new(),
            (None, Some(sought)) => wanted(state, sought),
            (None, None) => nothing(state),
        };
        fill_id("nothing", parts);
        if let Some(main) = document().get_element_by_id("main") {
            let _ = main.toggle_attribute_with_force("data-empty", state.shown.is_none());
        }
    });
}

/// The recording that the address names, until somebody has it.
fn wanted(state: &State, sought: &Sought) -> Vec<Part> {
    let id = sought.id.to_string();
    let code = |words: &str| part("code", "").says(words);
    let file = state.file(sought.id);
    let Some(why) = &sought.why else {
        let words = part("p", "").set("data-figure", "opening").says("Opening ");
        return vec![words.with(code(file.as_ref().unwrap_or(&id)))];
    };
    let what =
        if file.is_some() { "If you have it, drop the file " } else { "If you have it, drop the file of " };
    let advice = part("p", "").says(what).with(code(file.as_ref().unwrap_or(&id)));
    vec![
        headline("This link's recording is not here"),
        part("p", "").set("data-figure", "why").says(why),
        advice.says(" anywhere on this page, or open it: what the link names is shown then."),
        part("p", "actions").with(chooser("Open the file", "button plain", "open", false)).with(button(
            "Look again",
            "",
            "seek",
        )),
        part("p", "soft").says("Recording ").with(code(&id).set("data-figure", "wanted")),
    ]
}

fn nothing(state: &State) -> Vec<Part> {
    let open = part("p", "actions").with(chooser("Open a recording", "button plain", "open", false));
    let links = part("p", "").with(link("Library", "", Page::Library.hash())).says(" · ").with(link(
        "Connections and demo",
        "",
        Page::Connections.hash(),
    ));
    let (title, words) = match state.origin() {
        _ if state.trouble.is_some() => ("Nothing to show", "Choose another lap."),
        Some(_) if state.chosen.main.is_some() => {
            return vec![headline("One moment"), words("The laps are being read.")];
        }
        Some(origin) => missing(origin),
        None => (
            "No laps yet",
            "Drive a lap, start the demo, or drop a recording here. The latest lap is laid beside the best one by itself.",
        ),
    };
    vec![headline(title), self::words(words), open, links]
}

/// Why nothing is laid side by side by itself of what is listed.
fn missing(origin: &Origin) -> (&'static str, &'static str) {
    match (origin.name, origin.catalogue.laps().is_empty()) {
        (Name::Live, _) => (
            "No lap of your own yet",
            "It is shown as soon as it is finished. Those of others stand in the list.",
        ),
        (Name::Recording(_), true) => (
            "No finished lap",
            "Nobody drove a whole lap in this recording, from the line to the line. What was driven can be played on the Live page.",
        ),
        (Name::Recording(_), false) => ("No lap is chosen", "Choose one in the list."),
    }
}

fn headline(words: &str) -> Part {
    part("p", "").with(part("b", "").says(words))
}

fn words(words: &str) -> Part {
    part("p", "").says(words)
}
