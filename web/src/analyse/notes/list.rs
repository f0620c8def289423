//! The list of notes, below the laps.

use leptos::prelude::*;
use trailbrake_shared::number::thousands;

use super::{NoteStorage, PlacedNote};
use crate::analyse::Analyse;
use crate::analyse::actions::{Action, ActionButton, ActionContext};
use crate::analyse::laps::ink;
use crate::analyse::measuring::NO_CURSOR;

/// A note, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NoteWords {
    /// Its name among the facts.
    name: String,
    text: String,
    /// Who wrote it, about which lap, and where on the track.
    about: String,
    /// Its lap's place among the compared laps.
    place: Option<usize>,
}

/// The notes of what is listed and compared.
#[component]
pub(crate) fn NoteList() -> impl IntoView {
    let analyse = Analyse::here();
    let is_there = Memo::new(move |_| analyse.shown().is_some());
    let notes = Memo::new(move |_| {
        let placed = analyse.notes.with(|notes| notes.placed.clone());
        placed.iter().map(|note| words(analyse, note)).collect::<Vec<_>>()
    });
    let trouble = Memo::new(move |_| analyse.notes.with(|notes| notes.trouble.clone()));
    let was_deleted = Memo::new(move |_| analyse.notes.with(super::Notes::can_restore));
    let is_in_page = Memo::new(move |_| matches!(analyse.notes_kept(), NoteStorage::InPage(_)));
    view! {
        <section class="notes" id="notes" aria-label="Notes">
            <Show when=move || is_there.get()>
                <div class="head">
                    <h2>"Notes"</h2>
                    <ActionButton action=Action::WriteNote>"Add"</ActionButton>
                </div>
                {move || trouble.get().map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
                <Show when=move || notes.with(Vec::is_empty)>
                    <p class="missing">"None yet. Press M, or hold a finger on the lanes."</p>
                </Show>
                <ul>
                    <For each=move || notes.get() key=NoteWords::clone let:note>
                        <NoteRow note/>
                    </For>
                </ul>
                <Show when=move || was_deleted.get()>
                    <p class="undo" role="status">
                        "Note deleted. " <ActionButton action=Action::RestoreNote>"Undo"</ActionButton>
                    </p>
                </Show>
                <Show when=move || is_in_page.get()>
                    <p class="missing" data-figure="notes-kept">
                        "You opened this file yourself: notes are kept in this browser until you save a copy."
                        <ActionButton action=Action::SaveNotes>"Save a copy with the notes"</ActionButton>
                    </p>
                </Show>
            </Show>
        </section>
    }
}

#[component]
fn NoteRow(note: NoteWords) -> impl IntoView {
    let ActionContext { cockpit, analyse, .. } = ActionContext::here();
    let NoteWords { name, text, about, place } = note;
    let go = {
        let name = name.clone();
        move |_| analyse.show_note(cockpit, &name)
    };
    let delete = move |_| analyse.delete_note(&name);
    view! {
        <li>
            <button type="button" class="go" title="Go to this place" data-testid="go-to-note" on:click=go>
                <i class=format!("ink {}", ink(place))></i>
                <span class="text">{text}</span>
                <span class="about">{about}</span>
            </button>
            <button
                type="button"
                class="quiet icon"
                aria-label="Delete this note"
                title="Delete this note"
                data-testid="delete-note"
                on:click=delete
            >
                "×"
            </button>
        </li>
    }
}

/// Begins a note at the cursor, or says that there is none.
pub(crate) fn begin(analyse: Analyse) {
    if !analyse.begin_note() {
        analyse.show_message(NO_CURSOR);
    }
}

fn words(analyse: Analyse, note: &PlacedNote) -> NoteWords {
    let mut about = vec![note.author.clone()];
    about.extend(note.lap.map(|lap| analyse.lap_name(lap)));
    about.extend(note.at_m.map(|at_m| where_on_track(analyse, at_m)));
    NoteWords {
        name: note.name.clone(),
        text: note.text.clone(),
        about: about.join(" · "),
        place: note.place,
    }
}

/// A place on the track, with the corner that is there.
pub(crate) fn where_on_track(analyse: Analyse, at_m: f64) -> String {
    let metres = format!("{} m", thousands(at_m.max(0.0).round() as u64));
    let corner = analyse.shown().and_then(|shown| {
        let mut corners = shown.comparison().corners.iter();
        let corner = corners.find(|corner| (corner.entry_m..=corner.exit_m).contains(&at_m))?;
        Some(shown.corner_name(corner.number))
    });
    match corner {
        Some(corner) => format!("{corner} · {metres}"),
        None => metres,
    }
}
