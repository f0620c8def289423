//! Figures as CSV tables, for spreadsheets and programs. The decimal sign is a point; a missing value is an empty
//! field.

use std::fmt::Write;

use trailbrake_model::Drawing;
use trailbrake_model::letters::is_seen;
use trailbrake_model::units::DisplayUnit;
use trailbrake_recording::export::csv::is_formula;

use super::colouring::{ColouredLap, row_words};
use super::figure::{Figure, Mark, Shape};
use super::{Series, value_at};

/// A CSV table, written field by field.
#[derive(Debug, Default)]
pub struct Csv {
    text: String,
    begun: bool,
}

impl Csv {
    /// A table with these column heads.
    pub fn under<S: AsRef<str>>(heads: &[S]) -> Self {
        let mut csv = Self::default();
        heads.iter().for_each(|head| csv.words(head.as_ref()));
        csv.end_row();
        csv
    }

    /// Adds a text field. A text that a spreadsheet would run as a formula gets a leading apostrophe, because names
    /// come from anybody in the race.
    pub fn words(&mut self, words: &str) {
        self.comma();
        let words: String =
            words.chars().filter(|letter| is_seen(*letter) || ['\r', '\n'].contains(letter)).collect();
        let formula = is_formula(&words);
        if !formula && !words.contains(['"', ',', '\r', '\n']) {
            return self.text.push_str(&words);
        }
        self.text.push_str(if formula { "\"'" } else { "\"" });
        self.text.push_str(&words.replace('"', "\"\""));
        self.text.push('"');
    }

    /// Adds a number in full precision; an empty field for `None`.
    pub fn number(&mut self, value: Option<f64>) {
        self.comma();
        if let Some(value) = value.filter(|value| value.is_finite()) {
            // Writing to a string cannot fail.
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

/// A column head with the unit of its numbers and the lap.
pub fn head(name: &str, unit: &str, whose: &str) -> String {
    let mut head = name.to_owned();
    // Some names already end with their unit.
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
    /// The column head, with the display unit.
    pub head: String,
    /// The display unit of its column.
    pub unit: &'static DisplayUnit,
    /// How it is drawn between samples.
    pub drawing: Drawing,
    /// Its samples along the shared axis.
    pub series: Series<'a, [f64], [f32]>,
    /// Whether its samples are the rows of the table; other lines are read at the positions of the rows.
    pub is_main: bool,
}

/// The lines of lanes: a row for each sample of the main lap in part of the axis, with the other lines' values there.
/// Values between samples further apart than `bridge` are missing.
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
            csv.number(value.map(|value| line.unit.value(value)));
        }
        csv.end_row();
    }
    csv.text()
}

/// A lap's path: distance from the line, position and the coloured value of each row.
pub fn track_csv(rows_m: &[f64], places: &[[f32; 2]], coloured: Option<(&str, &ColouredLap)>) -> String {
    let mut csv = Csv::default();
    for head in ["Distance m", "x m", "z m"] {
        csv.words(head);
    }
    if let Some((title, coloured)) = coloured {
        csv.words(&head(title, coloured.unit().map_or("", |unit| unit.suffix), &coloured.about));
    }
    csv.end_row();
    for (row, (at, place)) in rows_m.iter().zip(places).enumerate() {
        csv.number(Some(*at));
        place.iter().for_each(|metres| csv.number(Some(f64::from(*metres))));
        match coloured {
            Some((_, coloured)) if coloured.unit().is_some() => csv.number(coloured.value(row)),
            Some((_, coloured)) => csv.words(&row_words(coloured, row).unwrap_or_default()),
            None => {}
        }
        csv.end_row();
    }
    csv.text()
}

/// All marks of a figure: a row for each point, with the mark's name and drawing style.
pub fn figure_csv(figure: &Figure) -> String {
    let mut csv = Csv::under(&["", "drawn as", &figure.x.label, &figure.y.label]);
    for mark in &figure.marks {
        let level;
        let (drawn, places): (_, &[_]) = match &mark.shape {
            Shape::Dots(places) => ("dot", places),
            Shape::Line(places) => ("line", places),
            Shape::Bars(_, places) => ("bar", places),
            Shape::Outline(_, places) => ("outline", places),
            Shape::Level(value) => {
                // A level has the same height everywhere.
                level = [[f64::NAN, *value]];
                ("level", &level)
            }
        };
        for place in places {
            csv.words(name_of(figure, mark));
            csv.words(drawn);
            place.iter().for_each(|value| csv.number(Some(*value)));
            csv.end_row();
        }
    }
    csv.text()
}

/// A mark's name; without one, the name of another mark of the same tone.
fn name_of<'a>(figure: &'a Figure, mark: &'a Mark) -> &'a str {
    let mut alike = figure.marks.iter().filter(|other| other.tone == mark.tone && !other.name.is_empty());
    if mark.name.is_empty() { alike.next().map_or("", |other| &other.name) } else { &mark.name }
}

#[cfg(test)]
mod tests;
