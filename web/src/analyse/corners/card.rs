//! The card of a corner: both laps in detail, from the lift to the exit.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use super::lines::{CardLine, card};
use crate::analyse::{ComparisonStore, DebriefStore, NameField, NameStore, NoteStore, TaskStore};

/// The card of a corner.
#[component]
pub(super) fn CornerCard(number: u16) -> impl IntoView {
    let (comparison, names, notes, tasks, debrief, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<NameStore>(),
        expect_context::<NoteStore>(),
        expect_context::<TaskStore>(),
        expect_context::<DebriefStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let card = Memo::new(move |_| {
        let shown = comparison.shown()?;
        let place = shown.comparison().corners.iter().position(|corner| corner.number == number)?;
        card(&shown, place, units.get())
    });
    let felt = move || debrief.felt_words(number);
    let read_only = Memo::new(move |_| notes.read_only());
    let lines = move || card.get().map(|(lines, _)| lines.into_iter().map(line).collect_view());
    let brakes = move || card.get().and_then(|(_, brakes)| brakes);
    view! {
        <table class="closely"><tbody>{lines}</tbody></table>
        {move || felt().into_iter().map(|words| view! { <p class="felt" data-figure="felt">{words}</p> }).collect_view()}
        <p class="faint">"Distances are from the apex (− = before)."</p>
        {move || brakes().map(|words| view! { <p class="missing">{words}</p> })}
        <button
            type="button"
            class="quiet"
            title=move || read_only.get()
            aria-disabled=move || read_only.get().map(|_| "true")
            data-testid="set-task"
            on:click=move |_| tasks.begin(number)
        >
            "Set a task"
        </button>
        <button type="button" class="quiet" data-testid="names" on:click=move |_| names.begin(NameField::Corner)>
            "Rename, merge or split"
        </button>
    }
    .into_any()
}

fn line(line: CardLine) -> impl IntoView {
    let CardLine { id, label, unit, main, reference, difference: (difference, class) } = line;
    view! {
        <tr data-line=id>
            <th scope="row">{label}<small>{unit}</small></th>
            <td class="main">{main}</td>
            <td class="other">{reference}</td>
            <td class=class>{difference}</td>
        </tr>
    }
}
