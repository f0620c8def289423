//! The notes about a recording, and the editor of a new note.

use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::{LapEntry, LapQuery};
use trailbrake_shared::recording::Note;
use trailbrake_shared::recording::notes::plan_order;

use super::Library;
use super::actions::ActionContext;
use super::contents::OpenRecording;
use super::notes::{delete_note, write_note};
use crate::driver_settings::author;
use crate::room::Room;
use crate::text::figures::minutes;

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NoteRow {
    /// The name of the note's fact in the recording.
    name: String,
    text: String,
    /// Texts of the same author and moment that this one replaced where two copies differed.
    others: Vec<String>,
    /// The author, and the lap or time.
    about: String,
}

/// The notes.
#[component]
pub(super) fn NoteList() -> impl IntoView {
    let library = Library::here();
    let notes = Memo::new(move |_| library.recording().map(|recording| rows(&recording)).unwrap_or_default());
    view! {
        <section class="notes" aria-label="Notes">
            <h2>"Notes"</h2>
            <ul id="notes" data-figure="notes">
                <For each=move || notes.get() key=NoteRow::clone let:note>
                    <Row note/>
                </For>
            </ul>
            <Editor/>
        </section>
    }
}

#[component]
fn Row(note: NoteRow) -> impl IntoView {
    let (library, room) = (Library::here(), Room::here());
    let NoteRow { name, text, others, about } = note;
    view! {
        <li>
            <p>{text}</p>
            {others.into_iter().map(|other| view! { <p class="soft">"Or: "{other}</p> }).collect_view()}
            <p class="soft who">
                {about}
                <button
                    type="button"
                    class="quiet"
                    title=move || room.read_only()
                    aria-disabled=move || room.read_only().map(|_| "true")
                    data-testid="delete-note"
                    on:click=move |_| delete_note(library, &name)
                >
                    "Delete"
                </button>
            </p>
        </li>
    }
}

/// The editor of a new note.
#[component]
fn Editor() -> impl IntoView {
    let context = ActionContext::here();
    let (library, room) = (context.library, Room::here());
    let (text, name) = (NodeRef::<Textarea>::new(), NodeRef::<Input>::new());
    // The index in the catalogue of the note's lap. `None` for a note about the session.
    let about = RwSignal::new(None::<usize>);
    let laps = Memo::new(move |_| library.recording().map(|recording| laps(&recording)).unwrap_or_default());
    let clear = move || {
        if let Some(text) = text.try_get_untracked().flatten() {
            text.set_value("");
        }
    };
    let write = move |_| {
        if let (Some(text), Some(name)) = (text.get_untracked(), name.get_untracked()) {
            write_note(library, &name.value(), &text.value(), about.get_untracked(), clear);
        }
    };
    let escape = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            context.focus_list();
        }
    };
    let option = move |(place, number): (usize, u16)| {
        view! {
            <option value=place prop:selected=move || about.get() == Some(place)>{format!("Lap {number}")}</option>
        }
    };
    view! {
        <textarea
            id="note-text"
            rows="2"
            maxlength="2000"
            aria-label="Write a note"
            placeholder="Write a note"
            node_ref=text
            on:keydown=escape
        ></textarea>
        <div class="writing">
            <input
                id="note-author"
                maxlength="60"
                aria-label="Your name"
                placeholder="Your name"
                prop:value=author()
                node_ref=name
                on:keydown=escape
            />
            <select
                id="note-about"
                aria-label="What the note is about"
                on:change=move |event| about.set(event_target_value(&event).parse().ok())
            >
                <option value="" prop:selected=move || about.get().is_none()>"Whole session"</option>
                {move || laps.get().into_iter().map(option).collect_view()}
            </select>
            <button
                type="button"
                class="plain"
                title=move || room.read_only()
                aria-disabled=move || room.read_only().map(|_| "true")
                data-testid="add-note"
                on:click=write
            >
                "Add"
            </button>
        </div>
        {move || room.read_only().map(|why| view! { <p class="soft" data-figure="read-only">{why}</p> })}
    }
}

/// The player's laps: index in the catalogue, and number.
fn laps(recording: &OpenRecording) -> Vec<(usize, u16)> {
    let players = recording.catalogue.select(&LapQuery::default());
    let is_players = |entry: &LapEntry| players.iter().any(|own| own.id == entry.id);
    let all = recording.catalogue.laps().iter().enumerate();
    all.filter(|(_, entry)| is_players(entry)).map(|(place, entry)| (place, entry.lap.number)).collect()
}

fn rows(recording: &OpenRecording) -> Vec<NoteRow> {
    let row = |(name, note): (&String, &Note)| {
        let place = place(recording, note).map(|place| format!(" · {place}")).unwrap_or_default();
        NoteRow {
            name: name.clone(),
            text: note.words(),
            others: note.others.iter().map(ToString::to_string).collect(),
            about: format!("{}{place}", note.author),
        }
    };
    let mut notes: Vec<(&String, &Note)> = recording.facts.notes.iter().collect();
    notes.sort_by(|(_, one), (_, other)| plan_order(one, other));
    notes.into_iter().map(row).collect()
}

/// Where in the recording a note belongs: its lap, else its time. `None` for a note about the session.
fn place(recording: &OpenRecording, note: &Note) -> Option<String> {
    let is_of_note = |entry: &LapEntry| match note.car.or(entry.session.summary.player) {
        Some(car) => entry.id.car == car,
        None => true,
    };
    let seconds = note.at.seconds_since(recording.entry.created);
    // Notes about the session are at its beginning, each a microsecond after the one before.
    if note.car.is_none() && seconds.abs() < 1e-3 {
        return None;
    }
    let laps = recording.catalogue.laps().iter();
    let lap = laps.into_iter().find(|entry| is_of_note(entry) && entry.was_under_way(note.at));
    Some(lap.map_or_else(|| minutes(seconds), |entry| format!("lap {}", entry.lap.number)))
}
