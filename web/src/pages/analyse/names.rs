//! What a track and its corners are called: the editor of both.

use leptos::prelude::document;
use leptos::task::spawn_local;
use trailbrake_shared::number::{self, thousands};
use web_sys::Element;

use super::things::corner_name;
use crate::analyse::{Analyse, State, Wanted};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::dom::{Part, button, fill_id, part, value};

/// Its fields.
const TRACK: &str = "track-called";
const CORNER: &str = "corner-called";
const TROUBLE: &str = "names-trouble";
/// No part of a corner is shorter, metres.
const SHORTEST_M: f64 = 5.0;

/// What the editor holds.
pub(super) fn editor(state: &State) -> Vec<Part> {
    let mut parts = vec![part("h2", "").says("Track and corners")];
    let missing = |words: &str| part("p", "missing").says(words);
    let (Some(shown), Some((track, known))) = (&state.shown, state.track()) else {
        parts.push(missing(
            "The game sends no positions: neither a track nor a corner is known by its place.",
        ));
        return parts;
    };
    if browser::live_address().is_none() {
        parts.push(missing("Names are kept by Trailbrake's relay, and this page has none."));
        return parts;
    }
    let field = |id: &'static str, label: &str, value: &str| {
        let field = part("input", "").set("id", id).set("maxlength", "60").set("autocomplete", "off");
        part("label", "named").says(label).with(field.put("value", value))
    };
    let metres = |m: f64| thousands(m.max(0.0).round() as u64);
    let called = known.map_or("", |known| &known.name);
    let by_game = state.origin().filter(|origin| origin.named);
    parts.push(match by_game {
        Some(origin) => part("p", "soft").says(&format!("{}, as the game calls it", origin.title)),
        None => field(TRACK, &format!("Track of {} m", metres(track.length_m)), called),
    });
    let mut tools = vec![button("Save", "primary", "save-names")];
    if let Some((corner, next)) = state.named_corner() {
        let label =
            format!("Turn {}, {} to {} m", corner.number, metres(corner.entry_m), metres(corner.exit_m));
        parts.push(field(CORNER, &label, corner.name.as_deref().unwrap_or_default()));
        if let Some(next) = next {
            let words = format!("Merge with {}", corner_name(shown, next.number));
            let title = format!(
                "Both are one corner: {} m lie between them",
                number::write(next.entry_m - corner.exit_m, 0)
            );
            tools.push(button(&words, "plain", "merge-corner").set("title", &title));
        }
        let inside = corner.entry_m + SHORTEST_M..=corner.exit_m - SHORTEST_M;
        let cursor = state.cursor_m().filter(|at| inside.contains(at));
        let words = match cursor {
            Some(at) => ["Split at ", &metres(at), " m"].concat(),
            None => "Split at the cursor".to_owned(),
        };
        let split = button(&words, "plain", "split-corner").mark("disabled", cursor.is_none());
        tools.push(
            split.set("title", "A second corner begins at the cursor, which has to be inside of this one"),
        );
    }
    let changes = known.map_or(0, |known| known.edits.len());
    if changes > 0 {
        tools.push(button("Undo the last change", "plain", "undo-corner"));
    }
    parts.push(part("div", "tools").with_all(tools));
    parts.push(part("p", "trouble").set("id", TROUBLE).set("role", "alert"));
    parts
}

/// Gives the keyboard to the corner's name, or to the track's where there is none.
pub(super) fn focus() {
    let there = |id: &&&str| document().get_element_by_id(id).is_some();
    browser::focus([CORNER, TRACK].iter().find(there).unwrap_or(&"close-sheet"));
}

/// Does what a press in it means; whether it means anything here.
pub(super) fn pressed(cockpit: Cockpit, analyse: Analyse, action: &str) -> bool {
    let wanted = match action {
        "save-names" => {
            let text = |id: &str| {
                let field: Option<Element> = document().get_element_by_id(id);
                field.map(|field| value(&field).trim().to_owned())
            };
            let track = text(TRACK).filter(|track| !track.is_empty());
            Wanted::Called { track, corner: text(CORNER).unwrap_or_default() }
        }
        "merge-corner" => Wanted::Merged,
        "split-corner" => Wanted::Split,
        "undo-corner" => Wanted::Undone,
        _ => return false,
    };
    let saves = action == "save-names";
    spawn_local(async move {
        match analyse.change_names(cockpit, wanted).await {
            Ok(()) if saves => {
                analyse.ask(None);
                browser::focus("main");
            }
            Ok(()) => analyse.ask(Some(crate::analyse::Sheet::Names)),
            Err(why) => fill_id(TROUBLE, vec![part("span", "").says(&why)]),
        }
    });
    true
}
