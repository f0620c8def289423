//! The frame around every page: name, navigation, how the link is, what went wrong.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Event};

use crate::analyse::Analyse;
use crate::browser;
use crate::cockpit::Cockpit;
use crate::dom::{self, Listening, Part, button, meant, part};
use crate::library::Library;
use crate::link::Shown;
use crate::pages::{analyse, feeds, library, live};
use crate::route::{self, Page};
use crate::telemetry::Telemetry;

/// The whole app.
pub(crate) fn app() -> impl IntoView {
    let cockpit = Cockpit::start();
    Library::start();
    Analyse::start(cockpit);
    Effect::new(move |_| document().set_title(&format!("{} · Trailbrake", cockpit.page.get().label())));
    let held = RwSignal::new(false);
    dom::follow("link", Box::new(move || link_state(cockpit)));
    dom::follow("strips", Box::new(move || strips(cockpit, held)));
    // It listens for as long as the page is open.
    std::mem::forget(listen(cockpit, held));
    view! {
        <a class="skip" href="#main" on:click=skip>"Skip to the content"</a>
        <header class="bar">
            <span class="brand">"trail"<i>"brake"</i></span>
            <nav aria-label="Pages">{Page::ALL.map(page_link)}</nav>
            <span class="grow"></span>
            <div id="link" class="through"></div>
            {theme_button()}
        </header>
        <div id="strips" class="through"></div>
        {move || match cockpit.page.get() {
            Page::Live => live().into_any(),
            Page::Analyse => analyse().into_any(),
            Page::Library => library().into_any(),
            Page::Feeds => feeds().into_any(),
        }}
    }
}

/// What stands between the bar and the page, when it does.
fn strips(cockpit: Cockpit, held: RwSignal<bool>) -> Vec<Option<Part>> {
    cockpit.track();
    vec![
        cockpit.look(fault),
        cockpit.searched.get().map(|(name, share)| searching(&name, share)),
        held.get().then(|| dropping(brings(cockpit))),
    ]
}

/// What went wrong, in one line, until the driver has taken note.
fn fault(telemetry: &Telemetry) -> Option<Part> {
    let faults = telemetry.faults();
    let latest = match faults.first()? {
        fault if fault.count == 1 => fault.words.clone(),
        fault => format!("{} ({} times)", fault.words, fault.count),
    };
    let others = match faults.len() {
        0 | 1 => String::new(),
        2 => " And one other fault.".to_owned(),
        count => format!(" And {} other faults.", count - 1),
    };
    let strip = part("div", "faults").set("role", "alert").set("data-figure", "faults");
    Some(strip.with(part("span", "").says(&(latest + &others))).with(button("Dismiss", "", "dismiss")))
}

/// How far a file without an index has been searched, until it is found or nobody wants it any more.
fn searching(name: &str, share: f64) -> Part {
    let words = format!("{name} has no whole index, and is searched: {:.0} %", share * 100.0);
    part("div", "faults")
        .set("role", "status")
        .set("data-figure", "searching")
        .with(part("span", "").says(&words))
        .with(part("progress", "").set("max", "1").put("value", &share.to_string()))
        .with(button("Cancel", "", "cancel-opening"))
}

/// Files can be dropped anywhere: while one is held over the page, it says so.
fn dropping(brings: bool) -> Part {
    let words = match brings {
        true => "Drop recordings to bring them into the library",
        false => "Drop the recording to open it",
    };
    part("div", "dropping").set("data-figure", "dropping").with(part("p", "").says(words))
}

/// Whether files that are dropped are brought into the library, and not opened.
fn brings(cockpit: Cockpit) -> bool {
    cockpit.page.get() == Page::Library && Library::here().is_somewhere()
}

/// Listens to presses in the frame, and to files that are dropped anywhere.
fn listen(cockpit: Cockpit, held: RwSignal<bool>) -> Vec<Listening> {
    let on = |what, does: fn(Cockpit, RwSignal<bool>, &Event)| {
        Listening::begin(&window(), what, Box::new(move |event| does(cockpit, held, &event)))
    };
    vec![
        on("click", |cockpit, _, event| pressed(cockpit, event)),
        on("dragover", |_, held, event| {
            // Without this the browser would leave the page for the file.
            event.prevent_default();
            held.set(true);
        }),
        on("paste", |_, _, event| {
            let field = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok());
            if field.is_some_and(|field| matches!(field.tag_name().as_str(), "INPUT" | "TEXTAREA")) {
                return;
            }
            let pasted = event.unchecked_ref::<web_sys::ClipboardEvent>().clipboard_data();
            let text = pasted.and_then(|pasted| pasted.get_data("text").ok()).unwrap_or_default();
            if let Some(fragment) = route::pasted(&text) {
                event.prevent_default();
                browser::go_to(fragment);
            }
        }),
        on("dragleave", |_, held, event| {
            if event.unchecked_ref::<DragEvent>().related_target().is_none() {
                held.set(false);
            }
        }),
        on("drop", |cockpit, held, event| {
            event.prevent_default();
            held.set(false);
            let dropped = event.unchecked_ref::<DragEvent>().data_transfer();
            match dropped.and_then(|dropped| dropped.files()) {
                Some(files) if untrack(|| brings(cockpit)) => Library::here().bring(&files),
                Some(files) => files.get(0).into_iter().for_each(|file| cockpit.open_recording(file)),
                None => {}
            }
        }),
    ]
}

fn pressed(cockpit: Cockpit, event: &Event) {
    let Some((_, action, _)) = meant(event) else { return };
    match action.as_str() {
        "dismiss" => cockpit.clear_faults(),
        "cancel-opening" => cockpit.cancel_opening(),
        "reload" => browser::reload(),
        "stop-demo" => {
            cockpit.stop_demo();
            browser::go_to(Page::Feeds.hash());
        }
        _ => {}
    }
}

/// Moves the keyboard to the content. The link's own way would be to change the fragment, which names the page.
fn skip(event: leptos::ev::MouseEvent) {
    event.prevent_default();
    browser::focus("main");
}

fn page_link(page: Page) -> impl IntoView {
    let cockpit = Cockpit::here();
    let current = move || (cockpit.page.get() == page).then_some("page");
    let href = move || match page {
        // While a recording plays, that is what is shown there.
        Page::Live => {
            cockpit.replaying.track();
            let played = cockpit.replay(|replay| replay.link(None).to_string());
            played.unwrap_or_else(|| page.hash().to_owned())
        }
        // What was looked at on the Analyse page is looked at again: the page knows it, and says it in the address.
        Page::Analyse | Page::Library | Page::Feeds => page.hash().to_owned(),
    };
    view! { <a href=href aria-current=current>{page.label()}</a> }
}

/// How the link is: a dot whose colour only repeats the words.
fn link_state(cockpit: Cockpit) -> Vec<Option<Part>> {
    cockpit.track();
    let traffic = cockpit.look(|telemetry| {
        let game = telemetry.sending(browser::now_ms())?;
        Some(format!("{game} · {} packets/s", telemetry.per_second()))
    });
    let (state, relay) = match cockpit.link.get() {
        Shown::Connecting => ("connecting", "Connecting to the relay".to_owned()),
        Shown::Connected => {
            ("connected", traffic.clone().unwrap_or_else(|| "Connected, no game yet".to_owned()))
        }
        Shown::Reconnecting { seconds: 0 } => ("reconnecting", "Relay lost · reconnecting".to_owned()),
        Shown::Reconnecting { seconds } => {
            ("reconnecting", format!("Relay lost · reconnecting in {seconds} s"))
        }
        Shown::Outdated => ("outdated", "This page is older than the relay".to_owned()),
    };
    let demonstrating = cockpit.demonstrating.get();
    let loading = cockpit.look(Telemetry::joining_share);
    let words = match (cockpit.replaying.get(), demonstrating, traffic) {
        (_, false, _) if loading.is_some() => {
            format!("Loading earlier laps · {:.0} %", loading.unwrap_or_default() * 100.0)
        }
        (true, ..) => "Playing a recording".to_owned(),
        (_, true, Some(traffic)) => format!("Demo · {traffic}"),
        (_, true, None) => "Demo".to_owned(),
        (_, false, _) => relay,
    };
    let pill = part("span", "pill")
        .set("data-figure", "link")
        .set("data-state", state)
        .with(part("span", "dot"))
        .with(part("span", "words").says(&words))
        .perhaps(demonstrating.then(|| button("Stop", "", "stop-demo")))
        .perhaps((state == "outdated").then(|| button("Reload", "", "reload")));
    // Read out only when the state changes, not with every packet rate.
    let unseen = part("span", "unseen").set("role", "status").says(&format!("Relay: {state}"));
    vec![Some(pill), Some(unseen)]
}

fn theme_button() -> impl IntoView {
    let cockpit = Cockpit::here();
    let word = move || cockpit.theme.get().word();
    view! {
        <button
            type="button"
            class="theme"
            data-theme-choice=word
            aria-label=move || format!("Theme: {}. Change it", word())
            title=move || format!("Theme: {}", word())
            on:click=move |_| cockpit.theme.update(|theme| *theme = theme.next())
        >
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="6.25" />
                <path d="M8 1.75a6.250 6.250 0 0 1 0 12.500z" />
            </svg>
            <span>{word}</span>
        </button>
    }
}
