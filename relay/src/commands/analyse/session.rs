//! The analysed laps.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use trailbrake_shared::analysis::TheoreticalBest;
use trailbrake_shared::lap_catalogue::{LapEntry, LapQuery, Nearness};

use super::{lap_report, stint_report};
use crate::commands::lap_arguments::Metres;
use crate::commands::pair::compare;
use crate::files::{LapFile, OpenedLap, PacketSplit};
use crate::library::BookPlace;

/// The laps of one driver in a session, and the one analysed in detail.
pub(super) struct AnalysedSession {
    pub(super) laps: Vec<OpenedLap>,
    pub(super) main: OpenedLap,
    theoretical_best: Option<TheoreticalBest>,
}

impl AnalysedSession {
    /// Opens the requested laps, of the last session that has them.
    pub(super) fn open(
        path: &Path,
        cutting: &PacketSplit,
        query: &LapQuery,
        book: &BookPlace,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Self> {
        let mut file = LapFile::open(path, cutting, notes)?.with_book(book.book(notes));
        let entry = file.pick(query, None, notes)?;
        let main = file.open_lap(&entry)?;
        let entries: Vec<LapEntry> = file.catalogue().seat_laps(&entry).cloned().collect();
        let laps = file.samples_of_all(&entries)?;
        let reference = file.catalogue().best_reference(&entry, None);
        let reference = reference.filter(|(_, near)| *near == Nearness::Seat).map(|(found, _)| found.clone());
        let reference = file.samples_of(reference.as_ref().unwrap_or(&entry))?;
        let compared = reference.map(|reference| compare(&mut file, &main, &reference, true, false));
        let theoretical_best = compared.and_then(Result::ok).map(|compared| compared.theoretical_best);
        Ok(Self { laps, main, theoretical_best })
    }

    /// The whole report.
    pub(super) fn report(&self, between: Option<&Metres>) -> anyhow::Result<Value> {
        let OpenedLap { entry, combo, .. } = &self.main;
        Ok(json!({
            "game": combo.game,
            "track": combo.track,
            "driver": entry.driver_words(),
            "session": stint_report::report(&self.laps, self.theoretical_best.as_ref()),
            "lap": lap_report::report(&self.main, between)?,
        }))
    }
}
