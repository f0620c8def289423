//! The entry list: drivers with their car, position, laps and times. One driver can be selected.

use leptos::prelude::*;
use trailbrake_shared::model::{Car, Presence};
use trailbrake_shared::session::{Session, TimingRow, timing_table};
use trailbrake_shared::time::LapTime;

use super::actions::{Action, selected};
use crate::cockpit::TelemetryStore;
use crate::live::heading;
use crate::reactive::{EachRow, Rows};
use crate::telemetry::Telemetry;
use crate::text::figures::{NONE, lap_time};
use crate::ui::ActionButton;

/// A driver in the list.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    car: Car,
    /// The position, from 1; 0 where unknown.
    position: u8,
    name: String,
    /// The car model.
    model: Option<String>,
    presence: Option<Presence>,
    laps: usize,
    best: Option<LapTime>,
    last: Option<LapTime>,
    is_selected: bool,
}

/// The panel.
#[component]
pub(super) fn DriverPanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let heading = telemetry.sampled(heading);
    let rows = Rows::new(telemetry.sampled(entries), |entry| entry.car);
    view! {
        <section class="panel drivers" aria-label="Drivers">
            <div class="head"><h2>"Drivers"</h2><span>{move || heading.get()}</span></div>
            <div class="scroll" tabindex="0" role="group" aria-label="Entry list">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"P"</th>
                            <th scope="col">"Driver"</th>
                            <th scope="col" class="model">"Car"</th>
                            <th scope="col">"Laps"</th>
                            <th scope="col">"Best"</th>
                            <th scope="col" class="last">"Last"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <EachRow rows let:entry><Driver entry/></EachRow>
                    </tbody>
                </table>
            </div>
            <Selected/>
        </section>
    }
}

#[component]
fn Driver(entry: Memo<Entry>) -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let word = move |words: fn(&Entry) -> String| move || entry.with(words);
    let car = entry.with_untracked(|entry| entry.car);
    let is_gone = move || entry.with(|entry| entry.presence == Some(Presence::Gone));
    let is_selected = move || entry.with(|entry| entry.is_selected);
    let select = move |_| {
        let car = Some(car).filter(|_| !is_selected());
        telemetry.update_session(|session| session.pick(car));
    };
    view! {
        <tr class:gone=is_gone class:selected=is_selected data-slot=car.0.to_string()>
            <td>{word(position_words)}</td>
            <th scope="row">
                <button
                    type="button"
                    data-testid="select-driver"
                    aria-pressed=move || if is_selected() { "true" } else { "false" }
                    on:click=select
                >
                    {word(|entry| entry.name.clone())}
                </button>
            </th>
            <td class="model">{word(model_words)}</td>
            <td>{word(|entry| entry.laps.to_string())}</td>
            <td>{word(|entry| lap_time(entry.best))}</td>
            <td class="last">{word(|entry| lap_time(entry.last))}</td>
        </tr>
    }
}

/// The buttons for the selected driver.
#[component]
fn Selected() -> impl IntoView {
    let name = TelemetryStore::here().sampled(|telemetry| selected(telemetry).map(|(_, name)| name));
    move || {
        let Some(name) = name.get() else {
            return view! { <p class="selection">"Select a driver to message or kick them."</p> }.into_any();
        };
        view! {
            <p class="selection">
                <b data-figure="selected-driver">{name}</b>
                <ActionButton action=Action::RequestDriver/>
                <ActionButton action=Action::Kick/>
            </p>
        }
        .into_any()
    }
}

fn entries(telemetry: &Telemetry) -> Vec<Entry> {
    let Some(session) = telemetry.server() else { return Vec::new() };
    let timing = timing_table(session);
    let driving = timing.iter().filter(|row| presence(session, row.car) != Some(Presence::Gone));
    let mut entries: Vec<Entry> = driving.map(|row| entry(session, row.car, Some(row))).collect();
    // Then the rest of the entry list: drivers without a lap, and those who have left.
    let others = session.participants().iter().filter(|one| !one.name.trim().is_empty());
    for other in others {
        if entries.iter().all(|entry| entry.car != other.car) {
            let row = timing.iter().find(|row| row.car == other.car);
            entries.push(entry(session, other.car, row));
        }
    }
    entries
}

fn presence(session: &Session, car: Car) -> Option<Presence> {
    session.participants().iter().find(|one| one.car == car)?.presence
}

fn entry(session: &Session, car: Car, row: Option<&TimingRow>) -> Entry {
    let state = session.car(car);
    Entry {
        car,
        position: row.map_or(0, |row| row.position),
        name: session.name(car),
        model: state.and_then(|state| state.vehicle.as_deref()).and_then(|vehicle| vehicle.name.clone()),
        presence: presence(session, car),
        laps: state.map_or(0, |state| state.laps.finished().len()),
        best: row.and_then(|row| row.best),
        last: row.and_then(|row| row.last),
        is_selected: session.picked() == Some(car),
    }
}

fn position_words(entry: &Entry) -> String {
    if entry.position == 0 { NONE.to_owned() } else { entry.position.to_string() }
}

/// The car model, and whether its driver is loading or has left.
fn model_words(entry: &Entry) -> String {
    let state = match entry.presence {
        Some(Presence::Loading) => Some("loading"),
        Some(Presence::Gone) => Some("left"),
        _ => None,
    };
    [entry.model.as_deref(), state].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
