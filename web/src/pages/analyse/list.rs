//! The session and its laps: their times, how they compare, and which of them are side by side.

use trailbrake_shared::lap_catalogue::{LapEntry, Seat};
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::number::count;
use trailbrake_shared::session::{Bests, LapId};

use super::shelf;
use crate::analyse::{Analyse, INKS, Key, Origin, State};
use crate::dom::{Part, button, chooser, fill_id, part};
use crate::figures::delta;
use crate::laps::{Ranking, Row};
use crate::seats;

/// Draws the session and its laps.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        let Some(origin) = state.origin() else {
            fill_id("session", Vec::new());
            return fill_id("lap-list", Vec::new());
        };
        fill_id("session", heading(state, origin));
        let Some(seat) = origin.seat() else { return fill_id("lap-list", Vec::new()) };
        // Purple is the best of everybody in the session, green the driver's own.
        let bests = Bests::of(&mut origin.session().map(|entry| (entry.id.car, &entry.lap)));
        let mut own = origin.listed().map(|entry| &entry.lap);
        let ranking = Ranking::new(seat.id.car, &mut own, &bests, origin.stage);
        let best = ranking.best.map(|best| format!("best {best}")).unwrap_or_default();
        let title = if origin.stage { "Runs" } else { "Laps" };
        let head = part("div", "head")
            .with(part("h2", "").says(title))
            .with(part("span", "").set("data-figure", "best").says(&best));
        let row = |entry: &LapEntry| lap_row(state, origin.key(entry), &entry.lap, &ranking.row(&entry.lap));
        let rows: Vec<Part> = origin.listed().rev().map(row).collect();
        let table = part("table", "").with(part("tbody", "").with_all(rows));
        fill_id("lap-list", vec![head, shelf::row(state, origin), table]);
    });
}

fn heading(state: &State, origin: &Origin) -> Vec<Part> {
    let others = state.origins.iter().filter(|other| other.name != origin.name).enumerate();
    let others = others.map(|(place, other)| {
        // What is driven now is no file.
        let name =
            if other.opened.is_none() { ["Now: ", &other.title].concat() } else { other.title.clone() };
        button(&name, "quiet", "origin").set("data-of", &place.to_string()).set("title", &other.about)
    });
    let unnamed = !origin.named && state.track().is_some_and(|(_, known)| known.is_none());
    vec![
        part("div", "head")
            .with(part("h2", "").says("Session"))
            .with(chooser("Open", "button plain", "open", false).set("title", "Open a recording (Ctrl O)")),
        part("b", "").set("data-figure", "track").says(&origin.title),
        part("p", "").says(&about(origin)),
        part("div", "seats").perhaps(seat_choice(origin)),
        part("div", "naming").perhaps(unnamed.then(|| button("Name the track", "quiet", "names"))),
        part("div", "others").with_all(others.collect()),
    ]
}

fn about(origin: &Origin) -> String {
    match origin.catalogue.seats().as_slice() {
        [seat] => format!("{} · {}", origin.about, lap_count(origin, seat)),
        // Each says its own.
        _ => origin.about.clone(),
    }
}

fn lap_count(origin: &Origin, seat: &Seat<'_>) -> String {
    let (one, more) = if origin.stage { ("run", "runs") } else { ("lap", "laps") };
    count(seat.laps, one, more)
}

fn seat_choice(origin: &Origin) -> Option<Part> {
    let words = |seat: &Seat<'_>| format!("{} · {}", seat.first.driver_words(), lap_count(origin, seat));
    seats::choice(&origin.catalogue, origin.seat()?, "seat", &words)
}

fn lap_row(state: &State, key: Key, lap: &Lap, row: &Row) -> Part {
    let place = state.chosen.place(key);
    let of = name(key);
    let ink = place.and_then(|place| INKS.get(place)).map_or("", |ink| ink.token().trim_start_matches('-'));
    let overlay = button("", "", "overlay")
        .set("data-of", &of)
        .set("aria-pressed", if place.is_some() { "true" } else { "false" })
        .set("aria-label", "Lay this lap beside the others")
        .set("title", "Lay this lap beside the others, or take it away")
        .with(part("i", &format!("ink {ink}")));
    let mark = part("td", "mark").with(overlay);
    let time = row.time.map_or_else(|| "–:––.–––".to_owned(), |time| time.to_string());
    let time = if row.inferred { format!("≈ {time}") } else { time };
    let press = button(&time, "", "lap").set("data-of", &of).set("title", "Look at this lap");
    let said = match row.behind {
        _ if !row.said.is_empty() => row.said.clone(),
        Some(0) => "best".to_owned(),
        Some(behind) => delta(behind),
        None => String::new(),
    };
    let flagged = if row.said.is_empty() { "comparison" } else { "comparison flag" };
    let sectors = row.sectors.iter().filter(|rank| **rank != "none");
    let sectors = part("td", "sectors")
        .set("aria-hidden", "true")
        .with_all(sectors.map(|rank| part("i", "").set("data-rank", rank)).collect());
    let reference = place == Some(1);
    let compare = button("vs", "quiet", "reference")
        .set("data-of", &of)
        .set("aria-pressed", if reference { "true" } else { "false" })
        .set("title", if reference { "This is the reference" } else { "Make this lap the reference" });
    let out = lap.flags.has(LapFlag::Excluded);
    let (sign, title) = match out {
        true => ("+", "Take this lap in again"),
        false => ("×", "Leave this lap out: it counts nowhere"),
    };
    let leave_out = button(sign, "quiet", "leave-out")
        .set("data-of", &of)
        .set("aria-pressed", if out { "true" } else { "false" })
        .set("aria-label", title)
        .set("title", title);
    part("tr", role(place))
        .mark("data-out", out)
        .set("data-lap", &row.number.to_string())
        .set("data-time", &millis(lap))
        .mark("data-chosen", place.is_some())
        .with(mark)
        .with(part("td", "place").says(&row.number.to_string()))
        .with(part("th", "").set("scope", "row").with(press))
        .with(part("td", flagged).says(&said))
        .with(sectors)
        .with(part("td", "out").with(leave_out))
        .with(part("td", "vs").with(compare))
}

fn role(place: Option<usize>) -> &'static str {
    match place {
        Some(0) => "main",
        Some(1) => "reference",
        Some(_) => "other",
        None => "",
    }
}

fn millis(lap: &Lap) -> String {
    lap.time.map(|time| time.0.to_string()).unwrap_or_default()
}

/// A lap of the list, as an element names it.
fn name(key: Key) -> String {
    let LapId { session, car, serial } = key.id;
    format!("{session}.{}.{serial}", car.0)
}

/// The lap of the list that an element names.
pub(super) fn named(state: &State, of: &str) -> Option<Key> {
    let origin = state.origin()?;
    origin.listed().map(|entry| origin.key(entry)).find(|key| name(*key) == of)
}
