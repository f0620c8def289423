//! The entry list: drivers with their car, position, laps and times. One driver can be selected.

use leptos::prelude::*;
use trailbrake_shared::model::{Car, Presence};
use trailbrake_shared::session::{Session, TimingRow, timing_table};
use trailbrake_shared::time::LapTime;

use super::actions::{Action, selected};
use crate::cockpit::TelemetryStore;
use crate::live::heading;
use crate::telemetry::Telemetry;
use crate::text::figures::NONE;
use crate::ui::ActionButton;

/// A driver's row as text.
#[derive(Clone, Debug, PartialEq)]
struct DriverWords {
    car: Car,
    position: String,
    name: String,
    /// The car model, and whether its driver is loading or has left.
    model: String,
    laps: String,
    best: String,
    last: String,
    is_gone: bool,
    is_selected: bool,
}

/// The panel.
#[component]
pub(super) fn DriverPanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let heading = telemetry.sampled(heading);
    let rows = telemetry.sampled(rows);
    let cars = Memo::new(move |_| rows.with(|rows| rows.iter().map(|row| row.car.0).collect::<Vec<u8>>()));
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
                        <For each=move || cars.get() key=|car| *car let:car>
                            <Driver car=Car(car) rows/>
                        </For>
                    </tbody>
                </table>
            </div>
            <Selected/>
        </section>
    }
}

#[component]
fn Driver(car: Car, rows: Memo<Vec<DriverWords>>) -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let row = Memo::new(move |_| rows.with(|rows| rows.iter().find(|row| row.car == car).cloned()));
    let word = move |read: fn(&DriverWords) -> &str| {
        move || row.with(|row| row.as_ref().map(|row| read(row).to_owned()))
    };
    let is = move |read: fn(&DriverWords) -> bool| move || row.with(|row| row.as_ref().is_some_and(read));
    let is_selected = is(|row| row.is_selected);
    let select = move |_| {
        let car = Some(car).filter(|_| !is_selected());
        telemetry.update_session(|session| session.pick(car));
    };
    view! {
        <tr class:gone=is(|row| row.is_gone) class:selected=is_selected data-slot=car.0.to_string()>
            <td>{word(|row| &row.position)}</td>
            <th scope="row">
                <button
                    type="button"
                    data-testid="select-driver"
                    aria-pressed=move || if is_selected() { "true" } else { "false" }
                    on:click=select
                >
                    {word(|row| &row.name)}
                </button>
            </th>
            <td class="model">{word(|row| &row.model)}</td>
            <td>{word(|row| &row.laps)}</td>
            <td>{word(|row| &row.best)}</td>
            <td class="last">{word(|row| &row.last)}</td>
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

fn rows(telemetry: &Telemetry) -> Vec<DriverWords> {
    let Some(session) = telemetry.server() else { return Vec::new() };
    let timing = timing_table(session);
    let driving = timing.iter().filter(|row| presence(session, row.car) != Some(Presence::Gone));
    let mut rows: Vec<DriverWords> = driving.map(|row| words(session, row.car, Some(row))).collect();
    // Then the rest of the entry list: drivers without a lap, and those who have left.
    let others = session.participants().iter().filter(|one| !one.name.trim().is_empty());
    for other in others {
        if rows.iter().all(|row| row.car != other.car) {
            let row = timing.iter().find(|row| row.car == other.car);
            rows.push(words(session, other.car, row));
        }
    }
    rows
}

fn presence(session: &Session, car: Car) -> Option<Presence> {
    session.participants().iter().find(|one| one.car == car)?.presence
}

fn words(session: &Session, car: Car, row: Option<&TimingRow>) -> DriverWords {
    let presence = presence(session, car);
    let state = session.car(car);
    let model = state.and_then(|state| state.vehicle.as_deref()).and_then(|vehicle| vehicle.name.clone());
    let state_words = match presence {
        Some(Presence::Loading) => Some("loading"),
        Some(Presence::Gone) => Some("left"),
        _ => None,
    };
    let parts = [model.as_deref(), state_words];
    let time = |time: Option<LapTime>| time.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    let position = row.map(|row| row.position).filter(|position| *position > 0);
    DriverWords {
        car,
        position: position.map_or_else(|| NONE.to_owned(), |position| position.to_string()),
        name: session.name(car),
        model: parts.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        laps: state.map_or(0, |state| state.laps.finished().len()).to_string(),
        best: time(row.and_then(|row| row.best)),
        last: time(row.and_then(|row| row.last)),
        is_gone: presence == Some(Presence::Gone),
        is_selected: session.picked() == Some(car),
    }
}
