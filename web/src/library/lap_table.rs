//! The lap table of the open recording, by seat, and the export of ticked laps.

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry, Seat};
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::number::count;
use trailbrake_shared::session::LapId;
use trailbrake_shared::time::LapTime;

use super::Library;
use super::export::export;
use crate::laps::WHY_REPORTED;
use crate::laps::seats::{self, SeatGroup};
use crate::text::figures::NONE;
use crate::ui::{OtherCarsChoice, SeatChooser};

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
struct LapRow {
    id: LapId,
    number: String,
    time: String,
    sectors: Vec<String>,
    flags: String,
    best: bool,
    /// Whether only the game's report is known of it, so that there is nothing to export.
    reported: bool,
}

/// The lap table. Empty until the details are loaded.
#[component]
pub(super) fn LapTable() -> impl IntoView {
    let library = Library::here();
    let rows = Memo::new(move |_| {
        let recording = library.recording()?;
        let seat = library.seat_in(&recording);
        Some(seat.map(|seat| rows(&recording.catalogue, seat)).unwrap_or_default())
    });
    let groups = Memo::new(move |_| seat_groups(library));
    let is_here = Memo::new(move |_| rows.with(Option::is_some));
    let is_empty = Memo::new(move |_| rows.with(|rows| rows.as_ref().is_some_and(Vec::is_empty)));
    let sectors = Memo::new(move |_| {
        let most = |rows: &Vec<LapRow>| rows.iter().map(|row| row.sectors.len()).max();
        rows.with(|rows| rows.as_ref().and_then(most)).unwrap_or_default()
    });
    let sector_heads = move || {
        (1..=sectors.get()).map(|number| view! { <th scope="col">{format!("S{number}")}</th> }).collect_view()
    };
    view! {
        <div id="laps">
            <Show when=move || is_here.get()>
                <div class="part">
                    <h2>"Laps"</h2>
                    <SeatChooser groups on_choose=move |place| library.choose_seat(place)/>
                </div>
                <Show
                    when=move || !is_empty.get()
                    fallback=|| view! { <p class="soft">"No laps in this recording."</p> }
                >
                    <table class="lap-table" data-figure="laps">
                        <thead>
                            <tr>
                                <th scope="col"><span class="unseen">"Export"</span></th>
                                <th scope="col">"Lap"</th>
                                <th scope="col">"Time"</th>
                                {sector_heads}
                                <th scope="col"><span class="unseen">"Notes"</span></th>
                            </tr>
                        </thead>
                        <tbody>
                            <For each=move || rows.get().unwrap_or_default() key=|row| format!("{row:?}") let:row>
                                <Row row/>
                            </For>
                        </tbody>
                    </table>
                </Show>
            </Show>
        </div>
        <Export/>
    }
}

#[component]
fn Row(row: LapRow) -> impl IntoView {
    let library = Library::here();
    let LapRow { id, number, time, sectors, flags, best, reported } = row;
    let ticked = move || library.ticked.with(|ticked| ticked.has(id));
    let (lap, label) = (number.clone(), format!("Export lap {number}"));
    let tick = (!reported).then(|| {
        view! {
            <input
                type="checkbox"
                aria-label=label
                data-testid="tick"
                prop:checked=ticked
                on:change=move |_| library.tick(id)
            />
        }
    });
    view! {
        <tr class:best=best data-lap=lap title=reported.then_some(WHY_REPORTED)>
            <td>{tick}</td>
            <td>{number}</td>
            <th scope="row">{time}</th>
            {sectors.into_iter().map(|sector| view! { <td>{sector}</td> }).collect_view()}
            <td class="flags">{flags}</td>
        </tr>
    }
}

/// The export of the ticked laps. Hidden without any.
#[component]
fn Export() -> impl IntoView {
    let library = Library::here();
    let ticked = move || count(library.ticked.with(super::Ticked::count), "lap", "laps");
    let others = Signal::derive(move || library.ticked.with(|ticked| ticked.other_cars));
    let choose = Callback::new(move |others| library.ticked.update(|ticked| ticked.other_cars = others));
    view! {
        <Show when=move || library.ticked.with(|ticked| ticked.count() > 0)>
            <div class="export" data-figure="export">
                <b>{move || format!("{} selected", ticked())}</b>
                <OtherCarsChoice selected=others on_select=choose />
                <button type="button" class="primary" data-testid="export" on:click=move |_| export(library)>
                    "Export selected laps"
                </button>
            </div>
        </Show>
    }
}

fn seat_groups(library: Library) -> Option<Vec<SeatGroup>> {
    let recording = library.recording()?;
    let words = |seat: &Seat<'_>| {
        let own = if seat.first.is_players_seat() { " (player)" } else { "" };
        format!("{}{own} · {}", seat.first.driver_words(), count(seat.laps, "lap", "laps"))
    };
    seats::groups(&recording.catalogue, library.seat_in(&recording)?, &words)
}

fn rows(catalogue: &LapCatalogue, seat: &LapEntry) -> Vec<LapRow> {
    let best = seats::fastest(catalogue, seat).map(|entry| entry.id);
    let time = |time: Option<LapTime>| time.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    let row = |entry: &LapEntry| {
        let lap = &entry.lap;
        // Valid is the normal case: it is not shown.
        let flags = LapFlag::ALL.iter().filter(|flag| lap.flags.has(**flag) && **flag != LapFlag::Valid);
        let flags: Vec<&str> = flags.map(|flag| flag.word()).collect();
        LapRow {
            id: entry.id,
            number: lap.number.to_string(),
            time: if lap.ended_s.is_none() { "running".to_owned() } else { time(lap.time) },
            sectors: lap.sectors.into_iter().map(time).collect(),
            flags: flags.join(", "),
            best: best == Some(entry.id),
            reported: entry.is_reported(),
        }
    };
    catalogue.listed(catalogue.seat_laps(seat)).into_iter().map(row).collect()
}
