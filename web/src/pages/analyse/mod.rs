//! Laps side by side: where time is lost, and what the faster lap did there.
//!
//! As in the library, elements stay and functions fill them anew. Lanes and map are painted with each frame.

mod actions;
mod channels;
mod copy;
mod corner;
mod corners;
mod empty;
mod foot;
mod grip;
mod head;
mod keys;
mod lanes;
mod list;
mod map;
mod measured;
mod names;
mod notes;
mod panels;
mod paper;
mod pointer;
mod presses;
mod sheet;
mod shelf;
mod things;
mod touch;
mod track;
mod warning;

use leptos::html::Main;
use leptos::prelude::*;

use crate::analyse::{Analyse, Aspect};
use crate::cockpit::Cockpit;
use crate::dom::{self, Part, part, whenever};

/// Something that is drawn anew when one of its aspects changes.
type Drawn = (&'static [Aspect], fn(&Analyse));

/// Everything that is drawn, with what it is drawn from.
const DRAWN: &[Drawn] = &[
    (&[Aspect::List], list::draw),
    (&[Aspect::List, Aspect::Shown, Aspect::View], head::draw),
    (&[Aspect::List, Aspect::Shown], empty::draw),
    (&[Aspect::List, Aspect::Shown], warning::draw),
    (&[Aspect::List, Aspect::Shown, Aspect::Notes], notes::draw),
    (&[Aspect::Shown, Aspect::Stint], things::draw),
    (&[Aspect::Shown, Aspect::Stint, Aspect::View], corners::draw),
    (&[Aspect::Shown, Aspect::View, Aspect::Cursor], foot::draw),
    (&[Aspect::Shown, Aspect::Playing], head::draw_transport),
    (&[Aspect::Sheet], sheet::draw),
    (&[Aspect::Shown, Aspect::View, Aspect::Measure], measured::draw),
    (&[Aspect::Shown, Aspect::Stint, Aspect::Panel], panels::draw),
];

/// The page.
pub(crate) fn analyse() -> impl IntoView {
    let (cockpit, analyse) = (Cockpit::here(), Analyse::here());
    let main = NodeRef::<Main>::new();
    // It listens and paints for as long as the page is shown.
    let kept = StoredValue::new_local(Vec::new());
    whenever(Box::new(move || {
        let Some(main) = main.get() else { return };
        dom::fill(&main, skeleton());
        let mut heard = presses::listen(cockpit, &analyse, &main);
        heard.push(keys::listen(cockpit, &analyse));
        heard.extend(pointer::listen(&analyse));
        heard.extend(touch::listen(&analyse));
        kept.set_value(vec![(heard, lanes::paint(&analyse), map::paint(&analyse), panels::paint(&analyse))]);
        for (aspects, draw) in DRAWN {
            let analyse = analyse.clone();
            whenever(Box::new(move || {
                analyse.track(aspects);
                draw(&analyse);
            }));
        }
        follow(cockpit, &analyse);
    }));
    view! { <main id="main" class="analyse" tabindex="-1" data-page="analyse" node_ref=main></main> }
}

/// Looks for laps whenever there may be others.
fn follow(cockpit: Cockpit, analyse: &Analyse) {
    let laps = cockpit.sampled(|telemetry| telemetry.session().map(|session| session.laps_changed()));
    let played = cockpit.played(|replay| (replay.id(), replay.lap_count()));
    let analyse = analyse.clone();
    whenever(Box::new(move || {
        // Nothing is heard of a value that nobody has asked for yet.
        let _ = (laps.get(), played.get());
        analyse.look(cockpit);
    }));
}

/// What stays for as long as the page is shown.
fn skeleton() -> Vec<Part> {
    let panel =
        |class: &str, id: &str, name: &str| part("section", class).set("id", id).set("aria-label", name);
    vec![
        part("h1", "unseen").says("Analyse"),
        part("aside", "left")
            .with(panel("session", "session", "Session"))
            .with(panel("lap-list", "lap-list", "Laps").set("tabindex", "0"))
            .with(panel("notes", "notes", "Notes")),
        part("div", "centre")
            .with(part("div", "beside").set("id", "beside"))
            .with(part("div", "note").set("id", "note").set("role", "status"))
            .with(
                part("div", "sheet lanes")
                    .set("id", "lanes")
                    .set("tabindex", "0")
                    .set("role", "img")
                    .set("aria-label", "Channels of the laps over the track")
                    .set("aria-describedby", "values brakings"),
            )
            .with(part("div", "unseen").set("id", "values"))
            .with(part("div", "unseen").set("id", "brakings"))
            .with(part("p", "missing").set("id", "missing"))
            .with(part("div", "instead").set("id", "nothing"))
            .with(part("div", "said").set("id", "said").set("role", "status")),
        part("aside", "right")
            .with(
                panel("seen", "track", "Track")
                    .with(part("div", "head").set("id", "track-head"))
                    .with(
                        part("div", "sheet")
                            .set("id", "map")
                            .set("role", "img")
                            .set("aria-label", "The track from above"),
                    )
                    .with(part("div", "tools").set("id", "track-tools"))
                    .with(
                        part("div", "told")
                            .with(part("div", "legend").set("id", "track-legend"))
                            .with(part("div", "").set("id", "track-value")),
                    ),
            )
            .with(panel("measured", "measured", "Between the measuring cursors"))
            .with(part("nav", "tabs").set("id", "tabs").set("aria-label", "Panels"))
            .with(panel("told", "told", "Panel"))
            .with(panel("things", "things", "Three things to fix"))
            .with(panel("corner-table", "corners", "Corners")),
        part("footer", "foot")
            .with(part("div", "transport").set("id", "play"))
            .with(part("div", "where").set("id", "foot"))
            .with(foot::more()),
        part("div", "").set("id", "sheet"),
    ]
}
