//! A comparison's corners and straights as a table for people. Their losses add up to the lap time difference.

use std::fmt;

use super::number::signed;
use super::report::{CornerLine, Report};

/// Least width of a name.
const NAME: usize = 8;
/// Width of the columns between name and loss.
const BETWEEN: usize = 77;
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

    /// A row with only a name and a loss.
    fn loss(&self, f: &mut fmt::Formatter<'_>, name: &str, loss: Option<f64>) -> fmt::Result {
        let width = self.name + BETWEEN;
        writeln!(f, "{name:<width$} {:>8}", loss.map_or_else(|| "-".to_owned(), |loss| signed(loss, 3)))
    }

    fn corner(&self, f: &mut fmt::Formatter<'_>, corner: &CornerLine) -> fmt::Result {
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
        ];
        self.row(f, &corner.name, &cells.each_ref().map(String::as_str))
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, name: &str, cells: &[&str; 11]) -> fmt::Result {
        const WIDTHS: [usize; 11] = [6, 9, 6, 5, 5, 9, 6, 4, 9, 9, 8];
        write!(f, "{name:<width$}", width = self.name)?;
        for (cell, width) in cells.iter().zip(WIDTHS) {
            write!(f, " {cell:>width$}")?;
        }
        writeln!(f)
    }

    /// The remainder of the difference: lost between grid and line, or where data is missing.
    fn rest(&self) -> Option<f64> {
        let losses = self.report.corners.iter().map(|corner| corner.loss_s);
        let losses = losses.chain(self.report.straights.iter().map(|straight| straight.loss_s));
        let rest = self.report.behind_ms? as f64 / 1e3 - losses.flatten().sum::<f64>();
        (rest.abs() >= LEAST_S).then_some(rest)
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads =
            ["apex", "brake on", "", "peak", "trail", "slowest", "", "gear", "throttle", "exit", "lost"];
        self.row(f, "", &heads)?;
        self.row(f, "", &["m", "m", "", "%", "m", "km/h", "", "", "m", "km/h", "s"])?;
        let mut straights = self.report.straights.iter().peekable();
        let straight = |f: &mut fmt::Formatter<'_>, from_m: f64, to_m: f64, loss| {
            self.loss(f, &format!("  straight, {from_m:.0} to {to_m:.0} m"), loss)
        };
        for corner in &self.report.corners {
            while let Some(before) = straights.next_if(|straight| straight.from_m < corner.apex_m) {
                straight(f, before.from_m, before.to_m, before.loss_s)?;
            }
            self.corner(f, corner)?;
        }
        for last in straights {
            straight(f, last.from_m, last.to_m, last.loss_s)?;
        }
        if let Some(rest) = self.rest() {
            self.loss(f, "  elsewhere: before the line, or no data", Some(rest))?;
        }
        match self.report.behind_ms {
            Some(behind) => self.loss(f, "together", Some(behind as f64 / 1e3)),
            None => Ok(()),
        }
    }
}
