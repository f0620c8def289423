//! `trailbrake analyse`: what the laps of a session tell, and one of them closely.

mod lap;
mod over;
mod pictures;
mod setup;
mod words;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use trailbrake_shared::analysis::{TheoreticalBest, Untold};
use trailbrake_shared::lap_catalogue::{LapChoice, LapEntry, LapQuery, Nearness};

use crate::commands::lap_arguments::{Metres, one_lap, query};
use crate::commands::pair::compare;
use crate::figures;
use crate::files::{self, Cutting, LapFile, OpenedLap};
use crate::library::BookPlace;

/// Which laps to analyse.
#[derive(Clone, Debug, Args)]
pub struct Analyse {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap to look at closely, by number, or best; otherwise the best one, and where none counts, the last
    #[arg(long, value_name = "N|best", value_parser = one_lap)]
    pub lap: Option<LapChoice>,
    /// Of several runs, as of a stage or after a restart, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// Laps of the car with this number instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// Of several sessions in the file, this one, counted from 1, instead of the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// What every channel did between two places of the lap, in metres from the line, such as 1200..1500
    #[arg(long, value_name = "M..M")]
    pub between: Option<Metres>,
    /// Tell what differs between the car's set-up and the one of the player's last session in this file
    #[arg(long, value_name = "FILE2")]
    pub setup_of: Option<PathBuf>,
    /// Draw figures as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// Where the book of tracks is.
    #[command(flatten)]
    pub at: BookPlace,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

impl Analyse {
    /// Which lap is meant.
    pub(crate) fn query(&self) -> LapQuery {
        query(self.lap, self.car, self.session, self.run)
    }
}

/// Prints the analysis of a session's laps.
pub fn run(request: &Analyse, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let session = AnalysedSession::of(request, &mut notes)?;
    let mut report = session.report(request)?;
    if let (Some(path), Some(report)) = (&request.setup_of, report.as_object_mut()) {
        let other = files::decoded(files::open(path, &request.cutting)?, &mut notes)?;
        report.insert("setup".to_owned(), setup::report(session.main(), &other));
    }
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        words::write(&report, &mut out)?;
    }
    if let Some(folder) = &request.figures {
        figures::write(folder, pictures::figures(&session), &mut notes)?;
    }
    Ok(())
}

/// The laps of one driver in a session, and the one that is looked at closely.
struct AnalysedSession {
    laps: Vec<OpenedLap>,
    main: OpenedLap,
    theoretical_best: Option<TheoreticalBest>,
}

impl AnalysedSession {
    /// The laps that are asked for, of the last session that has them.
    fn of(request: &Analyse, notes: &mut dyn Write) -> anyhow::Result<Self> {
        let mut file =
            LapFile::open(&request.file, &request.cutting, notes)?.with_book(request.at.book(notes));
        let entry = file.pick(&request.query(), None, notes)?;
        let main = file.open_lap(&entry)?;
        let entries: Vec<LapEntry> = file.catalogue().seat_laps(&entry).cloned().collect();
        let mut laps = Vec::new();
        for entry in &entries {
            laps.extend(file.samples_of(entry)?);
        }
        let reference = file.catalogue().best_reference(&entry, None);
        let reference = reference.filter(|(_, near)| *near == Nearness::Seat).map(|(found, _)| found.clone());
        let reference = file.samples_of(reference.as_ref().unwrap_or(&entry))?;
        let compared = reference.map(|reference| compare(&mut file, &main, &reference, true, false));
        let theoretical_best = compared.and_then(Result::ok).map(|compared| compared.theoretical_best);
        Ok(Self { laps, main, theoretical_best })
    }

    fn main(&self) -> &OpenedLap {
        &self.main
    }

    fn report(&self, request: &Analyse) -> anyhow::Result<Value> {
        let OpenedLap { entry, combo, .. } = &self.main;
        Ok(json!({
            "game": combo.game,
            "track": combo.track,
            "driver": entry.driver_words(),
            "session": over::report(&self.laps, self.theoretical_best.as_ref()),
            "lap": lap::report(&self.main, request.between.as_ref())?,
        }))
    }
}

/// What is told, or why it is not.
fn told<T: Serialize>(told: Result<T, Untold>) -> Value {
    match told {
        Ok(told) => serde_json::to_value(told).unwrap_or_default(),
        Err(reason) => json!({ "untold": reason }),
    }
}

#[cfg(test)]
mod tests;
