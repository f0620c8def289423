//! The car that is driving now.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Slot};
use trailbrake_shared::units::Unit;

use crate::browser;
use crate::cockpit::Cockpit;
use crate::figures::{figure, gear, number, thousands};
use crate::route::Page;
use crate::telemetry::Telemetry;

/// The page.
pub(crate) fn live() -> impl IntoView {
    let cockpit = Cockpit::here();
    let known = cockpit.sampled(|telemetry| telemetry.shown().is_some());
    view! {
        <main id="main" class="live" tabindex="-1" data-page="live">
            <h1 class="unseen">"Live"</h1>
            <Show when=move || known.get() fallback=nobody>
                {hero()}
                {controls()}
            </Show>
        </main>
    }
}

/// What stands here before a game sends.
fn nobody() -> impl IntoView {
    view! {
        <div class="empty">
            <p><b>"No game is sending yet."</b></p>
            <p><a href=Page::Feeds.hash()>"See which feeds are heard"</a>" and what to set in the game."</p>
        </div>
    }
}

fn latest(telemetry: &Telemetry, slot: Slot) -> Option<f32> {
    telemetry.shown()?.readout.value(slot)
}

fn hero() -> impl IntoView {
    let cockpit = Cockpit::here();
    let in_gear = cockpit.sampled(|telemetry| gear(latest(telemetry, Channel::Gear.slot())));
    let speed_unit = Unit::MetresPerSecond.shown();
    let speed = cockpit.sampled(|telemetry| figure(latest(telemetry, Channel::Speed.slot()), speed_unit));
    let rpm =
        cockpit.sampled(|telemetry| latest(telemetry, Channel::Rpm.slot()).map(|rpm| rpm.max(0.0) as u64));
    let rpm_share = cockpit.sampled(|telemetry| {
        let most = latest(telemetry, Channel::MaxRpm.slot()).filter(|most| *most > 0.0);
        let most = most.unwrap_or(Channel::Rpm.range().1);
        percent(latest(telemetry, Channel::Rpm.slot()).map(|rpm| rpm / most))
    });
    let stopped = cockpit.sampled(|telemetry| telemetry.sending(browser::now_ms()).is_none());
    view! {
        <section class="hero" aria-label="Dash">
            <div class="gear" data-figure="gear">{in_gear}</div>
            <div>
                <div class="speed"><b data-figure="speed">{speed}</b><small>{speed_unit.suffix}</small></div>
                <div class="rpm-bar" aria-hidden="true"><i style:width=rpm_share></i></div>
                <div class="rpm"><b data-figure="rpm">{move || rpm.get().map_or_else(|| crate::figures::NONE.to_owned(), thousands)}</b>" rpm"</div>
            </div>
            <Show when=move || stopped.get()>
                <p class="stopped" role="status">"The game stopped sending: these are its last figures."</p>
            </Show>
        </section>
    }
}

fn controls() -> impl IntoView {
    let cockpit = Cockpit::here();
    let steering = cockpit.sampled(|telemetry| latest(telemetry, Channel::Steering.slot()));
    view! {
        <section class="controls" aria-label="Pedals and steering">
            {pedal(Channel::Throttle)}
            {pedal(Channel::Brake)}
            {pedal(Channel::Clutch)}
            <div class="steering">
                <span>"Steering"</span>
                <div class="track" aria-hidden="true">
                    <i style:left=move || share(steering.get().map(|turn| (1.0 + turn) / 2.0))></i>
                </div>
                <b data-figure="steering">{move || steering.get().map_or_else(|| crate::figures::NONE.to_owned(), |turn| number(f64::from(turn) * 100.0, 0))}</b>
            </div>
        </section>
    }
}

fn pedal(channel: Channel) -> impl IntoView {
    let cockpit = Cockpit::here();
    let pressed = cockpit.sampled(move |telemetry| latest(telemetry, channel.slot()));
    view! {
        <div class="pedal" data-pedal=channel.id()>
            <span>{channel.label()}</span>
            <div class="track" aria-hidden="true"><i style:width=move || percent(pressed.get())></i></div>
            <b data-figure=channel.id()>{move || figure(pressed.get(), Unit::Ratio.shown())}</b>
        </div>
    }
}

/// A share of a bar's width, for the style sheet.
fn percent(share: Option<f32>) -> String {
    format!("{}%", number(f64::from(share.unwrap_or(0.0).clamp(0.0, 1.0)) * 100.0, 1))
}

fn share(value: Option<f32>) -> String {
    percent(Some(value.unwrap_or(0.5)))
}
