//! The header: track, game, car, drivers, dates, and the time difference.

use trailbrake_analysis::laps::LapFlag;
use trailbrake_model::number::write_signed;

use super::{GAP, HUGE, LARGE, MIDDLE, Report, SMALL, Side, ink_of};
use crate::sheet::{Frame, Ink, Sheet, Words, wrapped};

/// Width of the column with the difference.
const BESIDE: f32 = 62.0;
const LINE: f32 = 6.0;
/// Right edge of the lap times, from where the lap numbers begin.
const TIME_END: f32 = 52.0;
/// Width of a lap time.
const TIME_ROOM: f32 = 19.0;
/// Height of a warning's line.
const WARNING_LINE: f32 = 3.4;
const MOST_LINES: usize = 3;

/// Writes the header. Returns where it ends.
pub(super) fn write(report: &Report<'_>, sheet: &mut Sheet, frame: &Frame) -> f32 {
    let Side { track, .. } = &report.lap;
    let room = frame.width() - BESIDE - GAP;
    let title = track.unwrap_or("Lap report");
    let mut line = frame.top + HUGE * 0.8;
    sheet.write(Words::new(title, [frame.left, line], HUGE, Ink::Text).bold().within(room));
    difference(report, sheet, [frame.right, line]);
    line += 5.2;
    let what = subtitle(&report.lap);
    sheet.write(Words::new(&what, [frame.left, line], MIDDLE, Ink::Soft).within(room));
    line += 7.0;
    let sides = [(&report.lap, Ink::Main, 1.2), (&report.reference, Ink::Reference, 0.6)];
    for (nth, (side, ink, width)) in (0_u8..).zip(sides) {
        let y = line + f32::from(nth) * LINE;
        sheet.rule(frame.left, frame.left + 8.0, y - 1.1, ink, width);
        lap(
            report,
            side,
            sheet,
            &Frame { left: frame.left + 11.0, top: y, right: frame.left + room, ..*frame },
        );
    }
    let mut end = line + LINE + 1.0;
    for words in
        report.compared.warnings.iter().flat_map(|warning| wrapped(warning, SMALL, frame.width(), MOST_LINES))
    {
        end += WARNING_LINE;
        sheet.write(Words::new(&words, [frame.left, end], SMALL, Ink::Loss).bold());
    }
    end
}

/// Game, car and date.
fn subtitle(side: &Side<'_>) -> String {
    let parts = [Some(side.game), side.car, side.day, side.time];
    let words: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    words.join(" · ")
}

/// Writes a lap: number, time, driver, and for the reference what differs from the title.
fn lap(report: &Report<'_>, side: &Side<'_>, sheet: &mut Sheet, frame: &Frame) {
    let y = frame.top;
    let is_reference = std::ptr::eq(side, &report.reference);
    let called = side.called();
    let number = if is_reference { format!("Reference: {called}") } else { capitalised(&called) };
    sheet.write(Words::new(&number, [frame.left, y], MIDDLE, Ink::Text).within(TIME_END - TIME_ROOM));
    let time = side.lap.time.map_or_else(|| "no time".to_owned(), |time| time.to_string());
    sheet.write(Words::new(&time, [frame.left + TIME_END, y], LARGE, Ink::Text).bold().ending());
    let mut details: Vec<&str> = side.driver.into_iter().collect();
    if is_reference {
        let title = &report.lap;
        for (own, other) in [
            (side.car, title.car),
            (Some(side.game), Some(title.game)),
            (side.track, title.track),
            (side.day, title.day),
        ] {
            details.extend(own.filter(|_| own != other));
        }
    }
    for flag in side.lap.flags.iter().filter(|flag| *flag != LapFlag::Valid) {
        details.push(flag.word());
    }
    let names = frame.left + TIME_END + 4.0;
    let words = Words::new(&details.join(" · "), [names, y], MIDDLE, Ink::Text);
    sheet.write(words.within(frame.right - names));
}

/// The text with a capital first letter.
pub(super) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes the difference of the lap times, and how the laps were aligned.
fn difference(report: &Report<'_>, sheet: &mut Sheet, [right, line]: [f32; 2]) {
    let comparison = report.comparison();
    let apart = report.lap.lap.time.zip(report.reference.lap.time).map(|(time, best)| time.minus(best));
    if let Some(apart) = apart {
        let seconds = apart as f64 / 1e3;
        let words = format!("{} s", write_signed(seconds, 3));
        sheet.write(Words::new(&words, [right, line], HUGE, ink_of(seconds)).bold().ending());
        let sign = match apart {
            0 => "the same time",
            1.. => "slower than the reference",
            _ => "quicker than the reference",
        };
        sheet.write(Words::new(sign, [right, line + 5.2], MIDDLE, Ink::Soft).ending());
    }
    let method = format!("aligned by {}", comparison.method);
    let long = comparison
        .known_length_m()
        .map_or_else(|| "no distance sent".to_owned(), |long| format!("{long:.0} m long"));
    let within = match comparison.residual_m {
        Some(residual_m) => format!("±{residual_m:.2} m, {long}"),
        None => long,
    };
    for (words, down) in [(method, 12.2), (within, 15.8)] {
        sheet.write(Words::new(&words, [right, line + down], SMALL, Ink::Soft).ending().within(BESIDE));
    }
}
