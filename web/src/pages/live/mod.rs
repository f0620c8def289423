//! The car that is driving now.

mod asked;
mod braking;
mod dash;
mod events;
mod grip;
mod laps;
mod server;
mod timing;
mod trace;
mod track;
mod transport;
mod tyres;
mod window;

use leptos::prelude::*;
use trailbrake_shared::model::Channel;

use crate::browser;
use crate::cockpit::{Asked, Cockpit};
use crate::route::Page;
use crate::show::Show;
use crate::telemetry::Telemetry;

/// A game that has sent this many packets without a channel does not send it.
const PATIENCE: u64 = 600;

/// The page.
pub(crate) fn live() -> impl IntoView {
    let cockpit = Cockpit::here();
    let known = cockpit.sampled(|telemetry| telemetry.shown().is_some());
    let replaying = move || cockpit.replaying.get();
    view! {
        <main id="main" class="live" tabindex="-1" data-page="live">
            <h1 class="unseen">"Live"</h1>
            {asked::asked()}
            <Show when=move || known.get() || replaying() fallback=nobody>
                {stopped()}
                <div class="dashboard">
                    {dash::dash()}
                    {trace::trace()}
                    {braking::braking()}
                    {tyres::tyres()}
                    <div class="side near">{track::track()}{laps::laps()}</div>
                    <div class="side far">{timing::timing()}{events::events()}</div>
                </div>
                <Show when=replaying>{transport::transport()}</Show>
            </Show>
        </main>
    }
}

/// What stands here before a game sends.
fn nobody() -> impl IntoView {
    let asked = Cockpit::here().asked;
    view! {
        <Show when=move || *asked.read() == Asked::Nothing>
            <div class="empty">
                <p><b>"No game is sending yet."</b></p>
                <p><a href=Page::Feeds.hash()>"See which feeds are heard"</a>" and what to set in the game."</p>
            </div>
        </Show>
    }
}

fn stopped() -> impl IntoView {
    let cockpit = Cockpit::here();
    let stopped = cockpit.sampled(|telemetry| telemetry.sending(browser::now_ms()).is_none());
    view! {
        <Show when=move || stopped.get() && !cockpit.replaying.get()>
            <p class="stopped" role="status">"The game stopped sending. These are its last figures."</p>
        </Show>
    }
}

/// The latest value of a channel of the car that is shown.
fn latest(telemetry: &Telemetry, channel: Channel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.value(channel)
}

/// Why a figure is missing, in words; `what` names what would have to be sent for it.
fn why_missing(telemetry: &Telemetry, what: &str) -> String {
    let Some((source, game)) = telemetry.shown().zip(telemetry.game()) else {
        return "No game is sending yet.".to_owned();
    };
    match source.packets {
        PATIENCE.. => format!("{game} does not send {what}."),
        _ => format!("{game} has not sent {what} yet."),
    }
}
