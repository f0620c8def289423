//! The folder of recordings and the track book.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use directories::{ProjectDirs, UserDirs};
use trailbrake_shared::analysis::TrackBook;

use super::track_book::TrackBookFile;

/// Where the book of tracks is.
#[derive(Clone, Debug, Args)]
pub struct BookPlace {
    /// The folder that the recordings are in, instead of the usual one
    #[arg(long, value_name = "DIR")]
    pub recordings: Option<PathBuf>,
}

impl BookPlace {
    /// The folder.
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        let folder = self.recordings.clone().or_else(usual_folder);
        folder.context("--recordings DIR is needed: the system names no folder for them")
    }

    /// The track book; an empty one, with a note, where it can't be read.
    pub(crate) fn book(&self, notes: &mut dyn Write) -> TrackBook {
        let read = self.folder().ok().map(|folder| TrackBookFile::new(&folder).read(notes));
        match read {
            Some(Ok(book)) => book,
            Some(Err(why)) => {
                let _ = writeln!(notes, "names of tracks are left out: {why:#}");
                TrackBook::default()
            }
            None => TrackBook::default(),
        }
    }
}

/// The default folder for recordings: in the user's documents, else where programs keep their data.
pub(crate) fn usual_folder() -> Option<PathBuf> {
    let documents = UserDirs::new().and_then(|user| Some(user.document_dir()?.join("Trailbrake")));
    documents.or_else(|| {
        let own = ProjectDirs::from("", "", "trailbrake")?;
        Some(own.data_local_dir().join("recordings"))
    })
}
