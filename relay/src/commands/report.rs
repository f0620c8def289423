//! `trailbrake report`: a lap compared with a reference, on one printable page.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, anyhow};
use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::plot::report::{Report as PrintedReport, Side, lay_out};
use trailbrake_shared::plot::sheet::svg;
use trailbrake_shared::time::Micros;
use trailbrake_shared::units::Units;

use super::pair::{ComparedPair, Pair};
use crate::files::OpenedLap;
use crate::unfinished::NewFile;

/// Which laps to print a report of, and where it goes.
#[derive(Clone, Debug, Args)]
pub struct Report {
    /// The two laps.
    #[command(flatten)]
    pub pair: Pair,
    /// The file to write: .svg for a drawing, .html for a page that prints on one sheet
    #[arg(short, long, value_name = "FILE.svg|.html")]
    pub out: ReportFile,
}

/// A file that a report can be written into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Its path.
    pub path: PathBuf,
    /// Its form.
    pub form: ReportForm,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportForm {
    /// An SVG drawing.
    Svg,
    /// An HTML page that prints on one sheet.
    Html,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let form = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => ReportForm::Svg,
            Some("html" | "htm") => ReportForm::Html,
            _ => return Err("a file that ends in .svg or .html".to_owned()),
        };
        Ok(Self { path, form })
    }
}

/// Writes the report of a lap, and notes where it is.
pub fn run(request: &Report, mut notes: impl Write) -> anyhow::Result<()> {
    let pair = ComparedPair::of(&request.pair, &mut notes)?;
    let lap_columns = pair.compared.comparison.in_order(&pair.lap.lap_columns());
    let reference_columns = pair.reference.lap_columns();
    let began = [&pair.lap, &pair.reference].map(|lap| lap.entry.began().and_then(day_and_time));
    let [lap_began, reference_began] = &began;
    let report = PrintedReport {
        lap: side(&pair.lap, &lap_columns, lap_began.as_ref()),
        reference: side(&pair.reference, &reference_columns, reference_began.as_ref()),
        chosen: pair.chosen,
        compared: &pair.compared,
        units: Units::default(),
    };
    let sheet = lay_out(&report);
    let drawn = match request.out.form {
        ReportForm::Svg => svg::draw(&sheet),
        ReportForm::Html => svg::html(&sheet),
    };
    let drawn = drawn.map_err(|error| anyhow!("the report could not be drawn: {error}"))?;
    let path = &request.out.path;
    let unwritable = || format!("{} cannot be written", path.display());
    let (new, mut file) = NewFile::replacing(path).with_context(unwritable)?;
    file.write_all(drawn.as_bytes()).and_then(|()| new.finish()).with_context(unwritable)?;
    writeln!(notes, "written: {}", path.display())?;
    Ok(())
}

fn side<'a>(opened: &'a OpenedLap, columns: &'a LapColumns<'a>, began: Option<&'a [String; 2]>) -> Side<'a> {
    let [day, time] = began.map_or([None; 2], |parts| parts.each_ref().map(|part| Some(part.as_str())));
    Side {
        lap: &opened.lap,
        columns,
        session: &opened.seat_laps,
        driver: opened.entry.driver.as_deref(),
        car: opened.combo.car.as_deref(),
        game: opened.combo.game.as_deref().unwrap_or_default(),
        track: opened.combo.track.as_deref(),
        day,
        time,
    }
}

/// Local date and time in words: `21 Nov 2026` and `14:32`.
fn day_and_time(moment: Micros) -> Option<[String; 2]> {
    let moment =
        Timestamp::from_microsecond(i64::try_from(moment.0).ok()?).ok()?.to_zoned(TimeZone::system());
    Some(["%-d %b %Y", "%H:%M"].map(|form| moment.strftime(form).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_s_form_follows_its_file_name() {
        let form = |text: &str| text.parse::<ReportFile>().map(|file| file.form);
        assert_eq!(form("a/lap.svg"), Ok(ReportForm::Svg));
        assert_eq!(form("lap.HTML"), Ok(ReportForm::Html));
        for wrong in ["", "lap", "lap.pdf", ".svg"] {
            assert!(form(wrong).is_err(), "{wrong}");
        }
    }
}
