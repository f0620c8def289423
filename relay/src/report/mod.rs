//! `trailbrake report`: a lap beside a reference, on one page that can be printed.

use std::fs;
use std::io::Write;

use anyhow::{Context, anyhow};
use chrono::{DateTime, Local};
use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::plot::report::{Report, Side};
use trailbrake_shared::plot::sheet::svg;
use trailbrake_shared::time::Micros;

use crate::compare::{Found, Laid};
use crate::options::{self, ReportForm};

/// Writes the report of a lap, and says where it is.
pub fn run(request: &options::Report, mut notes: impl Write) -> anyhow::Result<()> {
    let laid = Laid::of(&request.pair, &mut notes)?;
    let [lap_columns, reference_columns] =
        [&laid.lap, &laid.reference].map(|found| LapColumns::new(&found.lap, &found.columns));
    let lap_columns = laid.comparison.in_order(&lap_columns);
    let began = [&laid.lap, &laid.reference].map(|found| found.began.and_then(day_and_time));
    let [lap_began, reference_began] = &began;
    let report = Report {
        lap: side(&laid.lap, &lap_columns, lap_began.as_ref()),
        reference: side(&laid.reference, &reference_columns, reference_began.as_ref()),
        chosen: laid.chosen,
        warnings: &laid.warnings,
        comparison: &laid.comparison,
        others: &laid.others,
        things: &laid.things,
    };
    let sheet = report.sheet();
    let drawn = match request.out.form {
        ReportForm::Svg => svg::draw(&sheet),
        ReportForm::Html => svg::html(&sheet),
    };
    let drawn = drawn.map_err(|error| anyhow!("the report could not be drawn: {error}"))?;
    let path = &request.out.path;
    fs::write(path, drawn).with_context(|| format!("{} cannot be written", path.display()))?;
    writeln!(notes, "written: {}", path.display())?;
    Ok(())
}

fn side<'a>(found: &'a Found, columns: &'a LapColumns<'a>, began: Option<&'a [String; 2]>) -> Side<'a> {
    let [day, time] = began.map_or([None; 2], |parts| parts.each_ref().map(|part| Some(part.as_str())));
    Side {
        lap: &found.lap,
        columns,
        session: &found.session,
        driver: Some(found.driver.as_str()).filter(|_| found.is_named),
        car: found.car.as_deref(),
        game: &found.about.game,
        track: found.track.as_deref(),
        day,
        time,
    }
}

/// A moment as people here write it: `21 Nov 2026` and `14:32`.
fn day_and_time(moment: Micros) -> Option<[String; 2]> {
    let moment = DateTime::from_timestamp_micros(i64::try_from(moment.0).ok()?)?.with_timezone(&Local);
    Some(["%-d %b %Y", "%H:%M"].map(|form| moment.format(form).to_string()))
}
