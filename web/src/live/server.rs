//! Commands to a dedicated server: a message, another session, a kick.

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;

use crate::cockpit::Cockpit;
use crate::telemetry::Telemetry;

/// The feed whose server takes commands.
const FEED: Feed = Feed::AcServer;

/// The car that the user has picked: its slot, and whose it is.
type Picked = Option<(u8, String)>;

/// The commands, while such a server is shown.
#[component]
pub(super) fn ServerPanel() -> impl IntoView {
    let is_server = Cockpit::here()
        .sampled(|telemetry| telemetry.shown().is_some_and(|source| source.origin.feed == FEED));
    view! {
        <Show when=move || is_server.get()>
            <Commands/>
        </Show>
    }
}

#[component]
fn Commands() -> impl IntoView {
    let cockpit = Cockpit::here();
    let field = NodeRef::<Input>::new();
    let picked = cockpit.sampled(picked);
    let answer = cockpit.sampled(|telemetry| telemetry.answer.clone());
    let say = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(field) = field.get_untracked() {
            cockpit.command(FEED, ServerCommand::Say { text: field.value() });
            field.set_value("");
        }
    };
    let kick = move || {
        picked.get().map(|(slot, name)| {
            view! {
                <button
                    type="button"
                    data-testid="kick"
                    on:click=move |_| cockpit.command(FEED, ServerCommand::Kick { slot })
                >
                    {format!("Kick {name}")}
                </button>
            }
        })
    };
    let answer = move || {
        answer.get().map(|answer| {
            let (state, words) = match answer {
                Ok(words) => ("done", words),
                Err(why) => ("refused", why),
            };
            view! { <p role="status" data-answer=state>{words}</p> }
        })
    };
    view! {
        <div class="server" role="group" aria-label="Server">
            <form on:submit=say>
                <input
                    type="text"
                    maxlength="255"
                    placeholder="Message to everybody"
                    aria-label="Message to everybody"
                    data-testid="say"
                    node_ref=field
                />
                <button type="submit">"Send"</button>
            </form>
            <div class="orders">
                <button
                    type="button"
                    data-testid="next-session"
                    on:click=move |_| cockpit.command(FEED, ServerCommand::Next)
                >
                    "Next session"
                </button>
                <button
                    type="button"
                    data-testid="restart-session"
                    on:click=move |_| cockpit.command(FEED, ServerCommand::Restart)
                >
                    "Restart session"
                </button>
                {kick}
            </div>
            {answer}
        </div>
    }
}

fn picked(telemetry: &Telemetry) -> Picked {
    let session = telemetry.session()?;
    let car = session.picked().filter(|car| session.car(*car).is_some_and(|car| car.takes_part()))?;
    Some((car.0, session.name(car).to_string()))
}
