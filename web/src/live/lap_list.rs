//! The lap panel: the watched car's laps, the current one first, then back in time. A playing recording lists all its
//! laps from the beginning, each with a link that plays it.

use leptos::ev::MouseEvent;
use leptos::html::{Div, Tr};
use leptos::prelude::*;
use trailbrake_shared::session::Session;
use trailbrake_shared::time::LapTime;

use super::lap_rows::{of_recording, of_session};
use super::words::why_missing;
use crate::browser;
use crate::cockpit::{DeltaChoice, Playback, TelemetryStore};
use crate::laps::{Row, WHY_REPORTED, number};
use crate::reactive::{EachRow, Rows};
use crate::telemetry::{Connection, Telemetry};
use crate::text::figures::{NONE, clock, listed_time};
use crate::ui::RowList;

/// The rows of the list, and the title and best time above them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Laps {
    title: &'static str,
    best: String,
    rows: Vec<Row>,
    /// The address of the lap that plays now.
    here: Option<String>,
}

/// The current lap.
#[derive(Clone, Debug, PartialEq)]
struct Running {
    number: u16,
    /// Its lap clock.
    time: String,
    /// Its time if the rest of it is driven as what it is compared with.
    predicted: Option<LapTime>,
}

/// Identifies a row from one update to the next: lap number, serial and address.
type RowId = (u16, Option<u32>, Option<String>);

fn id(row: &Row) -> RowId {
    (row.number, row.serial, row.address.clone())
}

/// Whether there is more to list than the lap under way, whose clock is on the dash.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    let Some(session) = telemetry.session() else { return true };
    let is_driven =
        session.cars().any(|(_, car)| !car.laps.finished().is_empty()) || !session.reported().laps.is_empty();
    is_driven
        || telemetry.connection() == Connection::Replay
        || session.live_comparison().reference().is_some()
}

/// The panel.
#[component]
pub(super) fn LapPanel() -> impl IntoView {
    let (telemetry, playback) = (TelemetryStore::here(), Playback::here());
    let laps = telemetry.sampled(move |telemetry| laps_of(playback, telemetry));
    let running = telemetry.sampled(running);
    let missing = telemetry.sampled(why_missing);
    let rows = Rows::new(Memo::new(move |_| laps.with(|laps| laps.rows.clone())), id);
    let here = Memo::new(move |_| laps.with(|laps| laps.here.clone()));
    let missing = move || {
        let nothing = running.with(Option::is_none) && rows.is_empty();
        nothing.then(|| view! { <p class="missing">{missing.get()}</p> })
    };
    let under_way = move || {
        running.get().map(|Running { number, time, predicted }| {
            let ends = match predicted {
                Some(time) => {
                    view! { "predicted " <b data-figure="predicted">{time.to_string()}</b> }.into_any()
                }
                None => view! { "running" }.into_any(),
            };
            view! {
                <tr class="running">
                    <td class="place">{number}</td>
                    <th scope="row">{time}</th>
                    <td colspan="3">{ends}</td>
                </tr>
            }
        })
    };
    let scroll = NodeRef::<Div>::new();
    view! {
        <section class="panel laps" aria-label="Laps">
            <div class="head">
                <h2>{move || laps.with(|laps| laps.title)}</h2>
                <span data-figure="best">{move || laps.with(|laps| laps.best.clone())}</span>
            </div>
            <RowList label="Lap list" list=scroll>
                <table>
                    <tbody>
                        {under_way}
                        <EachRow rows let:row><LapRow row here scroll/></EachRow>
                    </tbody>
                </table>
                {missing}
            </RowList>
        </section>
    }
    .into_any()
}

#[component]
fn LapRow(row: Memo<Row>, here: Memo<Option<String>>, scroll: NodeRef<Div>) -> impl IntoView {
    let playback = Playback::here();
    let line = NodeRef::<Tr>::new();
    let (number, serial, address) = row.with_untracked(id);
    let word = move |read: fn(&Row) -> String| move || row.with(read);
    let is_current = {
        let address = address.clone();
        Memo::new(move |_| address.is_some() && here.with(|here| *here == address))
    };
    Effect::new(move |_| {
        // Keep the lap that plays in view.
        if is_current.get() {
            request_animation_frame(move || {
                let parts = scroll.try_get_untracked().flatten().zip(line.try_get_untracked().flatten());
                parts.into_iter().for_each(|(list, line)| browser::scroll_to_show(&list, &line, 0.0));
            });
        }
    });
    let is_reference = Memo::new(move |_| row.with(|row| row.reference));
    let name = match &address {
        None if serial.is_none() => view! { <span title=WHY_REPORTED>{word(time_words)}</span> }.into_any(),
        None => view! { <CompareButton row>{word(time_words)}</CompareButton> }.into_any(),
        Some(address) => {
            let own = address.clone();
            let play = move |_: MouseEvent| {
                // A link to the current address changes nothing, so the click has to follow it.
                if own == browser::fragment() {
                    playback.follow(&own);
                }
            };
            view! {
                <a href=address.clone() title="Play this lap" data-testid="play-lap" on:click=play>
                    {word(time_words)}
                </a>
            }
            .into_any()
        }
    };
    let is_decoded = Memo::new(move |_| row.with(|row| row.serial.is_some()));
    let compare_cell = address.is_some().then(|| {
        view! {
            <td class="beside">
                <Show when=move || is_decoded.get()>
                    <CompareButton row>"Ref"</CompareButton>
                </Show>
            </td>
        }
    });
    let sectors = move || {
        let ranks = row.with(|row| row.sectors.clone());
        // Without sector times there are no ranks to show.
        let timed = ranks.iter().any(|rank| *rank != "none");
        ranks.into_iter().filter(|_| timed).map(|rank| view! { <i data-rank=rank></i> }).collect_view()
    };
    view! {
        <tr
            class:reference=move || is_reference.get()
            class:reported=serial.is_none() && address.is_none()
            data-lap=number
            data-inferred=word(|row| row.inferred.to_string())
            data-time=move || row.with(|row| row.time.map(|time| time.0))
            aria-current=move || is_current.get().then_some("true")
            node_ref=line
        >
            <td class="place">{number}</td>
            <th scope="row">{name}</th>
            <td class="comparison">{word(Row::comparison)}</td>
            <td class="sectors" aria-hidden="true">{sectors}</td>
            {compare_cell}
        </tr>
    }
}

/// A button that makes a lap the reference. Pressed again, it returns to the best lap.
#[component]
fn CompareButton(row: Memo<Row>, children: Children) -> impl IntoView {
    let delta = DeltaChoice::here();
    let is_reference = move || row.with(|row| row.reference);
    let compare = move |_| {
        let serial = row.with_untracked(|row| row.serial.filter(|_| !row.reference));
        delta.choose_reference(serial);
    };
    view! {
        <button
            type="button"
            title=move || if is_reference() { "Compare with the best lap" } else { "Compare with this lap" }
            aria-pressed=move || if is_reference() { "true" } else { "false" }
            data-testid="compare"
            on:click=compare
        >
            {children()}
        </button>
    }
}

fn time_words(row: &Row) -> String {
    listed_time(row.time, row.inferred)
}

fn laps_of(playback: Playback, telemetry: &Telemetry) -> Laps {
    let session = telemetry.session();
    let recorded = playback.with(|replay| {
        let here = replay.link_here(session.and_then(Session::watched));
        (of_recording(replay, session), here)
    });
    let (recorded, here) = recorded.unwrap_or_default();
    let listed = recorded.unwrap_or_else(|| session.map(of_session).unwrap_or_default());
    Laps {
        title: if session.is_some_and(Session::is_stage) { "Stage runs" } else { "Laps" },
        best: listed.best.map(|best| format!("best {best}")).unwrap_or_default(),
        rows: listed.rows,
        here,
    }
}

fn running(telemetry: &Telemetry) -> Option<Running> {
    let session = telemetry.session()?;
    let car = session.car(session.watched()?)?;
    let is_own = session.watched() == session.player();
    Some(Running {
        number: number(car.laps.current()?, session.is_stage()),
        time: car.progress()?.clock.map_or_else(|| NONE.to_owned(), clock),
        predicted: session.live_comparison().predicted().filter(|_| is_own),
    })
}
