//! What a press on something, a change of a field, or a key means.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::Car;
use trailbrake_shared::number;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

use super::Live;
use super::server::FEED;
use super::transport;
use crate::browser;
use crate::cockpit::{Asked, Cockpit};
use crate::dom::{Listening, forget, meant, value};
use crate::opener;
use crate::replay::Player;
use crate::route::Page;

/// Listens to everything in an element, and to keys.
pub(super) fn listen(live: &Rc<Live>, main: &HtmlElement) -> Vec<Listening> {
    let cockpit = live.cockpit;
    let on = |what, does: fn(&Live, &Event)| {
        let live = Rc::clone(live);
        Listening::begin(main, what, Box::new(move |event| does(&live, &event)))
    };
    let keys = Listening::begin(
        &window(),
        "keydown",
        Box::new(move |event| {
            if cockpit.replaying.get_untracked() {
                transport::key(cockpit, event.unchecked_ref());
            }
        }),
    );
    vec![on("click", pressed), on("input", typed), on("change", changed), on("submit", submitted), keys]
}

fn pressed(live: &Live, event: &Event) {
    let Some((on, action, of)) = meant(event) else { return };
    let cockpit = live.cockpit;
    match action.as_str() {
        "lanes" => live.change_lanes(),
        "compare" => cockpit.tell(|session| session.choose_reference(of.parse().ok())),
        "pick" => cockpit.tell(|session| session.pick(of.parse().ok().map(Car))),
        "play-lap" => play_lap(cockpit, &on),
        "play" => cockpit.steer(Player::toggle),
        "close-recording" => close(cockpit),
        "again" => {
            if let Asked::Missing { link, .. } = cockpit.asked.get_untracked() {
                cockpit.open_link(link);
            }
        }
        "next" => cockpit.command(FEED, ServerCommand::Next),
        "restart" => cockpit.command(FEED, ServerCommand::Restart),
        "kick" => {
            of.parse().into_iter().for_each(|slot| cockpit.command(FEED, ServerCommand::Kick { slot }));
        }
        _ => {}
    }
}

fn typed(live: &Live, event: &Event) {
    if let Some((on, action, _)) = meant(event)
        && action == "scrub"
    {
        live.hold(number::read(&value(&on)));
    }
}

fn changed(live: &Live, event: &Event) {
    let Some((on, action, _)) = meant(event) else { return };
    let cockpit = live.cockpit;
    match action.as_str() {
        "speed" => {
            let speed = number::read(&value(&on)).unwrap_or(1.0);
            cockpit.steer(|player| {
                player.set_speed(speed);
                None
            });
        }
        "scrub" => {
            live.hold(None);
            if let Some(seconds) = number::read(&value(&on)) {
                cockpit.steer(|player| Some(player.jump(player.time().start.plus_seconds(seconds))));
            }
        }
        "open" => opener::opened(cockpit, &on),
        _ => {}
    }
}

fn submitted(live: &Live, event: &Event) {
    event.prevent_default();
    let form = event.target().and_then(|form| form.dyn_into::<Element>().ok());
    let Some(field) = form.and_then(|form| form.query_selector("[data-action]").ok().flatten()) else {
        return;
    };
    let words = value(&field);
    match field.get_attribute("data-action").as_deref() {
        Some("say") => live.cockpit.command(FEED, ServerCommand::Say { text: words }),
        Some("track-name") => live.cockpit.name_track(&words),
        _ => {}
    }
    forget(&field);
}

fn play_lap(cockpit: Cockpit, on: &Element) {
    // Where the address would not change, nothing would follow it.
    if let Some(address) = on.get_attribute("href").filter(|address| *address == browser::fragment()) {
        cockpit.follow_link(&address);
    }
}

fn close(cockpit: Cockpit) {
    // Once it is closed no game waits for that any more.
    let waits = cockpit.look(|telemetry| telemetry.game_waits(browser::now_ms()));
    cockpit.close_replay();
    browser::go_to(if waits { Page::Live } else { Page::Connections }.hash());
}
