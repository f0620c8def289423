//! The notes about a recording, and where one more is written.

use leptos::prelude::document;
use trailbrake_shared::lap_catalogue::{LapEntry, LapQuery};
use trailbrake_shared::recording::Note;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

use crate::dom::{Part, button, fill_id, part, value};
use crate::figures::minutes;
use crate::library::{Library, OpenRecording, author};

/// The fields of a new note, by their ids.
pub(super) const TEXT: &str = "note-text";
pub(super) const AUTHOR: &str = "note-author";
pub(super) const ABOUT: &str = "note-about";

/// What stays, so that nobody's half-written note is lost.
pub(super) fn skeleton() -> Part {
    let text = part("textarea", "").set("id", TEXT).set("rows", "2").set("aria-label", "A new note");
    let text = text.set("placeholder", "Write a note").set("maxlength", "2000");
    let name = part("input", "")
        .set("id", AUTHOR)
        .set("aria-label", "Who writes it")
        .set("placeholder", "Your name");
    let about = part("select", "").set("id", ABOUT).set("aria-label", "What it is about");
    let last = part("div", "writing").with(name.set("maxlength", "60").set("value", &author())).with(about);
    part("section", "notes")
        .with(part("h2", "").says("Notes"))
        .with(part("ul", "").set("id", "notes").set("data-figure", "notes"))
        .with(text)
        .with(last.with(button("Add", "plain", "note")))
}

/// Makes room for the next note.
pub(super) fn clear() {
    let text = document().get_element_by_id(TEXT);
    if let Some(text) = text.and_then(|text| text.dyn_into::<HtmlTextAreaElement>().ok()) {
        text.set_value("");
    }
}

/// Draws the notes, and what a new one can be about.
pub(super) fn draw(library: &Library) {
    library.read(|state| {
        let Some(Ok(known)) = &state.known else { return fill_id("notes", Vec::new()) };
        fill_id("notes", known.facts.notes.iter().map(|(name, note)| row(known, name, note)).collect());
        // What has been chosen for a note that is being written stays so.
        let chosen = document().get_element_by_id(ABOUT).map(|field| value(&field)).unwrap_or_default();
        let mut about = vec![part("option", "").set("value", "").says("about all of it")];
        let players = known.catalogue.select(&LapQuery::default());
        for (place, entry) in known.catalogue.laps().iter().enumerate() {
            if players.iter().any(|own| own.id == entry.id) {
                let words = format!("about lap {}", entry.lap.number);
                let place = place.to_string();
                let option = part("option", "").set("value", &place).says(&words);
                about.push(option.mark("selected", place == chosen));
            }
        }
        fill_id(ABOUT, about);
    });
}

fn row(known: &OpenRecording, name: &str, note: &Note) -> Part {
    let place = place(known, note).map(|place| format!(" · {place}")).unwrap_or_default();
    let who = format!("{}{place}", note.author);
    let row = part("li", "").with(part("p", "").says(&note.text));
    let row =
        note.others.iter().fold(row, |row, other| row.with(part("p", "soft").says(&format!("Or: {other}"))));
    let away = button("Remove", "quiet", "take-note-away").set("data-of", name);
    row.with(part("p", "soft who").says(&who).with(away))
}

/// Where in the recording a note stands: in which lap, else at what time; nothing for one about all of it.
fn place(known: &OpenRecording, note: &Note) -> Option<String> {
    let is_of_note = |entry: &LapEntry| match note.car.or(entry.session.summary.player) {
        Some(car) => entry.id.car == car,
        None => true,
    };
    let seconds = note.at.seconds_since(known.entry.created);
    // Notes about all of it stand at its beginning, one behind the other.
    if note.car.is_none() && seconds.abs() < 1e-3 {
        return None;
    }
    let lap = known.catalogue.laps().iter().find(|entry| is_of_note(entry) && entry.was_under_way(note.at));
    Some(lap.map_or_else(|| minutes(seconds), |entry| format!("lap {}", entry.lap.number)))
}
