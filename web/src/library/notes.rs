//! Writes and deletes notes about the open recording.

use std::collections::BTreeMap;

use leptos::prelude::*;
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::Note;
use trailbrake_shared::time::Micros;
use wasm_bindgen::JsValue;

use super::Library;
use super::contents::OpenRecording;
use super::requests::request;
use crate::driver_settings::keep_author;
use crate::http;
use crate::text::words::encoded;

/// Writes a note about a lap, by its index in the catalogue, or about the session. Calls `then` once it is stored.
pub(super) fn write_note(
    library: Library,
    author: &str,
    text: &str,
    about: Option<usize>,
    then: impl FnOnce() + 'static,
) {
    let (author, text) = (author.trim(), text.trim());
    if author.is_empty() || text.is_empty() {
        let words = if text.is_empty() { "Write a note." } else { "Add your name first." };
        return library.toasts.say(words.to_owned(), false);
    }
    keep_author(author);
    let Some(recording) = untrack(|| library.recording()) else { return };
    let (at, car) = moment(&recording, author, about);
    let mut note = vec![
        ("at", JsValue::from_f64(at.0 as f64)),
        ("author", JsValue::from_str(author)),
        ("text", JsValue::from_str(text)),
    ];
    note.extend(car.map(|car| ("car", JsValue::from_f64(car.0.into()))));
    change_notes(library, "POST", "", Some(http::json(&note)), then);
}

/// Deletes a note, by the name of its fact.
pub(super) fn delete_note(library: Library, name: &str) {
    change_notes(library, "DELETE", &format!("/{}", encoded(name)), None, || {});
}

fn change_notes(
    library: Library,
    method: &'static str,
    which: &str,
    body: Option<String>,
    then: impl FnOnce() + 'static,
) {
    let Some(id) = library.opened_id() else { return };
    request(library, method, format!("/library/{id}/notes{which}"), body, move |_| {
        then();
        library.reload_details();
        library.refresh();
    });
}

/// The moment and car of a new note: the beginning of the lap, or of the recording. Moment and author make a note's
/// name, so the same author's next note is a microsecond later.
fn moment(known: &OpenRecording, author: &str, about: Option<usize>) -> (Micros, Option<Car>) {
    let lap = about.and_then(|place| known.catalogue.laps().get(place));
    let began = lap.and_then(|entry| entry.received.as_ref()).map(|received| *received.start());
    let mut at = began.unwrap_or(known.entry.created);
    let taken = |at: Micros, notes: &BTreeMap<String, Note>| {
        notes.values().any(|note| note.at == at && note.author == author)
    };
    while taken(at, &known.facts.notes) {
        at = Micros(at.0 + 1);
    }
    (at, lap.map(|entry| entry.id.car))
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::library::{Entry, RecordingFacts};
    use trailbrake_shared::recording::{NoteColour, RecordingId};

    use super::*;

    #[test]
    fn no_note_takes_the_place_of_another() {
        let note = |at| Note {
            recording: RecordingId(1),
            at: Micros(at),
            author: "Ann".into(),
            text: "brakes late".into(),
            car: None,
            distance_m: None,
            colour: NoteColour::Amber,
            rank_mm: None,
            ranked: None,
            written: None,
            felt: None,
            others: Vec::new(),
        };
        let notes = [("a".to_owned(), note(100)), ("b".to_owned(), note(101))].into();
        let known = OpenRecording {
            entry: Entry { created: Micros(100), ..Entry::default() },
            facts: RecordingFacts { notes, ..RecordingFacts::default() },
            ..OpenRecording::default()
        };
        assert_eq!(moment(&known, "Ann", None), (Micros(102), None));
        assert_eq!(moment(&known, "Bob", None), (Micros(100), None));
        assert_eq!(moment(&known, "Bob", Some(3)), (Micros(100), None), "there is no such lap");
    }
}
