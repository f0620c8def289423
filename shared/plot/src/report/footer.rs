//! The footer: data quality, and what the game does not send.

use trailbrake_analysis::{ExcursionKind, PlacedLap, coverage};

use super::header::capitalised;
use super::lanes::wanted_but_not_sent;
use super::{MARGIN, PAPER_MM, Report, SMALL, Side, TINY};
use crate::sheet::{Frame, Ink, Sheet, Words, wrapped};

const LINE: f32 = 3.2;
const MOST_LINES: usize = 2;

/// The lines of the footer.
pub(super) struct Foot {
    lines: Vec<String>,
}

impl Foot {
    pub(super) fn of(report: &Report<'_>) -> Self {
        let width = PAPER_MM[0] - 2.0 * MARGIN - 22.0;
        let mut paragraphs = vec![quality(report)];
        paragraphs.extend(not_sent(report));
        let lines = paragraphs.iter().flat_map(|words| wrapped(words, SMALL, width, MOST_LINES));
        Self { lines: lines.collect() }
    }

    pub(super) fn height(&self) -> f32 {
        2.0 + self.lines.len() as f32 * LINE
    }

    pub(super) fn write(&self, sheet: &mut Sheet, frame: &Frame) {
        sheet.rule(frame.left, frame.right, frame.top, Ink::Hairline, 0.2);
        let mut y = frame.top + 1.0;
        for line in &self.lines {
            y += LINE;
            sheet.write(Words::new(line, [frame.left, y], SMALL, Ink::Soft));
        }
        let mark = Words::new("Trailbrake", [frame.right, frame.top + 1.0 + LINE], TINY, Ink::Soft);
        sheet.write(mark.ending());
    }
}

/// The coverage of both laps, and their excursions.
fn quality<'a>(report: &'a Report<'_>) -> String {
    let mut parts = Vec::new();
    let chosen = report.chosen.map_or_else(String::new, |chosen| format!(", {chosen}"));
    parts.push(format!("{}: {}", capitalised(&report.lap.called()), coverage_of(&report.lap)));
    let reference = &report.reference;
    parts.push(format!("reference, {}{chosen}: {}", reference.called(), coverage_of(reference)));
    parts.extend(report.comparison().start_line_shift.map(|start_line_shift| start_line_shift.to_string()));
    let [lap, reference] = &report.comparison().placed;
    let of = |whose: &'static str, placed: &'a PlacedLap| {
        placed.excursions.iter().map(move |excursion| (whose, excursion))
    };
    for (whose, excursion) in of("", lap).chain(of("the reference ", reference)) {
        let what = match excursion.kind {
            ExcursionKind::Stop => "stood",
            ExcursionKind::Detour => "off the track",
            ExcursionKind::Cut => "cut the track",
            ExcursionKind::Spin => "spun",
            ExcursionKind::Pits => "in the pit lane",
            ExcursionKind::Reset => "reset to the track",
        };
        parts.push(format!("{whose}{what} from {:.0} to {:.0} m", excursion.from_m, excursion.to_m));
    }
    format!("{}.", parts.join("; "))
}

fn coverage_of(side: &Side<'_>) -> String {
    let Some(coverage) = coverage(side.columns) else { return "too little data".to_owned() };
    let samples = format!("{} samples, {:.0} a second", coverage.samples, coverage.per_second);
    let long = coverage.holes.iter().map(|hole| hole.to_s - hole.from_s).fold(0.0, f64::max);
    match coverage.holes.len() {
        0 => format!("{samples}, none missing"),
        1 => format!("{samples}, {} missing in a gap of {long:.2} s", coverage.missing),
        gaps => format!("{samples}, {} missing in {gaps} gaps, the longest {long:.2} s", coverage.missing),
    }
}

/// Channels and times that the report would show if the game sent them.
fn not_sent(report: &Report<'_>) -> Option<String> {
    let mut missing = wanted_but_not_sent(report);
    let sides = [&report.lap, &report.reference];
    if sides.iter().all(|side| side.columns.positions().next().is_none()) {
        missing.push("positions, so there is no map".to_owned());
    }
    if sides.iter().all(|side| side.lap.sectors.iter().all(Option::is_none)) {
        missing.push("times of sectors".to_owned());
    }
    let game = report.lap.game;
    (!missing.is_empty()).then(|| format!("Not sent by {game} in these laps: {}.", missing.join(", ")))
}
