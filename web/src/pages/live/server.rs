//! What a dedicated server is to do: say something, go on, send somebody away.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::Car;

use crate::cockpit::Cockpit;
use crate::show::Show;
use crate::telemetry::Telemetry;

/// The feed whose server takes commands.
const FEED: Feed = Feed::AcServer;

/// The panel, while such a server is shown.
pub(super) fn server() -> impl IntoView {
    let cockpit = Cockpit::here();
    let shown =
        cockpit.sampled(|telemetry| telemetry.shown().is_some_and(|source| source.origin.feed == FEED));
    let picked = cockpit.sampled(picked);
    let answer = cockpit.sampled(|telemetry| telemetry.answer.clone());
    let text = RwSignal::new(String::new());
    let say = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        cockpit.command(FEED, ServerCommand::Say { text: text.get_untracked() });
        text.set(String::new());
    };
    let button = move |name: &'static str, label: &'static str, command: ServerCommand| {
        let press = move |_| cockpit.command(FEED, command.clone());
        view! { <button type="button" data-action=name on:click=press>{label}</button> }
    };
    view! {
        <Show when=move || shown.get()>
            <div class="server" role="group" aria-label="Server">
                <form on:submit=say>
                    <input type="text" maxlength="255" placeholder="Say to everybody" aria-label="Say to everybody"
                        data-action="say" prop:value=text on:input=move |event| text.set(event_target_value(&event))/>
                    <button type="submit">"Say"</button>
                </form>
                <div class="orders">
                    {button("next", "Next session", ServerCommand::Next)}
                    {button("restart", "Restart session", ServerCommand::Restart)}
                    {move || picked.get().map(|(car, name)| {
                        let kick = move |_| cockpit.command(FEED, ServerCommand::Kick { slot: car.0 });
                        view! { <button type="button" data-action="kick" on:click=kick>{format!("Kick {name}")}</button> }
                    })}
                </div>
                {move || answer.get().map(|answer| {
                    let (trend, words) = match answer {
                        Ok(words) => ("done", words),
                        Err(why) => ("refused", why),
                    };
                    view! { <p role="status" data-answer=trend>{words}</p> }
                })}
            </div>
        </Show>
    }
}

/// The car that the user has picked, and whose it is.
fn picked(telemetry: &Telemetry) -> Option<(Car, String)> {
    let session = telemetry.session()?;
    let car = session.picked().filter(|car| session.car(*car).is_some_and(|car| car.takes_part()))?;
    Some((car, session.name(car)))
}
