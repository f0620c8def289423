//! The chat panel: the drivers' messages, and a field to write to everybody or to the selected driver.

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::EventKind;
use trailbrake_shared::session::LogKind;

use super::actions::{ActionContext, selected};
use crate::cockpit::TelemetryStore;
use crate::live::EventTable;
use crate::ui::Segments;

/// The longest message that a server accepts, in characters.
const LONGEST: &str = "255";

/// The panel.
#[component]
pub(super) fn ChatPanel() -> impl IntoView {
    let context = ActionContext::here();
    let driver = TelemetryStore::here().sampled(selected);
    let field = NodeRef::<Input>::new();
    let recipient = RwSignal::new("everybody");
    // Without a selected driver messages go to everybody.
    let to_driver = move || driver.get().filter(|_| recipient.get() == "driver");
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get_untracked() else { return };
        let text = field.value();
        context.send(match to_driver() {
            Some((car, _)) => ServerCommand::Tell { slot: car.0, text },
            None => ServerCommand::Say { text },
        });
        field.set_value("");
    };
    let hint = move || match to_driver() {
        Some((_, name)) => format!("Message to {name}"),
        None => "Message to everybody".to_owned(),
    };
    view! {
        <section class="panel chat" aria-label="Chat">
            <div class="head"><h2>"Chat"</h2></div>
            <EventTable label="Chat messages" shows=is_chat empty="No messages yet."/>
            <Show when=move || driver.with(Option::is_some)>
                <Segments
                    label="Recipient"
                    options=vec![("everybody", "Everybody"), ("driver", "Selected driver")]
                    selected=recipient
                    on_select=move |chosen: &'static str| recipient.set(chosen)
                />
            </Show>
            <form on:submit=send>
                <input
                    type="text"
                    maxlength=LONGEST
                    placeholder=hint
                    aria-label=hint
                    data-testid="message"
                    node_ref=field
                />
                <button type="submit" data-testid="send">"Send"</button>
            </form>
        </section>
    }
}

/// Whether an entry is a chat message, or a command typed into the chat.
pub(super) fn is_chat(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Game(EventKind::Chat { .. } | EventKind::Command { .. }))
}
