//! One corner closely: what either lap did in it, from the lift to the exit.

use trailbrake_shared::analysis::{BrakeSource, CornerLoss, CornerRow};
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::plot::csv::{Csv, head};
use trailbrake_shared::units::Unit;

use super::corners::class_of;
use super::things::corner_name;
use crate::analyse::Shown;
use crate::dom::{Part, button, part};
use crate::figures::NONE;

/// Something that a lap did in a corner.
struct Line {
    /// By what a link to it or a test names it.
    id: &'static str,
    says: &'static str,
    tells: Tells,
}

/// What is told of it.
#[derive(Clone, Copy)]
enum Tells {
    /// Where it was, which is shown as metres from the apex, what is before it with a minus.
    Place(fn(&CornerRow) -> Option<f64>),
    /// How much it was, in this unit and with so many decimals.
    Amount(fn(&CornerRow) -> Option<f64>, Unit, usize),
}

/// Everything, in the order in which it happens.
const LINES: &[Line] = &[
    Line { id: "lift", says: "Lift", tells: Tells::Place(|row| row.lift_m) },
    Line { id: "brake-on", says: "Brake on", tells: Tells::Place(|row| row.brake_on_m) },
    Line { id: "peak", says: "Brake peak", tells: Tells::Amount(|row| row.peak, Unit::Ratio, 0) },
    Line { id: "peak-at", says: "Peak at", tells: Tells::Place(|row| row.peak_m) },
    Line { id: "release", says: "Brake off", tells: Tells::Place(|row| row.release_m) },
    Line { id: "trail", says: "Trailed", tells: Tells::Amount(|row| row.trail_m, Unit::Metres, 0) },
    Line { id: "min", says: "Slowest", tells: Tells::Amount(|row| row.min_ms, Unit::MetresPerSecond, 0) },
    Line { id: "min-at", says: "Slowest at", tells: Tells::Place(|row| row.min_m) },
    Line { id: "gear", says: "Gear", tells: Tells::Amount(|row| row.gear.map(f64::from), Unit::Count, 0) },
    Line { id: "throttle-on", says: "Throttle on", tells: Tells::Place(|row| row.throttle_on_m) },
    Line { id: "full", says: "Full throttle", tells: Tells::Place(|row| row.full_throttle_m) },
    Line {
        id: "coasting",
        says: "Neither pedal",
        tells: Tells::Amount(|row| row.coasting_s, Unit::Seconds, 2),
    },
    Line {
        id: "exit",
        says: "At the exit",
        tells: Tells::Amount(|row| row.exit_ms, Unit::MetresPerSecond, 0),
    },
    Line { id: "time", says: "Entry to exit", tells: Tells::Amount(|row| row.seconds, Unit::Seconds, 3) },
];

/// A part of a corner: by what it is named, what is said of it, and the seconds lost there.
type Lost = (&'static str, &'static str, fn(&CornerLoss) -> Option<f64>);

/// What is lost in the parts of a corner, in the order in which they are driven.
const PARTS: [Lost; 3] = [
    ("lost-in", "Lost going in", |loss| loss.entry_s),
    ("lost-middle", "Lost at the apex", |loss| loss.middle_s),
    ("lost-out", "Lost going out", |loss| loss.exit_s),
];

/// What the laps did in a corner, by its place among the corners.
pub(super) fn closely(shown: &Shown, place: usize) -> Option<Part> {
    let comparison = shown.comparison();
    let corner = comparison.corners.get(place)?;
    let [main, reference] = comparison.tables.each_ref().map(|table| table.rows.get(place));
    let (main, reference) = (main?, reference.filter(|_| shown.compared));
    let mut rows: Vec<Part> =
        LINES.iter().filter_map(|line| row(line, corner.apex_m, main, reference)).collect();
    if let Some(loss) = comparison.losses.get(place).filter(|_| shown.compared) {
        rows.extend(PARTS.iter().map(|(id, says, part_of)| {
            let lost = part_of(loss);
            let words = lost.map_or_else(|| NONE.to_owned(), |lost| write_signed(lost, 3));
            let cells = [("", String::new()), ("", String::new()), (class_of(lost), words)];
            cells_of(id, says, "s", &cells)
        }));
        let behind = comparison.lost_because_of(place).zip(loss.loss_s()).map(|(all, own)| all - own);
        // Nothing is behind most corners.
        if let Some(behind) = behind.filter(|behind| behind.abs() >= 0.0005) {
            let words = write_signed(behind, 3);
            let cells = [("", String::new()), ("", String::new()), (class_of(Some(behind)), words)];
            rows.push(cells_of("lost-behind", "Lost behind it", "s", &cells));
        }
    }
    let told = comparison.tables.first().and_then(|table| table.brake_source);
    let notes = match told {
        Some(BrakeSource::Pedal) => "",
        Some(_) => "This game sends no brake: brake points come from the deceleration.",
        None => "No brake points: this game sends no brake, and speeds too seldom or not at all.",
    };
    let table = part("table", "closely").with(part("tbody", "").with_all(rows));
    let notes = (!notes.is_empty()).then(|| part("p", "missing").says(notes));
    let places = part("p", "faint").says("Places are metres from the apex: − is before it.");
    let name = button("Rename, merge or split it", "quiet", "names");
    let cell = part("td", "").set("colspan", "6").with(table).with(places).perhaps(notes).with(name);
    Some(part("tr", "opened").with(cell))
}

/// A line of the table, where either lap tells it.
fn row(line: &Line, apex_m: f64, main: &CornerRow, reference: Option<&CornerRow>) -> Option<Part> {
    let (of, unit, decimals, from) = match line.tells {
        Tells::Place(of) => (of, Unit::Metres, 0, apex_m),
        Tells::Amount(of, unit, decimals) => (of, unit, decimals, 0.0),
    };
    let (own, other) = (of(main), reference.and_then(of));
    if own.is_none() && other.is_none() {
        return None;
    }
    let place = matches!(line.tells, Tells::Place(_));
    let unit = unit.shown();
    let written = |value: Option<f64>| match value.map(|value| unit.value(value - from)) {
        None => NONE.to_owned(),
        Some(value) if place => write_signed(value, decimals),
        Some(value) => number::write(value, decimals),
    };
    let apart = own.zip(other).map(|(own, other)| own - other).map(|apart| match place {
        false => write_signed(unit.value(apart), decimals),
        true if apart.abs() < 0.5 => "same".to_owned(),
        true => {
            format!("{} {}", number::write(apart.abs(), 0), if apart > 0.0 { "later" } else { "earlier" })
        }
    });
    let other = reference.map(|_| written(other)).unwrap_or_default();
    let cells = [("main", written(own)), ("other", other), ("", apart.unwrap_or_default())];
    Some(cells_of(line.id, line.says, unit.suffix, &cells))
}

/// What the laps did in every corner: a row for each, and for whatever either lap did there the lap, its reference and by
/// how much the lap is above it. Places are metres from the line.
pub(super) fn csv(shown: &Shown, laps: [&str; 2]) -> String {
    let [main, other] = laps;
    let mut csv = Csv::default();
    ["Corner", "Entry m", "Apex m", "Exit m"].into_iter().for_each(|head| csv.words(head));
    let whose: &[&str] = if shown.compared { &[main, other, "difference"] } else { &[main] };
    for Line { says, tells, .. } in LINES {
        let unit = tells.unit().shown().suffix;
        whose.iter().for_each(|whose| csv.words(&head(says, unit, whose)));
    }
    let parts = if shown.compared { PARTS.as_slice() } else { &[] };
    parts.iter().for_each(|(_, says, _)| csv.words(&head(says, "s", "")));
    csv.end_row();
    let comparison = shown.comparison();
    let [table, beside] = &comparison.tables;
    for (place, corner) in comparison.corners.iter().enumerate() {
        csv.words(&corner_name(shown, corner.number));
        [corner.entry_m, corner.apex_m, corner.exit_m]
            .into_iter()
            .for_each(|metres| csv.number(Some(metres)));
        let rows = [table, beside].map(|table| table.rows.get(place));
        for Line { tells, .. } in LINES {
            let unit = tells.unit().shown();
            let [own, other] = rows.map(|row| Some(unit.value(tells.of(row?)?)));
            csv.number(own);
            if shown.compared {
                csv.number(other);
                csv.number(own.zip(other).map(|(own, other)| own - other));
            }
        }
        for (_, _, part_of) in parts {
            csv.number(comparison.losses.get(place).and_then(part_of));
        }
        csv.end_row();
    }
    csv.text()
}

impl Tells {
    fn of(&self, row: &CornerRow) -> Option<f64> {
        match self {
            Self::Place(of) | Self::Amount(of, _, _) => of(row),
        }
    }

    fn unit(&self) -> Unit {
        match self {
            Self::Place(_) => Unit::Metres,
            Self::Amount(_, unit, _) => *unit,
        }
    }
}

fn cells_of(id: &str, says: &str, unit: &str, cells: &[(&str, String)]) -> Part {
    let cells = cells.iter().map(|(class, words)| part("td", class).says(words)).collect();
    let head = part("th", "").set("scope", "row").says(says).with(part("small", "").says(unit));
    part("tr", "").set("data-line", id).with(head).with_all(cells)
}
