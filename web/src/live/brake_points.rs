//! The dialog in which the driver sets, moves and deletes brake points of this track.

use leptos::prelude::*;
use trailbrake_shared::number::thousands;
use trailbrake_shared::session::Session;

use super::actions::ActionContext;
use crate::cockpit::{BrakePoints, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::ui::Dialog;

/// Step of the buttons that move a point, in metres.
const STEP_M: f64 = 5.0;

/// The dialog, while it is open.
#[component]
pub(super) fn BrakePointsDialog() -> impl IntoView {
    let context = ActionContext::here();
    let is_open = context.brake_points;
    let on_close = Callback::new(move |()| is_open.set(false));
    view! {
        <Show when=move || is_open.get()>
            <Dialog label="Your brake points" class="brake-points" on_close>
                <Content/>
            </Dialog>
        </Show>
    }
}

#[component]
fn Content() -> impl IntoView {
    let (telemetry, own) = (TelemetryStore::here(), BrakePoints::here());
    let points = own.points;
    let place = telemetry.sampled(place_words);
    let refusal = telemetry
        .sampled(|telemetry| if place_words(telemetry).is_empty() { why_none(telemetry) } else { "" });
    let row = move |at_m: f64| {
        let title = telemetry.sampled(move |telemetry| corner_of(telemetry, at_m));
        view! {
            <li data-at=at_m.round() as i64>
                <span>{move || title.get()}</span>
                <b>{format!("{} m", thousands(at_m.round() as u64))}</b>
                <button type="button" aria-label="5 m earlier" on:click=move |_| own.shift(at_m, -STEP_M)>
                    "−5"
                </button>
                <button type="button" aria-label="5 m later" on:click=move |_| own.shift(at_m, STEP_M)>
                    "+5"
                </button>
                <button type="button" aria-label="Delete" on:click=move |_| own.delete(at_m)>
                    "×"
                </button>
            </li>
        }
    };
    let clear = move || {
        (points.with(Vec::len) > 1).then(|| {
            view! {
                <button type="button" class="quiet" data-testid="clear-brake-points" on:click=move |_| own.clear()>
                    "Delete all"
                </button>
            }
        })
    };
    view! {
        <h2>"Your brake points"</h2>
        <p class="lead">
            "They replace the reference lap's in the cue and the countdown, and stay in this browser for this track."
        </p>
        <ol>
            {move || points.get().into_iter().map(row).collect_view()}
        </ol>
        <p class="missing">{move || if points.with(Vec::is_empty) { "None on this track yet." } else { "" }}</p>
        <p class="actions">
            <button
                type="button"
                data-testid="set-brake-point"
                disabled=move || place.with(String::is_empty)
                on:click=move |_| { own.set_here(); }
            >
                "Set here" <small>{move || place.get()}</small>
            </button>
            {clear}
        </p>
        <p class="missing">{move || refusal.get()}</p>
    }
    .into_any()
}

/// The car's lap distance in words. Empty while it is unknown.
fn place_words(telemetry: &Telemetry) -> String {
    let place_m = telemetry.session().and_then(|session| session.live_comparison().corners().place_m());
    place_m.map(|metres| format!(" {} m", thousands(metres.max(0.0) as u64))).unwrap_or_default()
}

/// Why no point can be set now.
fn why_none(telemetry: &Telemetry) -> &'static str {
    let reference = telemetry.session().and_then(|session| session.live_comparison().reference());
    match reference {
        None => "Finish a lap first: places are measured along it.",
        Some(_) => "Drive on the track to set one.",
    }
}

/// The corner's title for the point at a lap distance. Empty if the reference has no such point.
fn corner_of(telemetry: &Telemetry, at_m: f64) -> String {
    let reference =
        telemetry.session().map(Session::live_comparison).and_then(|comparison| comparison.reference());
    let point =
        reference.and_then(|reference| reference.brake_points.iter().find(|point| point.at_m == at_m));
    point.map(|point| point.title.clone()).unwrap_or_default()
}
