//! The laps of a recording: the player's, and any other car's on request.

use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{Known, LapRow};
use trailbrake_shared::time::LapTime;

use crate::dom::{Part, button, fill_id, part};
use crate::figures::NONE;
use crate::library::{Library, Ticked};
use crate::words::counted;

/// Draws them, once they are known.
pub(super) fn draw(library: &Library) {
    let parts = library.read(|state| match &state.known {
        Some(Ok(known)) => parts(known, state.whose, &state.ticked),
        _ => Vec::new(),
    });
    fill_id("laps", parts);
}

fn parts(known: &Known, whose: Option<Car>, ticked: &Ticked) -> Vec<Part> {
    let drivers = drivers(known);
    let Some(first) = drivers.first() else {
        return vec![part("h2", "").says("Laps"), part("p", "soft").says("No lap was begun.")];
    };
    let car = whose.unwrap_or(first.car);
    let mut head = part("div", "part").with(part("h2", "").says("Laps"));
    if drivers.len() > 1 {
        let options = drivers.iter().map(|driver| {
            let value = driver.car.0.to_string();
            part("option", "").set("value", &value).mark("selected", driver.car == car).says(&driver.words)
        });
        let choice = part("select", "").set("aria-label", "Whose laps").set("data-action", "whose");
        head = head.with(choice.with_all(options.collect()));
    }
    let names =
        ["", "Lap", "Time", "S1", "S2", "S3", ""].map(|name| part("th", "").set("scope", "col").says(name));
    let names = part("thead", "").with(part("tr", "").with_all(names.into()));
    let rows = part("tbody", "").with_all(rows(known, car, ticked).iter().map(row).collect());
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
    let count = counted(ticked.count(), "lap", "laps");
    part("div", "taking")
        .set("data-figure", "taking")
        .with(part("b", "").says(&format!("{count} of this recording")))
        .with(tick)
        .with(part("p", "soft").says(means))
        .with(save)
}

/// A car whose laps are known.
#[derive(Clone, Debug, PartialEq)]
struct Driver {
    car: Car,
    words: String,
}

/// The cars that have laps, the player's first.
fn drivers(known: &Known) -> Vec<Driver> {
    let told = &known.facts.told;
    let mut cars: Vec<(Car, usize)> = Vec::new();
    for row in &known.facts.laps.laps {
        match cars.iter_mut().find(|(car, _)| *car == row.car) {
            Some((_, count)) => *count += 1,
            None => cars.push((row.car, 1)),
        }
    }
    // They stand in the order of their numbers.
    if let Some(own) = cars.iter().position(|(car, _)| Some(*car) == told.player) {
        let own = cars.remove(own);
        cars.insert(0, own);
    }
    let words = |(car, count): (Car, usize)| {
        let named = told.participants.iter().find(|one| one.car == car);
        let name = named.map(|one| one.name.trim()).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("Car {}", car.0), str::to_owned);
        let own = if Some(car) == told.player { " (player)" } else { "" };
        Driver { car, words: format!("{name}{own} · {}", counted(count, "lap", "laps")) }
    };
    cars.into_iter().map(words).collect()
}

/// A lap as it is printed.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// Its place in the lap table.
    place: usize,
    ticked: bool,
    number: String,
    time: String,
    sectors: [String; 3],
    flags: String,
    best: bool,
}

fn rows(known: &Known, car: Car, ticked: &Ticked) -> Vec<Row> {
    let laps = known.facts.laps.laps.iter().enumerate().filter(|(_, row)| row.car == car);
    let best = laps.clone().filter_map(|(_, row)| row.lap.counts()).min();
    let sessions = laps.clone().any(|(_, row)| row.session > 0);
    let time = |time: Option<LapTime>| time.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    let print = |(place, row): (usize, &LapRow)| {
        let lap = &row.lap;
        // What is usual needs no word.
        let flags = LapFlag::ALL.iter().filter(|flag| lap.flags.has(**flag) && **flag != LapFlag::Valid);
        let flags: Vec<&str> = flags.map(|flag| flag.word()).collect();
        let number = lap.number.to_string();
        Row {
            place,
            ticked: ticked.has(row),
            number: if sessions { format!("{}·{number}", row.session + 1) } else { number },
            time: if lap.ended_s.is_none() { "running".to_owned() } else { time(lap.time) },
            sectors: lap.sectors.map(time),
            flags: flags.join(", "),
            best: best.is_some() && lap.counts() == best,
        }
    };
    laps.map(print).collect()
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
