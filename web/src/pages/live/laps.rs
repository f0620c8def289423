//! The laps of the car that is shown: the one under way on top, then back in time.

use leptos::prelude::*;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::Car;
use trailbrake_shared::session::{Bests, Session};
use trailbrake_shared::time::LapTime;

use super::why_missing;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, clock, delta};
use crate::telemetry::Telemetry;

/// More laps than this are not listed here.
const LISTED: usize = 60;

/// The panel.
pub(super) fn laps() -> impl IntoView {
    let cockpit = Cockpit::here();
    let running = cockpit.sampled(|telemetry| telemetry.session().and_then(read_running));
    let rows = cockpit.sampled(|telemetry| telemetry.session().map(read_rows).unwrap_or_default());
    let best = cockpit.sampled(|telemetry| telemetry.session().and_then(read_best));
    let title = cockpit.sampled(|telemetry| match telemetry.session().is_some_and(Session::is_stage) {
        true => "Runs of the stage",
        false => "Laps",
    });
    let missing = cockpit.sampled(|telemetry: &Telemetry| why_missing(telemetry, "laps"));
    view! {
        <section class="panel laps" aria-label="Laps">
            <div class="head">
                <h2>{title}</h2>
                <span data-figure="best">{move || best.get().map(|best| format!("best {best}"))}</span>
            </div>
            <div class="scroll" tabindex="0">
                <table>
                    {move || running.get().map(|(number, words)| view! {
                        <tr class="running">
                            <td class="place">{number}</td>
                            <th scope="row">{words}</th>
                            <td colspan="2">"running"</td>
                        </tr>
                    })}
                    {move || rows.get().into_iter().map(|lap| row(cockpit, lap)).collect_view()}
                </table>
                <Show when=move || running.read().is_none() && rows.read().is_empty()>
                    <p class="missing">{missing}</p>
                </Show>
            </div>
        </section>
    }
}

/// A finished lap, as it is printed.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    serial: u32,
    number: u16,
    time: Option<LapTime>,
    /// Whether the lap was inferred from its clock.
    inferred: bool,
    /// What is said instead of the difference to the best.
    said: String,
    behind: Option<i64>,
    sectors: [&'static str; 3],
    reference: bool,
}

fn row(cockpit: Cockpit, lap: Row) -> impl IntoView {
    let Row { serial, number, .. } = lap;
    // A time that nobody took is no more than about right.
    let about = if lap.inferred { "≈ " } else { "" };
    let time = lap.time.map_or_else(|| "–:––.–––".to_owned(), |time| format!("{about}{time}"));
    let comparison = match lap.behind {
        _ if !lap.said.is_empty() => lap.said,
        Some(0) => "best".to_owned(),
        Some(behind) => delta(behind),
        None => String::new(),
    };
    let hint = if lap.reference { "Compared with: press for the best lap" } else { "Compare with this lap" };
    let choose =
        move |_| cockpit.tell(|session| session.choose_reference((!lap.reference).then_some(serial)));
    // A game that times no sectors has none to show.
    let timed = lap.sectors.iter().any(|rank| *rank != "none");
    let time_ms = lap.time.map(|time| time.0.to_string());
    view! {
        <tr class:reference=lap.reference data-lap=number.to_string() data-time=time_ms
            data-inferred=lap.inferred.to_string()>
            <td class="place">{number}</td>
            <th scope="row">
                <button type="button" title=hint aria-pressed=lap.reference.to_string() on:click=choose>{time}</button>
            </th>
            <td class="comparison">{comparison}</td>
            <td class="sectors" aria-hidden="true">
                {timed.then(|| lap.sectors.map(|rank| view! { <i data-rank=rank></i> }))}
            </td>
        </tr>
    }
}

fn read_running(session: &Session) -> Option<(u16, String)> {
    let progress = session.car(session.watched()?)?.progress?;
    let running = session.car(session.watched()?)?.laps.current()?;
    Some((number(session, running), progress.clock.map_or_else(|| NONE.to_owned(), clock)))
}

fn read_best(session: &Session) -> Option<LapTime> {
    session.car(session.watched()?)?.laps.best()?.time
}

fn read_rows(session: &Session) -> Vec<Row> {
    let Some(car) = session.watched() else { return Vec::new() };
    let Some(state) = session.car(car) else { return Vec::new() };
    let best = state.laps.best().and_then(|lap| lap.time);
    let own = own_sectors(state.laps.finished());
    let reference = session.against().chosen();
    let latest = state.laps.finished().iter().rev().take(LISTED);
    latest
        .map(|lap| Row {
            serial: lap.serial,
            number: number(session, lap),
            time: lap.time,
            inferred: lap.flags.has(LapFlag::Inferred),
            said: said(lap),
            behind: lap.time.zip(best).map(|(time, best)| time.minus(best)),
            sectors: [0, 1, 2].map(|sector| rank(lap, sector, car, &own, session.bests())),
            reference: reference == Some(lap.serial),
        })
        .collect()
}

/// What a lap is counted as: on a stage, where each is the first, as the run that it is.
fn number(session: &Session, lap: &Lap) -> u16 {
    if session.is_stage() { lap.run.saturating_add(1) } else { lap.number }
}

/// The first thing that keeps a lap from counting, in a word.
fn said(lap: &Lap) -> String {
    if lap.counts().is_some() {
        return String::new();
    }
    let flags = [
        LapFlag::Excluded,
        LapFlag::Invalid,
        LapFlag::Rewound,
        LapFlag::Restarted,
        LapFlag::Out,
        LapFlag::In,
        LapFlag::Pit,
        LapFlag::Incomplete,
    ];
    let first = flags.into_iter().find(|flag| lap.flags.has(*flag));
    first.map_or_else(|| "no time".to_owned(), |flag| flag.word().to_owned())
}

/// The driver's own best sectors, of laps that count.
fn own_sectors(laps: &[Lap]) -> [Option<LapTime>; 3] {
    let counting = || laps.iter().filter(|lap| lap.counts().is_some());
    [0, 1, 2]
        .map(|sector: usize| counting().filter_map(|lap| lap.sectors.get(sector).copied().flatten()).min())
}

/// How a sector compares: best of all, the driver's own best, or slower.
fn rank(lap: &Lap, sector: usize, car: Car, own: &[Option<LapTime>; 3], all: &Bests) -> &'static str {
    let Some(time) = lap.sectors.get(sector).copied().flatten() else { return "none" };
    let counts = lap.counts().is_some();
    let holds = |best: &Option<(LapTime, Car)>| *best == Some((time, car));
    if counts && all.sectors.get(sector).is_some_and(holds) {
        "best"
    } else if counts && own.get(sector).copied().flatten() == Some(time) {
        "personal"
    } else {
        "slower"
    }
}
