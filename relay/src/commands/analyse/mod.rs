//! `trailbrake analyse`: what the laps of a session tell, and one of them closely.

mod lap;
mod over;
mod pictures;
mod setup;
mod words;

use std::io::Write;

use serde::Serialize;
use serde_json::{Value, json};
use trailbrake_shared::analysis::{TheoreticalBest, Untold};
use trailbrake_shared::lap_catalogue::{LapEntry, Nearness};

use crate::commands::compare::compare;
use crate::commands::options::Analyse;
use crate::figures;
use crate::files::{self, LapFile, OpenedLap};

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
