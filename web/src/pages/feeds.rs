//! The first page to see: which feeds are heard, and what to do until one is.

use std::cell::RefCell;

use leptos::html::Main;
use leptos::prelude::*;
use trailbrake_shared::games::Outlook;
use trailbrake_shared::number::thousands;
use trailbrake_shared::sim::SPOKEN;

use crate::browser;
use crate::cockpit::Cockpit;
use crate::demo::Wish;
use crate::dom::{Drawing, Listening, Part, chooser, link, meant, part, whenever};
use crate::figures::NONE;
use crate::link::Shown;
use crate::opener;
use crate::route::Page;
use crate::telemetry::{FeedRow, PortWords, Telemetry};
use crate::words::sentence;

/// What the demo of the button is.
const DEMO: &str =
    "Twenty cars race on an invented circuit, as packets of F1 2018. Other games' demos stand in their rows.";
/// The table's columns.
const COLUMNS: [(&str, &str); 5] =
    [("Game", ""), ("Port", ""), ("Packets/s", "number"), ("Last sender", ""), ("Recognised", "")];

/// The page.
pub(crate) fn feeds() -> impl IntoView {
    let cockpit = Cockpit::here();
    let main = NodeRef::<Main>::new();
    // It listens for as long as the page is shown.
    let kept = StoredValue::new_local(None);
    whenever(Box::new(move || {
        let Some(main) = main.get() else { return };
        let changed = move |event| match meant(&event) {
            Some((on, action, _)) if action == "open" => opener::opened(cockpit, &on),
            _ => {}
        };
        kept.set_value(Some(Listening::begin(&main, "change", Box::new(changed))));
        let drawing = RefCell::new(Drawing::begin(&main));
        whenever(Box::new(move || {
            cockpit.track();
            let (link, replaying) = (cockpit.link.get(), cockpit.replaying.get());
            drawing.borrow_mut().draw(cockpit.look(|telemetry| page(telemetry, &link, replaying)));
        }));
    }));
    view! { <main id="main" class="feeds" tabindex="-1" data-page="feeds" node_ref=main></main> }
}

fn page(telemetry: &Telemetry, relay: &Shown, replaying: bool) -> Vec<Option<Part>> {
    // What a recording plays is no game that sends.
    let sending = telemetry.sending(browser::now_ms()).filter(|_| !replaying);
    let headline = match sending {
        Some(game) => format!("{game} is sending"),
        None => "Waiting for a game".to_owned(),
    };
    let lead = part("p", "lead");
    let lead = match (sending, relay) {
        _ if replaying => {
            lead.says("While a recording plays, what games send is counted here, and not shown.")
        }
        (Some(_), _) => lead.with(link("Go to the live page", "", Page::Live.hash())),
        (None, Shown::Connected) => {
            lead.says("Drive. The first packet of a game opens the live page by itself.")
        }
        (None, Shown::Outdated) => {
            lead.says("The relay was updated while this page was open. Reload the page.")
        }
        (None, _) => lead.says("The relay that this page came from does not answer. Is it still running?"),
    };
    let actions = part("p", "actions")
        .with(link("Try the demo", "button", Wish::FRAGMENT).set("data-action", "demo"))
        .with(chooser("Open a recording", "button plain", "open", false))
        .with(part("span", "").says(DEMO));
    let rows = telemetry.feed_rows();
    let known = !rows.is_empty();
    vec![
        Some(part("h1", "").says(&headline)),
        Some(lead),
        Some(actions),
        known.then(|| table(rows)),
        known.then(|| addresses(telemetry)),
    ]
}

fn table(rows: Vec<FeedRow>) -> Part {
    let columns = COLUMNS.map(|(name, class)| part("th", class).set("scope", "col").says(name));
    part("table", "feed-table")
        .with(part("thead", "").with(part("tr", "").with_all(columns.into())))
        .with_all(rows.into_iter().map(|row| feed(&row)).collect())
}

fn feed(row: &FeedRow) -> Part {
    let info = row.feed.info();
    let state = if row.per_second > 0 {
        "hearing"
    } else if !row.ports.is_empty() && row.ports.iter().all(|port| port.closed) {
        "closed"
    } else {
        "silent"
    };
    let soft = |soft: bool| if soft { "soft" } else { "" };
    let ports = match row.ports.as_slice() {
        [] => vec![part("span", "soft").says("none to open")],
        ports => ports.iter().map(port).collect(),
    };
    let sender = row.sender.map_or_else(|| NONE.to_owned(), |sender| sender.to_string());
    let recognised = match (row.packets, info.codec.is_some()) {
        (0, _) => "nothing yet".to_owned(),
        (count, true) => format!("{} packets", thousands(count)),
        (count, false) => format!("{} packets, not decoded by this version", thousands(count)),
    };
    let notes = row.notes.iter().map(|note| {
        let what = part("b", "").says(&note.what);
        part("p", "note").set("data-figure", note.figure).with(what).says(" ").says(&note.advice)
    });
    let talk = row.talk.as_ref().map(|talk| {
        let (outlook, class) = match talk.outlook {
            Outlook::Good => ("good", ""),
            Outlook::Waiting => ("waiting", ""),
            Outlook::Trouble => ("trouble", "note"),
        };
        part("p", class).set("data-figure", "talk").set("data-outlook", outlook).says(&sentence(&talk.words))
    });
    let how = part("p", "").says(&how(row)).says(" ");
    let how = match SPOKEN.contains(&row.feed) {
        true => how.with(link("Try its demo", "", &Wish::fragment(row.feed)).set("data-action", "feed-demo")),
        false => how,
    };
    let rate =
        part("td", if row.per_second == 0 { "number soft" } else { "number" }).set("data-figure", "rate");
    let first = part("tr", "")
        .with(part("th", "").set("scope", "row").with(part("span", "dot")).says(info.game))
        .with(part("td", "").with_all(ports))
        .with(rate.says(&thousands(row.per_second.into())))
        .with(part("td", soft(row.sender.is_none())).says(&sender))
        .with(part("td", soft(row.packets == 0)).set("data-figure", "recognised").says(&recognised));
    let more = part("td", "").set("colspan", "5").with_all(notes.collect()).perhaps(talk).with(how);
    part("tbody", "")
        .set("data-feed", info.id)
        .set("data-state", state)
        .with(first)
        .with(part("tr", "more").with(more))
}

fn port(port: &PortWords) -> Part {
    let words = part("span", if port.closed { "port closed" } else { "port" });
    match port.port {
        Some(number) => words.with(part("b", "").says(&number.to_string())).says(" ").says(&port.words),
        None => words.says(&port.words),
    }
}

/// What to set in the game, with the port that is open here instead of the usual one.
fn how(row: &FeedRow) -> String {
    let info = row.feed.info();
    match (info.ports, row.ports.as_slice()) {
        ([usual], [PortWords { port: Some(here), .. }]) => {
            info.how.replace(&usual.to_string(), &here.to_string())
        }
        _ => info.how.to_owned(),
    }
}

/// Where a game on another machine sends to, and where recordings go.
fn addresses(telemetry: &Telemetry) -> Part {
    let code = |words: &str| part("code", "").says(words);
    let mut parts = Vec::new();
    if let Some(folder) = telemetry.ports.recordings() {
        parts.push(part("h2", "").says("Recordings go to"));
        parts.push(part("p", "").set("data-figure", "recordings").with(code(&folder)));
    }
    parts.push(part("h2", "").says("A game on this machine sends to"));
    parts.push(part("p", "").with(code("127.0.0.1")));
    let others: Vec<Part> = telemetry.ports.addresses().iter().map(|address| code(address)).collect();
    if !others.is_empty() {
        parts.push(part("h2", "").says("A console or another machine sends to"));
        parts.push(part("p", "").with_all(others));
    }
    part("section", "addresses").with_all(parts)
}
