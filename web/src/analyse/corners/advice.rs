//! Three things to fix: the corners that cost most time, and the cause in each.

use leptos::prelude::*;
use trailbrake_shared::analysis::Advice as CornerAdvice;
use trailbrake_shared::analysis::task::TaskProposal;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::units::Units;

use crate::analyse::{CORNERS, ComparisonStore, PanelStore, ShownLaps, TaskStore, ViewStore};

/// One piece of advice, as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AdviceWords {
    corner: u16,
    name: String,
    loss: String,
    cause: String,
    /// How the loss splits into the corner and what follows; empty if it is all in one of them.
    split: String,
    /// How many laps of the stint lost time here; empty until the stint is read.
    laps: String,
    /// The index of the advice, for the button that sets it as a task. `None` if its cause can't become a task.
    task: Option<usize>,
}

/// The advice, in order; `None` if no corners are compared.
type AdviceList = Option<Vec<AdviceWords>>;

/// Three things to fix.
#[component]
pub(crate) fn Advice() -> impl IntoView {
    let (comparison, view, panel, tasks, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<PanelStore>(),
        expect_context::<TaskStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let list: Memo<AdviceList> = Memo::new(move |_| {
        let shown = comparison.shown().filter(|shown| shown.compares_places())?;
        let units = units.get();
        Some(
            shown
                .lap_comparison
                .stint
                .advice
                .iter()
                .enumerate()
                .map(|(place, advice)| words(&shown, place, advice, units))
                .collect(),
        )
    });
    let made_from = Memo::new(move |_| {
        let shown = comparison.shown().filter(|shown| !shown.pair.stint.is_empty())?;
        let on_screen = 1 + usize::from(shown.pair.reference_in_stint);
        let used = on_screen + shown.lap_comparison.others.len();
        Some(made_from(used, comparison.stint_read.get(), shown.pair.stint.len()))
    });
    let empty = move || list.with(|list| list.as_ref().is_some_and(Vec::is_empty));
    view! {
        <section class="things" id="things" aria-label="Three things to fix" hidden=move || panel.open() != CORNERS>
            <Show when=move || list.with(Option::is_some)>
                <div class="head">
                    <h2>"Three things to fix"</h2>
                    <span data-figure="made-from">{move || made_from.get()}</span>
                </div>
                <Show when=empty>
                    <p class="missing">"No measurable loss in any corner."</p>
                </Show>
                <For each=move || list.get().unwrap_or_default() key=AdviceWords::clone let:advice>
                    {line(view, tasks, advice)}
                </For>
            </Show>
        </section>
    }
    .into_any()
}

fn line(view: ViewStore, tasks: TaskStore, advice: AdviceWords) -> impl IntoView {
    let AdviceWords { corner, name, loss, cause, split, laps, task } = advice;
    let task = task.map(|place| {
        let label = format!("Set a task for {name}");
        view! {
            <button
                type="button"
                class="quiet"
                data-testid="advised-task"
                aria-label=label
                on:click=move |_| tasks.begin_advised(place)
            >
                "Set a task"
            </button>
        }
    });
    view! {
        <div class="advice">
            <button type="button" class="thing" data-corner=corner on:click=move |_| view.show_corner(corner)>
                <b class="loss">{loss}</b>
                <span>
                    <b>{name}</b>": "{cause}
                    // The stint's laps arrive later. On a line of their own they move nothing below.
                    <small class="soft"><span data-figure="split">{split}</span>" "<span>{laps}</span></small>
                </span>
            </button>
            {task}
        </div>
    }
}

fn words(shown: &ShownLaps, place: usize, advice: &CornerAdvice, units: Units) -> AdviceWords {
    let split = advice.split_s().map(|(own, after)| {
        format!("{} in the corner, {} after it", write_signed(own, 3), write_signed(after, 3))
    });
    AdviceWords {
        corner: advice.corner,
        name: advice.title(&shown.corner_name(advice.corner)),
        loss: number::write(advice.loss_s, 3),
        cause: advice.cause.words(&units),
        split: split.unwrap_or_default(),
        laps: in_laps(advice.laps, advice.of),
        task: TaskProposal::against(&advice.cause, &units).map(|_| place),
    }
}

/// How many laps the advice is made from, and how many of the others of the stint are read, while they are.
fn made_from(used: usize, read: Option<usize>, others: usize) -> String {
    let from = format!("from {}", number::count(used, "lap", "laps"));
    match read {
        Some(read) => format!("{from}, {read} of {others} more read"),
        None => from,
    }
}

/// How many of the compared laps lost time here; empty for a single lap.
fn in_laps(laps: usize, of: usize) -> String {
    match of {
        0 | 1 => String::new(),
        of if laps == of => format!("(all {of} laps compared)"),
        of => format!("({laps} of {of} laps compared)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_advice_is_made_from_is_said_while_more_is_read_too() {
        assert_eq!(made_from(2, Some(3), 12), "from 2 laps, 3 of 12 more read");
        assert_eq!(made_from(13, None, 12), "from 13 laps");
    }

    #[test]
    fn laps_are_counted_once_there_are_several() {
        assert_eq!([in_laps(0, 0), in_laps(1, 1)], ["", ""]);
        assert_eq!(in_laps(7, 7), "(all 7 laps compared)");
        assert_eq!(in_laps(5, 7), "(5 of 7 laps compared)");
    }
}
