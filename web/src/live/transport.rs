//! The transport of a recording: play and pause, speed, and a timeline with laps and gaps.

use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::time::Micros;

use super::actions::{Action, ActionContext};
use crate::browser;
use crate::cockpit::Playback;
use crate::replay::{Player, Replay, SPEEDS};
use crate::ui::{ActionButton, ActionTable, PageAction};

/// Laps narrower than this share of the timeline show no number.
const NARROW: f64 = 0.02;

/// The state of the player.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    playing: bool,
    speed: f64,
    /// The current problem, or that playback is just behind the game. Empty for neither.
    words: String,
    name: String,
    /// The position in the recording, in seconds since its start.
    at: f64,
    length: f64,
    is_behind: bool,
    cost: String,
}

/// A lap or a gap on the timeline.
#[derive(Clone, Debug, PartialEq)]
struct Mark {
    class: &'static str,
    left: String,
    width: String,
    title: String,
    words: String,
}

/// The bar below the dashboard.
#[component]
pub(super) fn Transport() -> impl IntoView {
    let context = ActionContext::here();
    let ActionContext { telemetry, playback, .. } = context;
    let played = playback.sampled(state);
    let state = Memo::new(move |_| played.get().unwrap_or_default());
    let waits = telemetry.sampled(|telemetry| telemetry.game_waits(browser::now_ms()));
    // The dragged position: playback does not move the handle under the driver's finger.
    let held = RwSignal::new(None::<f64>);
    let at = Memo::new(move |_| held.get().unwrap_or_else(|| state.with(|state| state.at)));
    let length = Memo::new(move |_| state.with(|state| state.length));
    view! {
        <section
            class="transport"
            aria-label="Recording"
            data-figure="transport"
            data-cost=move || state.with(|state| state.cost.clone())
        >
            <PlayButton playing=Memo::new(move |_| state.with(|state| state.playing))/>
            <SpeedChooser speed=Memo::new(move |_| state.with(|state| state.speed))/>
            <span class="time" data-figure="replay-time">
                <b>{move || clock(at.get())}</b>
                " / "
                {move || clock(length.get())}
            </span>
            <div class="line" data-behind=move || state.with(|state| state.is_behind.to_string())>
                <Marks/>
                <input
                    type="range"
                    min="0"
                    step="0.1"
                    max=move || length.get()
                    aria-label="Place in the recording"
                    aria-valuetext=move || clock(at.get())
                    data-testid="scrub"
                    prop:value=move || at.get().to_string()
                    on:input=move |event| held.set(number::read(&event_target_value(&event)))
                    on:change=move |event| {
                        held.set(None);
                        jump_to(playback, &event_target_value(&event));
                    }
                />
            </div>
            <span class="state" role="status" data-figure="replay-state">
                {move || state.with(|state| state.words.clone())}
            </span>
            <span class="of" title=move || state.with(|state| state.name.clone())>
                {move || state.with(|state| state.name.clone())}
            </span>
            <ActionButton action=Action::CloseRecording>
                {move || if waits.get() { "Game is live: switch" } else { "Close" }}
            </ActionButton>
        </section>
    }
    .into_any()
}

fn jump_to(playback: Playback, seconds: &str) {
    if let Some(seconds) = number::read(seconds) {
        playback.steer(|player| Some(player.jump(player.time().start.plus_seconds(seconds))));
    }
}

#[component]
fn PlayButton(playing: Memo<bool>) -> impl IntoView {
    let context = ActionContext::here();
    let sign = move || if playing.get() { "M4 2h3v12H4zM9 2h3v12H9z" } else { "M4 2l9 6-9 6z" };
    view! {
        <button
            type="button"
            class="play"
            aria-label=move || if playing.get() { "Pause" } else { "Play" }
            title=move || if playing.get() { "Pause (Space)" } else { "Play (Space)" }
            data-testid=Action::Play.id()
            on:click=move |_| Action::Play.choose(context)
        >
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d=sign></path></svg>
        </button>
    }
}

#[component]
fn SpeedChooser(speed: Memo<f64>) -> impl IntoView {
    let playback = Playback::here();
    let choose = move |event| {
        let speed = number::read(&event_target_value(&event)).unwrap_or(1.0);
        playback.steer(|player| {
            player.set_speed(speed);
            None
        });
    };
    view! {
        <select aria-label="Speed" data-testid="speed" on:change=choose>
            {SPEEDS.map(|own| view! {
                <option value=own.to_string() prop:selected=move || speed.get() == own>{format!("{own}×")}</option>
            })}
        </select>
    }
}

/// The laps of the driver's car, and the gaps.
#[component]
fn Marks() -> impl IntoView {
    let marks = Playback::here().sampled(marks);
    let mark = |Mark { class, left, width, title, words }: Mark| {
        view! { <i class=class style:left=left style:width=width title=title>{words}</i> }
    };
    view! {
        <div class="marks" aria-hidden="true">
            {move || marks.get().unwrap_or_default().into_iter().map(mark).collect_view()}
        </div>
    }
}

fn state(replay: &Replay) -> State {
    let player = &replay.player;
    State {
        playing: player.playing(),
        speed: player.speed(),
        words: match (replay.trouble(), player.has_caught_up()) {
            (Some(words), _) => words.to_owned(),
            (None, true) => "Just behind the game".to_owned(),
            (None, false) => String::new(),
        },
        name: replay.name(),
        at: seconds(player, player.position()),
        length: seconds(player, player.time().end),
        is_behind: player.is_behind(),
        cost: cost(replay),
    }
}

fn marks(replay: &Replay) -> Vec<Mark> {
    let player = &replay.player;
    let laps = replay.laps(replay.driver()).filter_map(|entry| {
        let (from, to) = entry.received.clone()?.into_inner();
        Some(mark(player, "lap", [from, to], entry.lap.number.to_string()))
    });
    let gaps = player
        .gaps()
        .iter()
        .map(|gap| mark(player, "gap", [gap.from, gap.to], format!("{} packets can't be read", gap.lost)));
    laps.chain(gaps).collect()
}

fn mark(player: &Player, class: &'static str, ends: [Micros; 2], title: String) -> Mark {
    let whole = seconds(player, player.time().end).max(1e-3);
    let [from, to] = ends.map(|end| seconds(player, end) / whole);
    let width = (to - from).max(0.0);
    let percent = |share: f64| format!("{:.3}%", share * 100.0);
    let words = if class == "lap" && width >= NARROW { title.clone() } else { String::new() };
    Mark { class, left: percent(from), width: percent(width), title, words }
}

/// The cost of playing, for tests: bytes read to open the recording, bytes and blocks read so far, the page's memory.
fn cost(replay: &Replay) -> String {
    let (opened, read) = replay.bytes_read();
    format!("opened={opened} read={read} blocks={} memory={}", replay.blocks(), browser::memory())
}

fn seconds(player: &Player, at: Micros) -> f64 {
    at.clamp(player.time().start, player.time().end).seconds_since(player.time().start)
}

/// A duration as media players show it: minutes and seconds, with hours if there are any.
fn clock(seconds: f64) -> String {
    let whole = seconds as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
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
