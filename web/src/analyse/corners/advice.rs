//! What is the driver's to find, and three things to fix.

use leptos::prelude::*;
use trailbrake_shared::analysis::Advice as ToFix;
use trailbrake_shared::analysis::task::TaskProposal;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::units::Units;

use super::card::CornerCard;
use crate::analyse::panel_area::PanelArea;
use crate::analyse::{CORNERS, ComparisonStore, PanelStore, ShownLaps, TaskStore, ViewStore};

/// Less is nothing to find, seconds.
const LEAST_S: f64 = 0.0005;

/// One piece of advice, as text.
#[derive(Clone, Debug, PartialEq)]
struct AdviceWords {
    /// Its rank, counted from 1. `None` for what happened in this lap alone.
    rank: Option<usize>,
    corner: Option<u16>,
    /// From where to where the lanes show it, metres.
    stretch_m: [f64; 2],
    name: String,
    loss: String,
    cause: String,
    cure: String,
    /// What it usually costs; empty until the stint is read.
    usual: String,
    /// The index of the advice, for the button that sets it as a task. `None` if it can't become a task.
    task: Option<usize>,
}

/// What the driver can find, as text, and the advice.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    seconds: String,
    words: String,
    advice: Vec<AdviceWords>,
}

/// Three things to fix, or the corner that is open.
#[component]
pub(crate) fn Advice() -> impl IntoView {
    let (comparison, view, panel, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<PanelStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let answer = Memo::new(move |_| {
        let shown = comparison.shown().filter(|shown| shown.compares_places())?;
        Some(answer(&shown, units.get()))
    });
    let made_from = Memo::new(move |_| {
        let shown = comparison.shown().filter(|shown| !shown.pair.stint.is_empty())?;
        let on_screen = 1 + usize::from(shown.pair.reference_in_stint);
        let used = on_screen + shown.lap_comparison.others.len();
        Some(made_from(used, comparison.stint_read.get(), shown.pair.stint.len()))
    });
    let corner = Memo::new(move |_| {
        let open = view.state.with(|view| view.corner)?;
        let shown = comparison.shown()?;
        shown.comparison().corners.iter().any(|corner| corner.number == open).then_some(open)
    });
    let area = PanelArea::here();
    Effect::new(move |_| {
        // The card stands above the ledger.
        if let (Some(_), Some(area)) = (corner.get(), area.element()) {
            area.set_scroll_top(0);
        }
    });
    let has_answer = Memo::new(move |_| corner.get().is_none() && answer.with(Option::is_some));
    let read = move |of: fn(&Answer) -> String| {
        move || answer.with(|answer| answer.as_ref().map(of).unwrap_or_default())
    };
    let advice =
        move || answer.with(|answer| answer.as_ref().map(|answer| answer.advice.clone())).unwrap_or_default();
    let empty = Memo::new(move |_| advice().is_empty());
    let is_hidden = move || panel.open() != CORNERS;
    let all_figures = RwSignal::new(false);
    view! {
        <section class="things" id="things" aria-label="Three things to fix" hidden=is_hidden>
            <Show when=move || has_answer.get()>
                <div class="answer">
                    <b data-figure="yours">{read(|answer| answer.seconds.clone())}</b>
                    <span>{read(|answer| answer.words.clone())}</span>
                    <small data-figure="made-from">{move || made_from.get()}</small>
                </div>
                <Show when=move || empty.get()>
                    <p class="missing">"No measurable loss by driving in any corner."</p>
                </Show>
                {move || advice().into_iter().map(thing).collect_view()}
            </Show>
        </section>
        <section class="open-corner" id="open-corner" aria-label="Corner" hidden=is_hidden>
            {move || corner.get().map(|number| view! { <CornerCard number all_figures/> })}
        </section>
    }
    .into_any()
}

fn thing(advice: AdviceWords) -> impl IntoView {
    let AdviceWords { rank, corner, stretch_m: [from_m, to_m], name, loss, cause, cure, usual, task } =
        advice;
    let (view, tasks) = (expect_context::<ViewStore>(), expect_context::<TaskStore>());
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
    let press = move |_| match corner {
        Some(number) => view.show_corner(number),
        None => view.show_stretch([from_m, to_m, from_m]),
    };
    let rank = rank.map_or_else(|| "!".to_owned(), |rank| rank.to_string());
    view! {
        <div class="advice">
            <button type="button" class="thing" data-corner=corner on:click=press>
                <i class="rank">{rank}</i>
                <span>
                    <b>{name}</b>" "{cause}" "<b>{cure}</b>
                    // The stint's laps arrive later. On a line of their own they move nothing below.
                    <small class="soft" data-figure="usual">{usual}</small>
                </span>
                <b class="loss">{loss}</b>
            </button>
            {task}
        </div>
    }
}

fn answer(shown: &ShownLaps, units: Units) -> Answer {
    let (comparison, to_fix) = (shown.comparison(), &shown.lap_comparison.stint.to_fix);
    let lost_s: f64 = comparison.ledger.rows.iter().filter_map(|row| row.loss_s).sum();
    let own_s = lost_s - comparison.ledger.not_driving_s();
    let found_s: f64 = to_fix.advice.iter().map(|thing| thing.loss_s).sum();
    let words = |rank: Option<usize>, thing: &ToFix| {
        let usual = if rank.is_some() { thing.usual_words() } else { Some("in this lap alone".to_owned()) };
        AdviceWords {
            rank,
            task: rank.filter(|_| TaskProposal::against(thing, &units).is_some()).map(|rank| rank - 1),
            ..words(shown, thing, usual, units)
        }
    };
    let mut advice: Vec<AdviceWords> =
        to_fix.advice.iter().zip(1..).map(|(thing, rank)| words(Some(rank), thing)).collect();
    advice.extend(to_fix.incident.iter().map(|thing| words(None, thing)));
    Answer {
        seconds: format!("{} s", number::write(own_s.abs(), 3)),
        words: yours(own_s, found_s, to_fix.advice.len()),
        advice,
    }
}

fn words(shown: &ShownLaps, thing: &ToFix, usual: Option<String>, units: Units) -> AdviceWords {
    let comparison = shown.comparison();
    let row = comparison.ledger.row(thing.row);
    AdviceWords {
        rank: None,
        corner: thing.row.corner,
        stretch_m: row.map_or([thing.place_m; 2], |row| [row.from_m, row.to_m]),
        name: thing.title(&comparison.corners, &|number| shown.corner_name(number)),
        loss: write_signed(thing.loss_s, 3),
        cause: thing.cause_sentence(&units),
        cure: thing.cure_sentence(&units).unwrap_or_default(),
        usual: usual.unwrap_or_default(),
        task: None,
    }
}

/// What the driver can find, and how much of it the advice is about, which may be more: time gained elsewhere makes up for
/// it.
fn yours(own_s: f64, found_s: f64, count: usize) -> String {
    let is_gain = own_s < -LEAST_S;
    let places = match count {
        0 if is_gain => return "gained by driving".to_owned(),
        0 => return "is yours to find".to_owned(),
        1 => "one place",
        2 => "two places",
        _ => "three places",
    };
    let found = number::write(found_s, 3);
    if is_gain {
        format!("gained by driving, though {found} lost in {places}")
    } else if found_s > own_s + LEAST_S {
        format!("lost by driving on balance: {found} in {places}, some gained back elsewhere")
    } else {
        format!("is yours to find, {found} of it in {places}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_advice_is_made_from_is_said_while_more_is_read_too() {
        assert_eq!(made_from(2, Some(3), 12), "from 2 laps, 3 of 12 more read");
        assert_eq!(made_from(13, None, 12), "from 13 laps");
    }

    #[test]
    fn what_is_the_driver_s_is_said_with_what_is_advised() {
        assert_eq!(yours(0.428, 0.335, 3), "is yours to find, 0.335 of it in three places");
        assert_eq!(yours(0.02, 0.0, 0), "is yours to find");
        assert_eq!(yours(-0.2, 0.0, 0), "gained by driving");
        assert_eq!(yours(-0.2, 0.03, 1), "gained by driving, though 0.030 lost in one place");
        assert_eq!(
            yours(0.03, 0.252, 2),
            "lost by driving on balance: 0.252 in two places, some gained back elsewhere"
        );
    }
}
