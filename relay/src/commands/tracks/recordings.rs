//! What is known of tracks, written into the recordings of them: whoever gets one sees the same names.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trailbrake_shared::analysis::{Fingerprint, KnownTrack, LapColumns, ReferenceLine, TrackBook};
use trailbrake_shared::recording::{ENDING, Facts, Recording, SessionSummary, Tail};

use crate::clock::Clock;
use crate::library::{Alone, Source, journal};

/// Writes what the book says of them into a file, and into all recordings of a folder whose track no game names.
pub(super) fn spread(
    folder: &Path,
    file: &Path,
    book: &TrackBook,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(_alone) = Alone::with(folder) else {
        writeln!(notes, "left for later: a Trailbrake that runs has the recordings in {}", folder.display())?;
        return Ok(());
    };
    let in_folder = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let recordings = in_folder.filter(|path| path.to_string_lossy().ends_with(ENDING));
    // The one that is meant may have any name.
    let mut paths: Vec<PathBuf> = recordings.chain([file.to_owned()]).collect();
    paths.sort();
    paths.dedup();
    let mut told = 0;
    for path in paths {
        match tell(&path, book, path == file) {
            Ok(told_this) => told += usize::from(told_this),
            // Recordings that can't be opened are the library's concern.
            Err(why) => tracing::debug!("{}: {why:#}", path.display()),
        }
    }
    if told > 0 {
        let recordings = if told == 1 { "recording" } else { "recordings" };
        writeln!(notes, "told: {told} {recordings} of the track")?;
    }
    Ok(())
}

/// Writes what is known of its track into a recording, unless its game names it; tells whether that is a name. The one that
/// is `meant` is told in any case.
fn tell(path: &Path, book: &TrackBook, meant: bool) -> anyhow::Result<bool> {
    let mut source = Source::open(path)?;
    let Ok(recording) = source.recording() else { return Ok(false) };
    if is_named_by_game(recording.facts()) && had(recording.facts()).is_none() && !meant {
        return Ok(false);
    }
    let Some(known) = to_be_told(&mut source, &recording, book)? else { return Ok(false) };
    let mut facts = recording.facts().clone();
    facts.put(Clock::start().now(), &known);
    journal::write(path, &Tail::with(&recording, &facts))?;
    Ok(!known.name.is_empty())
}

/// Whether the game itself has a name for the track.
pub(crate) fn is_named_by_game(facts: &Facts) -> bool {
    let told: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
    told.info.and_then(|info| info.track).is_some_and(|track| track.name.is_some())
}

/// What a recording says of its track.
pub(crate) fn had(facts: &Facts) -> Option<KnownTrack> {
    facts.get().ok().flatten()
}

/// What is to be written of its track into a recording, where that says something else: what the book knows of it, or only
/// what it is known by, for when somebody names it. What it was called elsewhere stays while the book has no other name.
pub(crate) fn to_be_told(
    source: &mut Source,
    recording: &Recording,
    book: &TrackBook,
) -> io::Result<Option<KnownTrack>> {
    let had = had(recording.facts());
    let fingerprint = match &had {
        Some(known) => Some(known.fingerprint.clone()),
        None => fingerprint(source, recording)?,
    };
    let Some(fingerprint) = fingerprint else { return Ok(None) };
    let known = book.recognise(&fingerprint).map(|(known, _)| known.clone());
    let known =
        known.or(had.clone()).unwrap_or(KnownTrack { name: String::new(), fingerprint, edits: Vec::new() });
    Ok((Some(&known) != had.as_ref()).then_some(known))
}

/// What the track of a recording is known by, from its best lap.
pub(crate) fn fingerprint(source: &mut Source, recording: &Recording) -> io::Result<Option<Fingerprint>> {
    let rows = recording.laps().laps.iter().filter(|row| row.lap.counts().is_some());
    let Some(row) = rows.min_by_key(|row| row.lap.time) else { return Ok(None) };
    let mut reading = recording.lap(row);
    source.feed(&mut reading)?;
    let Some(decoded) = reading.finish() else { return Ok(None) };
    let mut lap = row.lap.clone();
    lap.began_s = decoded.lap.began_s;
    let line = ReferenceLine::learn(&LapColumns::new(&lap, &decoded.columns));
    Ok(line.ok().as_ref().map(Fingerprint::of))
}
