//! The editor of a new note.

use leptos::ev::KeyboardEvent;
use leptos::html::{Input, Textarea};
use leptos::prelude::*;

use crate::analyse::Analyse;
use crate::analyse::notes::where_on_track;
use crate::library::author;
use crate::ui::Dialog;

#[component]
pub(super) fn NoteDialog(on_close: Callback<()>) -> impl IntoView {
    let analyse = Analyse::here();
    let (text, name) = (NodeRef::<Textarea>::new(), NodeRef::<Input>::new());
    let trouble = RwSignal::new("");
    // A dialog is about the place where it was opened.
    let place = untrack(|| {
        let writing = analyse.notes.with(|notes| notes.writing)?;
        Some(format!("{} · {}", analyse.lap_name(writing.lap), where_on_track(analyse, writing.at_m)))
    });
    let save = move || {
        let (Some(text), Some(name)) = (text.get_untracked(), name.get_untracked()) else { return };
        if let Err(why) = analyse.write_note(&name.value(), &text.value()) {
            trouble.set(why);
            // Both are in the document.
            let _ = if text.value().trim().is_empty() { text.focus() } else { name.focus() };
        }
    };
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.shift_key() {
            event.prevent_default();
            save();
        }
    };
    view! {
        <Dialog label="Note" keeps_open=true on_close>
            <h2>"Note"</h2>
            <p class="soft" data-figure="note-place">{place}</p>
            <textarea
                rows="3"
                maxlength="2000"
                autofocus=true
                aria-label="Write a note"
                placeholder="Write a note. Enter saves, Escape discards"
                data-testid="note-text"
                node_ref=text
                on:keydown=pressed
            ></textarea>
            <input
                maxlength="60"
                aria-label="Your name"
                placeholder="Your name"
                prop:value=author()
                data-testid="note-author"
                node_ref=name
                on:keydown=pressed
            />
            <p class="trouble" role="alert" data-testid="note-trouble">{move || trouble.get()}</p>
            <button type="button" class="primary" data-testid="save-note" on:click=move |_| save()>"Save"</button>
        </Dialog>
    }
}
