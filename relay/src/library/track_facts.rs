//! The track among a recording's facts: its names stay with the file wherever it goes.

use std::io;

use trailbrake_shared::analysis::{Fingerprint, KnownTrack, LapColumns, ReferenceLine, TrackBook};
use trailbrake_shared::recording::{Facts, LapReading, Recording, SessionSummary};

use super::recording_file::RecordingFile;

/// Whether the game itself names the track. A recognised name gives way to one in the track book.
pub(crate) fn is_named_by_game(facts: &Facts) -> bool {
    let summary: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
    summary.info.and_then(|info| info.track).is_some_and(|track| track.is_named())
}

/// The track in a recording's facts.
pub(crate) fn known_track(facts: &Facts) -> Option<KnownTrack> {
    facts.get().ok().flatten()
}

/// The track to write into a recording whose facts differ: the book's, or else its fingerprint without a name. A name
/// from elsewhere stays while the book has none.
pub(crate) fn track_to_write(
    source: &mut RecordingFile,
    recording: &Recording,
    book: &TrackBook,
) -> io::Result<Option<KnownTrack>> {
    let had = known_track(recording.facts());
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

/// The fingerprint of a recording's track, from its best lap.
pub(crate) fn fingerprint(
    source: &mut RecordingFile,
    recording: &Recording,
) -> io::Result<Option<Fingerprint>> {
    let rows = recording.laps().laps.iter().filter(|row| row.lap.counts().is_some());
    let Some(row) = rows.min_by_key(|row| row.lap.time) else { return Ok(None) };
    let mut reading = LapReading::new(recording, row);
    source.feed(&mut reading)?;
    let Some(decoded) = reading.finish() else { return Ok(None) };
    let mut lap = row.lap.clone();
    lap.began_s = decoded.lap.began_s;
    let line = ReferenceLine::learn(&LapColumns::new(&lap, &decoded.columns));
    Ok(line.ok().as_ref().map(Fingerprint::of))
}
