//! The list of notes, below the laps.

use leptos::prelude::*;

use super::NoteStorage;
use super::row::{NoteRow, note_rows};
use crate::analyse::actions::Action;
use crate::analyse::columns::{Columns, Side};
use crate::analyse::{BookStore, ComparisonStore, LessonPlan, NoteEditor, NoteStore};
use crate::reactive::EachRow;
use crate::ui::ActionButton;

/// The notes of the listed source and the compared laps.
#[component]
pub(crate) fn NoteList() -> impl IntoView {
    let (books, store, editor, plan) = (
        expect_context::<BookStore>(),
        expect_context::<NoteStore>(),
        expect_context::<NoteEditor>(),
        expect_context::<LessonPlan>(),
    );
    let (comparison, columns) = (expect_context::<ComparisonStore>(), Columns::here());
    let is_there = Memo::new(move |_| comparison.shown().is_some());
    let notes = note_rows(store, plan);
    let current = Memo::new(move |_| plan.current());
    Effect::new(move |_| {
        // Stepping through the notes opens their column.
        if current.get().is_some() {
            columns.unfold(Side::Left);
        }
    });
    let number = move || {
        let count = notes.with(<[_]>::len);
        match current.get() {
            Some(place) => format!("{} of {count}", place + 1),
            None => count.to_string(),
        }
    };
    let trouble = Memo::new(move |_| editor.trouble());
    let merged = Memo::new(move |_| books.merged());
    let was_deleted = Memo::new(move |_| editor.can_restore());
    let is_in_page = Memo::new(move |_| matches!(store.storage(), NoteStorage::InPage(_)));
    let read_only = Memo::new(move |_| store.read_only());
    view! {
        <section class="notes" id="notes" aria-label="Notes">
            <Show when=move || is_there.get()>
                <div class="head">
                    <h2>"Notes"</h2>
                    <Show when=move || !notes.is_empty()>
                        <span data-figure="note-number">{number}</span>
                    </Show>
                    <ActionButton action=Action::PreviousNote class="quiet">"Previous"</ActionButton>
                    <ActionButton action=Action::NextNote class="quiet">"Next"</ActionButton>
                    <ActionButton action=Action::WriteNote class="quiet">"Add"</ActionButton>
                </div>
                {move || trouble.get().map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
                {move || {
                    merged
                        .get()
                        .map(|words| view! { <p class="undo" role="status" data-figure="notes-merged">{words}</p> })
                }}
                {move || {
                    read_only.get().map(|why| view! { <p class="missing" data-figure="read-only">{why}</p> })
                }}
                <Show when=move || notes.is_empty() && read_only.get().is_none()>
                    <p class="missing">"None yet. Press M, or hold a finger on the lanes."</p>
                </Show>
                <ul>
                    <EachRow rows=notes let:line>
                        <NoteRow line/>
                    </EachRow>
                </ul>
                <Show when=move || was_deleted.get()>
                    <p class="undo" role="status">
                        "Note deleted. " <ActionButton action=Action::RestoreNote class="quiet">"Undo"</ActionButton>
                    </p>
                </Show>
                <Show when=move || is_in_page.get()>
                    <p class="missing" data-figure="notes-kept">
                        "You opened this file yourself: notes are kept in this browser until you save a copy."
                    </p>
                    <ActionButton action=Action::SaveNotes class="primary">"Save a copy with the notes"</ActionButton>
                </Show>
            </Show>
        </section>
    }
}
