//! What the laps did between the two measuring cursors: how long, what was lost, and every channel of the lanes.

use trailbrake_shared::analysis::{Area, SectionStatistics, Unavailable};
use trailbrake_shared::model::Slot;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::units::Unit;

use super::channels::say;
use crate::analyse::{Analyse, Part as LapRange, Shown, State, slots};
use crate::dom::{Part, button, fill_id, part};
use crate::figures::NONE;

/// What is said to whoever wants something done at the cursor while there is none.
pub(super) const NO_CURSOR: &str = "There is no cursor yet: press on the lanes, or an arrow key";

/// How a number is got.
type Get = fn(&SectionStatistics) -> f64;

/// What is told of a channel: what elements and columns call it, what that is, and how it is got.
const TOLD: [(&str, &str, Get); 5] = [
    ("first", "The first value", |told| told.first.into()),
    ("last", "The last value", |told| told.last.into()),
    ("min", "The lowest value", |told| told.low.into()),
    ("max", "The highest value", |told| told.high.into()),
    ("mean", "The mean over time", |told| told.mean),
];

/// The rows of a channel: what elements call them, in which colour, and what stands in front.
const LAPS: [(&str, &str, &str); 2] = [("lap", "ink main", "■"), ("reference", "ink reference", "□")];
const APART: (&str, &str, &str) = ("apart", "soft", "Δ");

/// Draws it, while both cursors are there.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| {
        let measured = state.shown.as_ref().zip(state.measure.area_m());
        let parts = measured.map(|(shown, (from_m, to_m))| panel(state, shown, from_m, to_m));
        fill_id("measured", parts.unwrap_or_default());
    });
}

/// Puts a measuring cursor where the cursor is, or says that there is none.
pub(super) fn put(analyse: Analyse, which: usize) {
    if !analyse.drop_measure(which) {
        say(NO_CURSOR);
    }
}

/// Shows the measured area and nothing else.
pub(super) fn zoom(analyse: Analyse) {
    let Some((shown, (from_m, to_m))) = analyse.read(|state| state.shown.clone().zip(state.measure.area_m()))
    else {
        return;
    };
    analyse.view(&|view, whole| {
        let ends = shown.on_axis(view.axis, from_m).zip(shown.on_axis(view.axis, to_m));
        view.show(ends.map(|(from, to)| LapRange { from, to }), whole);
    });
}

fn panel(state: &State, shown: &Shown, from_m: f64, to_m: f64) -> Vec<Part> {
    let places = format!("{} to {} m", number::write(from_m, 1), number::write(to_m, 1));
    let head = part("div", "head")
        .with(part("h2", "").says("Measured"))
        .with(part("span", "").set("data-figure", "places").says(&places));
    let tools = part("p", "tools").with(button("Zoom to it", "quiet", "zoom-measured")).with(button(
        "Clear",
        "quiet",
        "clear-measure",
    ));
    let mut parts = vec![head];
    match shown.comparison().between(from_m, to_m) {
        Some(area) => parts.extend([lengths(shown, &area), channels(state, shown, &area)]),
        None => parts.push(part("p", "missing").says("No data there in these laps.")),
    }
    parts.insert(parts.len().min(2), tools);
    parts
}

/// How long the area is, how long each lap took, and what that makes.
fn lengths(shown: &Shown, area: &Area) -> Part {
    let [lap_s, reference_s] = area.seconds;
    let figure =
        |class: &str, name: &str, words: &str| part("span", class).set("data-figure", name).says(words);
    let mut line = part("p", "lengths")
        .with(figure("", "length", &format!("{} m", number::write(area.to_m - area.from_m, 1))))
        .with(figure("ink main", "seconds", &format!("{} s", number::write(lap_s, 3))));
    if shown.compared {
        let class = if area.lost_s > 0.0 { "loss" } else { "gain" };
        line = line
            .with(figure(
                "ink reference",
                "reference-seconds",
                &format!("{} s", number::write(reference_s, 3)),
            ))
            .with(part("b", class).set("data-figure", "area-lost").says(&write_signed(area.lost_s, 3)));
    }
    line
}

/// A channel of one lap there.
type Told = Result<SectionStatistics, Unavailable>;

fn channels(state: &State, shown: &Shown, area: &Area) -> Part {
    let Some(main) = shown.laps.first() else { return part("table", "") };
    let (own, best) = (main.columns(), shown.laps.get(1).unwrap_or(main).columns());
    let mut head = part("tr", "").with(part("th", ""));
    for (name, title, _) in TOLD {
        head = head.with(part("th", "").set("scope", "col").set("title", title).says(name));
    }
    let mut body = part("tbody", "");
    for (slot, name) in slots(shown, &state.lanes) {
        let told = area.channel([&own, &best], slot);
        let told = told.get(..if shown.compared { 2 } else { 1 }).unwrap_or_default();
        body = body.with(title(&name, slot, told));
        for (lap, (of, class, sign)) in told.iter().zip(LAPS) {
            let value = |get: Get| lap.as_ref().ok().map(get);
            body = body.with(row(slot, (of, class, sign), &value));
        }
        if let [own, best] = told {
            let apart = |get: Get| Some(get(own.as_ref().ok()?) - get(best.as_ref().ok()?));
            body = body.with(row(slot, APART, &apart));
        }
    }
    part("div", "scrolls")
        .set("tabindex", "0")
        .with(part("table", "").with(part("thead", "").with(head)).with(body))
}

/// A channel's name, and its sum over time where that is something.
fn title(name: &str, slot: Slot, told: &[Told]) -> Part {
    let mut cell = part("th", "")
        .set("colspan", "6")
        .set("scope", "rowgroup")
        .says(name)
        .with(part("span", "faint").says(slot.channel().unit().shown().suffix));
    let sums: Vec<(f64, Unit)> =
        told.iter().filter_map(|told| told.as_ref().ok().and_then(|told| told.sum)).collect();
    if let Some((_, unit_of)) = sums.first() {
        let unit = unit_of.shown();
        let sums: Vec<String> =
            sums.iter().map(|(sum, _)| number::write(unit.value(*sum), unit.decimals)).collect();
        let what = match unit_of {
            Unit::Metres => "distance by speed ",
            Unit::Seconds => "as if fully pressed for ",
            _ => "sum over time ",
        };
        let words = [what, &sums.join(" · "), " ", unit.suffix].concat();
        cell = cell.with(part("span", "sum").says(&words));
    }
    part("tr", "channel").set("data-slot", &slot.id()).with(cell)
}

/// A row of numbers; differences have their sign both ways.
fn row(slot: Slot, of: (&str, &str, &str), value: &dyn Fn(Get) -> Option<f64>) -> Part {
    let (of, class, sign) = of;
    let mut row =
        part("tr", "").set("data-slot", &slot.id()).set("data-of", of).with(part("th", class).says(sign));
    let unit = slot.channel().unit();
    let shown = unit.shown();
    for (name, _, get) in TOLD {
        // Whole numbers have a mean that is none.
        let decimals = match (name, unit) {
            ("mean", Unit::Count) => 2,
            ("mean", Unit::Ratio | Unit::MetresPerSecond) => shown.decimals.max(1),
            _ => shown.decimals,
        };
        let words = value(get).map(|value| match of == APART.0 {
            // What is added to a value, as to degrees, is none of a difference's.
            true => write_signed(value * shown.scale, decimals),
            false => number::write(shown.value(value), decimals),
        });
        row = row.with(part("td", "").set("data-figure", name).says(words.as_deref().unwrap_or(NONE)));
    }
    row
}
