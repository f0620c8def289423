//! What is asked of two laps: to be laid side by side, on the terminal or on paper.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use trailbrake_shared::lap_catalogue::{Drivers, LapChoice, LapQuery};
use trailbrake_shared::model::Car;

use super::files::from_zero;
use super::{BookPlace, Cutting, Metres};

/// Which laps to lay side by side, and how to print what comes of it.
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// The laps.
    #[command(flatten)]
    pub pair: Pair,
    /// What was lost and what every channel did between two places, in metres from the line, such as 1200..1500
    #[arg(long, value_name = "M..M")]
    pub between: Option<Metres>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// Draw delta, corners and where braking began as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
}

/// Which laps to print a report of, and where it goes.
#[derive(Clone, Debug, Args)]
pub struct Report {
    /// The laps.
    #[command(flatten)]
    pub pair: Pair,
    /// Write this file: a drawing as .svg, or a page that prints on one sheet as .html
    #[arg(short, long, value_name = "FILE.svg|.html")]
    pub out: ReportFile,
}

/// A file that a report can be written into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub form: ReportForm,
}

/// What a report can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportForm {
    /// A drawing.
    Svg,
    /// A page that prints on one sheet.
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

/// A lap, and the one that it is compared with.
#[derive(Clone, Debug, Args)]
pub struct Pair {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap, by number, or best
    #[arg(long, value_name = "N|best", value_parser = one_lap)]
    pub lap: LapChoice,
    /// The lap that it is compared with, by number, or the best other one that counts
    #[arg(long, value_name = "N|best", default_value = "best", value_parser = one_lap)]
    pub reference: LapChoice,
    /// The file that the reference is in, where that is another one
    #[arg(long, value_name = "FILE2")]
    pub reference_file: Option<PathBuf>,
    /// Laps of the car with this number instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// The reference's car, where that has another number
    #[arg(long, value_name = "N")]
    pub reference_car: Option<u8>,
    /// Of several sessions in the file, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// Of several runs, as of a stage or after a restart, this one, counted from 1; otherwise the last one in which the lap
    /// was finished
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// The reference's run, where several have a lap of its number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub reference_run: Option<u16>,
    /// Lay laps of different tracks side by side too, each along the share of its own way
    #[arg(long)]
    pub anyway: bool,
    /// Where the book of tracks is.
    #[command(flatten)]
    pub at: BookPlace,
    /// How the packets stand in the files.
    #[command(flatten)]
    pub cutting: Cutting,
}

impl Pair {
    /// Which lap is meant.
    pub(crate) fn query(&self) -> LapQuery {
        query(Some(self.lap), self.car, self.session, self.run)
    }

    /// Which reference is meant, in the car that is asked for, and of the session that is asked for.
    pub(crate) fn reference_query(&self, car: Option<u8>, session: Option<u16>) -> LapQuery {
        query(Some(self.reference), car, session, self.reference_run)
    }
}

/// The lap that options mean, their numbers counted from 1.
pub(super) fn query(
    lap: Option<LapChoice>,
    car: Option<u8>,
    session: Option<u16>,
    run: Option<u16>,
) -> LapQuery {
    LapQuery {
        drivers: car.map_or(Drivers::Player, |car| Drivers::Car(Car(car))),
        session: from_zero(session),
        run: from_zero(run),
        laps: lap.into_iter().collect(),
        ..LapQuery::default()
    }
}

/// A single lap.
pub(super) fn one_lap(text: &str) -> Result<LapChoice, &'static str> {
    match text.parse() {
        Ok(LapChoice::Best) => Ok(LapChoice::Best),
        Ok(LapChoice::Numbers(first, last)) if first == last => Ok(LapChoice::Numbers(first, last)),
        _ => Err("a lap's number, or best"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_s_form_is_told_by_its_file() {
        let form = |text: &str| text.parse::<ReportFile>().map(|file| file.form);
        assert_eq!(form("a/lap.svg"), Ok(ReportForm::Svg));
        assert_eq!(form("lap.HTML"), Ok(ReportForm::Html));
        for wrong in ["", "lap", "lap.pdf", ".svg"] {
            assert!(form(wrong).is_err(), "{wrong}");
        }
    }
}
