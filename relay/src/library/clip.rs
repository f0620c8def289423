//! Clips: laps cut out of a recording.

use trailbrake_shared::analysis::KnownTrack;
use trailbrake_shared::library::{Entry, Excerpt, Relabel};
use trailbrake_shared::recording::{
    ENDING, LapId, LapRow, OtherCars, Reading, Recording, RecordingId, Trim, clip_name,
};
use trailbrake_shared::time::Micros;

use super::labels::relabelled;
use super::recording_file::RecordingFile;
use super::recordings::Library;
use super::refusal::Refusal;
use super::salvage::Reached;
use super::store::RecordingUnderway;
use super::track_book::TrackBookFile;
use super::track_facts::fingerprint;
use super::upload::Upload;
use crate::recording_id;

/// Most bytes that are read for one lap: a longer one is read piece by piece.
const MOST_LAP_BYTES: u64 = 32 << 20;

/// Cuts laps out of a finished recording; returns the clip's entry. `reached` receives the progress, and may
/// end the work.
pub(crate) fn cut(
    library: &Library,
    id: RecordingId,
    excerpt: &Excerpt,
    now: Micros,
    reached: Reached<'_>,
) -> Result<Entry, Refusal> {
    let found = library.find(id)?;
    let source = RecordingFile::open(&found.path).map_err(|error| Refusal::disk(library.folder(), &error))?;
    write(library, source, &found.entry.file, excerpt, now, reached)
}

/// Cuts laps out of a recording under way, from the bytes in its file and the tail that opens them.
pub(crate) fn cut_underway(
    library: &Library,
    one: &RecordingUnderway,
    tail: Vec<u8>,
    excerpt: &Excerpt,
    now: Micros,
    reached: Reached<'_>,
) -> Result<Entry, Refusal> {
    let source = RecordingFile::underway(one, tail);
    let source = source.map_err(|error| Refusal::disk(library.folder(), &error))?;
    write(library, source, &one.name, excerpt, now, reached)
}

/// A lap as a recording of its own, in memory. Other cars are left out where the game's packets allow it, since of
/// twenty cars they take nine tenths of the bytes.
pub(crate) fn cut_lap(
    library: &Library,
    id: RecordingId,
    lap: LapId,
    reached: Reached<'_>,
) -> Result<Vec<u8>, Refusal> {
    let disk = |error: std::io::Error| Refusal::disk(library.folder(), &error);
    let mut source = RecordingFile::open(&library.find(id)?.path).map_err(disk)?;
    let recording = source.recording().map_err(|error| library.cannot(error))?;
    let row = chosen(&recording.laps().laps, &[lap])?;
    for others in [OtherCars::LeftOut, OtherCars::Kept] {
        let mut trim = Trim::new(&recording, &row, others, recording_id::new());
        if trim.bytes_left() > MOST_LAP_BYTES {
            return Err(Refusal::TooLarge("the lap is too long to be sent at once".into()));
        }
        while let Some(range) = trim.needs() {
            reached(0.0).map_err(disk)?;
            source.give(&mut trim, range).map_err(disk)?;
        }
        if !trim.is_empty() {
            let mut bytes = trim.bytes();
            bytes.extend(trim.finish());
            return Ok(bytes);
        }
    }
    Err(Refusal::Conflict(nothing_left(OtherCars::Kept).into()))
}

fn write(
    library: &Library,
    mut source: RecordingFile,
    file: &str,
    excerpt: &Excerpt,
    now: Micros,
    reached: Reached<'_>,
) -> Result<Entry, Refusal> {
    let disk = |error: std::io::Error| Refusal::disk(library.folder(), &error);
    let recording = source.recording().map_err(|error| library.cannot(error))?;
    let laps = chosen(&recording.laps().laps, &excerpt.laps)?;
    let mut trim = Trim::new(&recording, &laps, excerpt.other_cars, recording_id::new());
    let track = known_track(library, &mut source, &recording);
    let name = excerpt.name.clone().unwrap_or_else(|| clip_name(recording.facts(), track.as_ref(), &laps));
    trim.label(now, &relabelled(recording.facts(), &Relabel { name: Some(name), tags: None })?);
    if let Some(track) = track {
        trim.know_track(now, &track);
    }
    let stem = file.strip_suffix(ENDING).unwrap_or(file);
    let mut upload = Upload::begin(library, &format!("{stem}-laps"), None)?;
    let all = trim.bytes_left().max(1) as f64;
    while let Some(range) = trim.needs() {
        reached(1.0 - trim.bytes_left() as f64 / all).map_err(disk)?;
        source.give(&mut trim, range).map_err(disk)?;
        upload.extend(library, &trim.bytes())?;
    }
    if trim.is_empty() {
        return Err(Refusal::Conflict(nothing_left(excerpt.other_cars).into()));
    }
    upload.extend(library, &trim.finish())?;
    upload.finish_clip(library)
}

/// The book's names for a recording's track and its corners; they go into every clip.
fn known_track(library: &Library, source: &mut RecordingFile, recording: &Recording) -> Option<KnownTrack> {
    // A clip without the names is better than none.
    let book = TrackBookFile::new(library.folder()).read(&mut std::io::sink()).ok()?;
    if book.tracks().is_empty() {
        return None;
    }
    let known = recording.facts().get::<KnownTrack>().ok().flatten();
    let fingerprint = match known {
        Some(known) => known.fingerprint,
        None => fingerprint(source, recording).ok().flatten()?,
    };
    book.recognise(&fingerprint).map(|(known, _)| known.clone())
}

/// The rows of these laps in the lap table.
fn chosen(rows: &[LapRow], laps: &[LapId]) -> Result<Vec<LapRow>, Refusal> {
    if laps.is_empty() {
        return Err(Refusal::Wrong("no laps are named that could be taken out".into()));
    }
    let row = |id: &LapId| {
        let found = rows.iter().find(|row| row.id() == *id).cloned();
        found.ok_or_else(|| {
            let (car, session, serial) = (id.car.0, id.session, id.serial);
            Refusal::Wrong(format!("the recording has no lap {serial} of car {car} in session {session}"))
        })
    };
    let mut chosen = laps.iter().map(row).collect::<Result<Vec<LapRow>, Refusal>>()?;
    chosen.sort_by_key(LapRow::id);
    chosen.dedup_by_key(|row| row.id());
    Ok(chosen)
}

fn nothing_left(others: OtherCars) -> &'static str {
    match others {
        OtherCars::LeftOut | OtherCars::Nameless => {
            "nothing is left of these laps without other drivers: this game sends all of them in the same packets"
        }
        OtherCars::Kept => "the recording has no packets of these laps",
    }
}
