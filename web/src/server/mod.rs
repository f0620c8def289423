//! The Server page: a dedicated server's drivers, laps, collisions, chat and commands.

mod actions;
mod chat;
mod dialogs;
mod drivers;

use leptos::prelude::*;

use trailbrake_shared::model::EventKind;
use trailbrake_shared::session::LogKind;

use crate::cockpit::{Navigation, TelemetryStore};
use crate::live::{EventTable, TrackPanel};
use crate::route::Page;
use crate::ui::{ActionButton, PageDialogs, provide_actions};
use actions::{Action, ActionContext};
use chat::{ChatPanel, is_chat};
use dialogs::CommandDialogs;
use drivers::DriverPanel;

/// The page.
#[component]
pub(crate) fn ServerPage() -> impl IntoView {
    let (navigation, telemetry) = (Navigation::here(), TelemetryStore::here());
    provide_actions::<Action>(ActionContext::new());
    let is_sending = telemetry.sampled(|telemetry| telemetry.server().is_some());
    view! {
        <main id="main" node_ref=navigation.main class="server" tabindex="-1" data-page="server">
            <h1 class="unseen">"Server"</h1>
            <Show when=move || is_sending.get() fallback=Nothing>
                <div class="server-panels">
                    <div class="column">
                        <DriverPanel/>
                        <CommandPanel/>
                    </div>
                    <div class="column">
                        <TrackPanel/>
                        <section class="panel" aria-label="Laps">
                            <div class="head"><h2>"Laps"</h2></div>
                            <EventTable label="List of laps" shows=is_lap empty="No laps yet."/>
                        </section>
                    </div>
                    <div class="column">
                        <ChatPanel/>
                        <section class="panel" aria-label="Collisions">
                            <div class="head"><h2>"Collisions"</h2></div>
                            <EventTable label="List of collisions" shows=is_collision empty="No collisions."/>
                        </section>
                        <section class="panel" aria-label="Other events">
                            <div class="head"><h2>"Other events"</h2></div>
                            <EventTable label="List of other events" shows=is_other empty="No other events."/>
                        </section>
                    </div>
                </div>
            </Show>
            <CommandDialogs/>
            <PageDialogs/>
        </main>
    }
    .into_any()
}

/// The page while no server sends.
#[component]
fn Nothing() -> impl IntoView {
    view! {
        <div class="empty">
            <p><b>"No dedicated server is sending."</b></p>
            <p><a href=Page::Connections.hash()>"See how to connect Assetto Corsa's server"</a></p>
        </div>
    }
}

/// The commands for the server's session.
#[component]
fn CommandPanel() -> impl IntoView {
    let answer = TelemetryStore::here().sampled(|telemetry| telemetry.answer.clone());
    let button = |action: Action| view! { <ActionButton action/> };
    let answer = move || {
        answer.get().map(|answer| {
            let (state, words) = match answer {
                Ok(words) => ("done", words),
                Err(why) => ("refused", why),
            };
            view! { <p data-answer=state>{crate::text::words::sentence(&words)}</p> }
        })
    };
    view! {
        <section class="panel commands" aria-label="Session commands">
            <div class="head"><h2>"Session commands"</h2></div>
            <div class="buttons">{Action::OF_SESSION.into_iter().map(button).collect_view()}</div>
            <div class="answer" role="status">{answer}</div>
        </section>
    }
}

/// Whether an entry is about a finished lap.
fn is_lap(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Lap { .. } | LogKind::Fastest { .. })
}

/// Whether an entry is a collision.
fn is_collision(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Game(EventKind::Collision(_)))
}

/// Whether an entry is in none of the other lists.
fn is_other(kind: &LogKind) -> bool {
    !is_lap(kind) && !is_collision(kind) && !is_chat(kind)
}
