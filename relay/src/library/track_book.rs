//! The track book as a file beside the recordings.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use trailbrake_shared::analysis::TrackBook;

use crate::small_file::SmallFile;

const NAME: &str = "tracks.json";
/// The version of the file.
const VERSION: u32 = 1;

/// The track book of a folder of recordings.
#[derive(Clone, Debug)]
pub(crate) struct TrackBookFile {
    file: SmallFile,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct StoredBook {
    version: u32,
    #[serde(flatten)]
    book: TrackBook,
}

/// The part of the file that every version has.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl TrackBookFile {
    /// The track book of a folder.
    pub(crate) fn new(recordings: &Path) -> Self {
        Self { file: SmallFile::new(recordings.join(NAME)) }
    }

    pub(crate) fn file(&self) -> &Path {
        self.file.path()
    }

    /// Reads the book; an empty one where nothing was named yet. A broken file is set aside, with a note.
    pub(crate) fn read(&self, notes: &mut dyn Write) -> anyhow::Result<TrackBook> {
        let file = self.file().display();
        let read = self.file.read().with_context(|| format!("{file} cannot be read"))?;
        let Some(json) = read else { return Ok(TrackBook::default()) };
        let version = serde_json::from_slice(&json).map(|Version { version }| version);
        if let Ok(version) = version
            && version > VERSION
        {
            bail!("{file} was written by a later version of Trailbrake: update this one");
        }
        match serde_json::from_slice::<StoredBook>(&json) {
            Ok(kept) => Ok(kept.book),
            Err(error) => {
                let aside = self.file.set_aside().with_context(|| format!("{file} is broken ({error})"))?;
                writeln!(
                    notes,
                    "set aside: {file} makes no sense ({error}); it is kept as {}",
                    aside.display()
                )?;
                Ok(TrackBook::default())
            }
        }
    }

    /// Changes the book. The file is complete at every moment.
    pub(crate) fn change<T>(
        &self,
        notes: &mut dyn Write,
        change: impl FnOnce(&mut TrackBook) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let unwritable = || format!("{} cannot be written", self.file().display());
        let new = self.file.begin().with_context(unwritable)?;
        let mut book = self.read(notes)?;
        let done = change(&mut book)?;
        let json = serde_json::to_vec_pretty(&StoredBook { version: VERSION, book })?;
        new.finish(&json).with_context(unwritable)?;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use trailbrake_shared::analysis::{Fingerprint, ReferenceLine};

    use super::*;
    use crate::small_file::LEFT_BEHIND;

    fn fingerprint() -> Fingerprint {
        let point = |step: u32| {
            let angle = std::f64::consts::TAU * f64::from(step) / 900.0;
            let radius = 400.0 * (1.0 + 0.2 * (3.0 * angle).sin());
            [radius * angle.sin(), 0.0, radius * angle.cos()]
        };
        let points: Vec<[f64; 3]> = (0..=900).map(point).collect();
        Fingerprint::of(&ReferenceLine::through(&points, 0.0).expect("a line"))
    }

    fn named(keeper: &TrackBookFile) -> (Vec<String>, String) {
        let mut notes = Vec::new();
        let book = keeper.read(&mut notes).expect("a book");
        let names = book.tracks().iter().map(|track| track.name.clone()).collect();
        (names, String::from_utf8(notes).expect("text"))
    }

    fn name(keeper: &TrackBookFile, name: &str) -> anyhow::Result<()> {
        keeper.change(&mut Vec::new(), |book| {
            book.name(&fingerprint(), name);
            Ok(())
        })
    }

    #[test]
    fn a_name_is_kept_and_a_change_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = TrackBookFile::new(folder.path());
        assert_eq!(named(&keeper), (vec![], String::new()));
        name(&keeper, "Old mill").expect("named");
        let failed = keeper.change(&mut Vec::new(), |book| -> anyhow::Result<()> {
            book.name(&fingerprint(), "Nothing");
            bail!("thought better of it")
        });
        assert!(failed.is_err());
        assert_eq!(named(&keeper), (vec!["Old mill".to_owned()], String::new()));
        let files: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
        assert_eq!(files.len(), 1, "{files:?}");
    }

    #[test]
    fn a_broken_book_is_set_aside_and_never_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = TrackBookFile::new(folder.path());
        for number in 1..=2 {
            fs::write(folder.path().join(NAME), b"{ \"version\": 1, \"tracks\": [").expect("a file");
            name(&keeper, "Old mill").expect("named");
            let aside = folder.path().join(format!("tracks.json.broken-{number}"));
            assert_eq!(fs::read(aside).expect("kept"), b"{ \"version\": 1, \"tracks\": [");
        }
        fs::write(folder.path().join(NAME), b"nonsense").expect("a file");
        let (names, notes) = named(&keeper);
        assert!(names.is_empty() && notes.starts_with("set aside: "), "{notes}");
        assert!(notes.contains("tracks.json.broken-3"), "{notes}");
    }

    #[test]
    fn a_book_of_a_later_version_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = TrackBookFile::new(folder.path());
        fs::write(folder.path().join(NAME), br#"{"version":2,"tracks":"otherwise"}"#).expect("a file");
        let why = name(&keeper, "Old mill").expect_err("a reason").to_string();
        assert!(why.contains("update this one"), "{why}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn one_program_at_a_time_changes_the_book() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = TrackBookFile::new(folder.path());
        let held = keeper.change(&mut Vec::new(), |_| Ok(name(&keeper, "Meanwhile")));
        assert!(held.expect("changed").is_err());
        assert!(named(&keeper).0.is_empty());
        // A file left behind by a program that was ended blocks others only briefly.
        let left = File::create_new(folder.path().join("tracks.json.new")).expect("a file");
        left.set_modified(std::time::SystemTime::now() - LEFT_BEHIND * 2).expect("a time");
        name(&keeper, "Old mill").expect("named");
        assert_eq!(named(&keeper).0, ["Old mill"]);
    }
}
