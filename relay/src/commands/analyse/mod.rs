//! `trailbrake analyse`: the analysis of a session's laps, and one of them in detail.

mod figures;
mod lap_report;
mod session;
mod setup;
mod stint_report;
mod text;
mod value;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use trailbrake_shared::lap_catalogue::{LapChoice, LapQuery};

use crate::commands::lap_arguments::{Metres, one_lap, query};
use crate::figures as drawings;
use crate::files::{self, PacketSplit};
use crate::library::BookPlace;
use session::AnalysedSession;

/// Which laps to analyse.
#[derive(Clone, Debug, Args)]
pub struct Analyse {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap, by number or best; by default the best, or the last if none counts
    #[arg(long, value_name = "N|best", value_parser = one_lap)]
    pub lap: Option<LapChoice>,
    /// The run, counted from 1, of a stage or after a restart
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// Laps of this car instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// The session, counted from 1; by default the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// Statistics of every channel in a section, in metres from the line, such as 1200..1500
    #[arg(long, value_name = "M..M")]
    pub between: Option<Metres>,
    /// Compare the car's setup with the player's last session in this file
    #[arg(long, value_name = "FILE2")]
    pub setup_of: Option<PathBuf>,
    /// Draw figures as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// The folder with the track book.
    #[command(flatten)]
    pub at: BookPlace,
    /// How to split it into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

impl Analyse {
    /// The query for the lap.
    pub(crate) fn query(&self) -> LapQuery {
        query(self.lap, self.car, self.session, self.run)
    }
}

/// Prints the analysis of a session's laps.
pub fn run(request: &Analyse, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let session =
        AnalysedSession::open(&request.file, &request.cutting, &request.query(), &request.at, &mut notes)?;
    let mut report = session.report(request.between.as_ref())?;
    if let (Some(path), Some(report)) = (&request.setup_of, report.as_object_mut()) {
        let other = files::decoded(files::open(path, &request.cutting)?, &mut notes)?;
        report.insert("setup".to_owned(), setup::report(&session.main, &other));
    }
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        text::write(&report, &mut out)?;
    }
    if let Some(folder) = &request.figures {
        drawings::write(folder, figures::figures(&session), &mut notes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
