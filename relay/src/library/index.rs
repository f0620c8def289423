//! What is known of the files in a folder, so that none is read twice.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use trailbrake_shared::recording::{Bests, Driven, Entry, Listing, Looked};

use super::source::{CannotOpen, Source};
use super::{names, renew, stamp};
use crate::recorder;

/// The recordings of one folder, by their files' names.
#[derive(Default)]
pub(super) struct Index(HashMap<String, Known>);

type Stamp = (u64, Option<SystemTime>);

struct Known {
    /// The file's length and when it was changed: as long as both are the same, so is what it says.
    stamp: Stamp,
    entry: Entry,
    /// The driver's laps in it that count.
    driven: Option<Driven>,
    /// Whether an earlier version made its lap table.
    outdated: bool,
}

impl Index {
    /// Looks at a folder: only what is new or changed is opened, and of that the index and the facts alone are read.
    pub(super) fn list(&mut self, folder: &Path) -> Listing {
        let mut listing = Listing { folder: folder.display().to_string(), ..Listing::default() };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                listing.trouble = Some(recorder::words(folder, &error));
                return listing;
            }
        };
        let mut before = std::mem::take(&mut self.0);
        for file in entries.flatten() {
            let Ok(name) = file.file_name().into_string() else { continue };
            let Some(metadata) = file.metadata().ok().filter(|file| file.is_file()) else { continue };
            if !names::is_recording(&name) {
                continue;
            }
            let stamp = stamp(&metadata);
            let known = before.remove(&name).filter(|known| known.stamp == stamp);
            let known = known.unwrap_or_else(|| read(&folder.join(&name), &name, stamp, &mut listing.looked));
            self.0.insert(name, known);
        }
        listing.recordings = self.0.values().map(|known| known.entry.clone()).collect();
        listing.recordings.sort_by(|a, b| a.file.cmp(&b.file));
        name_copies(&mut listing.recordings);
        listing.recordings.sort_by_key(|entry| std::cmp::Reverse(entry.created));
        listing
    }

    /// The best laps of the recordings, as of the last list.
    pub(super) fn bests(&self) -> Bests {
        let mut bests = Bests::default();
        self.0.values().filter_map(|known| known.driven.clone()).for_each(|driven| bests.add(driven));
        bests
    }

    /// The files whose lap table an earlier version made, as of the last list.
    pub(super) fn outdated(&self) -> Vec<String> {
        self.0.iter().filter(|(_, known)| known.outdated).map(|(file, _)| file.clone()).collect()
    }
}

/// What is known of a file.
fn read(path: &Path, name: &str, stamp: Stamp, looked: &mut Looked) -> Known {
    looked.files += 1;
    let (len, _) = stamp;
    let opened = Source::open(path).map_err(CannotOpen::File).and_then(|mut source| {
        let recording = source.recording();
        looked.bytes += source.read;
        recording
    });
    let broken =
        |why: &str| Known { stamp, entry: Entry::of_broken(name, len, why), driven: None, outdated: false };
    match opened {
        Ok(recording) => Known {
            stamp,
            entry: Entry::of_recording(name, len, &recording),
            driven: Driven::of(recording.facts()),
            outdated: renew::is_outdated(&recording),
        },
        Err(CannotOpen::Content(why)) => broken(&why.to_string()),
        Err(CannotOpen::File(error)) => broken(&error.to_string()),
    }
}

/// Of files that are the same recording, the first by name is the one, and the others say so.
fn name_copies(entries: &mut [Entry]) {
    let mut first: HashMap<_, String> = HashMap::new();
    for entry in entries {
        let Some(id) = entry.id else { continue };
        match first.get(&id) {
            Some(file) => {
                entry.trouble = Some(format!("this is a copy of {file}"));
                entry.id = None;
            }
            None => drop(first.insert(id, entry.file.clone())),
        }
    }
}
