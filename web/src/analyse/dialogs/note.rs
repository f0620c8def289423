//! The editor of a note.

use leptos::ev::KeyboardEvent;
use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use trailbrake_shared::recording::notes::first_words;
use trailbrake_shared::recording::{Authored, NoteColour};

use crate::analyse::notes::{COLOURS, about, where_on_track};
use crate::analyse::{ComparisonStore, NoteEditor, NoteStore, SelectionStore, Writing};
use crate::driver_settings::author;
use crate::ui::{Dialog, Segments};

/// Notes this close to a new one are offered for editing instead, metres.
const HERE_M: f64 = 10.0;

#[component]
pub(super) fn NoteDialog(on_close: Callback<()>) -> impl IntoView {
    let editor = expect_context::<NoteEditor>();
    let writing = Memo::new(move |_| editor.writing());
    view! {
        <Dialog label="Note" keeps_open=true on_close>
            <h2>"Note"</h2>
            {move || writing.get().map(|writing| view! { <Editor writing/> })}
        </Dialog>
    }
}

#[component]
fn Editor(writing: Writing) -> impl IntoView {
    let (selection, comparison, notes, editor) = (
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
        expect_context::<NoteStore>(),
        expect_context::<NoteEditor>(),
    );
    let (text, name) = (NodeRef::<Textarea>::new(), NodeRef::<Input>::new());
    let trouble = RwSignal::new("");
    let note = match &writing {
        Writing::New { .. } => None,
        Writing::Edit { note, .. } => Some(note.clone()),
    };
    let (is_new, before) = (note.is_none(), note.as_ref().map(|note| note.text.clone()));
    let colour = RwSignal::new(note.map(|note| note.colour).unwrap_or_default());
    // The dialog is about the position at which it was opened, even if the cursor moves on.
    let place = untrack(|| place(selection, comparison, notes, &writing));
    let here = untrack(|| notes_here(notes, &writing));
    let save = move || {
        let Some(text) = text.get_untracked() else { return };
        let author = name.get_untracked().map(|name| name.value()).unwrap_or_default();
        if let Err(why) = editor.write(&author, &text.value(), colour.get_untracked()) {
            trouble.set(why);
            // Both fields are in the document, so they take the focus.
            let _ = match name.get_untracked() {
                Some(name) if !text.value().trim().is_empty() => name.focus(),
                _ => text.focus(),
            };
        }
    };
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.shift_key() {
            event.prevent_default();
            save();
        }
    };
    Effect::new(move |_| {
        // `autofocus` does nothing when this editor replaces another note's in the open dialog.
        if let Some(text) = text.get() {
            let _ = text.focus();
        }
    });
    let edit = move |(name, words): (String, String)| {
        view! {
            <button type="button" class="quiet" data-testid="edit-here" on:click=move |_| editor.edit(&name)>
                {format!("Edit “{words}”")}
            </button>
        }
    };
    let selected = Signal::derive(move || {
        let colour = colour.get();
        COLOURS.iter().find(|(word, _)| *word == colour.word()).map_or("", |(word, _)| *word)
    });
    view! {
        <p class="soft" data-figure="note-place">{place}</p>
        {here.into_iter().map(edit).collect_view()}
        <textarea
            rows="3"
            maxlength="2000"
            autofocus=true
            aria-label="Write a note"
            placeholder="Write a note. Enter saves, Escape discards"
            prop:value=before.unwrap_or_default()
            data-testid="note-text"
            node_ref=text
            on:keydown=pressed
        ></textarea>
        <div class="note-colours" data-testid="note-colours">
            <Segments
                label="Colour"
                options=COLOURS.to_vec()
                selected
                on_select=move |word| colour.set(NoteColour::of_word(word))
            />
        </div>
        {is_new
            .then(|| {
                view! {
                    <input
                        maxlength="60"
                        aria-label="Your name"
                        placeholder="Your name"
                        prop:value=author()
                        data-testid="note-author"
                        node_ref=name
                        on:keydown=pressed
                    />
                }
            })}
        <p class="trouble" role="alert" data-testid="note-trouble">{move || trouble.get()}</p>
        <button type="button" class="primary" data-testid="save-note" on:click=move |_| save()>"Save"</button>
    }
}

/// The lap and position of a new note, or what an edited note is about.
fn place(
    selection: SelectionStore,
    comparison: ComparisonStore,
    notes: NoteStore,
    writing: &Writing,
) -> Option<String> {
    match writing {
        Writing::New { lap, at_m, .. } => {
            Some(format!("{} · {}", selection.lap_name(*lap), where_on_track(comparison, *at_m)))
        }
        Writing::Edit { note, .. } => {
            let name = note.name();
            notes
                .placed()
                .iter()
                .find(|placed| placed.name == name)
                .map(|placed| about(selection, comparison, placed))
        }
    }
}

/// The existing notes close to a new one, each with its name and first words.
fn notes_here(notes: NoteStore, writing: &Writing) -> Vec<(String, String)> {
    let Writing::New { lap, at_m, .. } = writing else { return Vec::new() };
    let is_here = |own: f64| (own - at_m).abs() <= HERE_M;
    let placed = notes.placed();
    let here = placed.iter().filter(|note| note.lap == Some(*lap) && note.at_m.is_some_and(is_here));
    here.map(|note| (note.name.clone(), first_words(&note.note.words()))).collect()
}
