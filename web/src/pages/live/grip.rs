//! What the tyres do: slip and load, for games that tell of that and not of their state.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Wheel};

use crate::cockpit::Cockpit;
use crate::figures::figure;
use crate::telemetry::Telemetry;

/// What is told of a tyre, and what stands behind the figure.
const TOLD: [(Channel, &str); 4] = [
    (Channel::CombinedSlip, ""),
    (Channel::SlipAngle, "°"),
    (Channel::TyreLoad, " N"),
    (Channel::TyreDirt, " dirt"),
];
/// For the panel's head: the one figure that doesn't say what it is, and what other games tell of tyres.
const LEGEND: &str = "slip · not sent: heat, wear, pressure";

/// What is told and what is not, for the panel's head; `None` where nothing is told.
pub(super) fn legend(telemetry: &Telemetry) -> Option<String> {
    let told = TOLD.iter().any(|(channel, _)| value(telemetry, *channel, Wheel::FrontLeft).is_some());
    told.then(|| LEGEND.to_owned())
}

/// The four tyres.
pub(super) fn corners(cockpit: Cockpit) -> impl IntoView {
    view! { <div class="corners">{Wheel::ALL.map(|wheel| tyre(cockpit, wheel))}</div> }
}

fn tyre(cockpit: Cockpit, wheel: Wheel) -> impl IntoView {
    let now = cockpit.sampled(move |telemetry| {
        TOLD.map(|(channel, suffix)| match value(telemetry, channel, wheel) {
            Some(value) => format!("{}{suffix}", figure(Some(value), channel.unit().shown())),
            None => String::new(),
        })
    });
    let printed = move |place: usize| now.read().get(place).cloned().unwrap_or_default();
    view! {
        <div class="tyre" data-wheel=wheel.short() data-state="unknown">
            <i></i>
            <div>
                <b data-figure="tyre-slip">{move || printed(0)}</b>
                <span data-figure="tyre-angle">{move || printed(1)}</span>
            </div>
            <em><span data-figure="tyre-load">{move || printed(2)}</span>{move || printed(3)}</em>
        </div>
    }
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}
