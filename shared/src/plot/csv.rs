//! What figures show, as numbers: tables in CSV for spreadsheets and programs. A point is the decimal sign, and what is
//! missing is an empty field.

use std::fmt::Write;

use super::colouring::ColouredLap;
use super::figure::{Figure, Mark, Shape};
use super::{Series, value_at};
use crate::export::csv::is_formula;
use crate::model::Drawing;
use crate::units::Unit;

/// A table that is being written, field by field.
#[derive(Debug, Default)]
pub struct Csv {
    text: String,
    begun: bool,
}

impl Csv {
    /// A table under heads.
    pub fn under<S: AsRef<str>>(heads: &[S]) -> Self {
        let mut csv = Self::default();
        heads.iter().for_each(|head| csv.words(head.as_ref()));
        csv.end_row();
        csv
    }

    /// Adds a field of words. What a spreadsheet would run as a formula gets an apostrophe in front: names come from
    /// whoever is in the race.
    pub fn words(&mut self, words: &str) {
        self.comma();
        let formula = is_formula(words);
        if !formula && !words.contains(['"', ',', '\r', '\n']) {
            return self.text.push_str(words);
        }
        self.text.push_str(if formula { "\"'" } else { "\"" });
        self.text.push_str(&words.replace('"', "\"\""));
        self.text.push('"');
    }

    /// Adds a field with a number, as exact as it is; an empty one for none.
    pub fn number(&mut self, value: Option<f64>) {
        self.comma();
        if let Some(value) = value.filter(|value| value.is_finite()) {
            // A string takes whatever is written.
            let _ = write!(self.text, "{value}");
        }
    }

    /// Ends the row.
    pub fn end_row(&mut self) {
        self.begun = false;
        self.text.push_str("\r\n");
    }

    /// The table as text.
    pub fn text(self) -> String {
        self.text
    }

    fn comma(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.text.push(',');
        }
    }
}

/// A head with the unit in which the numbers below it are, and whose they are.
pub fn head(name: &str, unit: &str, whose: &str) -> String {
    let mut head = name.to_owned();
    // Some names end with their unit.
    if !unit.is_empty() && name.split(' ').next_back() != Some(unit) {
        head.push(' ');
        head.push_str(unit);
    }
    if !whose.is_empty() {
        head.extend([" (", whose, ")"]);
    }
    head
}

/// A line of a lane.
pub struct LaneLine<'a> {
    /// What stands above its numbers, with the unit as shown.
    pub head: String,
    /// The unit in which its values are kept.
    pub unit: Unit,
    /// How it goes from sample to sample.
    pub drawing: Drawing,
    /// Its samples along the axis of all.
    pub series: Series<'a, [f64], [f32]>,
    /// Whether its samples are the rows of the table; else they are told at the places of the rows.
    pub is_main: bool,
}

/// Lines of lanes: a row for each sample of the main lap in a part of the axis, with the others' values at that place.
/// Samples further apart than the bridge tell nothing of what was between them.
pub fn lanes_csv(axis: &str, rows: &[f64], part: [f64; 2], lines: &[LaneLine<'_>], bridge: f64) -> String {
    let mut csv = Csv::default();
    csv.words(axis);
    lines.iter().for_each(|line| csv.words(&line.head));
    csv.end_row();
    let [from, to] = part;
    for (row, at) in rows.iter().copied().enumerate().filter(|(_, at)| (from..=to).contains(at)) {
        csv.number(Some(at));
        for line in lines {
            let value = match line.is_main {
                true => line.series.y.get(row).copied().map(f64::from),
                false => value_at(&line.series, at, bridge, line.drawing),
            };
            csv.number(value.map(|value| line.unit.shown().value(value)));
        }
        csv.end_row();
    }
    csv.text()
}

/// A lap seen from above: for each of its rows the metres from the line, where it was, and by what it is coloured.
pub fn track_csv(rows_m: &[f64], places: &[[f32; 2]], coloured: Option<(&str, &ColouredLap)>) -> String {
    let mut csv = Csv::default();
    ["Distance m", "x m", "z m"].into_iter().for_each(|head| csv.words(head));
    if let Some((title, coloured)) = coloured {
        csv.words(&head(title, coloured.unit().map_or("", |unit| unit.suffix), &coloured.about));
    }
    csv.end_row();
    for (row, (at, place)) in rows_m.iter().zip(places).enumerate() {
        csv.number(Some(*at));
        place.iter().for_each(|metres| csv.number(Some(f64::from(*metres))));
        match coloured {
            Some((_, coloured)) if coloured.unit().is_some() => csv.number(coloured.value(row)),
            Some((_, coloured)) => csv.words(&coloured.says(row).unwrap_or_default()),
            None => {}
        }
        csv.end_row();
    }
    csv.text()
}

impl Figure {
    /// Everything that stands in it: a row for each place, with the name of what is there and how it is drawn.
    pub fn csv(&self) -> String {
        let mut csv = Csv::under(&["", "drawn as", &self.x.label, &self.y.label]);
        for mark in &self.marks {
            let level;
            let (drawn, places): (_, &[_]) = match &mark.shape {
                Shape::Dots(places) => ("dot", places),
                Shape::Line(places) => ("line", places),
                Shape::Bars(_, places) => ("bar", places),
                Shape::Outline(_, places) => ("outline", places),
                Shape::Level(value) => {
                    // It is as high everywhere.
                    level = [[f64::NAN, *value]];
                    ("level", &level)
                }
            };
            for place in places {
                csv.words(self.name_of(mark));
                csv.words(drawn);
                place.iter().for_each(|value| csv.number(Some(*value)));
                csv.end_row();
            }
        }
        csv.text()
    }

    /// A mark's name; one that needs none in the legend has that of another in its colour.
    fn name_of<'a>(&'a self, mark: &'a Mark) -> &'a str {
        let mut alike = self.marks.iter().filter(|other| other.tone == mark.tone && !other.name.is_empty());
        if mark.name.is_empty() { alike.next().map_or("", |other| &other.name) } else { &mark.name }
    }
}

#[cfg(test)]
mod tests;
