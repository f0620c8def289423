//! Keeps recordings under way in the library's folder.

use std::sync::Arc;
use std::thread::JoinHandle;

use trailbrake_shared::recording::recorder::{Action, FileId};

use super::Store;
use super::part_files::PartFiles;
use super::underway::RecordingUnderway;
use crate::library::folder_lock::OwnedFolder;
use crate::library::recordings::Library;

/// The library's folder, and the files being written there.
pub(crate) struct FolderStore {
    files: PartFiles,
    library: Arc<Library>,
    own: Option<OwnedFolder>,
    announce: fn(&str, &str),
    /// Threads that recognise the tracks of finished recordings.
    looking: Vec<JoinHandle<()>>,
}

impl FolderStore {
    /// Opens a library's folder, before uploads are possible: leftovers of an earlier run's uploads are removed.
    pub(crate) fn new(library: Arc<Library>, announce: fn(&str, &str)) -> Self {
        let own = library.begin(announce).unwrap_or_else(not_put_right);
        let files = PartFiles::new(library.folder().to_owned());
        Self { files, library, own, announce, looking: Vec::new() }
    }

    /// Recognises the tracks of finished recordings. This reads a lap, so it runs on a thread of its own.
    fn recognise_finished(&mut self) {
        self.looking.retain(|looking| !looking.is_finished());
        // Where another program owns the folder, that program changes its files.
        let finished = self.files.finished();
        for file in finished.into_iter().filter(|_| self.own.is_some()) {
            let library = Arc::clone(&self.library);
            let looking = std::thread::Builder::new().name("recognise".into()).spawn(move || {
                if let Err(refusal) = library.recognise(&file) {
                    tracing::warn!("the track of {file} could not be recognised: {}", refusal.words());
                }
            });
            self.looking.extend(looking);
        }
    }
}

impl Store for FolderStore {
    fn begin(&mut self) {
        if let Some(Err(error)) = self.own.as_mut().map(|own| self.library.repair(own, self.announce)) {
            not_put_right::<()>(error);
        }
    }

    fn take(&mut self, action: Action) {
        self.files.take(action);
    }

    fn write(&mut self) -> Vec<FileId> {
        let given_up = self.files.write();
        self.recognise_finished();
        given_up
    }

    fn underway(&self) -> Vec<RecordingUnderway> {
        self.files.underway().collect()
    }

    fn trouble(&self) -> Option<&str> {
        self.files.trouble()
    }

    fn finish(self: Box<Self>) {
        for looking in self.looking {
            drop(looking.join());
        }
    }
}

fn not_put_right<T>(error: std::io::Error) -> Option<T> {
    tracing::warn!("what an earlier run left could not be put right: {error}");
    None
}
