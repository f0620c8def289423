//! The lines of a corner's card, from the lift to the exit, and the corners as CSV.

use trailbrake_shared::analysis::{BrakeSource, CornerLoss, CornerRow, lost_because_of};
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::plot::csv::{Csv, head};
use trailbrake_shared::units::{Unit, Units};

use crate::analyse::ShownLaps;
use crate::text::figures::NONE;

/// A line of the corner card.
struct Line {
    /// The line's id in the page, for tests.
    id: &'static str,
    label: &'static str,
    value: Value,
}

/// How a line gets its value from a row of the corner table.
#[derive(Clone, Copy)]
enum Value {
    /// A lap distance, shown as metres from the apex: negative before it.
    Place(fn(&CornerRow) -> Option<f64>),
    /// An amount, its unit and its number of decimals.
    Amount(fn(&CornerRow) -> Option<f64>, Unit, usize),
}

/// The lines of every card, in driving order.
const LINES: &[Line] = &[
    Line { id: "lift", label: "Lift", value: Value::Place(|row| row.lift_m) },
    Line { id: "brake-on", label: "Brake point", value: Value::Place(|row| row.brake_on_m) },
    Line { id: "peak", label: "Peak brake", value: Value::Amount(|row| row.peak, Unit::Ratio, 0) },
    Line { id: "peak-at", label: "Peak brake at", value: Value::Place(|row| row.peak_m) },
    Line { id: "release", label: "Brake release", value: Value::Place(|row| row.release_m) },
    Line { id: "trail", label: "Trail braking", value: Value::Amount(|row| row.trail_m, Unit::Metres, 0) },
    Line { id: "min", label: "Min speed", value: Value::Amount(|row| row.min_ms, Unit::MetresPerSecond, 0) },
    Line { id: "min-at", label: "Min speed at", value: Value::Place(|row| row.min_m) },
    Line { id: "gear", label: "Gear", value: Value::Amount(|row| row.gear.map(f64::from), Unit::Count, 0) },
    Line { id: "throttle-on", label: "Throttle point", value: Value::Place(|row| row.throttle_on_m) },
    Line { id: "full", label: "Full throttle", value: Value::Place(|row| row.full_throttle_m) },
    Line { id: "coasting", label: "Coasting", value: Value::Amount(|row| row.coasting_s, Unit::Seconds, 2) },
    Line {
        id: "exit",
        label: "Exit speed",
        value: Value::Amount(|row| row.exit_ms, Unit::MetresPerSecond, 0),
    },
    Line { id: "time", label: "Entry to exit", value: Value::Amount(|row| row.seconds, Unit::Seconds, 3) },
];

/// A part of a corner: its id, its label, and the seconds lost there.
type LossPart = (&'static str, &'static str, fn(&CornerLoss) -> Option<f64>);

/// The parts of a corner, in driving order.
const PARTS: [LossPart; 3] = [
    ("lost-in", "Loss: entry", |loss| loss.entry_s),
    ("lost-middle", "Loss: mid", |loss| loss.middle_s),
    ("lost-out", "Loss: exit", |loss| loss.exit_s),
];

/// Smaller losses count as none, seconds.
const NO_LOSS_S: f64 = 0.0005;

/// A line of the corner card.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CardLine {
    pub(super) id: &'static str,
    pub(super) label: &'static str,
    pub(super) unit: &'static str,
    pub(super) main: String,
    pub(super) reference: String,
    /// The difference between the laps, and its CSS class.
    pub(super) difference: (String, &'static str),
}

/// The card of the corner with the index `place`: its lines, and a note unless brake points come from the pedal. `None`
/// if there is no such corner.
pub(super) fn card(
    shown: &ShownLaps,
    place: usize,
    units: Units,
) -> Option<(Vec<CardLine>, Option<&'static str>)> {
    let comparison = shown.comparison();
    let corner = comparison.corners.get(place)?;
    let [main, reference] = comparison.tables.each_ref().map(|table| table.rows.get(place));
    let (main, reference) = (main?, reference.filter(|_| shown.compared));
    let mut lines: Vec<CardLine> =
        LINES.iter().filter_map(|line| line.of(corner.apex_m, main, reference, units)).collect();
    if let Some(loss) = comparison.losses.get(place).filter(|_| shown.compared) {
        lines.extend(PARTS.iter().map(|(id, label, part_of)| loss_line(id, label, part_of(loss))));
        let after = lost_because_of(comparison, place).zip(loss.loss_s()).map(|(all, own)| all - own);
        // After most corners no time is lost, so the line would be noise.
        let after = after.filter(|after| after.abs() >= NO_LOSS_S);
        lines.extend(after.map(|after| loss_line("lost-behind", "Loss: after it", Some(after))));
    }
    let brakes = match comparison.tables.first().and_then(|table| table.brake_source) {
        Some(BrakeSource::Pedal) => None,
        Some(_) => Some("This game sends no brake: brake points come from the deceleration."),
        None => Some("No brake points: this game sends no brake, and speed too seldom or not at all."),
    };
    Some((lines, brakes))
}

/// The CSS class of seconds lost or gained.
pub(super) fn class_of(lost: Option<f64>) -> &'static str {
    match lost {
        Some(lost) if lost >= NO_LOSS_S => "loss",
        Some(_) => "gain",
        None => "",
    }
}

fn loss_line(id: &'static str, label: &'static str, lost: Option<f64>) -> CardLine {
    let words = lost.map_or_else(|| NONE.to_owned(), |lost| write_signed(lost, 3));
    CardLine {
        id,
        label,
        unit: "s",
        main: String::new(),
        reference: String::new(),
        difference: (words, class_of(lost)),
    }
}

impl Line {
    /// The line of the card; `None` if neither lap has a value.
    fn of(
        &self,
        apex_m: f64,
        main: &CornerRow,
        reference: Option<&CornerRow>,
        units: Units,
    ) -> Option<CardLine> {
        let (unit, decimals, from) = match self.value {
            Value::Place(_) => (Unit::Metres, 0, apex_m),
            Value::Amount(_, unit, decimals) => (unit, decimals, 0.0),
        };
        let (own, other) = (self.value.of(main), reference.and_then(|row| self.value.of(row)));
        if own.is_none() && other.is_none() {
            return None;
        }
        let place = matches!(self.value, Value::Place(_));
        let unit = units.shown(unit);
        let written = |value: Option<f64>| match value.map(|value| unit.value(value - from)) {
            None => NONE.to_owned(),
            Some(value) if place => write_signed(value, decimals),
            Some(value) => number::write(value, decimals),
        };
        let difference = own.zip(other).map(|(own, other)| own - other).map(|apart| match place {
            false => write_signed(unit.value(apart), decimals),
            true if apart.abs() < 0.5 => "same".to_owned(),
            true => {
                format!("{} {}", number::write(apart.abs(), 0), if apart > 0.0 { "later" } else { "earlier" })
            }
        });
        Some(CardLine {
            id: self.id,
            label: self.label,
            unit: unit.suffix,
            main: written(own),
            reference: reference.map(|_| written(other)).unwrap_or_default(),
            difference: (difference.unwrap_or_default(), ""),
        })
    }
}

impl Value {
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

/// The corners as CSV: a row for each, with the main lap, the reference and their difference for each line of the card.
/// Positions are lap distances in metres.
pub(crate) fn csv(shown: &ShownLaps, laps: [&str; 2], units: Units) -> String {
    let [main, other] = laps;
    let mut csv = Csv::default();
    ["Corner", "Entry m", "Apex m", "Exit m"].into_iter().for_each(|head| csv.words(head));
    let whose: &[&str] = if shown.compared { &[main, other, "difference"] } else { &[main] };
    for Line { label, value, .. } in LINES {
        let unit = units.shown(value.unit()).suffix;
        whose.iter().for_each(|whose| csv.words(&head(label, unit, whose)));
    }
    let parts = if shown.compared { PARTS.as_slice() } else { &[] };
    parts.iter().for_each(|(_, label, _)| csv.words(&head(label, "s", "")));
    csv.end_row();
    let comparison = shown.comparison();
    let [main_table, reference_table] = &comparison.tables;
    for (place, corner) in comparison.corners.iter().enumerate() {
        csv.words(&shown.corner_name(corner.number));
        [corner.entry_m, corner.apex_m, corner.exit_m]
            .into_iter()
            .for_each(|metres| csv.number(Some(metres)));
        let rows = [main_table, reference_table].map(|table| table.rows.get(place));
        for Line { value, .. } in LINES {
            let unit = units.shown(value.unit());
            let [own, other] = rows.map(|row| Some(unit.value(value.of(row?)?)));
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
