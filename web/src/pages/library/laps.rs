//! The laps of a recording: the player's, and any other driver's on request.

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry, Seat};
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::number::count;
use trailbrake_shared::time::LapTime;

use crate::dom::{Part, button, fill_id, part};
use crate::figures::NONE;
use crate::library::{Library, Ticked};
use crate::seats;

/// Draws them, once they are known.
pub(super) fn draw(library: &Library) {
    let parts = library.read(|state| match &state.known {
        Some(Ok(known)) => parts(&known.catalogue, state.seat(known), &state.ticked),
        _ => Vec::new(),
    });
    fill_id("laps", parts);
}

fn parts(catalogue: &LapCatalogue, seat: Option<&LapEntry>, ticked: &Ticked) -> Vec<Part> {
    let Some(seat) = seat else {
        return vec![part("h2", "").says("Laps"), part("p", "soft").says("No lap was begun.")];
    };
    let choice = seats::choice(catalogue, seat, "whose", &driver);
    let head = part("div", "part").with(part("h2", "").says("Laps")).perhaps(choice);
    let most = catalogue.seat_laps(seat).map(|entry| entry.lap.sectors.len()).max().unwrap_or_default();
    let sectors = (1..=most).map(|number| format!("S{number}"));
    let names = ["", "Lap", "Time"].map(str::to_owned).into_iter().chain(sectors).chain([String::new()]);
    let names = names.map(|name| part("th", "").set("scope", "col").says(&name));
    let names = part("thead", "").with(part("tr", "").with_all(names.collect()));
    let rows = part("tbody", "").with_all(rows(catalogue, seat, ticked).iter().map(row).collect());
    let table = part("table", "lap-table").set("data-figure", "laps").with(names).with(rows);
    vec![head, table]
}

/// Draws what is done with the laps that are ticked.
pub(super) fn draw_taking(library: &Library) {
    let ticked = library.read(|state| state.ticked.clone());
    fill_id("taking", (ticked.count() > 0).then(|| taking(&ticked)).into_iter().collect());
}

fn taking(ticked: &Ticked) -> Part {
    let tick = part("input", "").set("type", "checkbox").set("data-action", "leave-out");
    let tick =
        part("label", "").with(tick.mark("checked", !ticked.with_others)).says(" Leave other people out");
    let means = match ticked.with_others {
        true => "Everybody's packets come along as they are, with names, ids and chat.",
        false => {
            "Names, ids and chat of everybody who does not drive these laps are taken out of the packets."
        }
    };
    let save = button("Save as small recording", "primary", "save-ticked");
    let count = count(ticked.count(), "lap", "laps");
    part("div", "taking")
        .set("data-figure", "taking")
        .with(part("b", "").says(&format!("{count} of this recording")))
        .with(tick)
        .with(part("p", "soft").says(means))
        .with(save)
}

/// Whose laps a seat's are, and how many.
fn driver(seat: &Seat<'_>) -> String {
    let own = if seat.first.is_players_seat() { " (player)" } else { "" };
    format!("{}{own} · {}", seat.first.driver_words(), count(seat.laps, "lap", "laps"))
}

/// A lap as it is printed.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// Its place in the catalogue.
    place: usize,
    ticked: bool,
    number: String,
    time: String,
    sectors: Vec<String>,
    flags: String,
    best: bool,
}

fn rows(catalogue: &LapCatalogue, seat: &LapEntry, ticked: &Ticked) -> Vec<Row> {
    let best = seats::fastest(catalogue, seat).map(|entry| entry.id);
    let time = |time: Option<LapTime>| time.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    let print = |(place, entry): (usize, &LapEntry)| {
        let lap = &entry.lap;
        // What is usual needs no word.
        let flags = LapFlag::ALL.iter().filter(|flag| lap.flags.has(**flag) && **flag != LapFlag::Valid);
        let flags: Vec<&str> = flags.map(|flag| flag.word()).collect();
        Row {
            place,
            ticked: ticked.has(entry.id),
            number: lap.number.to_string(),
            time: if lap.ended_s.is_none() { "running".to_owned() } else { time(lap.time) },
            sectors: lap.sectors.into_iter().map(time).collect(),
            flags: flags.join(", "),
            best: best == Some(entry.id),
        }
    };
    catalogue.laps().iter().enumerate().filter(|(_, entry)| entry.is_of_seat(seat)).map(print).collect()
}

fn row(row: &Row) -> Part {
    let tick = part("input", "")
        .set("type", "checkbox")
        .set("data-action", "tick")
        .set("data-of", &row.place.to_string());
    let tick = tick.set("aria-label", &format!("Take lap {}", row.number)).mark("checked", row.ticked);
    let cells = part("tr", if row.best { "best" } else { "" })
        .set("data-lap", &row.number)
        .with(part("td", "").with(tick))
        .with(part("td", "").says(&row.number))
        .with(part("th", "").set("scope", "row").says(&row.time));
    let cells = row.sectors.iter().fold(cells, |cells, sector| cells.with(part("td", "").says(sector)));
    cells.with(part("td", "flags").says(&row.flags))
}
