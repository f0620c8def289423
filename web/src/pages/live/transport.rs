//! What a recording is played with: play and pause, speed, a line through its time with laps and gaps.

use leptos::ev;
use leptos::prelude::*;
use trailbrake_shared::decimal;
use trailbrake_shared::time::Micros;

use crate::browser;
use crate::cockpit::Cockpit;
use crate::replay::{Player, Replay, SPEEDS};
use crate::route::Page;

/// An arrow key goes so far, and ten times as far with the shift key.
const STEP_S: f64 = 5.0;
/// Laps narrower than this share of the line bear no number.
const NARROW: f64 = 0.02;

/// Where something lies on the line, as shares of its length.
#[derive(Clone, Debug, PartialEq)]
struct Stretch {
    from: f64,
    to: f64,
    words: String,
}

/// The bar below the dashboard.
pub(super) fn transport() -> impl IntoView {
    let cockpit = Cockpit::here();
    let keys = window_event_listener(ev::keydown, move |event| key(cockpit, &event));
    on_cleanup(move || keys.remove());
    let playing = cockpit.played(|replay| replay.player.playing());
    let label = move || if playing.get() == Some(true) { "Pause" } else { "Play" };
    let speed = cockpit.played(|replay| replay.player.speed());
    let name = cockpit.played(|replay| replay.name());
    let cost = cockpit.played(cost);
    let state = cockpit.played(|replay| match (replay.trouble(), replay.player.has_caught_up()) {
        (Some(words), _) => words.to_owned(),
        (None, true) => "Just behind the game".to_owned(),
        (None, false) => String::new(),
    });
    let waits = cockpit.sampled(|telemetry| telemetry.game_waits(browser::now_ms()));
    view! {
        <section class="transport" aria-label="Recording" data-figure="transport" data-cost=move || cost.get()>
            <button
                type="button"
                class="play"
                data-action="play"
                aria-label=label
                title=move || format!("{} (Space)", label())
                on:click=move |_| cockpit.steer(Player::toggle)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path d=move || if playing.get() == Some(true) { "M4 2h3v12H4zM9 2h3v12H9z" } else { "M4 2l9 6-9 6z" } />
                </svg>
            </button>
            <select
                aria-label="Speed"
                data-action="speed"
                on:change=move |event| {
                    let speed = decimal::read(&event_target_value(&event));
                    cockpit.steer(|player| {
                        player.set_speed(speed.unwrap_or(1.0));
                        None
                    });
                }
            >
                {SPEEDS.map(|one| view! {
                    <option value=one.to_string() selected=move || speed.get() == Some(one)>{format!("{one}×")}</option>
                })}
            </select>
            {line()}
            <span class="state" role="status" data-figure="replay-state">{move || state.get()}</span>
            <span class="of" title=move || name.get()>{move || name.get()}</span>
            <button type="button" data-action="close-recording" on:click=move |_| {
                // Once it is closed no game waits for that any more.
                let page = if waits.get_untracked() { Page::Live } else { Page::Feeds };
                cockpit.close_replay();
                browser::go_to(page.hash());
            }>
                {move || if waits.get() { "A game is sending: go live" } else { "Close" }}
            </button>
        </section>
    }
}

/// The line through the recording's time, with where it is.
fn line() -> impl IntoView {
    let cockpit = Cockpit::here();
    let length = cockpit.played(|replay| seconds(&replay.player, replay.player.time().end));
    let at = cockpit.played(|replay| seconds(&replay.player, replay.player.position()));
    let behind = cockpit.played(|replay| replay.player.is_behind());
    // While the handle is dragged it stays where the finger is.
    let held = RwSignal::new(None::<f64>);
    let shown = move || held.get().or(at.get()).unwrap_or_default();
    // The laps of the driver's car.
    let laps = cockpit.played(|replay| {
        let rows = replay.laps(replay.driver());
        rows.map(|row| stretch(&replay.player, row.from, row.to, row.lap.number.to_string()))
            .collect::<Vec<_>>()
    });
    let gaps = cockpit.played(|replay| {
        let gaps = replay.player.gaps().iter().map(|gap| {
            stretch(&replay.player, gap.from, gap.to, format!("{} packets can't be read", gap.lost))
        });
        gaps.collect::<Vec<_>>()
    });
    let marks = move |stretches: Option<Vec<Stretch>>, class: &'static str| {
        let marks = stretches.unwrap_or_default().into_iter().map(|stretch| {
            let width = (stretch.to - stretch.from).max(0.0);
            let percent = |share: f64| format!("{:.3}%", share * 100.0);
            let (left, wide) = (percent(stretch.from), percent(width));
            let words = (class == "gap" || width >= NARROW).then(|| stretch.words.clone());
            view! { <i class=class style:left=left style:width=wide title=stretch.words>{words.filter(|_| class == "lap")}</i> }
        });
        marks.collect_view()
    };
    view! {
        <span class="time" data-figure="replay-time">
            <b>{move || clock(shown())}</b>" / "{move || clock(length.get().unwrap_or_default())}
        </span>
        <div class="line" data-behind=move || behind.get().map(|behind| behind.to_string())>
            <div class="marks" aria-hidden="true">
                {move || marks(laps.get(), "lap")}
                {move || marks(gaps.get(), "gap")}
            </div>
            <input
                type="range"
                min="0"
                step="0.1"
                max=move || length.get().unwrap_or_default()
                aria-label="Place in the recording"
                aria-valuetext=move || clock(shown())
                data-action="scrub"
                prop:value=shown
                on:input=move |event| held.set(decimal::read(&event_target_value(&event)))
                on:change=move |event| {
                    held.set(None);
                    if let Some(seconds) = decimal::read(&event_target_value(&event)) {
                        cockpit.steer(|player| Some(player.jump(player.time().start.plus_seconds(seconds))));
                    }
                }
            />
        </div>
    }
}

/// What it costs to play, for whoever looks into the page: bytes to open it, bytes and blocks until now, the page's memory.
fn cost(replay: &Replay) -> String {
    let (opened, read) = replay.bytes_read();
    format!("opened={opened} read={read} blocks={} memory={}", replay.player.blocks(), browser::memory())
}

fn stretch(player: &Player, from: Micros, to: Micros, words: String) -> Stretch {
    let whole = seconds(player, player.time().end).max(1e-3);
    Stretch { from: seconds(player, from) / whole, to: seconds(player, to) / whole, words }
}

fn seconds(player: &Player, at: Micros) -> f64 {
    at.clamp(player.time().start, player.time().end).seconds_since(player.time().start)
}

/// A length of time as people read it on a player.
fn clock(seconds: f64) -> String {
    let whole = seconds as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn key(cockpit: Cockpit, event: &ev::KeyboardEvent) {
    let target = event.target().and_then(|target| {
        use wasm_bindgen::JsCast;
        target.dyn_into::<web_sys::Element>().ok()
    });
    // Whoever stands on a field or a button means that.
    let taken = target.is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "SELECT" | "BUTTON" | "TEXTAREA" | "A")
    });
    if taken || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    let step = if event.shift_key() { STEP_S * 10.0 } else { STEP_S };
    match event.key().as_str() {
        " " => cockpit.steer(Player::toggle),
        "ArrowLeft" => by(cockpit, -step),
        "ArrowRight" => by(cockpit, step),
        "Home" => cockpit.steer(|player| Some(player.jump(player.time().start))),
        "End" => cockpit.steer(|player| Some(player.jump(player.time().end))),
        _ => return,
    }
    event.prevent_default();
}

fn by(cockpit: Cockpit, seconds: f64) {
    cockpit.steer(|player| Some(player.jump(player.position().plus_seconds(seconds))));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_like_a_player_s() {
        for (seconds, words) in
            [(0.0, "0:00"), (9.99, "0:09"), (75.0, "1:15"), (3600.0, "1:00:00"), (7_325.2, "2:02:05")]
        {
            assert_eq!(clock(seconds), words);
        }
    }
}
