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
use crate::dom::whenever;
use foot::StatusBar;

/// A part of the page that is drawn again when one of its aspects changes.
type Drawn = (&'static [Aspect], fn(Analyse));

/// Every part that is no component yet, with what it is drawn from.
const DRAWN: &[Drawn] = &[
    (&[Aspect::List], list::draw),
    (&[Aspect::List, Aspect::Shown, Aspect::View], head::draw),
    (&[Aspect::List, Aspect::Shown], empty::draw),
    (&[Aspect::List, Aspect::Shown], warning::draw),
    (&[Aspect::List, Aspect::Shown, Aspect::Notes], notes::draw),
    (&[Aspect::Shown, Aspect::Stint], things::draw),
    (&[Aspect::Shown, Aspect::Stint, Aspect::View], corners::draw),
    (&[Aspect::Shown, Aspect::Playing], head::draw_transport),
    (&[Aspect::Sheet], sheet::draw),
    (&[Aspect::Shown, Aspect::View, Aspect::Measure], measured::draw),
    (&[Aspect::Shown, Aspect::Stint, Aspect::Panel], panels::draw),
];

/// The page.
#[component]
pub(crate) fn AnalysePage() -> impl IntoView {
    let (cockpit, analyse) = (Cockpit::here(), Analyse::here());
    let main = NodeRef::<Main>::new();
    // The page listens and paints for as long as it is shown.
    let kept = StoredValue::new_local(Vec::new());
    Effect::new(move |_| {
        let Some(main) = main.get() else { return };
        let mut listening = presses::listen(cockpit, analyse, &main);
        listening.push(keys::listen(cockpit, analyse));
        listening.extend(pointer::listen(analyse));
        listening.extend(touch::listen(analyse));
        kept.set_value(vec![(listening, lanes::paint(analyse), map::paint(analyse), panels::paint(analyse))]);
        for (aspects, draw) in DRAWN {
            whenever(Box::new(move || {
                analyse.track(aspects);
                draw(analyse);
            }));
        }
        follow(cockpit, analyse);
    });
    view! {
        <main id="main" class="analyse" tabindex="-1" data-page="analyse" node_ref=main>
            <h1 class="unseen">"Analyse"</h1>
            <aside class="left">
                <section class="session" id="session" aria-label="Session"></section>
                <section class="lap-list" id="lap-list" aria-label="Laps" tabindex="0"></section>
                <section class="notes" id="notes" aria-label="Notes"></section>
            </aside>
            <div class="centre">
                <div class="beside" id="beside"></div>
                <div class="note" id="note" role="status"></div>
                <div
                    class="sheet lanes"
                    id="lanes"
                    tabindex="0"
                    role="img"
                    aria-label="Channels of the laps over the track"
                    aria-describedby="values brakings"
                ></div>
                <div class="unseen" id="values"></div>
                <div class="unseen" id="brakings"></div>
                <p class="missing" id="missing"></p>
                <div class="instead" id="nothing"></div>
                <div class="said" id="said" role="status"></div>
            </div>
            <aside class="right">
                <section class="seen" id="track" aria-label="Track">
                    <div class="head" id="track-head"></div>
                    <div class="sheet" id="map" role="img" aria-label="The track from above"></div>
                    <div class="tools" id="track-tools"></div>
                    <div class="told">
                        <div class="legend" id="track-legend"></div>
                        <div id="track-value"></div>
                    </div>
                </section>
                <section class="measured" id="measured" aria-label="Between the measuring cursors"></section>
                <nav class="tabs" id="tabs" aria-label="Panels"></nav>
                <section class="told" id="told" aria-label="Panel"></section>
                <section class="things" id="things" aria-label="Three things to fix"></section>
                <section class="corner-table" id="corners" aria-label="Corners"></section>
            </aside>
            <footer class="foot">
                <div class="transport" id="play"></div>
                <StatusBar/>
                <div class="more">
                    <button type="button" class="quiet" data-action="palette"><kbd>"Ctrl K"</kbd>"commands"</button>
                    <button type="button" class="quiet" data-action="keys"><kbd>"?"</kbd>"keys"</button>
                </div>
            </footer>
            <div id="sheet"></div>
        </main>
    }
}

/// Looks for laps whenever there may be others.
fn follow(cockpit: Cockpit, analyse: Analyse) {
    let laps = cockpit.sampled(|telemetry| telemetry.session().map(|session| session.laps_changed()));
    let played = cockpit.played(|replay| (replay.id(), replay.lap_count()));
    Effect::new(move |_| {
        // A value that nobody has asked for yet reports no change.
        let _ = (laps.get(), played.get());
        analyse.look(cockpit);
    });
}
