//! One row in the list of notes.

use leptos::html::Li;
use leptos::prelude::*;
use trailbrake_shared::number::thousands;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::{PlacedNote, note_ink};
use crate::analyse::laps::ink;
use crate::analyse::{ComparisonStore, LessonPlan, NoteEditor, NoteStore, SelectionStore, SourceId};
use crate::reactive::Rows;

/// What a note is found by: its source, and its name among the facts.
type NoteKey = (SourceId, String);

/// A note in the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NoteLine {
    /// Its number in the lesson plan.
    number: usize,
    /// Whether it is the last one in the plan.
    is_last: bool,
    is_current: bool,
    placed: PlacedNote,
}

/// The notes in the order of the lesson plan.
pub(super) fn note_rows(notes: NoteStore, plan: LessonPlan) -> Rows<NoteKey, NoteLine> {
    let lines = Memo::new(move |_| {
        let (placed, current) = (notes.placed(), plan.current());
        let line = |(index, note): (usize, &PlacedNote)| NoteLine {
            number: index + 1,
            is_last: index + 1 == placed.len(),
            is_current: current == Some(index),
            placed: note.clone(),
        };
        placed.iter().enumerate().map(line).collect()
    });
    Rows::new(lines, |line| (line.placed.of, line.placed.name.clone()))
}

/// A row. The element outlives changes of the note, so that it keeps the focus.
#[component]
pub(super) fn NoteRow(line: Memo<NoteLine>) -> impl IntoView {
    let (selection, comparison, notes, editor, plan) = (
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
        expect_context::<NoteStore>(),
        expect_context::<NoteEditor>(),
        expect_context::<LessonPlan>(),
    );
    let row = NodeRef::<Li>::new();
    let is_current = Memo::new(move |_| line.with(|line| line.is_current));
    Effect::new(move |_| {
        if let Some(row) = row.get().filter(|_| is_current.get()) {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            row.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    let name = StoredValue::new(line.with_untracked(|line| line.placed.name.clone()));
    let is_first = move || line.with(|line| line.number == 1);
    let is_last = move || line.with(|line| line.is_last);
    let read_only = Memo::new(move |_| notes.read_only());
    let is_refused = move || read_only.get().map(|_| "true");
    let content = move || {
        let NoteLine { number, placed, .. } = line.get();
        let colour = note_ink(&placed.note.colour).token();
        let about = about(selection, comparison, &placed);
        view! {
            <b class="number" style=("--note", format!("var({colour})"))>{number}</b>
            <span class="text">{placed.note.words()}</span>
            <i class=format!("ink {}", ink(placed.place))></i>
            <span class="about">{about}</span>
        }
    };
    view! {
        <li node_ref=row aria-current=move || is_current.get().then_some("true")>
            <button
                type="button"
                class="go"
                title="Go to this place"
                data-testid="go-to-note"
                on:click=move |_| plan.show(&name.get_value())
            >
                {content}
            </button>
            <button
                type="button"
                class="quiet icon"
                aria-label="Delete this note"
                title=move || read_only.get().unwrap_or("Delete this note")
                aria-disabled=is_refused
                data-testid="delete-note"
                on:click=move |_| editor.delete(&name.get_value())
            >
                "×"
            </button>
            <div class="tools">
                <button
                    type="button"
                    class="quiet"
                    title=move || read_only.get()
                    aria-disabled=is_refused
                    data-testid="edit-note"
                    on:click=move |_| editor.edit(&name.get_value())
                >
                    "Edit"
                </button>
                <button
                    type="button"
                    class="quiet"
                    aria-disabled=move || (is_first() || is_refused().is_some()).then_some("true")
                    data-testid="note-up"
                    on:click=move |_| plan.shift(&name.get_value(), true)
                >
                    "Move up"
                </button>
                <button
                    type="button"
                    class="quiet"
                    aria-disabled=move || (is_last() || is_refused().is_some()).then_some("true")
                    data-testid="note-down"
                    on:click=move |_| plan.shift(&name.get_value(), false)
                >
                    "Move down"
                </button>
            </div>
        </li>
    }
}

/// Who wrote a note, about which lap, and where on the track.
pub(crate) fn about(selection: SelectionStore, comparison: ComparisonStore, note: &PlacedNote) -> String {
    let mut about = vec![note.note.author.clone()];
    about.extend(note.lap.map(|lap| selection.lap_name(lap)));
    about.extend(note.at_m.map(|at_m| where_on_track(comparison, at_m)));
    about.join(" · ")
}

/// A lap distance in words, with the corner that is there.
pub(crate) fn where_on_track(comparison: ComparisonStore, at_m: f64) -> String {
    let metres = format!("{} m", thousands(at_m.max(0.0).round() as u64));
    let corner = comparison.shown().and_then(|shown| {
        let mut corners = shown.comparison().corners.iter();
        let corner = corners.find(|corner| (corner.entry_m..=corner.exit_m).contains(&at_m))?;
        Some(shown.corner_name(corner.number))
    });
    match corner {
        Some(corner) => format!("{corner} · {metres}"),
        None => metres,
    }
}
