//! The advice on the report: at most three sentences.

use trailbrake_analysis::Corner;

use super::{MIDDLE, Report, badge, section};
use crate::sheet::{Frame, Ink, Sheet, Words, wrapped};

const LINE: f32 = 3.9;
const MOST_LINES: usize = 3;

/// Writes the advice. Returns where it ends.
pub(super) fn write(report: &Report<'_>, sheet: &mut Sheet, frame: &Frame) -> f32 {
    let name = match report.advice().len() {
        0 => "To fix",
        1 => "One thing to fix",
        2 => "Two things to fix",
        _ => "Three things to fix",
    };
    let mut y = section(sheet, frame, name, "") + 5.0;
    if report.advice().is_empty() {
        let none = "Nothing stands out: where time was lost, the data shows no difference that explains it.";
        for line in wrapped(none, MIDDLE, frame.width(), MOST_LINES) {
            sheet.write(Words::new(&line, [frame.left, y], MIDDLE, Ink::Soft));
            y += LINE;
        }
        return y - LINE;
    }
    let mut end = y;
    for (place, thing) in report.advice().iter().enumerate() {
        badge(sheet, [frame.left + 1.6, y - 1.0], place + 1);
        let corners = &report.comparison().corners;
        let title = thing.title(corners, &|number| {
            let corner = corners.iter().find(|corner| corner.number == number);
            corner.map(Corner::title).unwrap_or_default()
        });
        let sentence = thing.sentence(&title, &report.units);
        let left = frame.left + 5.2;
        for line in wrapped(&sentence, MIDDLE, frame.right - left, MOST_LINES) {
            sheet.write(Words::new(&line, [left, y], MIDDLE, Ink::Text));
            end = y;
            y += LINE;
        }
        y += 1.4;
    }
    end
}
