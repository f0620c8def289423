//! The four tyres.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Wheel};

use super::why_missing;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, figure};
use crate::telemetry::Telemetry;

/// What is told of a tyre.
const TOLD: [Channel; 4] = [
    Channel::TyreSurfaceTemperature,
    Channel::TyreInnerTemperature,
    Channel::TyreWear,
    Channel::TyrePressure,
];
/// From how many degrees of its surface a tyre is in which state.
const STATES: [(f32, &str); 4] =
    [(112.0, "hot"), (102.0, "warm"), (75.0, "good"), (f32::NEG_INFINITY, "cold")];

/// The panel.
pub(super) fn tyres() -> impl IntoView {
    let cockpit = Cockpit::here();
    let missing = cockpit.sampled(read_missing);
    view! {
        <section class="panel tyres" aria-label="Tyres">
            <div class="head"><h2>"Tyres"</h2><span>"surface · inner · wear · bar"</span></div>
            <Show
                when=move || missing.read().is_none()
                fallback=move || view! { <p class="missing">{missing.get()}</p> }
            >
                <div class="corners">{Wheel::ALL.map(|wheel| tyre(cockpit, wheel))}</div>
            </Show>
        </section>
    }
}

fn tyre(cockpit: Cockpit, wheel: Wheel) -> impl IntoView {
    let now = cockpit.sampled(move |telemetry| TOLD.map(|channel| value(telemetry, channel, wheel)));
    let printed = move |place: usize| {
        let channel = TOLD.get(place).copied().unwrap_or(Channel::TyreWear);
        let value = now.read().get(place).copied().flatten();
        let text = figure(value, channel.unit().shown());
        if text == NONE { text } else { format!("{text}{}", suffix(channel)) }
    };
    let state = move || {
        let [surface, ..] = now.get();
        let known = surface.and_then(|degrees| STATES.iter().find(|(from, _)| degrees >= *from));
        known.map_or("unknown", |(_, state)| *state)
    };
    view! {
        <div class="tyre" data-wheel=wheel.short() data-state=state>
            <i></i>
            <div>
                <b data-figure="tyre-surface">{move || printed(0)}</b>
                <span>{move || printed(1)}" inner"</span>
            </div>
            <em>{move || printed(2)}<br />{move || printed(3)}</em>
        </div>
    }
}

/// Units stand in the panel's head; what stands behind the numbers is only what keeps them apart.
fn suffix(channel: Channel) -> &'static str {
    match channel {
        Channel::TyreSurfaceTemperature | Channel::TyreInnerTemperature => "°",
        Channel::TyreWear => " %",
        _ => "",
    }
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}

fn read_missing(telemetry: &Telemetry) -> Option<String> {
    let sent = TOLD.iter().any(|channel| value(telemetry, *channel, Wheel::FrontLeft).is_some());
    (!sent).then(|| why_missing(telemetry, "tyre temperatures, wear or pressures"))
}
