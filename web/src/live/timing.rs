//! The timing panel.

use leptos::prelude::*;
use trailbrake_shared::model::{Car, Channel, PitStatus, ResultStatus};
use trailbrake_shared::number;
use trailbrake_shared::plot::session_table::SessionTable;
use trailbrake_shared::session::{Gap, Rank, RankedSector, Session, TimingRow, initials, timing_table};
use trailbrake_shared::time::LapTime;

use super::report::{ReportTable, instead_of_timing};
use super::session_words::heading;
use crate::cockpit::TelemetryStore;
use crate::telemetry::Telemetry;
use crate::text::figures::NONE;
use crate::ui::RowList;

/// Number of sectors in the table.
const SECTORS: usize = 3;

/// A sector's time, and its rank for the style sheet.
type SectorWords = (String, &'static str);

/// A row in words.
#[derive(Clone, Debug, PartialEq)]
struct RowWords {
    car: Car,
    class: &'static str,
    position: String,
    name: String,
    last: String,
    last_rank: &'static str,
    best: String,
    is_fastest: bool,
    gap: String,
    interval: String,
    sectors: [SectorWords; SECTORS],
    tyres: String,
    stops: String,
    penalties: String,
    /// Whether the user picked the car to watch.
    is_picked: bool,
    /// Whether it is the player's car.
    is_player: bool,
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
    let rows = TelemetryStore::here().sampled(rows);
    let cars = Memo::new(move |_| rows.with(|rows| rows.iter().map(|row| row.car.0).collect::<Vec<u8>>()));
    // The style sheet hides columns that no car fills.
    let has =
        move |filled: fn(&RowWords) -> bool| Memo::new(move |_| rows.with(|rows| rows.iter().any(filled)));
    let has_sectors = has(|row| row.sectors.iter().any(|(time, _)| !time.is_empty()));
    let has_tyres = has(|row| !row.tyres.is_empty());
    let has_interval = has(|row| row.interval.starts_with('+'));
    let has_gap = has(|row| row.gap != NONE);
    let has_place = has(|row| row.position != NONE);
    let has_stops = has(|row| !row.stops.is_empty());
    let has_penalties = has(|row| !row.penalties.is_empty());
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
                        <For each=move || cars.get() key=|car| *car let:car>
                            <Row car=Car(car) rows/>
                        </For>
                    </tbody>
                </table>
            </RowList>
        </div>
    }
}

#[component]
fn Row(car: Car, rows: Memo<Vec<RowWords>>) -> impl IntoView {
    let row = Memo::new(move |_| rows.with(|rows| rows.iter().find(|row| row.car == car).cloned()));
    let word = move |read: fn(&RowWords) -> String| move || row.with(|row| row.as_ref().map(read));
    let is_picked = Memo::new(move |_| row.with(|row| row.as_ref().is_some_and(|row| row.is_picked)));
    let is_player = Memo::new(move |_| row.with(|row| row.as_ref().is_some_and(|row| row.is_player)));
    view! {
        <tr class=move || row.with(|row| row.as_ref().map(|row| row.class)) data-position=word(|row| row.position.clone())>
            <td class="place">{word(|row| row.position.clone())}</td>
            <th scope="row">
                <PickButton car is_picked is_player>{word(|row| row.name.clone())}</PickButton>
            </th>
            <td class="tyre-name">{word(|row| row.tyres.clone())}</td>
            <td class="interval">{word(|row| row.interval.clone())}</td>
            <td class="last" data-rank=move || row.with(|row| row.as_ref().map(|row| row.last_rank))>
                {word(|row| row.last.clone())}
            </td>
            <td class="best" class:fastest=move || row.with(|row| row.as_ref().is_some_and(|row| row.is_fastest))>
                {word(|row| row.best.clone())}
            </td>
            {std::array::from_fn::<_, SECTORS, _>(|place| view! { <Sector row place/> })}
            <td class="stops">{word(|row| row.stops.clone())}</td>
            <td class="penalties">{word(|row| row.penalties.clone())}</td>
            <td class="gap">{word(|row| row.gap.clone())}</td>
        </tr>
    }
}

#[component]
fn Sector(row: Memo<Option<RowWords>>, place: usize) -> impl IntoView {
    let words = move || row.with(|row| row.as_ref()?.sectors.get(place).cloned()).unwrap_or_default();
    view! { <td class="sector" data-rank=move || words().1>{move || words().0}</td> }
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

fn rows(telemetry: &Telemetry) -> Vec<RowWords> {
    let Some(session) = telemetry.session() else { return Vec::new() };
    timing_table(session).iter().map(|row| words(telemetry, session, row)).collect()
}

fn words(telemetry: &Telemetry, session: &Session, row: &TimingRow) -> RowWords {
    let out = row.result.why_out();
    let gap = match (out, row.pit) {
        (Some(words), _) => words.to_owned(),
        (_, PitStatus::Pitting | PitStatus::InPitArea) => "pit".to_owned(),
        _ => gap_words(row.gap),
    };
    let interval = match (out, row.interval) {
        (Some(_), _) | (_, Gap::Leader) => String::new(),
        (None, interval) => gap_words(interval),
    };
    let own = session.watched() == Some(row.car);
    let fastest = session.bests().lap;
    let last_rank = match row.last {
        Some(last) if fastest == Some((last, row.car)) => "best",
        Some(last) if row.best == Some(last) => "personal",
        _ => "none",
    };
    let sector = |place: usize| {
        let sector = row.sectors.get(place).copied().flatten();
        sector.map(sector_words).unwrap_or_default()
    };
    let is_counted = |count: u16| if count > 0 { count.to_string() } else { String::new() };
    let time = |time: Option<LapTime>| time.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    RowWords {
        car: row.car,
        class: match (own, out.is_some()) {
            (true, true) => "own out",
            (true, false) => "own",
            (false, true) => "out",
            (false, false) => "",
        },
        position: if row.position == 0 { NONE.to_owned() } else { row.position.to_string() },
        name: row.short.to_string(),
        last: time(row.last),
        last_rank,
        best: time(row.best),
        is_fastest: fastest.map(|(_, car)| car) == Some(row.car),
        gap,
        interval,
        sectors: std::array::from_fn(sector),
        tyres: tyres(telemetry, row.car),
        stops: is_counted(row.stops),
        penalties: if row.penalties > 0 { format!("{} s", row.penalties) } else { String::new() },
        is_picked: session.picked() == Some(row.car),
        is_player: row.player,
    }
}

fn gap_words(gap: Gap) -> String {
    match gap {
        Gap::Leader => "leader".to_owned(),
        Gap::Seconds(seconds) => format!("+{}", number::write(seconds.into(), 3)),
        Gap::Laps(1) => "+1 lap".to_owned(),
        Gap::Laps(laps) => format!("+{laps} laps"),
        Gap::Unknown => NONE.to_owned(),
    }
}

fn sector_words(sector: RankedSector) -> SectorWords {
    let rank = match sector.rank {
        Rank::Best => "best",
        Rank::Personal => "personal",
        Rank::Slower => "slower",
    };
    (number::write(sector.time.seconds(), 3), rank)
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
