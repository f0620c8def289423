//! The card of a corner: the cause of its loss with the cure, how the loss adds up, and both laps in detail.

use leptos::prelude::*;
use trailbrake_shared::analysis::Advice;
use trailbrake_shared::analysis::ledger::{LedgerRow, Part};
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::units::Units;

use super::lines::{CardLine, card, class_of};
use super::over_laps::{LapFigures, over_laps};
use super::waterfall::{Waterfall, waterfall};
use crate::analyse::{
    ComparisonStore, DebriefStore, NameField, NameStore, NoteStore, ShownLaps, TaskStore, ViewStore,
};

/// A smaller loss or gain is none, seconds.
const LEAST_S: f64 = 0.015;

/// What cost time in a corner, as text.
#[derive(Clone, Debug, PartialEq)]
struct Heading {
    name: String,
    loss: String,
    class: &'static str,
    rank: String,
    cause: String,
    cure: String,
    usual: String,
    waterfall: Option<Waterfall>,
    laps: [String; 2],
}

/// The card of a corner. `all_figures` says whether both laps are shown in detail, from one corner to the next.
#[component]
pub(super) fn CornerCard(number: u16, all_figures: RwSignal<bool>) -> impl IntoView {
    let (comparison, names, notes, tasks, debrief, view, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<NameStore>(),
        expect_context::<NoteStore>(),
        expect_context::<TaskStore>(),
        expect_context::<DebriefStore>(),
        expect_context::<ViewStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let card = Memo::new(move |_| {
        let shown = comparison.shown()?;
        let place = shown.comparison().corners.iter().position(|corner| corner.number == number)?;
        card(&shown, place, units.get())
    });
    let over = Memo::new(move |_| {
        let shown = comparison.shown()?;
        let place = shown.comparison().corners.iter().position(|corner| corner.number == number)?;
        LapFigures::of(&shown, place, &units.get())
    });
    let heading = Memo::new(move |_| Some(heading(&*comparison.shown()?, number, &units.get())));
    let felt = move || debrief.felt_words(number);
    let read_only = Memo::new(move |_| notes.read_only());
    let lines = move || card.get().map(|(lines, _)| lines.into_iter().map(line).collect_view());
    let brakes = move || card.get().and_then(|(_, brakes)| brakes);
    let toggle = move |event: leptos::ev::Event| {
        all_figures.set(event_target::<web_sys::HtmlDetailsElement>(&event).open());
    };
    let beside = move |ahead: bool| {
        let shown = untrack(|| comparison.shown());
        let corners = shown.as_ref().map(|shown| shown.comparison().corners.as_slice()).unwrap_or_default();
        let place = corners.iter().position(|corner| corner.number == number);
        let next = place.and_then(|place| if ahead { place.checked_add(1) } else { place.checked_sub(1) });
        if let Some(corner) = next.and_then(|next| corners.get(next)) {
            view.show_corner(corner.number);
        }
    };
    view! {
        {move || heading.get().map(|heading| {
            let Heading { name, loss, class, rank, cause, cure, usual, waterfall: parts, laps } = heading;
            view! {
                <header>
                    <h2>{name}</h2>
                    <b class=class data-figure="open-loss">{loss}</b>
                    <span class="soft">{rank}</span>
                    <button type="button" class="quiet icon" aria-label="Previous corner" title="Previous corner" on:click=move |_| beside(false)>"‹"</button>
                    <button type="button" class="quiet icon" aria-label="Next corner" title="Next corner" on:click=move |_| beside(true)>"›"</button>
                    <button
                        type="button"
                        class="quiet icon"
                        aria-label="Close the corner"
                        title="Close the corner"
                        data-testid="close-corner"
                        on:click=move |_| view.change(&|view, _| view.open_corner(None))
                    >
                        "×"
                    </button>
                </header>
                <p class="cause" data-figure="cause">{cause}" "<b>{cure}</b></p>
                <p class="soft usual">{usual}</p>
                {parts.map(|parts| waterfall(parts, laps))}
            }
        })}
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
        {move || felt().into_iter().map(|words| view! { <p class="felt" data-figure="felt">{words}</p> }).collect_view()}
        <details prop:open=all_figures on:toggle=toggle>
            <summary data-testid="all-figures">"All figures"</summary>
            <table class="closely"><tbody>{lines}</tbody></table>
            <p class="faint">"Distances are from the apex (− = before)."</p>
            {move || brakes().map(|words| view! { <p class="missing">{words}</p> })}
            {move || over.get().map(over_laps)}
        </details>
    }
    .into_any()
}

fn heading(shown: &ShownLaps, number: u16, units: &Units) -> Heading {
    let row = shown.comparison().ledger.corner(number).filter(|_| shown.compared);
    let to_fix = &shown.lap_comparison.stint.to_fix;
    let thing = row.and_then(|row| shown.lap_comparison.advice_at(row));
    let rank = row.and_then(|row| to_fix.rank(row.place));
    let rank = rank.map_or_else(String::new, |rank| format!("{rank} of {} to fix", to_fix.advice.len()));
    let loss_s = row.and_then(|row| row.loss_s);
    let cause = match &thing {
        Some(thing) => thing.cause_sentence(units),
        None if row.is_some() => without_cause(row),
        None => String::new(),
    };
    Heading {
        name: shown.corner_name(number),
        loss: loss_s.map_or_else(String::new, |loss_s| write_signed(loss_s, 3)),
        class: class_of(loss_s),
        rank,
        cause,
        cure: thing.as_ref().and_then(|thing| thing.cure_sentence(units)).unwrap_or_default(),
        usual: thing.as_ref().and_then(Advice::usual_words).unwrap_or_default(),
        waterfall: row.and_then(|row| Waterfall::of(shown, row, units)),
        laps: [0, 1].map(|place| {
            shown.laps.get(place).map_or_else(String::new, |lap| format!("lap {}", lap.loaded.lap.number))
        }),
    }
}

/// What is said of a corner without a cause.
fn without_cause(row: Option<&LedgerRow>) -> String {
    let gap_s = row.and_then(|row| row.gap_s.filter(|_| row.part_s(Part::Traffic) >= LEAST_S));
    if let Some(gap_s) = gap_s {
        return format!("Held up: a car was {} s away at the closest.", number::write(gap_s, 1));
    }
    match row.and_then(|row| row.loss_s) {
        Some(loss_s) if loss_s >= LEAST_S => "Lost by many small things: no single cause.",
        Some(loss_s) if loss_s <= -LEAST_S => "Faster than the reference.",
        Some(_) => "As fast as the reference.",
        None => "Data is missing here.",
    }
    .to_owned()
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
