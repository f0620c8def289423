//! One row in the list of notes.

use leptos::html::Li;
use leptos::prelude::*;
use trailbrake_shared::number::thousands;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::{PlacedNote, note_ink};
use crate::analyse::laps::ink;
use crate::analyse::{ComparisonStore, LessonPlan, NoteEditor, NoteStore, SelectionStore, SourceId};

/// The text of a row.
#[derive(Clone, Debug, PartialEq)]
struct NoteWords {
    /// Its number in the lesson plan.
    number: usize,
    /// Whether it is the last one in the plan.
    is_last: bool,
    is_current: bool,
    text: String,
    /// The CSS custom property of its colour.
    colour: &'static str,
    /// Who wrote it, about which lap, and where on the track.
    about: String,
    /// The index of its lap among the compared laps.
    place: Option<usize>,
}

/// A row, by the note's source and its name among the facts. The element outlives changes of the note, so that it keeps
/// the focus.
#[component]
pub(super) fn NoteRow(of: SourceId, name: String) -> impl IntoView {
    let (selection, comparison, notes, editor, plan) = (
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
        expect_context::<NoteStore>(),
        expect_context::<NoteEditor>(),
        expect_context::<LessonPlan>(),
    );
    let words = {
        let name = name.clone();
        Memo::new(move |_| words(selection, comparison, notes, plan, of, &name))
    };
    let row = NodeRef::<Li>::new();
    let is_current =
        Memo::new(move |_| words.with(|words| words.as_ref().is_some_and(|words| words.is_current)));
    Effect::new(move |_| {
        if let Some(row) = row.get().filter(|_| is_current.get()) {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            row.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    let name = StoredValue::new(name);
    let is_first = move || words.with(|words| words.as_ref().is_none_or(|words| words.number == 1));
    let is_last = move || words.with(|words| words.as_ref().is_none_or(|words| words.is_last));
    let read_only = Memo::new(move |_| notes.read_only());
    let is_refused = move || read_only.get().map(|_| "true");
    let content = move || {
        words.get().map(|NoteWords { number, text, colour, about, place, .. }| {
            view! {
                <b class="number" style=("--note", format!("var({colour})"))>{number}</b>
                <span class="text">{text}</span>
                <i class=format!("ink {}", ink(place))></i>
                <span class="about">{about}</span>
            }
        })
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

fn words(
    selection: SelectionStore,
    comparison: ComparisonStore,
    notes: NoteStore,
    plan: LessonPlan,
    of: SourceId,
    name: &str,
) -> Option<NoteWords> {
    let (placed, current) = (notes.placed(), plan.current());
    let number = placed.iter().position(|note| note.of == of && note.name == name)?;
    let note = placed.get(number)?;
    Some(NoteWords {
        number: number + 1,
        is_last: number + 1 == placed.len(),
        is_current: current == Some(number),
        text: note.note.words(),
        colour: note_ink(&note.note.colour).token(),
        about: about(selection, comparison, note),
        place: note.place,
    })
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
