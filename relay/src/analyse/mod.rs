//! `trailbrake analyse`: what the laps of a session tell, and one of them closely.

mod lap;
mod over;
mod pictures;
mod setup;
mod words;

use std::io::Write;
use std::path::Path;

use anyhow::{anyhow, bail};
use serde::Serialize;
use serde_json::{Value, json};
use trailbrake_shared::analysis::{LapColumns, TrackBook, Untold};
use trailbrake_shared::export::{DrivenLap, Picked, Whose, driven_laps};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Car;
use trailbrake_shared::session::{Archive, ArchivedSession, ArchivedSource};

use crate::laps::{self, FileLap};
use crate::options::{Analyse, Cutting, LapName};
use crate::{figures, file, tracks};

/// Prints what the laps of a session tell.
pub fn run(request: &Analyse, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let archive = decoded(&request.file, request, &mut notes)?;
    let driven = Driven::of(request, &archive)?;
    let mut report = driven.report(request, &book_of(request, &mut notes)?)?;
    if let (Some(path), Some(report)) = (&request.setup_of, report.as_object_mut()) {
        let other = decoded(path, request, &mut notes)?;
        report.insert("setup".to_owned(), setup::report(&driven, &other));
    }
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        words::write(&report, &mut out)?;
    }
    if let Some(folder) = &request.figures {
        figures::write(folder, pictures::figures(&driven), &mut notes)?;
    }
    Ok(())
}

/// Everything that a file holds.
fn decoded(path: &Path, request: &Analyse, notes: &mut dyn Write) -> anyhow::Result<Archive> {
    file::decoded(file::open(path, &request.cutting)?, notes)
}

/// What people call tracks: here, and in the file.
fn book_of(request: &Analyse, notes: &mut dyn Write) -> anyhow::Result<TrackBook> {
    let mut book = tracks::book(&request.at, notes);
    let packets = file::open(&request.file, &Cutting::default());
    let known = packets.ok().and_then(|file| file.recording()?.facts().get().ok().flatten());
    known.into_iter().for_each(|known| book.learn(known));
    Ok(book)
}

/// One car's laps of a session, and the one that is looked at closely.
struct Driven<'a> {
    archived: &'a ArchivedSession,
    game: &'a str,
    car: Car,
    laps: Vec<DrivenLap<'a>>,
    chosen: usize,
}

impl<'a> Driven<'a> {
    /// The laps that are asked for, of the last session that has them.
    fn of(request: &Analyse, archive: &'a Archive) -> anyhow::Result<Self> {
        let whose = request.car.map_or(Whose::Player, |car| Whose::Car(Car(car)));
        let all = archive.sources().iter().flat_map(|source| source.sessions().map(move |one| (source, one)));
        let all: Vec<(&ArchivedSource, &ArchivedSession)> = all.collect();
        let meant = |place: usize| request.session.is_none_or(|number| place + 1 == number as usize);
        let sessions = all.iter().enumerate().rev().filter(|(place, _)| meant(*place));
        for (_, (source, archived)) in sessions {
            let laps = driven_laps(archived, &Picked { whose, laps: Vec::new() });
            let Some(chosen) = choose(&laps, request) else { continue };
            let car = laps.get(chosen).map(|lap| lap.car).unwrap_or_default();
            let game = archived.session.game().unwrap_or(source.origin.feed.info().game);
            return Ok(Self { archived, game, car, laps, chosen });
        }
        Err(why_none(request, archive))
    }

    fn report(&self, request: &Analyse, book: &TrackBook) -> anyhow::Result<Value> {
        let session = &self.archived.session;
        let track = session.info().and_then(|info| info.track.as_ref());
        let Some(chosen) = self.laps.get(self.chosen) else { bail!("no such lap") };
        Ok(json!({
            "game": self.game,
            "track": tracks::title(track, book, &LapColumns::new(chosen.lap, chosen.columns)),
            "driver": session.name(self.car),
            "session": over::report(&self.laps),
            "lap": lap::report(chosen, self.archived, request.between.as_ref())?,
        }))
    }
}

/// Why no lap of a file can be looked at.
fn why_none(request: &Analyse, archive: &Archive) -> anyhow::Error {
    let (path, mut laps) = (&request.file, laps::of_archive(archive));
    if laps.is_empty() {
        return file::without_laps(path, Some(archive));
    }
    let file = path.display();
    laps.retain(|FileLap { player, row, .. }| {
        let car = request.car.map_or(*player, |car| row.car == Car(car));
        let session = request.session.is_none_or(|number| u32::from(row.session) + 1 == number);
        let run = request.run.is_none_or(|run| row.lap.run.checked_add(1) == Some(run));
        let number = match request.lap {
            Some(LapName::Number(number)) => row.lap.number == number,
            Some(LapName::Best) | None => true,
        };
        car && session && run && number
    });
    let counts = laps.iter().any(|lap| lap.row.lap.counts().is_some());
    match request.lap {
        _ if laps.is_empty() => {
            anyhow!("{file}: there is no such lap; `trailbrake laps --car all {file}` lists what there is")
        }
        Some(LapName::Best) if !counts => {
            anyhow!("{file}: no lap counts, and so none is the best: name one by its number")
        }
        _ => anyhow!("{file}: of these laps no channels were sent, only what is known of them"),
    }
}

/// The lap that is asked for: of those with a number the last one that was finished; without a name the best that counts,
/// else the last.
fn choose(laps: &[DrivenLap<'_>], request: &Analyse) -> Option<usize> {
    let is_of_run = |lap: &Lap| request.run.is_none_or(|run| lap.run.checked_add(1) == Some(run));
    let of_run = || laps.iter().map(|one| one.lap).enumerate().filter(|(_, lap)| is_of_run(lap));
    let best =
        || of_run().filter_map(|(place, lap)| Some((lap.counts()?, place))).min().map(|(_, place)| place);
    match request.lap {
        Some(LapName::Number(number)) => {
            let named = of_run().filter(|(_, lap)| lap.number == number);
            named.max_by_key(|(place, lap)| (lap.time.is_some(), *place)).map(|(place, _)| place)
        }
        Some(LapName::Best) => best(),
        None => best().or_else(|| of_run().next_back().map(|(place, _)| place)),
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
