//! Writes a track's shape and name into recordings whose game does not name it: into new recordings, and in the
//! background into listed ones.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use trailbrake_shared::analysis::TrackBook;

use super::recording_file::RecordingFile;
use super::recordings::Library;
use super::refusal::Refusal;
use super::track_book::TrackBookFile;
use super::track_facts::{is_named_by_game, track_to_write};
use crate::clock::Clock;

/// How often the last list is checked for such recordings.
const INTERVAL: Duration = Duration::from_secs(2);

/// Writes tracks into recordings, until dropped.
pub(crate) async fn recognise_tracks(library: Arc<Library>) {
    let mut tick = tokio::time::interval(INTERVAL);
    let mut in_vain = HashSet::new();
    loop {
        tick.tick().await;
        for file in without_track(&library) {
            if in_vain.contains(&file) {
                continue;
            }
            let (began, library, name) = (Instant::now(), Arc::clone(&library), file.clone());
            match tokio::task::spawn_blocking(move || recognise_track(&library, &name)).await {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => drop(in_vain.insert(file)),
                Ok(Err(refusal)) => {
                    tracing::warn!("the track of {file} could not be stored: {}", refusal.words());
                    in_vain.insert(file);
                }
                Err(_) => return,
            }
            // A game may be running: use no more than half a core.
            tokio::time::sleep(began.elapsed()).await;
        }
    }
}

/// The files without their track, as of the last list; none where another program owns the folder.
fn without_track(library: &Library) -> Vec<String> {
    if library.is_own() { library.index.lock().without_track() } else { Vec::new() }
}

/// Writes the track into a recording, unless the game names it; returns whether anything was written.
pub(crate) fn recognise_track(library: &Library, file: &str) -> Result<bool, Refusal> {
    let disk = |error: std::io::Error| Refusal::disk(library.folder(), &error);
    let path = library.folder().join(file);
    let mut source = RecordingFile::open(&path).map_err(disk)?;
    let recording = source.recording().map_err(|error| library.cannot(error))?;
    if is_named_by_game(recording.facts()) {
        return Ok(false);
    }
    let track = track_to_write(&mut source, &recording, &book(library)).map_err(disk)?;
    let Some(track) = track else { return Ok(false) };
    drop(source);
    let _alone = library.changing.lock();
    // A note may have been written meanwhile.
    let recording = library.open(&path)?;
    let mut facts = recording.facts().clone();
    facts.put(Clock::start().now(), &track);
    library.write_facts(&path, &recording, &facts)?;
    Ok(true)
}

/// The track book; empty where it can't be read, which changing it reports.
fn book(library: &Library) -> TrackBook {
    TrackBookFile::new(library.folder()).read(&mut std::io::sink()).unwrap_or_default()
}
