//! The layout of the Live page.

use leptos::prelude::*;

use super::actions::{Action, ActionContext};
use super::dashboard::Dashboard;
use super::delta::DeltaBar;
use super::missing::LinkedRecording;
use super::panel_dialog::PanelDialog;
use super::toolbar::ViewBar;
use super::transport::Transport;
use crate::browser;
use crate::cockpit::{Asked, Navigation, Playback, RelayLink, TelemetryStore};
use crate::link::Shown;
use crate::route::Page;
use crate::telemetry::Connection;
use crate::ui::{PageDialogs, provide_actions};

/// The page.
#[component]
pub(crate) fn LivePage() -> impl IntoView {
    let (navigation, playback, telemetry) = (Navigation::here(), Playback::here(), TelemetryStore::here());
    provide_actions::<Action>(ActionContext::new());
    let sent = telemetry.sampled(|telemetry| telemetry.shown().is_some());
    let sending = telemetry.sampled(|telemetry| telemetry.sending(browser::now_ms()).is_some());
    let shown = Memo::new(move |_| sent.get() || telemetry.shows(Connection::Replay));
    let stopped = move || shown.get() && !telemetry.shows(Connection::Replay) && !sending.get();
    let is_empty = move || !shown.get() && playback.asked.with(|asked| *asked == Asked::Nothing);
    view! {
        <main id="main" node_ref=navigation.main class="live" tabindex="-1" data-page="live">
            <h1 class="unseen">"Live"</h1>
            <LinkedRecording/>
            <Show when=is_empty>
                <Nothing/>
            </Show>
            <Show when=stopped>
                <p class="stopped" role="status">"The game stopped sending. These are its last values."</p>
            </Show>
            <Show when=move || shown.get()>
                <DeltaBar/>
                <Dashboard/>
                <ViewBar/>
            </Show>
            <Show when=move || telemetry.shows(Connection::Replay)>
                <Transport/>
            </Show>
            <PanelDialog/>
            <PageDialogs/>
        </main>
    }
}

/// The page before a game sends, or before a recording plays in the viewer.
#[component]
fn Nothing() -> impl IntoView {
    let (telemetry, relay) = (TelemetryStore::here(), RelayLink::here());
    let (headline, link, rest) = if telemetry.is_viewer() {
        ("Nothing is playing.", "Open a recording", " or try the demo.")
    } else {
        ("No game is sending yet.", "See which games are connected", " and what to set in the game.")
    };
    let headline = move || match relay.state.get() {
        Shown::TurnedAway(reason) => reason,
        _ => headline.to_owned(),
    };
    view! {
        <div class="empty">
            <p><b>{headline}</b></p>
            <p><a href=Page::Connections.hash()>{link}</a> {rest}</p>
        </div>
    }
}
