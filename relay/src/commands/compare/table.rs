//! The ledger's corners and straights as a table for people. Their losses add up to the lap time difference.

use std::fmt;

use super::number::signed;
use super::report::{CornerLine, Report};

/// Least width of a name.
const NAME: usize = 8;
/// Width of the columns between name and loss.
const BETWEEN: usize = 77;
/// Number of the columns.
const COLUMNS: usize = 12;
/// Least remainder of the difference that is printed, in seconds.
const LEAST_S: f64 = 0.0005;

/// The table of a report.
pub(super) struct Table<'a> {
    report: &'a Report,
    /// Width of the names.
    name: usize,
}

impl<'a> Table<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let longest = report.corners.iter().map(|corner| corner.name.chars().count()).max();
        Self { report, name: longest.unwrap_or_default().max(NAME) }
    }

    /// A row with only a name, a loss and its largest part.
    fn loss(&self, f: &mut fmt::Formatter<'_>, name: &str, loss: Option<f64>, part: &str) -> fmt::Result {
        let width = self.name + BETWEEN;
        let loss = loss.map_or_else(|| "-".to_owned(), |loss| signed(loss, 3));
        writeln!(f, "{}", format!("{name:<width$} {loss:>8}  {part}").trim_end())
    }

    fn corner(&self, f: &mut fmt::Formatter<'_>, corner: &CornerLine, part: &str) -> fmt::Result {
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.0}"));
        let less = |value: Option<f64>, digits| value.map_or_else(String::new, |value| signed(value, digits));
        let cells = [
            number(Some(corner.apex_m)),
            number(corner.brake_on_m),
            less(corner.brake_diff_m, 0),
            number(corner.peak.map(|peak| peak * 100.0)),
            number(corner.trail_m),
            number(corner.min_kmh),
            less(corner.min_diff_kmh, 0),
            corner.gear.map_or_else(|| "-".to_owned(), |gear| gear.to_string()),
            number(corner.throttle_on_m),
            number(corner.exit_kmh),
            corner.loss_s.map_or_else(|| "-".to_owned(), |loss| signed(loss, 3)),
            part.to_owned(),
        ];
        self.row(f, &corner.name, &cells.each_ref().map(String::as_str))
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, name: &str, cells: &[&str; COLUMNS]) -> fmt::Result {
        const WIDTHS: [usize; COLUMNS - 1] = [6, 9, 6, 5, 5, 9, 6, 4, 9, 9, 8];
        let mut line = format!("{name:<width$}", width = self.name);
        for (cell, width) in cells.iter().zip(WIDTHS) {
            line.push_str(&format!(" {cell:>width$}"));
        }
        let part = cells.last().copied().unwrap_or_default();
        writeln!(f, "{}", format!("{line}  {part}").trim_end())
    }

    /// The remainder of the difference: lost between grid and line, or where data is missing.
    fn rest(&self) -> Option<f64> {
        let losses = self.report.ledger.rows.iter().filter_map(|row| row.loss_s);
        let rest = self.report.behind_ms? as f64 / 1e3 - losses.sum::<f64>();
        (rest.abs() >= LEAST_S).then_some(rest)
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = [
            "apex", "brake on", "", "peak", "trail", "slowest", "", "gear", "throttle", "exit", "lost",
            "mostly",
        ];
        self.row(f, "", &heads)?;
        self.row(f, "", &["m", "m", "", "%", "m", "km/h", "", "", "m", "km/h", "s", ""])?;
        for (row, title) in self.report.ledger.rows.iter().zip(&self.report.titles) {
            let part = row.largest().map_or("", |part| part.part.label());
            let corner = self.report.corners.iter().find(|corner| Some(corner.number) == row.place.corner);
            match corner {
                Some(corner) => self.corner(f, corner, part)?,
                None => self.loss(f, &format!("  {title} straight"), row.loss_s, part)?,
            }
        }
        if let Some(rest) = self.rest() {
            self.loss(f, "  elsewhere: before the line, or no data", Some(rest), "")?;
        }
        match self.report.behind_ms {
            Some(behind) => self.loss(f, "together", Some(behind as f64 / 1e3), ""),
            None => Ok(()),
        }
    }
}
