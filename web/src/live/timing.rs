//! The timing panel.

use leptos::prelude::*;
use trailbrake_shared::model::{Car, Channel, PitStatus, ResultStatus};
use trailbrake_shared::number;
use trailbrake_shared::plot::session_table::SessionTable;
use trailbrake_shared::session::{Gap, Rank, Session, TimingRow, initials, timing_table};

use super::report::{ReportTable, instead_of_timing};
use super::session_words::heading;
use crate::cockpit::TelemetryStore;
use crate::reactive::{EachRow, Rows};
use crate::telemetry::Telemetry;
use crate::text::figures::{self, NONE, lap_time};
use crate::ui::RowList;

/// Number of sectors in the table.
const SECTORS: usize = 3;

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
struct TimedCar {
    row: TimingRow,
    tyres: String,
    /// Whether its last lap is its own best, or the fastest of all.
    last_rank: Option<Rank>,
    is_fastest: bool,
    /// Whether the page watches it.
    is_watched: bool,
    /// Whether the user picked the car to watch.
    is_picked: bool,
}

/// Whether the game lists at least two active cars, or reports what stands in their room.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    telemetry.session().is_some_and(|session| lists_cars(session) || instead(telemetry).is_some())
}

/// Whether the game lists at least two active cars.
fn lists_cars(session: &Session) -> bool {
    let listed = session.cars().filter_map(|(_, car)| car.progress());
    listed.filter(|progress| progress.result != ResultStatus::Inactive).nth(1).is_some()
}

/// The table that stands in the room of the timing table.
fn instead(telemetry: &Telemetry) -> Option<SessionTable> {
    telemetry.session().and_then(|session| instead_of_timing(session, lists_cars(session)))
}

/// The panel.
#[component]
pub(super) fn TimingPanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let title = telemetry.sampled(heading);
    let instead = telemetry.sampled(instead);
    let name = move || instead.get().map_or("Timing", SessionTable::title);
    let content = move || match instead.get() {
        Some(table) => view! { <ReportTable table label=table.title()/> }.into_any(),
        None => view! { <TimingTable/> }.into_any(),
    };
    view! {
        <section class="panel timing" aria-label="Timing">
            <div class="head"><h2>{name}</h2><span>{move || title.get()}</span></div>
            {content}
        </section>
    }
    .into_any()
}

/// The table of the cars that drive.
#[component]
fn TimingTable() -> impl IntoView {
    let rows = Rows::new(TelemetryStore::here().sampled(rows), |timed| timed.row.car);
    // The style sheet hides columns that no car fills.
    let has_sectors = rows.any(|timed| timed.row.sectors.iter().any(Option::is_some));
    let has_tyres = rows.any(|timed| !timed.tyres.is_empty());
    let has_interval = rows.any(|timed| interval_words(&timed.row).starts_with('+'));
    let has_gap = rows.any(|timed| gap_words(&timed.row) != NONE);
    let has_place = rows.any(|timed| timed.row.position > 0);
    let has_stops = rows.any(|timed| timed.row.stops > 0);
    let has_penalties = rows.any(|timed| timed.row.penalties > 0);
    view! {
        <div
            class="cars"
            class:no-sectors=move || !has_sectors.get()
            class:no-tyres=move || !has_tyres.get()
            class:no-interval=move || !has_interval.get()
            class:no-gap=move || !has_gap.get()
            class:no-place=move || !has_place.get()
            class:no-stops=move || !has_stops.get()
            class:no-penalties=move || !has_penalties.get()
        >
            <RowList label="Timing table">
                <table>
                    <thead>
                        <tr>
                            <th class="place" scope="col"><span class="unseen">"Position"</span></th>
                            <th scope="col"><span class="unseen">"Driver"</span></th>
                            <th class="tyre-name" scope="col">"Tyres"</th>
                            <th class="interval" scope="col">"Interval"</th>
                            <th class="last" scope="col">"Last"</th>
                            <th class="best" scope="col">"Best"</th>
                            {["S1", "S2", "S3"].map(|name| view! { <th class="sector" scope="col">{name}</th> })}
                            <th class="stops" scope="col">"Stops"</th>
                            <th class="penalties" scope="col">"Pen."</th>
                            <th class="gap" scope="col">"Gap"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <EachRow rows let:timed><Line timed/></EachRow>
                    </tbody>
                </table>
            </RowList>
        </div>
    }
}

#[component]
fn Line(timed: Memo<TimedCar>) -> impl IntoView {
    let word = move |words: fn(&TimingRow) -> String| move || timed.with(|timed| words(&timed.row));
    let car = timed.with_untracked(|timed| timed.row.car);
    let is_picked = Memo::new(move |_| timed.with(|timed| timed.is_picked));
    let is_player = Memo::new(move |_| timed.with(|timed| timed.row.player));
    let sector = move |place: usize| {
        let sector = Memo::new(move |_| timed.with(|timed| timed.row.sectors.get(place).copied().flatten()));
        let rank = move || sector.get().map_or("", |sector| rank_id(Some(sector.rank)));
        let time = move || sector.get().map(|sector| number::write(sector.time.seconds(), 3));
        view! { <td class="sector" data-rank=rank>{time}</td> }
    };
    view! {
        <tr class=move || timed.with(class) data-position=word(position_words)>
            <td class="place">{word(position_words)}</td>
            <th scope="row">
                <PickButton car is_picked is_player>{word(|row| row.short.clone())}</PickButton>
            </th>
            <td class="tyre-name">{move || timed.with(|timed| timed.tyres.clone())}</td>
            <td class="interval">{word(interval_words)}</td>
            <td class="last" data-rank=move || timed.with(|timed| rank_id(timed.last_rank))>
                {word(|row| lap_time(row.last))}
            </td>
            <td class="best" class:fastest=move || timed.with(|timed| timed.is_fastest)>
                {word(|row| lap_time(row.best))}
            </td>
            {std::array::from_fn::<_, SECTORS, _>(sector)}
            <td class="stops">{word(|row| count_words(row.stops.into(), ""))}</td>
            <td class="penalties">{word(|row| count_words(row.penalties.into(), " s"))}</td>
            <td class="gap">{word(gap_words)}</td>
        </tr>
    }
}

/// A driver's name as a button that watches their car. Pressed again, it returns to the player's car, or without a
/// player to the leader's.
#[component]
fn PickButton(car: Car, is_picked: Memo<bool>, is_player: Memo<bool>, children: Children) -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let has_player =
        telemetry.sampled(|telemetry| telemetry.session().is_some_and(|session| session.player().is_some()));
    let title = move || match (is_picked.get() || is_player.get(), has_player.get()) {
        (false, _) => "Watch this car",
        (true, true) => "Watch your car",
        (true, false) => "Watch the leader",
    };
    let pick = move |_| {
        let car = Some(car).filter(|_| !is_picked.get_untracked() && !is_player.get_untracked());
        telemetry.update_session(|session| session.pick(car));
    };
    view! {
        <button
            type="button"
            title=title
            aria-pressed=move || if is_picked.get() { "true" } else { "false" }
            data-testid="pick"
            on:click=pick
        >
            {children()}
        </button>
    }
}

fn rows(telemetry: &Telemetry) -> Vec<TimedCar> {
    let Some(session) = telemetry.session() else { return Vec::new() };
    let fastest = session.bests().lap;
    let timed = |row: TimingRow| TimedCar {
        tyres: tyres(telemetry, row.car),
        last_rank: match row.last {
            Some(last) if fastest == Some((last, row.car)) => Some(Rank::Best),
            Some(last) if row.best == Some(last) => Some(Rank::Personal),
            _ => None,
        },
        is_fastest: fastest.map(|(_, car)| car) == Some(row.car),
        is_watched: session.watched() == Some(row.car),
        is_picked: session.picked() == Some(row.car),
        row,
    };
    timing_table(session).into_iter().map(timed).collect()
}

/// The CSS class of a row.
fn class(timed: &TimedCar) -> &'static str {
    match (timed.is_watched, timed.row.result.why_out().is_some()) {
        (true, true) => "own out",
        (true, false) => "own",
        (false, true) => "out",
        (false, false) => "",
    }
}

/// A rank as the style sheet names it.
fn rank_id(rank: Option<Rank>) -> &'static str {
    match rank {
        Some(Rank::Best) => "best",
        Some(Rank::Personal) => "personal",
        Some(Rank::Slower) => "slower",
        None => "none",
    }
}

fn position_words(row: &TimingRow) -> String {
    if row.position == 0 { NONE.to_owned() } else { row.position.to_string() }
}

/// A count with its unit; empty for none.
fn count_words(count: u32, unit: &str) -> String {
    if count > 0 { format!("{count}{unit}") } else { String::new() }
}

/// The gap to the leader, or why there is none.
fn gap_words(row: &TimingRow) -> String {
    match (row.result.why_out(), row.pit) {
        (Some(words), _) => words.to_owned(),
        (_, PitStatus::Pitting | PitStatus::InPitArea) => "pit".to_owned(),
        _ => figures::gap(row.gap),
    }
}

/// The gap to the car in front; empty for the leader and for cars that are out.
fn interval_words(row: &TimingRow) -> String {
    match (row.result.why_out(), row.interval) {
        (Some(_), _) | (_, Gap::Leader) => String::new(),
        (None, interval) => figures::gap(interval),
    }
}

/// A car's tyres: the initials of the compound, or the game's own letters.
fn tyres(telemetry: &Telemetry, car: Car) -> String {
    let find = || {
        let source = telemetry.shown()?;
        let state = source.session.car(car)?;
        let compound = state.value(Channel::TyreCompound).and_then(|number| {
            source.origin.feed.word(Channel::TyreCompound, number as i32, source.session.info())
        });
        let letters = || state.vehicle.as_ref()?.tyres.clone();
        compound.map(|name| initials(&name)).or_else(letters)
    };
    find().unwrap_or_default()
}
