//! What a recording is played with: play and pause, speed, a line through its time with laps and gaps.

use trailbrake_shared::time::Micros;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::Live;
use crate::browser;
use crate::cockpit::Cockpit;
use crate::dom::{Part, button, part};
use crate::replay::{Player, Replay, SPEEDS};
use crate::telemetry::Telemetry;

/// An arrow key goes so far, and ten times as far with the shift key.
const STEP_S: f64 = 5.0;
/// Laps narrower than this share of the line bear no number.
const NARROW: f64 = 0.02;

/// The bar below the dashboard, while a recording plays.
pub(super) fn transport(live: &Live, telemetry: &Telemetry) -> Option<Part> {
    let waits = telemetry.game_waits(browser::now_ms());
    live.cockpit.replay(|replay| bar(replay, live.held.get(), waits))
}

fn bar(replay: &Replay, held: Option<f64>, waits: bool) -> Part {
    let player = &replay.player;
    let (label, title, sign) = match player.playing() {
        true => ("Pause", "Pause (Space)", "M4 2h3v12H4zM9 2h3v12H9z"),
        false => ("Play", "Play (Space)", "M4 2l9 6-9 6z"),
    };
    let sign = part("svg", "").set("viewBox", "0 0 16 16").with(part("path", "").set("d", sign));
    let play = button("", "play", "play").set("aria-label", label).set("title", title).with(sign);
    let speeds = SPEEDS.map(|speed| {
        let words = speed.to_string();
        let option = part("option", "").set("value", &words).says(&format!("{words}×"));
        option.mark("selected", speed == player.speed())
    });
    let speeds =
        part("select", "").set("aria-label", "Speed").set("data-action", "speed").with_all(speeds.into());
    let state = match (replay.trouble(), player.has_caught_up()) {
        (Some(words), _) => words,
        (None, true) => "Just behind the game",
        (None, false) => "",
    };
    let state = part("span", "state").set("role", "status").set("data-figure", "replay-state").says(state);
    let name = replay.name();
    let length = seconds(player, player.time().end);
    // While the handle is dragged it stays where the finger is.
    let at = held.unwrap_or_else(|| seconds(player, player.position()));
    part("section", "transport")
        .set("aria-label", "Recording")
        .set("data-figure", "transport")
        .set("data-cost", &cost(replay))
        .with(play)
        .with(speeds)
        .with(
            part("span", "time")
                .set("data-figure", "replay-time")
                .with(part("b", "").says(&clock(at)))
                .says(" / ")
                .says(&clock(length)),
        )
        .with(line(replay, at, length))
        .with(state)
        .with(part("span", "of").set("title", &name).says(&name))
        .with(button(if waits { "A game is sending: go live" } else { "Close" }, "", "close-recording"))
}

/// The line through the recording's time, with where it is.
fn line(replay: &Replay, at: f64, length: f64) -> Part {
    let player = &replay.player;
    // The laps of the driver's car.
    let laps = replay.laps(replay.driver());
    let laps = laps.filter_map(|entry| {
        let (from, to) = entry.received.clone()?.into_inner();
        Some(mark(player, "lap", from, to, &entry.lap.number.to_string()))
    });
    let gaps = player
        .gaps()
        .iter()
        .map(|gap| mark(player, "gap", gap.from, gap.to, &format!("{} packets can't be read", gap.lost)));
    let range = part("input", "")
        .set("type", "range")
        .set("min", "0")
        .set("step", "0.1")
        .set("max", &length.to_string())
        .set("aria-label", "Place in the recording")
        .set("aria-valuetext", &clock(at))
        .set("data-action", "scrub")
        .put("value", &at.to_string());
    part("div", "line")
        .set("data-behind", if player.is_behind() { "true" } else { "false" })
        .with(part("div", "marks").set("aria-hidden", "true").with_all(laps.chain(gaps).collect()))
        .with(range)
}

/// A stretch of the line.
fn mark(player: &Player, class: &str, from: Micros, to: Micros, words: &str) -> Part {
    let whole = seconds(player, player.time().end).max(1e-3);
    let (from, to) = (seconds(player, from) / whole, seconds(player, to) / whole);
    let width = (to - from).max(0.0);
    let percent = |share: f64| format!("{:.3}%", share * 100.0);
    let mark =
        part("i", class).style("left", &percent(from)).style("width", &percent(width)).set("title", words);
    mark.says(if class == "lap" && width >= NARROW { words } else { "" })
}

/// What it costs to play, for whoever looks into the page: bytes to open it, bytes and blocks until now, the page's memory.
fn cost(replay: &Replay) -> String {
    let (opened, read) = replay.bytes_read();
    format!("opened={opened} read={read} blocks={} memory={}", replay.blocks(), browser::memory())
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

/// What a key does while a recording plays.
pub(super) fn key(cockpit: Cockpit, event: &KeyboardEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
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
