//! The lap table of the open recording, by seat, and the export of ticked laps.

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry, Seat};
use trailbrake_shared::laps::{LapFlag, LapFlags};
use trailbrake_shared::number::count;
use trailbrake_shared::session::LapId;
use trailbrake_shared::time::LapTime;

use super::Library;
use super::export::export;
use crate::laps::WHY_REPORTED;
use crate::laps::seats::{self, SeatGroup};
use crate::reactive::{EachRow, Rows};
use crate::text::figures::lap_time;
use crate::ui::{OtherCarsChoice, SeatChooser};

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
struct LapRow {
    id: LapId,
    number: u16,
    time: Option<LapTime>,
    /// Whether it was under way when the recording ended.
    runs: bool,
    sectors: Vec<Option<LapTime>>,
    flags: LapFlags,
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
    let rows = Rows::new(Memo::new(move |_| rows.get().unwrap_or_default()), |row| (row.id, row.number));
    let sectors = Memo::new(move |_| {
        rows.with(|rows| rows.iter().map(|row| row.sectors.len()).max()).unwrap_or_default()
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
                    when=move || !rows.is_empty()
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
                            <EachRow rows let:row><Row row/></EachRow>
                        </tbody>
                    </table>
                </Show>
            </Show>
        </div>
        <Export/>
    }
}

#[component]
fn Row(row: Memo<LapRow>) -> impl IntoView {
    let library = Library::here();
    let (id, number, is_reported) = row.with_untracked(|row| (row.id, row.number, row.reported));
    let ticked = move || library.ticked.with(|ticked| ticked.has(id));
    let tick = (!is_reported).then(|| {
        view! {
            <input
                type="checkbox"
                aria-label=format!("Export lap {number}")
                data-testid="tick"
                prop:checked=ticked
                on:change=move |_| library.tick(id)
            />
        }
    });
    let sectors = move || {
        let sectors = row.with(|row| row.sectors.clone());
        sectors.into_iter().map(|sector| view! { <td>{lap_time(sector)}</td> }).collect_view()
    };
    view! {
        <tr class:best=move || row.with(|row| row.best) data-lap=number title=is_reported.then_some(WHY_REPORTED)>
            <td>{tick}</td>
            <td>{number}</td>
            <th scope="row">{move || row.with(time_words)}</th>
            {sectors}
            <td class="flags">{move || row.with(flag_words)}</td>
        </tr>
    }
}

fn time_words(row: &LapRow) -> String {
    if row.runs { "running".to_owned() } else { lap_time(row.time) }
}

/// The flags of a lap, but for valid, which is the normal case.
fn flag_words(row: &LapRow) -> String {
    let flags = LapFlag::ALL.iter().filter(|flag| row.flags.has(**flag) && **flag != LapFlag::Valid);
    flags.map(|flag| flag.word()).collect::<Vec<_>>().join(", ")
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
    let row = |entry: &LapEntry| {
        let lap = &entry.lap;
        LapRow {
            id: entry.id,
            number: lap.number,
            time: lap.time,
            runs: lap.ended_s.is_none(),
            sectors: lap.sectors.to_vec(),
            flags: lap.flags,
            best: best == Some(entry.id),
            reported: entry.is_reported(),
        }
    };
    catalogue.listed(catalogue.seat_laps(seat)).into_iter().map(row).collect()
}
