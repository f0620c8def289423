//! The recordings that the relay keeps: found, looked into, named, thrown away, brought in.
//!
//! The page is made of elements that stay, each with an id, and of functions that fill them anew when something
//! changes. What a press means stands on what is pressed; `presses` reads it.

mod details;
mod facts;
mod keys;
mod laps;
mod list;
mod notes;
mod presses;
mod states;
mod strips;
mod tools;

use std::time::Duration;

use leptos::html::Main;
use leptos::prelude::*;

use crate::cockpit::Cockpit;
use crate::dom::{self, Listening, Part, part, whenever};
use crate::library::{Aspect, Library};

/// How often the list is asked for while something is being recorded: it grows.
const GROWS: Duration = Duration::from_secs(5);
/// Who runs through the list does not want to know everything about each.
const PAUSE: Duration = Duration::from_millis(120);

/// Something that is drawn anew when one of its aspects changes.
type Drawn = (&'static [Aspect], fn(&Library));

/// Everything that is drawn, with what it is drawn from.
const DRAWN: &[Drawn] = &[
    (&[Aspect::Query, Aspect::Shelf], tools::draw),
    (&[Aspect::Shelf], strips::draw_trouble),
    (&[Aspect::Arrivals], strips::draw_arrivals),
    (&[Aspect::Toast], strips::draw_toast),
    (&[Aspect::Query], list::draw_names),
    (&[Aspect::Shelf, Aspect::Query, Aspect::Cursor, Aspect::Window], list::draw),
    (&[Aspect::Cursor], list::show_cursor),
    (&[Aspect::Shelf, Aspect::Query], states::draw),
    (&[Aspect::Open, Aspect::Shelf], details::draw),
    (&[Aspect::Open, Aspect::Shelf], details::draw_actions),
    (&[Aspect::Open, Aspect::Shelf, Aspect::RecordingDetails], details::draw_words),
    (&[Aspect::Open, Aspect::RecordingDetails], laps::draw),
    (&[Aspect::Open, Aspect::RecordingDetails, Aspect::Ticked], laps::draw_taking),
    (&[Aspect::Open, Aspect::RecordingDetails], notes::draw),
    (&[Aspect::Open, Aspect::Shelf], learn_soon),
];

/// The page.
pub(crate) fn library() -> impl IntoView {
    let (cockpit, library) = (Cockpit::here(), Library::here());
    let main = NodeRef::<Main>::new();
    // It listens for as long as the page is shown.
    let listening = StoredValue::new_local(Vec::new());
    whenever(Box::new(move || {
        let Some(main) = main.get() else { return };
        dom::fill(&main, skeleton());
        let mut heard = presses::listen(cockpit, &library, &main);
        heard.push(keys::listen(&library));
        let looked = library.clone();
        heard.push(Listening::begin(&window(), "focus", Box::new(move |_| looked.refresh())));
        listening.set_value(vec![(heard, list::watch(&library))]);
        for (aspects, draw) in DRAWN {
            let library = library.clone();
            whenever(Box::new(move || {
                library.track(aspects);
                draw(&library);
            }));
        }
        follow(cockpit, &library);
    }));
    view! { <main id="main" class="library" tabindex="-1" data-page="library" node_ref=main></main> }
}

/// What stays for as long as the page is shown.
fn skeleton() -> Vec<Part> {
    let shelf = part("div", "shelf").set("id", "shelf").with(list::skeleton());
    let details = part("aside", "details").set("id", "details").set("aria-label", "Details");
    vec![
        part("h1", "unseen").says("Library"),
        tools::skeleton(),
        part("div", "").set("id", "trouble"),
        part("ul", "arriving").set("id", "arriving").set("aria-label", "Files on their way into the library"),
        shelf.with(details),
        part("div", "toast").set("id", "toast").set("role", "status").set("data-figure", "toast"),
    ]
}

/// Asks for everything about what is open, once the driver has stopped there.
fn learn_soon(library: &Library) {
    let library = library.clone();
    set_timeout(move || library.learn(), PAUSE);
}

/// Keeps the list as it is at the relay, for as long as the page is shown.
fn follow(cockpit: Cockpit, library: &Library) {
    let underway = cockpit.sampled(|telemetry| telemetry.ports.underway());
    let changed = library.clone();
    whenever(Box::new(move || {
        // Nothing is heard of a value that nobody has asked for yet.
        drop(underway.get());
        cockpit.link.track();
        changed.refresh();
    }));
    let growing = library.clone();
    let growing = set_interval_with_handle(
        move || {
            if growing.read(|state| state.shelf.all.iter().any(|one| one.entry.underway)) {
                growing.refresh();
            }
        },
        GROWS,
    );
    on_cleanup(move || drop(growing.map(|growing| growing.clear())));
}
