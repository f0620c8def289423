//! Which laps are side by side, how far they are apart, and by what they were aligned.

use trailbrake_shared::analysis::{Method, MissingRange};
use trailbrake_shared::number;

use crate::analyse::{Analyse, Axis, INKS, Key, Shown, State};
use crate::dom::{Part, button, fill_id, part};
use crate::figures::delta;

/// Draws what stands above the lanes.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        let parts = state.shown.as_ref().map(|shown| laps(state, shown)).unwrap_or_default();
        fill_id("beside", parts);
    });
}

fn laps(state: &State, shown: &Shown) -> Vec<Part> {
    let mut parts: Vec<Part> = shown
        .laps
        .iter()
        .enumerate()
        .map(|(place, lap)| chip(state, lap.driven.key, place, shown.compared))
        .collect();
    let times = shown.laps.first().zip(shown.laps.get(1));
    let apart =
        times.and_then(|(main, reference)| Some(main.driven.lap.time?.minus(reference.driven.lap.time?)));
    if let Some(apart) = apart {
        let class = if apart > 0 { "apart loss" } else { "apart gain" };
        parts.insert(2, part("b", class).set("data-figure", "apart").says(&delta(apart)));
    }
    // What is said and done of all laps goes into the next line together, where there is no room beside them.
    let mut tools = Vec::new();
    if shown.compared {
        let (method, residual_m) = shown.method();
        let strangers = shown.comparison().strangers.is_some();
        let sure = residual_m
            .map_or_else(String::new, |metres| format!(" · residual {} m", number::write(metres, 1)));
        let turned = shown.comparison().start_line_shift.map(|turned| {
            let way = if turned.further_m < 0.0 { "back" } else { "on" };
            format!(" · starts {} m further {way}", number::write(turned.further_m.abs(), 0))
        });
        let by = if strangers { "the share of each lap" } else { short(method) };
        let mut words = format!("aligned by {by}{sure}{}", turned.unwrap_or_default());
        for (who, placed) in ["lap", "reference"].iter().zip(&shown.comparison().placed) {
            for MissingRange { from_m, to_m } in placed.missing() {
                let [from, to] = [from_m, to_m].map(|metres| number::write(metres, 0));
                words.push_str(&format!(" · {who}: no data from {from} to {to} m"));
            }
        }
        tools.push(
            part("span", "soft").set("data-figure", "method").set("title", method.words()).says(&words),
        );
    }
    let axis = if state.view.axis == Axis::Distance { "Distance" } else { "Time" };
    let turn = button(axis, "quiet", "axis").set("title", "Count metres or seconds (X)");
    tools.push(turn);
    tools.push(button("Channels", "quiet", "channels").set("title", "Choose what is shown (V)"));
    if shown.compared {
        tools.push(button("Report", "quiet", "report").set("title", "The lap on one page, to print or save"));
    }
    tools.push(button("Copy", "quiet", "copy").set("title", "A figure as picture or CSV"));
    if state.view.is_part() {
        tools.push(button("Show all", "quiet", "all").set("title", "Show the whole lap (0)"));
    }
    parts.push(part("span", "alike").with_all(tools));
    parts
}

/// Draws what plays the laps.
pub(super) fn draw_transport(analyse: Analyse) {
    analyse.read(|state| {
        let parts = state.shown.as_ref().map(|_| {
            let words = if state.playing.plays() { "❚❚ Pause" } else { "▶ Play" };
            let speed = format!("{}×", state.playing.speed());
            vec![
                button(words, "quiet", "play").set("title", "Play or pause (Space)"),
                button("−", "quiet", "slower").set("aria-label", "Play slower"),
                part("span", "soft").set("data-figure", "speed").says(&speed),
                button("+", "quiet", "quicker").set("aria-label", "Play quicker"),
            ]
        });
        fill_id("play", parts.unwrap_or_default());
    });
}

/// A lap in its colour: number, time, and what it is here.
fn chip(state: &State, key: Key, place: usize, compared: bool) -> Part {
    let ink = INKS.get(place).map_or("", |ink| ink.token()).trim_start_matches('-');
    let (number, time) = match state.entry(key) {
        Some((origin, entry)) => {
            let number = crate::laps::number(&entry.lap, origin.stage);
            let what = if origin.stage { "Run" } else { "Lap" };
            let time = entry.lap.time.map_or_else(|| "–:––.–––".to_owned(), |time| time.to_string());
            (format!("{what} {number}"), time)
        }
        None => (String::new(), String::new()),
    };
    let role = match place {
        0 if compared => "",
        1 => "reference",
        _ => "",
    };
    // Where other laps are listed, the main one says where it is from.
    let elsewhere = || state.entry(key).filter(|(origin, _)| place == 0 && Some(origin.name) != state.listed);
    let whose = state.whose(key).or_else(|| elsewhere().map(|(origin, _)| origin.title.clone()));
    let whose = whose.unwrap_or_default();
    part("span", "chip")
        .set("data-place", &place.to_string())
        .with(part("i", &format!("ink {ink}")))
        .says(&number)
        .with(part("b", "").says(&time))
        .with(part("em", "").says(role))
        .with(part("em", "whose").set("title", &whose).says(&whose))
        .perhaps((place > 0).then(|| {
            let words = ["Take away: ", &number, " ", &whose].concat();
            button("×", "quiet", "away")
                .set("data-of", &place.to_string())
                .set("aria-label", words.trim_end())
        }))
}

const fn short(method: Method) -> &'static str {
    match method {
        Method::Position => "position",
        Method::Share => "share of the lap",
        Method::Distance => "the game's distance",
        Method::Speed => "speed over time",
        Method::Fraction => "share of the lap's time",
    }
}
