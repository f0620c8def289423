//! The list of one driver's laps: their times, their gaps to the best, and which of them are compared.

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::session::Bests;

use super::best_row::BestRow;
use super::focus::{Line, ListFocus};
use super::row::{LapRow, ListedLap, ReportedRow};
use crate::analyse::{SelectionStore, Sources};
use crate::laps::Ranking;
use crate::reactive::{EachRow, LocalSignal, Rows};

/// The content of the list.
#[derive(Clone, Debug, Default, PartialEq)]
struct Laps {
    title: &'static str,
    best: String,
    rows: Vec<ListedLap>,
}

/// The laps of one driver.
#[component]
pub(crate) fn LapList() -> impl IntoView {
    let (sources, selection) = (expect_context::<LocalSignal<Sources>>(), expect_context::<SelectionStore>());
    let laps = Memo::new(move |_| laps(sources, selection));
    let is_there = Memo::new(move |_| laps.with(|laps| !laps.rows.is_empty()));
    let rows = Rows::new(Memo::new(move |_| laps.with(|laps| laps.rows.clone())), ListedLap::id);
    let line = |lap: &ListedLap| Line { key: lap.key, is_main: lap.place == Some(0) };
    let lines = Memo::new(move |_| {
        rows.with(|rows| rows.iter().filter(|lap| !lap.is_reported()).map(line).collect::<Vec<Line>>())
    });
    let focus = ListFocus::new(lines);
    let row = move |lap: Memo<ListedLap>| match lap.with_untracked(ListedLap::is_reported) {
        true => view! { <ReportedRow lap/> }.into_any(),
        false => view! { <LapRow lap focus/> }.into_any(),
    };
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
                        <EachRow rows let:lap>{row(lap)}</EachRow>
                    </tbody>
                </table>
            </Show>
        </section>
    }
}

fn laps(sources: LocalSignal<Sources>, selection: SelectionStore) -> Laps {
    let (sources, selection) = (sources.read(), selection.state.read());
    let Some((source, seat)) = sources.listed().and_then(|source| Some((source, source.seat()?))) else {
        return Laps::default();
    };
    // Purple is the session's best, green the driver's own best.
    let rows = source.catalogue.listed(source.listed());
    let session = source.session().chain(source.catalogue.reported());
    let session = session.filter(|entry| entry.id.session == seat.id.session);
    let bests = Bests::of(&mut session.map(|entry| (entry.id.car, &entry.lap)));
    let mut own = rows.iter().map(|entry| &entry.lap);
    let ranking = Ranking::new(seat.id.car, &mut own, &bests, source.stage);
    let row = |entry: &LapEntry| {
        let key = source.key(entry);
        ListedLap::new(key, selection.chosen.place(key), &entry.lap, ranking.row(&entry.lap))
    };
    Laps {
        title: if source.stage { "Runs" } else { "Laps" },
        best: ranking.best.map(|best| format!("best {best}")).unwrap_or_default(),
        rows: rows.into_iter().rev().map(row).collect(),
    }
}
