//! Re-indexes recordings in the background whose lap table an earlier version made: its decoders may have known less.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use trailbrake_shared::recording::{EventLog, Fact, Facts, LapTable, Reindexer, SessionSummary, Timeline};

use super::recording_file::RecordingFile;
use super::recordings::Library;
use super::refusal::Refusal;

/// How often the last list is checked for such recordings.
const INTERVAL: Duration = Duration::from_secs(5);
/// The facts learnt from packets.
const LEARNT: [&str; 4] = [LapTable::NAME, Timeline::NAME, EventLog::NAME, SessionSummary::NAME];

/// Re-indexes recordings with outdated lap tables, until dropped.
pub(crate) async fn reindex(library: Arc<Library>, announce: fn(&str, &str)) {
    let mut tick = tokio::time::interval(INTERVAL);
    let mut failed = HashSet::new();
    loop {
        tick.tick().await;
        for file in outdated(&library) {
            if failed.contains(&file) {
                continue;
            }
            let (began, library, name) = (Instant::now(), Arc::clone(&library), file.clone());
            let reindexed = tokio::task::spawn_blocking(move || reindex_file(&library, &name)).await;
            match reindexed {
                Ok(Ok(())) => announce("Renewed", &format!("the laps of {file}")),
                Ok(Err(refusal)) => {
                    tracing::warn!("the laps of {file} could not be re-indexed: {}", refusal.words());
                    failed.insert(file);
                }
                Err(_) => return,
            }
            // A game may be running: use no more than half a core.
            tokio::time::sleep(began.elapsed()).await;
        }
    }
}

/// The files with outdated lap tables, as of the last list; none where another program owns the folder.
fn outdated(library: &Library) -> Vec<String> {
    if library.is_own() { library.index.lock().outdated() } else { Vec::new() }
}

/// Decodes all packets of a recording, and writes the facts learnt from them.
fn reindex_file(library: &Library, file: &str) -> Result<(), Refusal> {
    let disk = |error: std::io::Error| Refusal::disk(library.folder(), &error);
    let path = library.folder().join(file);
    let mut source = RecordingFile::open(&path).map_err(disk)?;
    let recording = source.recording().map_err(|error| library.cannot(error))?;
    let mut relearning = Reindexer::new(&recording);
    source.feed(&mut relearning).map_err(disk)?;
    let learnt = relearning.finish();
    drop(source);
    let _alone = library.changing.lock();
    // A note may have been written meanwhile.
    let recording = library.open(&path)?;
    library.write_facts(&path, &recording, &put_together(recording.facts(), &learnt))
}

/// The facts of a recording, with those learnt from packets replaced.
fn put_together(now: &Facts, learnt: &Facts) -> Facts {
    let mut facts = now.clone();
    for name in LEARNT {
        if let Some(stored) = learnt.stored(name) {
            facts.store(name, stored.clone());
        }
    }
    facts
}
