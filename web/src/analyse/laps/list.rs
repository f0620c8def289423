//! The list of one driver's laps: their times, their gaps to the best, and which of them are compared.

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::session::Bests;

use super::best_row::BestRow;
use super::focus::{Line, ListFocus};
use super::row::{LapRow, LapWords};
use crate::analyse::Analyse;
use crate::laps::Ranking;

/// The content of the list.
#[derive(Clone, Debug, Default, PartialEq)]
struct Laps {
    title: &'static str,
    best: String,
    rows: Vec<LapWords>,
}

/// The laps of one driver.
#[component]
pub(crate) fn LapList() -> impl IntoView {
    let analyse = Analyse::here();
    let laps = Memo::new(move |_| laps(analyse));
    let is_there = Memo::new(move |_| laps.with(|laps| !laps.rows.is_empty()));
    let rows = Memo::new(move |_| laps.with(|laps| laps.rows.clone()));
    let line = |row: &LapWords| Line { key: row.key, is_main: row.place == Some(0) };
    let lines = Memo::new(move |_| rows.with(|rows| rows.iter().map(line).collect::<Vec<Line>>()));
    let focus = ListFocus::new(lines);
    // A click leaves the focus where it is, so that arrow keys go on moving the cursor.
    let leave_focus = |event: leptos::ev::MouseEvent| event.prevent_default();
    view! {
        <section class="lap-list" id="lap-list" aria-label="Laps">
            <Show when=move || is_there.get()>
                <div class="head">
                    <h2>{move || laps.with(|laps| laps.title)}</h2>
                    <span data-figure="best">{move || laps.with(|laps| laps.best.clone())}</span>
                </div>
                <BestRow/>
                <table
                    role="grid"
                    aria-label="Laps"
                    on:keydown=move |event| focus.follow(&event)
                    on:mousedown=leave_focus
                >
                    <tbody>
                        <For each=move || lines.get() key=|line| line.key let:line>
                            <LapRow key=line.key rows focus/>
                        </For>
                    </tbody>
                </table>
            </Show>
        </section>
    }
}

fn laps(analyse: Analyse) -> Laps {
    let (sources, selection) = (analyse.sources.read(), analyse.selection.read());
    let Some((source, seat)) = sources.listed().and_then(|source| Some((source, source.seat()?))) else {
        return Laps::default();
    };
    // Purple is the session's best, green the driver's own best.
    let bests = Bests::of(&mut source.session().map(|entry| (entry.id.car, &entry.lap)));
    let mut own = source.listed().map(|entry| &entry.lap);
    let ranking = Ranking::new(seat.id.car, &mut own, &bests, source.stage);
    let row = |entry: &LapEntry| {
        let key = source.key(entry);
        LapWords::new(key, selection.chosen.place(key), &entry.lap, ranking.row(&entry.lap))
    };
    Laps {
        title: if source.stage { "Runs" } else { "Laps" },
        best: ranking.best.map(|best| format!("best {best}")).unwrap_or_default(),
        rows: source.listed().rev().map(row).collect(),
    }
}
