//! The report of a comparison for people.

use std::fmt;

use trailbrake_shared::analysis::{Answer, BrakeSource, Excursion, ExcursionKind, MissingRange};

use super::number::signed;
use super::report::{LapLine, Report};
use super::table::Table;

/// A smaller loss that is not the driver's doing is not mentioned, seconds.
const LEAST_S: f64 = 0.01;

/// A report for people: the two laps, a row per corner, and what to fix.
pub(super) struct ReportText<'a>(pub(super) &'a Report);

impl fmt::Display for ReportText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(report) = self;
        writeln!(f, "       {}", LapText(&report.lap))?;
        writeln!(f, "beside {}", LapText(&report.reference))?;
        for warning in &report.warnings {
            writeln!(f, "\n{warning}\n")?;
        }
        if let Some(behind) = report.behind_ms {
            let over = report.length_m.map_or_else(String::new, |length_m| format!(" over {length_m:.0} m"));
            writeln!(f, "{} s{over}", signed(behind as f64 / 1e3, 3))?;
        }
        let within = match (report.residual_m, report.length_m) {
            (Some(residual_m), _) => format!(", within {residual_m:.2} m"),
            (None, Some(_)) => ", accuracy unknown".to_owned(),
            (None, None) => ": the game sends no distance, so places are thousandths of the lap".to_owned(),
        };
        writeln!(f, "aligned by {}{within}", report.method)?;
        if let Some(Answer::Same { alike, .. }) = report.sameness {
            writeln!(f, "of one track by its shape, {:.0} % alike", alike * 100.0)?;
        }
        if let Some(start_line_shift) = report.start_line_shift {
            writeln!(f, "{}", start_line_shift)?;
        }
        for line in [&report.lap, &report.reference] {
            for MissingRange { from_m, to_m } in &line.missing {
                writeln!(f, "lap {}: no data from {from_m:.0} to {to_m:.0} m", line.lap)?;
            }
            if let Some(began_m) = line.began_m {
                let side = if began_m < 0.0 { "before" } else { "behind" };
                let lap = line.lap;
                writeln!(
                    f,
                    "lap {lap} begins on the grid, {:.0} m {side} the line: the way from there has no counterpart",
                    began_m.abs()
                )?;
            }
        }
        for (whose, excursions) in
            [("the lap", &report.excursions), ("the reference", &report.reference_excursions)]
        {
            for Excursion { kind, from_m, to_m } in excursions {
                let what = match kind {
                    ExcursionKind::Stop => "stood",
                    ExcursionKind::Detour => "was off the track",
                    ExcursionKind::Cut => "cut the track",
                    ExcursionKind::Spin => "spun",
                    ExcursionKind::Pits => "was in the pit lane",
                    ExcursionKind::Reset => "was reset to the track",
                };
                writeln!(f, "{whose} {what} from {from_m:.0} to {to_m:.0} m")?;
            }
        }
        if !report.corners.is_empty() {
            match report.brakes_by {
                Some(BrakeSource::Pedal) => {}
                Some(BrakeSource::Slowing) => {
                    writeln!(
                        f,
                        "the game sends no brake pedal: brake points are taken from the deceleration"
                    )?;
                }
                None => writeln!(
                    f,
                    "no brake points: the game sends no brake pedal, and speeds too seldom or not at all"
                )?,
            }
            write!(f, "\n{}", Table::of(report))?;
        }
        if report.not_driving_s.abs() >= LEAST_S {
            let parts = report.ledger.not_driving().into_iter().filter(|(_, lost_s)| lost_s.abs() >= LEAST_S);
            let parts = parts.map(|(part, lost_s)| format!("{} {}", part.label(), signed(lost_s, 3)));
            let (lost, parts) = (signed(report.not_driving_s, 3), parts.collect::<Vec<_>>().join(", "));
            writeln!(f, "\n{lost} s of it is not your driving: {parts}")?;
        }
        if !report.advice.is_empty() {
            writeln!(f, "\nTo fix:")?;
        }
        for (place, thing) in report.advice.iter().enumerate() {
            writeln!(f, "{}. {}", place + 1, thing.text)?;
        }
        if let Some(incident) = &report.incident {
            writeln!(f, "In this lap alone: {}", incident.text)?;
        }
        report.between.as_ref().map_or(Ok(()), |area| write!(f, "\n{area}"))
    }
}

/// A lap in one line.
struct LapText<'a>(&'a LapLine);

impl fmt::Display for LapText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(lap) = self;
        let time = lap.time_ms.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let track = lap.track.as_deref().unwrap_or_default();
        let run = lap.run.map_or_else(String::new, |run| format!("run {run}  "));
        write!(f, "{}  {run}lap {}  {time}  {}  {track}", lap.driver, lap.lap, lap.flags)?;
        lap.chosen.map_or(Ok(()), |chosen| write!(f, "  ({chosen})"))
    }
}
