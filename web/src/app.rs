//! The frame around every page: name, navigation, how the link is, what went wrong.

use leptos::prelude::*;

use crate::analyse::Analyse;
use crate::browser;
use crate::cockpit::Cockpit;
use crate::library::Library;
use crate::link::Shown;
use crate::pages::{analyse, feeds, library, live};
use crate::route::Page;
use crate::show::Show;

/// The whole app.
pub(crate) fn app() -> impl IntoView {
    let cockpit = Cockpit::start();
    Library::start();
    Analyse::start();
    Effect::new(move |_| document().set_title(&format!("{} · Trailbrake", cockpit.page.get().label())));
    view! {
        <a class="skip" href="#main" on:click=skip>"Skip to the content"</a>
        <header class="bar">
            <span class="brand">"trail"<i>"brake"</i></span>
            <nav aria-label="Pages">{Page::ALL.map(page_link)}</nav>
            <span class="grow"></span>
            {link_state()}
            {theme_button()}
        </header>
        {fault_strip()}
        {searching()}
        {dropping()}
        {move || match cockpit.page.get() {
            Page::Live => live().into_any(),
            Page::Analyse => analyse().into_any(),
            Page::Library => library().into_any(),
            Page::Feeds => feeds().into_any(),
        }}
    }
}

/// How far a file without an index has been searched, until it is found or nobody wants it any more.
fn searching() -> impl IntoView {
    let cockpit = Cockpit::here();
    let searched = cockpit.searched;
    let words = move || {
        let (name, share) = searched.get().unwrap_or_default();
        format!("{name} has no whole index, and is searched: {:.0} %", share * 100.0)
    };
    view! {
        <Show when=move || searched.read().is_some()>
            <div class="faults" role="status" data-figure="searching">
                <span>{words}</span>
                <progress max="1" prop:value=move || searched.get().unwrap_or_default().1></progress>
                <button type="button" on:click=move |_| cockpit.cancel_opening()>"Cancel"</button>
            </div>
        </Show>
    }
}

/// Files can be dropped anywhere: while one is held over the page, it says so. Into the library they are brought, and
/// elsewhere the first is opened.
fn dropping() -> impl IntoView {
    let cockpit = Cockpit::here();
    let brings = move || cockpit.page.get() == Page::Library && Library::here().is_somewhere();
    let held = RwSignal::new(false);
    window_event_listener(leptos::ev::dragover, move |event| {
        // Without this the browser would leave the page for the file.
        event.prevent_default();
        held.set(true);
    });
    window_event_listener(leptos::ev::dragleave, move |event| {
        if event.related_target().is_none() {
            held.set(false);
        }
    });
    window_event_listener(leptos::ev::drop, move |event| {
        event.prevent_default();
        held.set(false);
        let files = event.data_transfer().and_then(|dropped| dropped.files());
        match files {
            Some(files) if untrack(brings) => Library::here().bring(&files),
            Some(files) => files.get(0).into_iter().for_each(|file| cockpit.open_recording(file)),
            None => {}
        }
    });
    let words = move || match brings() {
        true => "Drop recordings to bring them into the library",
        false => "Drop the recording to open it",
    };
    view! {
        <Show when=move || held.get()>
            <div class="dropping" data-figure="dropping"><p>{words}</p></div>
        </Show>
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
    // While a recording plays, that is what is shown there.
    let played = cockpit.played(|replay| replay.link(None).to_string());
    let href = move || match page {
        Page::Live => played.get().unwrap_or_else(|| page.hash().to_owned()),
        // What was looked at there is looked at again.
        Page::Analyse => {
            cockpit.page.track();
            Analyse::here().address()
        }
        Page::Library | Page::Feeds => page.hash().to_owned(),
    };
    view! { <a href=href aria-current=current>{page.label()}</a> }
}

/// How the link is: a dot whose colour only repeats the words.
fn link_state() -> impl IntoView {
    let cockpit = Cockpit::here();
    let traffic = cockpit.sampled(|telemetry| {
        let game = telemetry.sending(browser::now_ms())?;
        Some((game.to_owned(), telemetry.per_second()))
    });
    let state = move || match cockpit.link.get() {
        Shown::Connecting => "connecting",
        Shown::Connected => "connected",
        Shown::Reconnecting { .. } => "reconnecting",
        Shown::Outdated => "outdated",
    };
    let relay = move || match cockpit.link.get() {
        Shown::Connecting => "Connecting to the relay".to_owned(),
        Shown::Connected => match traffic.get() {
            Some((game, rate)) => format!("{game} · {rate} packets/s"),
            None => "Connected, no game yet".to_owned(),
        },
        Shown::Reconnecting { seconds: 0 } => "Relay lost · reconnecting".to_owned(),
        Shown::Reconnecting { seconds } => format!("Relay lost · reconnecting in {seconds} s"),
        Shown::Outdated => "This page is older than the relay".to_owned(),
    };
    let words = move || match (cockpit.replaying.get(), cockpit.demonstrating.get(), traffic.get()) {
        (true, ..) => "Playing a recording".to_owned(),
        (_, true, Some((game, rate))) => format!("Demo · {game} · {rate} packets/s"),
        (_, true, None) => "Demo".to_owned(),
        (_, false, _) => relay(),
    };
    view! {
        <span class="pill" data-figure="link" data-state=state>
            <span class="dot"></span>
            <span class="words">{words}</span>
            <Show when=move || cockpit.demonstrating.get()>
                <button type="button" data-action="stop-demo" on:click=move |_| {
                    cockpit.stop_demo();
                    browser::go_to(Page::Feeds.hash());
                }>"Stop"</button>
            </Show>
            <Show when=move || cockpit.link.get() == Shown::Outdated>
                <button type="button" on:click=|_| browser::reload()>"Reload"</button>
            </Show>
        </span>
        // Read out only when the state changes, not with every packet rate.
        <span class="unseen" role="status">{move || format!("Relay: {}", state())}</span>
    }
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

/// What went wrong, in one line, until the driver has taken note.
fn fault_strip() -> impl IntoView {
    let cockpit = Cockpit::here();
    let faults = cockpit.sampled(|telemetry| telemetry.faults());
    let open = Memo::new(move |_| !faults.read().is_empty());
    let words = move || {
        let faults = faults.read();
        let latest = faults.first().map(|fault| match fault.count {
            1 => fault.words.clone(),
            count => format!("{} ({count} times)", fault.words),
        });
        let others = match faults.len() {
            0 | 1 => String::new(),
            2 => " And one other fault.".to_owned(),
            count => format!(" And {} other faults.", count - 1),
        };
        latest.unwrap_or_default() + &others
    };
    view! {
        <Show when=move || open.get()>
            <div class="faults" role="alert" data-figure="faults">
                <span>{words}</span>
                <button type="button" on:click=move |_| cockpit.clear_faults()>"Dismiss"</button>
            </div>
        </Show>
    }
}
