//! The Connections page: which games send, and how to set up one that does not.

mod actions;
mod addresses;
mod details;
mod finder;
mod game_files;
mod packet_content;
mod packets;
mod row;
mod stores;
mod tablets;
mod team;
mod words;

use leptos::prelude::*;
use trailbrake_shared::feed::GamePlace;

use crate::browser;
use crate::cockpit::{Navigation, Playback, RelayLink, TelemetryStore};
use crate::demo::Wish;
use crate::reactive::{EachRow, Rows};
use crate::telemetry::{Connection, FeedRow, Telemetry};
use crate::ui::{ActionTable, FileButton, PageDialogs, Segments, list, provide_actions};
use actions::{Action, ActionContext};
use addresses::Addresses;
use finder::GameFinder;
use row::FeedConnection;
use stores::Choices;
use tablets::Tablets;
use team::Team;

/// The text beside the demo button.
const DEMO: &str =
    "A 20-car race on a made-up circuit, sent as F1 25 telemetry. Each game below has its own demo.";
/// The text beside the demo button of the viewer, which has no list of games.
const DEMO_IN_VIEWER: &str = "The demo is a 20-car race on a made-up circuit.";
/// The kinds of files that the page opens: name, ending and content.
const FILE_KINDS: [(&str, &str, &str); 5] = [
    ("Recording", ".trailbrake.mcap", "All laps of a session, notes included: what a driver sends you."),
    ("iRacing telemetry", ".ibt", "What iRacing writes after Alt+L, in Documents/iRacing/telemetry."),
    ("MoTeC log", ".ld with .ldx", "Laps of other programs. Choose both files together."),
    ("CSV", ".csv", "Laps that Trailbrake, Garage 61 or another program exported."),
    ("Capture", ".pcapng, .pcap", "Packets as Wireshark or tcpdump save them."),
];

/// The page.
#[component]
pub(crate) fn Connections() -> impl IntoView {
    let (telemetry, relay) = (TelemetryStore::here(), RelayLink::here());
    let (navigation, playback) = (Navigation::here(), Playback::here());
    let is_viewer = telemetry.is_viewer();
    let context = ActionContext::new(telemetry);
    provide_actions::<Action>(context);
    let sending = telemetry.sampled(|telemetry| telemetry.sending(browser::now_ms()).map(str::to_owned));
    // A playing recording or the demo does not count as a sending game.
    let plays = move || matches!(telemetry.connection.get(), Connection::Replay | Connection::Demo);
    let game = Memo::new(move |_| sending.get().filter(|_| !plays()));
    let headline = move || match game.get() {
        Some(game) => format!("{game} is sending"),
        None if is_viewer => "Open a recording".to_owned(),
        None => "Waiting for a game".to_owned(),
    };
    let lead = move || {
        words::lead(telemetry.connection.get(), is_viewer, game.with(Option::is_some), &relay.state.get())
    };
    let rows = telemetry.sampled(Telemetry::feed_rows);
    let known = Memo::new(move |_| rows.with(|rows| !rows.is_empty()));
    let open = move |files: web_sys::FileList| playback.open_files(list(&files));
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
        <a class=demo_class href=Wish::default_fragment() data-testid=Action::TryDemo.id()>{Action::TryDemo.label()}</a>
    };
    // A viewer that was sent as one file has no simulator.
    let has_demo = !browser::is_single_file();
    let mut buttons = vec![file.into_any()];
    buttons.extend(has_demo.then(|| demo.into_any()));
    if !is_viewer {
        buttons.reverse();
    }
    view! {
        <main id="main" node_ref=navigation.main class="connections" tabindex="-1" data-page="connections">
            <h1>{headline}</h1>
            <p class="lead">
                {lead}
                <Show when=move || game.with(Option::is_some)>
                    <a href=crate::route::Page::Live.hash()>"Go to Live"</a>
                </Show>
            </p>
            <p class="actions">
                {buttons.into_iter().collect_view()}
                {has_demo.then(|| view! { <span>{if is_viewer { DEMO_IN_VIEWER } else { DEMO }}</span> })}
            </p>
            <Show when=move || is_viewer>
                <FileKinds/>
            </Show>
            <Show when=move || known.get()>
                <ConnectionList rows/>
                <Tablets/>
                <Team/>
                <Addresses/>
            </Show>
            <PageDialogs/>
        </main>
    }
}

/// The kinds of files that the viewer opens.
#[component]
fn FileKinds() -> impl IntoView {
    view! {
        <dl class="explained">
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

/// A row for each game, in the order of `words::in_order`.
#[component]
fn ConnectionList(rows: Memo<Vec<FeedRow>>) -> impl IntoView {
    let choices = Choices::new();
    let rows = Rows::new(Memo::new(move |_| words::in_order(rows.get())), |row| row.feed);
    let place = Signal::derive(move || place_id(choices.place.get()));
    let choose = move |id: &'static str| {
        let place = PLACES.iter().find(|(_, known, _)| *known == id).map(|(place, ..)| *place);
        choices.place.set(place.unwrap_or(GamePlace::ThisComputer));
    };
    let options = PLACES.iter().map(|(_, id, name)| (*id, *name)).collect();
    view! {
        <GameFinder choices/>
        <Segments label="The game runs on" options selected=place on_select=choose/>
        <div class="connection-list">
            <EachRow rows let:row><FeedConnection row choices/></EachRow>
        </div>
    }
}

/// Where a game can run, each with its id and its name.
const PLACES: [(GamePlace, &str, &str); 2] = [
    (GamePlace::ThisComputer, "here", "This PC"),
    (GamePlace::Elsewhere, "elsewhere", "Console or other PC"),
];

fn place_id(place: GamePlace) -> &'static str {
    PLACES.iter().find(|(known, ..)| *known == place).map_or("", |(_, id, _)| *id)
}
