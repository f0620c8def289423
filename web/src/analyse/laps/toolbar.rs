//! The toolbar: how the laps are aligned, and actions on them.

use leptos::prelude::*;
use trailbrake_shared::analysis::{Method, MissingRange};
use trailbrake_shared::number;

use crate::analyse::actions::{Action, ActionButton};
use crate::analyse::lanes::TABLES;
use crate::analyse::{Analyse, Axis, ShownLaps};
use crate::ui::TableButton;

/// The toolbar above the lanes.
#[component]
pub(crate) fn Toolbar() -> impl IntoView {
    let analyse = Analyse::here();
    let alignment = Memo::new(move |_| alignment(analyse));
    let is_aligned = Memo::new(move |_| alignment.with(Option::is_some));
    let words = move || alignment.get().map(|(words, _)| words);
    let method = move || alignment.get().map(|(_, method)| method);
    let has_lap = Memo::new(move |_| analyse.shown().is_some());
    let axis = Memo::new(move |_| match analyse.view.with(|view| view.axis) {
        Axis::Distance => "Axis: distance",
        Axis::Time => "Axis: time",
    });
    view! {
        <span class="alike">
            <Show when=move || is_aligned.get()>
                <span class="soft" data-figure="method" title=method>{words}</span>
            </Show>
            <ActionButton action=Action::TurnAxis>{move || axis.get()}</ActionButton>
            <ActionButton action=Action::ChooseChannels>"Channels"</ActionButton>
            <Show when=move || has_lap.get()>
                <TableButton of="lanes" controls=TABLES open=analyse.tables.lanes/>
            </Show>
            <ActionButton action=Action::Report>"Report"</ActionButton>
            <ActionButton action=Action::Share class="primary">"Share"</ActionButton>
            <ActionButton action=Action::Copy>"Copy"</ActionButton>
            <ActionButton action=Action::ShowAll>"Show all"</ActionButton>
        </span>
    }
}

/// How the laps are aligned: a short text that ends with the missing ranges, and the full name of the method. `None`
/// without a reference.
fn alignment(analyse: Analyse) -> Option<(String, &'static str)> {
    let shown = analyse.shown().filter(|shown| shown.compared)?;
    let (method, residual_m) = shown.method();
    let mut words =
        format!("aligned by {}", if are_strangers(&shown) { "lap fraction" } else { short(method) });
    if let Some(residual_m) = residual_m {
        words.push_str(&format!(", ±{} m", number::write(residual_m, 1)));
    }
    if let Some(shift) = shown.comparison().start_line_shift {
        let way = if shift.further_m < 0.0 { "earlier" } else { "later" };
        words.push_str(&format!(" · starts {} m {way}", number::write(shift.further_m.abs(), 0)));
    }
    for (whose, placed) in ["lap", "reference"].iter().zip(&shown.comparison().placed) {
        for MissingRange { from_m, to_m } in placed.missing() {
            let [from, to] = [from_m, to_m].map(|metres| number::write(metres, 0));
            words.push_str(&format!(" · {whose}: no data from {from} to {to} m"));
        }
    }
    Some((words, method.words()))
}

/// Whether main lap and reference are of different tracks.
fn are_strangers(shown: &ShownLaps) -> bool {
    shown.comparison().strangers.is_some()
}

const fn short(method: Method) -> &'static str {
    match method {
        Method::Position => "position",
        Method::Share => "lap fraction",
        Method::Distance => "the game's distance",
        Method::Speed => "speed over time",
        Method::Fraction => "fraction of the lap's time",
    }
}
