//! The car that is driving now.

mod asked;
mod braking;
mod dash;
mod events;
mod grip;
mod laps;
mod presses;
mod server;
mod timing;
mod trace;
mod track;
mod transport;
mod tyres;
mod window;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::html::Main;
use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::browser;
use crate::cockpit::{Asked, Cockpit};
use crate::dom::{Drawing, Part, link, part, whenever};
use crate::frame::Subscription;
use crate::route::Page;
use crate::telemetry::Telemetry;

/// A game that has sent this many packets without a channel does not send it.
const PATIENCE: u64 = 600;
/// Where the browser keeps which picture of the last seconds is shown.
const TRACE: &str = "trailbrake-trace";

/// Begins to paint into an element, until what comes back is dropped.
type Paints = fn(&Live, &HtmlElement) -> Option<Subscription>;
/// An element with what paints into it.
type Painted = (Element, Option<Subscription>);

/// What is painted with each frame into which element.
const PAINTED: [(&str, Paints); 4] = [
    (".dash", dash::begin),
    (".sheet.traces", trace::begin),
    (".sheet.brake-curve", braking::begin),
    (".sheet.map", track::begin),
];

/// What the page itself keeps in mind.
struct Live {
    cockpit: Cockpit,
    /// Counts what the driver has changed here.
    changes: RwSignal<u32>,
    /// Whether the last seconds are shown in eight lanes.
    lanes: Cell<bool>,
    /// Where the handle of a recording's line is held.
    held: Cell<Option<f64>>,
    /// The address of the lap that is played.
    plays: RefCell<Option<String>>,
    /// What is painted, into which element.
    painted: RefCell<[Option<Painted>; 4]>,
}

/// The page. What it says is described anew with each beat, and what differs is drawn.
pub(crate) fn live() -> impl IntoView {
    let cockpit = Cockpit::here();
    let main = NodeRef::<Main>::new();
    // It listens and paints for as long as the page is shown.
    let kept = StoredValue::new_local(Vec::new());
    whenever(Box::new(move || {
        let Some(main) = main.get() else { return };
        let live = Rc::new(Live::new(cockpit));
        kept.set_value(presses::listen(&live, &main));
        let drawing = RefCell::new(Drawing::begin(&main));
        whenever(Box::new(move || {
            cockpit.track();
            live.changes.track();
            drawing.borrow_mut().draw(page(&live));
            live.paint(&main);
        }));
    }));
    view! { <main id="main" class="live" tabindex="-1" data-page="live" node_ref=main></main> }
}

fn page(live: &Live) -> Vec<Option<Part>> {
    let cockpit = live.cockpit;
    let (replaying, asked) = (cockpit.replaying.get(), cockpit.asked.get());
    cockpit.look(|telemetry| {
        let shown = replaying || telemetry.shown().is_some();
        let stopped = shown && !replaying && telemetry.sending(browser::now_ms()).is_none();
        let transport = if replaying { transport::transport(live, telemetry) } else { None };
        vec![
            Some(part("h1", "unseen").says("Live")),
            asked::asked(&asked),
            (!shown && asked == Asked::Nothing).then(nobody),
            stopped.then(|| {
                let words = "The game stopped sending. These are its last figures.";
                part("p", "stopped").set("role", "status").says(words)
            }),
            shown.then(|| dashboard(live, telemetry)),
            transport,
        ]
    })
}

/// What stands here before a game sends.
fn nobody() -> Part {
    let connections = link("See which games are connected", "", Page::Connections.hash());
    part("div", "empty")
        .with(part("p", "").with(part("b", "").says("No game is sending yet.")))
        .with(part("p", "").with(connections).says(" and what to set in the game."))
}

fn dashboard(live: &Live, telemetry: &Telemetry) -> Part {
    part("div", "dashboard")
        .with(dash::dash(telemetry))
        .with(trace::trace(telemetry, live.lanes.get()))
        .with(braking::braking(telemetry))
        .with(tyres::tyres(telemetry))
        .with(part("div", "side near").with(track::track(telemetry)).with(laps::laps(live, telemetry)))
        .with(part("div", "side far").with(timing::timing(telemetry)).with(events::events(telemetry)))
}

/// An element into which a figure is painted; the label says what it shows to those who do not see it.
fn sheet(class: &str, label: &str) -> Part {
    part("div", &format!("sheet {class}")).set("role", "img").set("aria-label", label)
}

impl Live {
    fn new(cockpit: Cockpit) -> Self {
        Self {
            cockpit,
            changes: RwSignal::new(0),
            lanes: Cell::new(browser::kept(TRACE).as_deref() == Some("lanes")),
            held: Cell::new(None),
            plays: RefCell::new(None),
            painted: RefCell::default(),
        }
    }

    fn change_lanes(&self) {
        let lanes = !self.lanes.get();
        self.lanes.set(lanes);
        browser::keep(TRACE, if lanes { "lanes" } else { "pedals" });
        self.changed();
    }

    /// The handle of the line is held at so many seconds, or let go.
    fn hold(&self, at: Option<f64>) {
        self.held.set(at);
        self.changed();
    }

    fn changed(&self) {
        self.changes.update(|changes| *changes = changes.wrapping_add(1));
    }

    /// A lap is played: once it is drawn it is brought into sight.
    fn plays(&self, lap: Option<String>) {
        if self.plays.replace(lap.clone()) != lap && lap.is_some() {
            request_animation_frame(laps::bring_into_sight);
        }
    }

    /// Begins to paint into elements that have come, and ends with those that are gone.
    fn paint(&self, main: &HtmlElement) {
        for ((selector, begin), painted) in PAINTED.iter().zip(self.painted.borrow_mut().iter_mut()) {
            let host = main.query_selector(selector).ok().flatten();
            if host.as_ref() != painted.as_ref().map(|(host, _)| host) {
                *painted = host.map(|host| {
                    let painting = host.dyn_ref().and_then(|host| begin(self, host));
                    (host, painting)
                });
            }
        }
    }
}

/// The latest value of a channel of the car that is shown.
fn latest(telemetry: &Telemetry, channel: Channel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.value(channel)
}

/// Why a figure is missing, in words; `what` names what would have to be sent for it.
fn why_missing(telemetry: &Telemetry, what: &str) -> String {
    let Some((source, game)) = telemetry.shown().zip(telemetry.game()) else {
        return "No game is sending yet.".to_owned();
    };
    match source.packets {
        PATIENCE.. => format!("{game} does not send {what}."),
        _ => format!("{game} has not sent {what} yet."),
    }
}
