//! Notes: their list below the laps, and the editor of a new one.

use leptos::prelude::document;
use trailbrake_shared::number::thousands;
use web_sys::Element;

use super::channels::say;
use super::measured::NO_CURSOR;
use super::things::corner_name;
use crate::analyse::{Analyse, INKS, Kept, PlacedNote, State};
use crate::browser;
use crate::dom::{Part, button, fill_id, part, value};
use crate::library::author;

/// The fields of the editor.
const TEXT: &str = "new-note";
const AUTHOR: &str = "new-note-author";
const TROUBLE: &str = "new-note-trouble";

/// Draws the list.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        fill_id("notes", if state.shown.is_some() { parts(state) } else { Vec::new() });
    });
}

/// Begins a note at the cursor, or says that there is none.
pub(super) fn begin(analyse: Analyse) {
    analyse.begin_note();
    if analyse.read(|state| state.sheet.is_none()) {
        say(NO_CURSOR);
    }
}

fn parts(state: &State) -> Vec<Part> {
    let add = button("Add", "quiet", "note").set("title", "Write a note at the cursor (M)");
    let mut parts = vec![part("div", "head").with(part("h2", "").says("Notes")).with(add)];
    parts.extend(state.notes.said.iter().map(|words| part("p", "trouble").says(words)));
    let rows: Vec<Part> =
        state.notes.placed.iter().enumerate().map(|(place, note)| row(state, place, note)).collect();
    if rows.is_empty() {
        parts.push(
            part("p", "missing").says("None yet: M, or a long press on the lanes, writes one at the cursor."),
        );
    }
    parts.push(part("ul", "").with_all(rows));
    let undo = state.notes.can_be_brought_back();
    if undo {
        let words = part("p", "undo").says("The note is deleted. ");
        parts.push(words.with(button("Undo", "quiet", "bring-note-back")));
    }
    parts.extend(kept(state));
    parts
}

/// Where notes are kept, where that is not inside of the recording.
fn kept(state: &State) -> Option<Part> {
    let Kept::InPage(any) = state.notes_kept() else { return None };
    let words = "You opened this file yourself: notes are kept in this browser until you save a copy.";
    let save = button("Save a copy with the notes", "quiet", "save-notes");
    Some(part("p", "missing").set("data-figure", "notes-kept").says(words).perhaps(any.then_some(save)))
}

fn row(state: &State, place: usize, note: &PlacedNote) -> Part {
    let of = place.to_string();
    let ink =
        note.place.and_then(|place| INKS.get(place)).map_or("", |ink| ink.token().trim_start_matches('-'));
    let mut about = vec![note.author.clone()];
    about.extend(note.lap.map(|lap| state.called(lap)));
    about.extend(note.at_m.map(|at_m| where_on_track(state, at_m)));
    let press = button("", "go", "go-to-note")
        .set("data-of", &of)
        .set("title", "Go to where it is")
        .with(part("i", &format!("ink {ink}")))
        .with(part("span", "text").says(&note.text))
        .with(part("span", "about").says(&about.join(" · ")));
    let away =
        button("×", "quiet", "take-note-away").set("data-of", &of).set("aria-label", "Delete this note");
    part("li", "").with(press).with(away.set("title", "Delete this note"))
}

/// A place on the track, with the corner that is there.
fn where_on_track(state: &State, at_m: f64) -> String {
    let metres = format!("{} m", thousands(at_m.max(0.0).round() as u64));
    let corner = state.shown.as_ref().and_then(|shown| {
        let mut corners = shown.comparison().corners.iter();
        let corner = corners.find(|corner| (corner.entry_m..=corner.exit_m).contains(&at_m))?;
        Some(corner_name(shown, corner.number))
    });
    match corner {
        Some(corner) => format!("{corner} · {metres}"),
        None => metres,
    }
}

/// The fields of a new note.
pub(super) fn editor(state: &State) -> Vec<Part> {
    let Some(writing) = state.notes.writing else { return Vec::new() };
    let about = format!("{} · {}", state.called(writing.lap), where_on_track(state, writing.at_m));
    let text = part("textarea", "")
        .set("id", TEXT)
        .set("rows", "3")
        .set("maxlength", "2000")
        .set("aria-label", "The note")
        .set("placeholder", "What is to be noted here? Enter saves, Escape leaves");
    let name = part("input", "")
        .set("id", AUTHOR)
        .set("maxlength", "60")
        .set("aria-label", "Who writes it")
        .set("placeholder", "Your name")
        .put("value", &author());
    vec![
        part("h2", "").says("Note"),
        part("p", "soft").set("data-figure", "note-place").says(&about),
        text,
        name,
        part("p", "trouble").set("id", TROUBLE).set("role", "alert"),
        button("Save", "primary", "save-note"),
    ]
}

/// Gives the keyboard to the editor.
pub(super) fn focus() {
    browser::focus(TEXT);
}

/// Saves what was written; what is missing is said.
pub(super) fn save(analyse: Analyse) {
    let field =
        |id: &str| document().get_element_by_id(id).map(|field: Element| value(&field)).unwrap_or_default();
    match analyse.write_note(&field(AUTHOR), &field(TEXT)) {
        Ok(()) => browser::focus("main"),
        Err(why) => {
            fill_id(TROUBLE, vec![part("span", "").says(why)]);
            browser::focus(if field(TEXT).trim().is_empty() { TEXT } else { AUTHOR });
        }
    }
}
