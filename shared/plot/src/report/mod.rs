//! The printed report of a lap against its reference: one page that shows where time was lost, and why.
//!
//! All values come from the comparison. What a game does not send takes no room on the page; a line in the footer lists
//! it.

mod advice;
mod axis;
mod footer;
mod header;
mod lanes;
mod map;
mod mini_sectors;
mod page;
mod sectors;
mod table;

pub use page::lay_out;
use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::ledger::RowPlace;
use trailbrake_analysis::{Advice, Comparison, LapColumns, LapComparison};
use trailbrake_model::units::Units;

use super::sheet::{Frame, Ink, Sheet, Words};

/// A4 portrait, millimetres.
const PAPER_MM: [f32; 2] = [210.0, 297.0];
const MARGIN: f32 = 11.0;
/// Gap between sections.
const GAP: f32 = 4.0;
/// Font sizes, millimetres.
const HUGE: f32 = 6.2;
const LARGE: f32 = 4.2;
const MIDDLE: f32 = 2.9;
const SMALL: f32 = 2.4;
const TINY: f32 = 2.1;
/// Differences below this are neutral in colour, seconds.
const LEVEL_S: f64 = 0.005;
/// The input of a report.
pub struct Report<'a> {
    /// The main lap.
    pub lap: Side<'a>,
    /// The reference.
    pub reference: Side<'a>,
    /// How the reference was chosen, if not by the user.
    pub chosen: Option<&'a str>,
    /// The comparison of the two, with the results of their stint.
    pub compared: &'a LapComparison,
    /// The display units.
    pub units: Units,
}

/// One of the two laps and its context.
pub struct Side<'a> {
    /// The lap.
    pub lap: &'a Lap,
    /// Its channels, [in the order of its positions](Comparison::in_order).
    pub columns: &'a LapColumns<'a>,
    /// All laps of the car in the session.
    pub session: &'a [Lap],
    /// The driver, where known.
    pub driver: Option<&'a str>,
    /// The car.
    pub car: Option<&'a str>,
    /// The game.
    pub game: &'a str,
    /// The track.
    pub track: Option<&'a str>,
    /// The day, as printed.
    pub day: Option<&'a str>,
    /// The time of day, as printed.
    pub time: Option<&'a str>,
}

impl Report<'_> {
    fn comparison(&self) -> &Comparison {
        &self.compared.comparison
    }

    /// The advice.
    fn advice(&self) -> &[Advice] {
        &self.compared.stint.to_fix.advice
    }

    /// The rank of a corner in the advice, counted from 1.
    fn rank(&self, corner: u16) -> Option<usize> {
        self.compared.stint.to_fix.rank(RowPlace::corner(corner))
    }
}

impl Side<'_> {
    /// The lap's number, with its run if the session has several; on a stage the run alone.
    fn called(&self) -> String {
        let (number, run) = (self.lap.number, u32::from(self.lap.run) + 1);
        let several = self.session.iter().any(|other| other.run > 0);
        match (several, self.session.iter().all(|other| other.number == number)) {
            (false, _) => format!("lap {number}"),
            (true, true) => format!("run {run}"),
            (true, false) => format!("run {run}, lap {number}"),
        }
    }
}

/// Writes a section's heading: its name, and a line under it. Returns where its content begins.
fn section(sheet: &mut Sheet, frame: &Frame, name: &str, beside: &str) -> f32 {
    let line = frame.top + 3.6;
    sheet.write(Words::new(name, [frame.left, line - 1.1], SMALL, Ink::Text).bold());
    sheet.write(Words::new(beside, [frame.right, line - 1.1], TINY, Ink::Soft).ending());
    sheet.rule(frame.left, frame.right, line, Ink::Text, 0.2);
    line
}

/// What a gear is called.
fn gear(number: f64) -> String {
    match number {
        number if number < -0.5 => "R".to_owned(),
        number if number < 0.5 => "N".to_owned(),
        number => format!("{number:.0}"),
    }
}

/// The ink for time lost or gained.
fn ink_of(loss_s: f64) -> Ink {
    match loss_s {
        loss if loss >= LEVEL_S => Ink::Loss,
        loss if loss <= -LEVEL_S => Ink::Gain,
        _ => Ink::Text,
    }
}

/// Draws a number on a disc: a corner's rank in the advice.
fn badge(sheet: &mut Sheet, [x, y]: [f32; 2], rank: usize) {
    const RADIUS: f32 = 1.55;
    let corner = |step: u8| {
        let (sine, cosine) = (f32::from(step) / 24.0 * std::f32::consts::TAU).sin_cos();
        [x + RADIUS * sine, y - RADIUS * cosine]
    };
    sheet.area((0..24).map(corner).collect(), Ink::Loss);
    let digit = Words::new(&rank.to_string(), [x, y + 0.27 * SMALL], SMALL, Ink::Paper);
    sheet.write(digit.bold().centred());
}

#[cfg(test)]
mod tests;
