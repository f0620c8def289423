//! The status in the header: the connection and the recording, each a dot with a label.

use leptos::prelude::*;
use trailbrake_shared::wire::UnrecordedGame;

use crate::browser;
use crate::cockpit::{DemoStore, Playback, RelayLink, TelemetryStore};
use crate::link::Shown;
use crate::route::Page;
use crate::telemetry::{Connection, Telemetry};
use crate::text::figures::minutes;

/// The state of the connection, the sending game, and whether a demo or a recording plays.
#[component]
pub(super) fn ConnectionStatus() -> impl IntoView {
    let (playback, relay, demo, telemetry) =
        (Playback::here(), RelayLink::here(), DemoStore::here(), TelemetryStore::here());
    let traffic = telemetry.sampled(traffic);
    let plays = playback.sampled(|replay| replay.player.playing());
    let loading = telemetry.sampled(|telemetry| telemetry.joining_share().map(percent));
    let state = move || state(telemetry.is_viewer(), &relay.state.get());
    let words = move || {
        words(&Shows {
            connection: telemetry.connection.get(),
            link: relay.state.get(),
            loading: loading.get(),
            plays: plays.get() == Some(true),
            traffic: traffic.get(),
        })
    };
    let stop_demo = move |_| {
        demo.stop();
        browser::go_to(Page::Connections.hash());
    };
    view! {
        <span class="pill" data-testid="link" data-state=state>
            <span class="dot"></span>
            <span class="words">{words}</span>
            <Show when=move || telemetry.shows(Connection::Demo)>
                <button type="button" data-testid="stop-demo" on:click=stop_demo>"Stop"</button>
            </Show>
            <Show when=move || relay.state.get() == Shown::Outdated>
                <button type="button" data-testid="reload" on:click=|_| browser::reload()>"Reload"</button>
            </Show>
        </span>
        // For screen readers: changes with the state only, not with every packet rate.
        <span class="unseen" role="status">{move || format!("Trailbrake: {}", state())}</span>
    }
}

/// Shows how long a session has been recorded, or what is not recorded.
#[component]
pub(super) fn RecordingStatus() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let recording = telemetry.sampled(|telemetry| {
        let recorded = telemetry.recorded(browser::now_ms())?;
        Some((minutes(recorded.seconds), recorded.goes_on))
    });
    let trouble = telemetry.sampled(|telemetry| telemetry.ports.recording_trouble());
    let unrecorded = telemetry.sampled(|telemetry| telemetry.ports.unrecorded());
    // On a phone the style sheet hides the word and leaves the time.
    let has_stopped = move || recording.get().is_some_and(|(_, goes_on)| !goes_on);
    let words = move || recording_words(trouble.with(Option::is_some), unrecorded.get(), recording.get());
    let reason = move || trouble.get().or_else(|| unrecorded.get().map(|game| game.to_string()));
    view! {
        <Show when=move || words().is_some()>
            <span
                class="pill recording"
                class:trouble=move || reason().is_some()
                class:stopped=has_stopped
                data-testid="recording"
                title=reason
            >
                <span class="dot"></span>
                <span class="words">
                    <span class="word">{move || words().map(|(word, _)| word)}</span>
                    {move || words().map(|(_, time)| time)}
                </span>
            </span>
        </Show>
    }
}

/// The words about recording: a label, and the time for which a session has been recorded, with whether it goes on.
fn recording_words(
    fails: bool,
    unrecorded: Option<UnrecordedGame>,
    recorded: Option<(String, bool)>,
) -> Option<(String, String)> {
    match (fails, unrecorded) {
        (true, _) => Some(("Not recording".to_owned(), String::new())),
        (false, Some(game)) => {
            let name = game.feed.info().game;
            let machine = game.sender.ip();
            // Another machine may send the same game, and be recorded.
            let from = if machine.is_loopback() { String::new() } else { format!(" from {machine}") };
            Some((format!("Not recorded: {name}{from}"), String::new()))
        }
        (false, None) => recorded.map(|(time, goes_on)| {
            let label = if goes_on { "Recording " } else { "Recorded " };
            (label.to_owned(), time)
        }),
    }
}

/// Everything that the connection's label depends on.
struct Shows {
    connection: Connection,
    link: Shown,
    /// The progress of loading earlier laps in per cent, while they are loading.
    loading: Option<u32>,
    /// Whether the open recording plays, if there is one.
    plays: bool,
    traffic: Option<String>,
}

/// The sending game and its packet rate.
fn traffic(telemetry: &Telemetry) -> Option<String> {
    let game = telemetry.sending(browser::now_ms())?;
    Some(format!("{game} · {} packets/s", telemetry.per_second()))
}

fn percent(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

fn state(is_viewer: bool, link: &Shown) -> &'static str {
    match link {
        _ if is_viewer => "viewer",
        Shown::Connecting => "connecting",
        Shown::Connected => "connected",
        Shown::Reconnecting { .. } => "reconnecting",
        Shown::TurnedAway(_) => "turned-away",
        Shown::Outdated => "outdated",
    }
}

fn words(shows: &Shows) -> String {
    let Shows { connection, link, loading, plays, traffic } = shows;
    match (connection, traffic) {
        (Connection::Replay, _) if *plays => "Playing a recording".to_owned(),
        (Connection::Replay, _) => "File open".to_owned(),
        (Connection::Demo, Some(traffic)) => format!("Demo · {traffic}"),
        (Connection::Demo, None) => "Demo".to_owned(),
        (Connection::Viewer, _) => "Viewer".to_owned(),
        (Connection::Relay, traffic) => match (loading, link) {
            (Some(percent), _) => format!("Loading earlier laps · {percent} %"),
            (None, Shown::Connecting) => "Connecting".to_owned(),
            (None, Shown::Connected) => {
                traffic.clone().unwrap_or_else(|| "Connected, no game yet".to_owned())
            }
            (None, Shown::Reconnecting { seconds: 0 }) => "Connection lost · reconnecting".to_owned(),
            (None, Shown::Reconnecting { seconds }) => {
                format!("Connection lost · reconnecting in {seconds} s")
            }
            (None, Shown::TurnedAway(reason)) => format!("{} · trying again", in_brief(reason)),
            (None, Shown::Outdated) => "This page is older than Trailbrake".to_owned(),
        },
    }
}

/// A reason without what can be done about it, which stands on the page.
fn in_brief(reason: &str) -> &str {
    reason.split(": ").next().unwrap_or(reason).trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::wire::Unrecorded;

    use super::*;

    fn shows(link: Shown) -> Shows {
        Shows {
            connection: Connection::Relay,
            link,
            loading: None,
            plays: false,
            traffic: Some("F1 2018 · 60 packets/s".into()),
        }
    }

    #[test]
    fn a_game_that_is_not_recorded_is_named_instead_of_the_time() {
        let game = |address: [u8; 4]| {
            let sender = std::net::SocketAddr::from((address, 20_777));
            Some(UnrecordedGame { feed: Feed::F1, sender, because: Unrecorded::Crowd })
        };
        let words = |fails, game| {
            let (label, time) = recording_words(fails, game, Some(("2:10".into(), true))).expect("words");
            label + &time
        };
        assert_eq!(words(false, None), "Recording 2:10");
        assert_eq!(words(false, game([127, 0, 0, 1])), "Not recorded: F1 2018 to 25");
        assert_eq!(words(false, game([10, 0, 0, 7])), "Not recorded: F1 2018 to 25 from 10.0.0.7");
        assert_eq!(words(true, game([10, 0, 0, 7])), "Not recording");
        assert_eq!(recording_words(false, None, None), None);
        let stopped = recording_words(false, None, Some(("2:10".into(), false)));
        assert_eq!(stopped, Some(("Recorded ".to_owned(), "2:10".to_owned())));
    }

    #[test]
    fn what_is_shown_comes_before_what_arrives() {
        let connected = || shows(Shown::Connected);
        assert_eq!(words(&connected()), "F1 2018 · 60 packets/s");
        assert_eq!(words(&Shows { traffic: None, ..connected() }), "Connected, no game yet");
        assert_eq!(
            words(&Shows { connection: Connection::Demo, ..connected() }),
            "Demo · F1 2018 · 60 packets/s"
        );
        assert_eq!(
            words(&Shows { connection: Connection::Replay, plays: true, ..connected() }),
            "Playing a recording"
        );
        assert_eq!(words(&Shows { connection: Connection::Replay, ..connected() }), "File open");
        assert_eq!(words(&Shows { loading: Some(40), ..connected() }), "Loading earlier laps · 40 %");
        assert_eq!(
            words(&shows(Shown::Reconnecting { seconds: 3 })),
            "Connection lost · reconnecting in 3 s"
        );
        for (reason, brief) in [
            (
                "Too many pages are open on this device: close one of them.",
                "Too many pages are open on this device",
            ),
            ("anna is offline.", "anna is offline"),
        ] {
            let shown = words(&shows(Shown::TurnedAway(reason.to_owned())));
            assert_eq!(shown, format!("{brief} · trying again"));
        }
    }
}
