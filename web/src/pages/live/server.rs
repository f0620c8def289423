//! What a dedicated server is to do: say something, go on, send somebody away.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Car;

use crate::dom::{Part, button, part};
use crate::telemetry::Telemetry;

/// The feed whose server takes commands.
pub(super) const FEED: Feed = Feed::AcServer;

/// The panel, while such a server is shown.
pub(super) fn server(telemetry: &Telemetry) -> Option<Part> {
    if telemetry.shown()?.origin.feed != FEED {
        return None;
    }
    let text = part("input", "")
        .set("type", "text")
        .set("maxlength", "255")
        .set("placeholder", "Say to everybody")
        .set("aria-label", "Say to everybody")
        .set("data-action", "say");
    let kick = picked(telemetry)
        .map(|(car, name)| button(&format!("Kick {name}"), "", "kick").set("data-of", &car.0.to_string()));
    let answer = telemetry.answer.as_ref().map(|answer| {
        let (trend, words) = match answer {
            Ok(words) => ("done", words),
            Err(why) => ("refused", why),
        };
        part("p", "").set("role", "status").set("data-answer", trend).says(words)
    });
    let panel = part("div", "server")
        .set("role", "group")
        .set("aria-label", "Server")
        .with(part("form", "").with(text).with(part("button", "").set("type", "submit").says("Say")))
        .with(
            part("div", "orders")
                .with(button("Next session", "", "next"))
                .with(button("Restart session", "", "restart"))
                .perhaps(kick),
        );
    Some(panel.perhaps(answer))
}

/// The car that the user has picked, and whose it is.
fn picked(telemetry: &Telemetry) -> Option<(Car, String)> {
    let session = telemetry.session()?;
    let car = session.picked().filter(|car| session.car(*car).is_some_and(|car| car.takes_part()))?;
    Some((car, session.name(car)))
}
