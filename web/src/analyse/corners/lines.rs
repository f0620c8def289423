//! The lines of a corner's card, from the lift to the exit, and the ledger as CSV.

use std::collections::BTreeSet;

use trailbrake_shared::analysis::ledger::Part;
use trailbrake_shared::analysis::{BrakeSource, CornerRow};
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::plot::csv::{Csv, head};
use trailbrake_shared::units::{Unit, Units};

use crate::analyse::ShownLaps;
use crate::text::figures::NONE;

/// A line of the corner card.
pub(super) struct Line {
    /// The line's id in the page, for tests.
    pub(super) id: &'static str,
    pub(super) label: &'static str,
    pub(super) value: Value,
    /// The heading of its column over the laps of the stint, if it has one.
    pub(super) column: Option<&'static str>,
}

/// How a line gets its value from a row of the corner table.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// A lap distance, shown as metres from the apex: negative before it.
    Place(fn(&CornerRow) -> Option<f64>),
    /// An amount, its unit and its number of decimals.
    Amount(fn(&CornerRow) -> Option<f64>, Unit, usize),
    /// A signed amount, its unit and its number of decimals.
    Signed(fn(&CornerRow) -> Option<f64>, Unit, usize),
}

use Value::{Amount, Place, Signed};

const fn line(id: &'static str, label: &'static str, value: Value) -> Line {
    Line { id, label, value, column: None }
}

/// A line that coaches compare over laps, with the heading of its column there.
const fn line_with_column(id: &'static str, label: &'static str, column: &'static str, value: Value) -> Line {
    Line { column: Some(column), ..line(id, label, value) }
}

/// The lines of every card, in driving order.
pub(super) const LINES: &[Line] = &[
    line("lift", "Lift", Place(|row| row.lift_m)),
    line("brake-on", "Brake point", Place(|row| row.brake_on_m)),
    line_with_column(
        "brake-speed",
        "Brake builds up",
        "Brake",
        Amount(|row| row.technique.brake_per_s, Unit::RatioPerSecond, 0),
    ),
    line("peak", "Peak brake", Amount(|row| row.peak, Unit::Ratio, 0)),
    line("peak-at", "Peak brake at", Place(|row| row.peak_m)),
    line("release", "Brake release", Place(|row| row.release_m)),
    line("trail", "Trail braking", Amount(|row| row.trail_m, Unit::Metres, 0)),
    line("turn-in", "Turn-in", Place(|row| row.technique.turn_in_m)),
    line_with_column(
        "release-to-turn-in",
        "Release to turn-in",
        "To turn-in",
        Signed(|row| row.technique.release_to_turn_in_s, Unit::Seconds, 2),
    ),
    line_with_column(
        "grip-dip",
        "Least grip turning in",
        "Dip",
        Amount(|row| row.technique.grip_dip, Unit::Ratio, 0),
    ),
    line("min", "Min speed", Amount(|row| row.min_ms, Unit::MetresPerSecond, 0)),
    line("min-at", "Min speed at", Place(|row| row.min_m)),
    line_with_column(
        "flat",
        "Flat at min speed",
        "Flat",
        Amount(|row| row.technique.flat_s, Unit::Seconds, 2),
    ),
    line_with_column("wide", "Wide at the apex", "Wide", Signed(|row| row.technique.wide_m, Unit::Metres, 1)),
    line_with_column(
        "corrections",
        "Steering corrections",
        "Corr.",
        Amount(|row| row.technique.corrections.map(f64::from), Unit::Count, 0),
    ),
    line("gear", "Gear", Amount(|row| row.gear.map(f64::from), Unit::Count, 0)),
    line("throttle-on", "Throttle point", Place(|row| row.throttle_on_m)),
    line_with_column(
        "throttle-speed",
        "Throttle opens",
        "Throttle",
        Amount(|row| row.technique.throttle_per_s, Unit::RatioPerSecond, 0),
    ),
    line("full", "Full throttle", Place(|row| row.full_throttle_m)),
    line_with_column(
        "second-lifts",
        "Second lifts",
        "Lifts",
        Amount(|row| row.technique.second_lifts.map(f64::from), Unit::Count, 0),
    ),
    line_with_column(
        "full-share",
        "Exit at full throttle",
        "Full",
        Amount(|row| row.technique.full_throttle, Unit::Ratio, 0),
    ),
    line("coasting", "Coasting", Amount(|row| row.coasting_s, Unit::Seconds, 2)),
    line_with_column(
        "wide-exit",
        "Wide at the exit",
        "Exit",
        Signed(|row| row.technique.wide_at_exit_m, Unit::Metres, 1),
    ),
    line("exit", "Exit speed", Amount(|row| row.exit_ms, Unit::MetresPerSecond, 0)),
    line_with_column("grip", "Grip used", "Grip", Amount(|row| row.technique.grip, Unit::Ratio, 0)),
    line("time", "Entry to exit", Amount(|row| row.seconds, Unit::Seconds, 3)),
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
    let spread = shown.lap_comparison.stint.brake_spread_m.get(place).copied().flatten();
    lines.extend(spread.map(|spread_m| CardLine {
        id: "spread",
        label: "Brake point varies by",
        unit: "m",
        main: number::write(spread_m, 1),
        reference: String::new(),
        difference: (String::new(), ""),
    }));
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

impl Line {
    /// The line of the card; `None` if neither lap has a value.
    fn of(
        &self,
        apex_m: f64,
        main: &CornerRow,
        reference: Option<&CornerRow>,
        units: Units,
    ) -> Option<CardLine> {
        let decimals = self.value.decimals();
        let (own, other) = (self.value.of(main), reference.and_then(|row| self.value.of(row)));
        if own.is_none() && other.is_none() {
            return None;
        }
        let place = matches!(self.value, Place(_));
        let unit = units.shown(self.value.unit());
        let written = |value: Option<f64>| self.value.written(value, apex_m, &units);
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
    pub(super) fn of(&self, row: &CornerRow) -> Option<f64> {
        match self {
            Place(of) | Amount(of, ..) | Signed(of, ..) => of(row),
        }
    }

    pub(super) fn unit(&self) -> Unit {
        match self {
            Place(_) => Unit::Metres,
            Amount(_, unit, _) | Signed(_, unit, _) => *unit,
        }
    }

    fn decimals(&self) -> usize {
        match self {
            Place(_) => 0,
            Amount(_, _, decimals) | Signed(_, _, decimals) => *decimals,
        }
    }

    /// A value as text in the unit shown; places are counted from the apex.
    pub(super) fn written(&self, value: Option<f64>, apex_m: f64, units: &Units) -> String {
        let from = if matches!(self, Place(_)) { apex_m } else { 0.0 };
        let value = value.map(|value| units.shown(self.unit()).value(value - from));
        match (value, self) {
            (None, _) => NONE.to_owned(),
            (Some(value), Amount(..)) => number::write(value, self.decimals()),
            (Some(value), Place(_) | Signed(..)) => write_signed(value, self.decimals()),
        }
    }
}

/// The ledger as CSV: a row for each corner and straight, with the main lap, the reference and their difference for each
/// line of the card, and the seconds lost, whole and by parts. Positions are lap distances in metres.
pub(crate) fn csv(shown: &ShownLaps, laps: [&str; 2], units: Units) -> String {
    let [main, other] = laps;
    let comparison = shown.comparison();
    let ledger = &comparison.ledger.rows;
    let mut csv = Csv::default();
    for head in ["Corner", "From m", "Apex m", "To m"] {
        csv.words(head);
    }
    let whose: &[&str] = if shown.compared { &[main, other, "difference"] } else { &[main] };
    for Line { label, value, .. } in LINES {
        let unit = units.shown(value.unit()).suffix;
        for whose in whose {
            csv.words(&head(label, unit, whose));
        }
    }
    let parts = ledger.iter().flat_map(|row| row.parts.iter().map(|part| part.part));
    let parts: BTreeSet<Part> = parts.filter(|_| shown.compared).collect();
    if shown.compared {
        csv.words("Loss s");
    }
    for part in &parts {
        csv.words(&format!("Loss by {} s", part.label()));
    }
    csv.end_row();
    let [main_table, reference_table] = &comparison.tables;
    for row in ledger.iter().filter(|row| shown.compared || row.place.corner.is_some()) {
        let place = comparison.corners.iter().position(|corner| Some(corner.number) == row.place.corner);
        csv.words(&comparison.title_of(row, &|number| shown.corner_name(number)));
        csv.number(Some(row.from_m));
        csv.number(place.and_then(|place| Some(comparison.corners.get(place)?.apex_m)));
        csv.number(Some(row.to_m));
        let rows = [main_table, reference_table].map(|table| table.rows.get(place?));
        for Line { value, .. } in LINES {
            let unit = units.shown(value.unit());
            let [own, other] = rows.map(|row| Some(unit.value(value.of(row?)?)));
            csv.number(own);
            if shown.compared {
                csv.number(other);
                csv.number(own.zip(other).map(|(own, other)| own - other));
            }
        }
        if shown.compared {
            csv.number(row.loss_s);
        }
        for part in &parts {
            csv.number(row.loss_s.map(|_| row.part_s(*part)));
        }
        csv.end_row();
    }
    csv.text()
}
