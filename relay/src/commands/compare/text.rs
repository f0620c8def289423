//! The report of a comparison for people.

use std::fmt;

use trailbrake_shared::analysis::{Answer, BrakeSource, Excursion, ExcursionKind, MissingRange};

use super::number::signed;
use super::report::{LapLine, Report};
use super::table::Table;

/// Prints for people: the two laps, a row per corner, and what to fix.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "       {}", self.lap)?;
        writeln!(f, "beside {}", self.reference)?;
        for warning in &self.warnings {
            writeln!(f, "\n{warning}\n")?;
        }
        if let Some(behind) = self.behind_ms {
            let over = self.length_m.map_or_else(String::new, |length_m| format!(" over {length_m:.0} m"));
            writeln!(f, "{} s{over}", signed(behind as f64 / 1e3, 3))?;
        }
        let within = match (self.residual_m, self.length_m) {
            (Some(residual_m), _) => format!(", within {residual_m:.2} m"),
            (None, Some(_)) => ", accuracy unknown".to_owned(),
            (None, None) => ": the game sends no distance, so places are thousandths of the lap".to_owned(),
        };
        writeln!(f, "aligned by {}{within}", self.method)?;
        if let Some(Answer::Same { alike, .. }) = self.sameness {
            writeln!(f, "of one track by its shape, {:.0} % alike", alike * 100.0)?;
        }
        if let Some(start_line_shift) = self.start_line_shift {
            writeln!(f, "{}", start_line_shift)?;
        }
        for line in [&self.lap, &self.reference] {
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
            [("the lap", &self.excursions), ("the reference", &self.reference_excursions)]
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
        if !self.corners.is_empty() {
            match self.brakes_by {
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
            write!(f, "\n{}", Table::of(self))?;
        }
        if !self.advice.is_empty() {
            writeln!(f, "\nTo fix:")?;
        }
        for (place, thing) in self.advice.iter().enumerate() {
            write!(f, "{}. {}", place + 1, thing.text)?;
            if let Some((own, behind)) = thing.split_s {
                write!(f, " In the corner: {} s, behind it: {} s.", signed(own, 3), signed(behind, 3))?;
            }
            writeln!(f)?;
        }
        self.between.as_ref().map_or(Ok(()), |area| write!(f, "\n{area}"))
    }
}

impl fmt::Display for LapLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time_ms.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let track = self.track.as_deref().unwrap_or_default();
        let run = self.run.map_or_else(String::new, |run| format!("run {run}  "));
        write!(f, "{}  {run}lap {}  {time}  {}  {track}", self.driver, self.lap, self.flags)?;
        self.chosen.map_or(Ok(()), |chosen| write!(f, "  ({chosen})"))
    }
}
