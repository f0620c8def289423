//! The Connections page: which games send, and what to do until one does.

mod actions;
mod addresses;
mod row;
mod words;

use leptos::prelude::*;
use trailbrake_shared::feed::FEEDS;

use crate::browser;
use crate::cockpit::Cockpit;
use crate::demo::Wish;
use crate::telemetry::{FeedRow, Telemetry};
use crate::ui::{FileButton, PageDialogs, follow_keys, list};
use actions::{Action, ActionContext};
use addresses::Addresses;
use row::FeedConnection;

/// What the demo of the button shows.
const DEMO: &str =
    "A 20-car race on a made-up circuit, sent as F1 2018 telemetry. Each game below has its own demo.";
/// The same in the viewer, which has no list of games.
const DEMO_IN_VIEWER: &str = "The demo is a 20-car race on a made-up circuit.";
/// The kinds of files that open: name, ending, and what is in them.
const FILE_KINDS: [(&str, &str, &str); 4] = [
    ("Recording", ".trailbrake.mcap", "All laps of a session, notes included: what a driver sends you."),
    ("MoTeC log", ".ld with .ldx", "Laps of other programs. Choose both files together."),
    ("CSV", ".csv", "Laps that Trailbrake exported."),
    ("Capture", ".pcapng, .pcap", "Packets as Wireshark or tcpdump save them."),
];

/// The page.
#[component]
pub(crate) fn Connections() -> impl IntoView {
    let cockpit = Cockpit::here();
    let is_viewer = cockpit.is_viewer();
    let context = ActionContext::new();
    follow_keys(context);
    let sending = cockpit.sampled(|telemetry| telemetry.sending(browser::now_ms()).map(str::to_owned));
    // What a recording plays is not a game that sends.
    let game = Memo::new(move |_| sending.get().filter(|_| !cockpit.replaying.get()));
    let headline = move || match game.get() {
        Some(game) => format!("{game} is sending"),
        None if is_viewer => "Open a recording".to_owned(),
        None => "Waiting for a game".to_owned(),
    };
    let lead = move || words::lead(game.with(Option::is_some), cockpit.replaying.get(), &cockpit.link.get());
    let rows = cockpit.sampled(Telemetry::feed_rows);
    let known = Memo::new(move |_| rows.with(|rows| !rows.is_empty()));
    let open = move |files: web_sys::FileList| cockpit.open_recording(list(&files));
    let (file_class, demo_class) =
        if is_viewer { ("button", "button plain") } else { ("button plain", "button") };
    let file = view! {
        <FileButton
            label=Action::OpenRecording.label()
            class=file_class
            testid=Action::OpenRecording.id()
            several=true
            field=context.files
            on_files=open
        />
    };
    let demo = view! {
        <a class=demo_class href=Wish::FRAGMENT data-testid=Action::TryDemo.id()>{Action::TryDemo.label()}</a>
    };
    let mut buttons = [file.into_any(), demo.into_any()];
    if !is_viewer {
        buttons.reverse();
    }
    view! {
        <main id="main" node_ref=cockpit.main class="connections" tabindex="-1" data-page="connections">
            <h1>{headline}</h1>
            <p class="lead">
                {lead}
                <Show when=move || game.with(Option::is_some)>
                    <a href=crate::route::Page::Live.hash()>"Go to Live"</a>
                </Show>
            </p>
            <p class="actions">
                {buttons.into_iter().collect_view()}
                <span>{if is_viewer { DEMO_IN_VIEWER } else { DEMO }}</span>
            </p>
            <Show when=move || is_viewer>
                <FileKinds/>
            </Show>
            <Show when=move || known.get()>
                <ConnectionTable rows/>
                <Addresses/>
            </Show>
            <PageDialogs page=context/>
        </main>
    }
}

/// What the viewer opens.
#[component]
fn FileKinds() -> impl IntoView {
    view! {
        <dl class="file-kinds">
            {FILE_KINDS.iter().map(|(kind, ending, what)| view! {
                <dt>{*kind} " " <code>{*ending}</code></dt>
                <dd>{*what}</dd>
            }).collect_view()}
        </dl>
        <p class="soft">
            "Choose files, or drop them anywhere on this page. Nothing is uploaded."
            {window().is_secure_context().then_some(" After this visit the viewer also opens without a connection.")}
        </p>
    }
}

/// A row for each game.
#[component]
fn ConnectionTable(rows: Memo<Vec<FeedRow>>) -> impl IntoView {
    let feeds = FEEDS.iter().filter(|info| info.networked);
    view! {
        <table class="connection-table">
            <thead>
                <tr>
                    <th scope="col">"Game"</th>
                    <th scope="col">"Port"</th>
                    <th scope="col" class="number">"Packets/s"</th>
                    <th scope="col">"Last sender"</th>
                    <th scope="col">"Recognised"</th>
                </tr>
            </thead>
            {feeds.map(|info| view! { <FeedConnection info rows/> }).collect_view()}
        </table>
    }
}
