//! A recording that somebody brings: taken in piece by piece, and looked through before it is put on the shelf.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::{Reading, RecordingId};

use super::names;
use super::recordings::Library;
use super::refused::Refused;
use super::source::Source;

/// No recording is larger: it would be one of some days.
const MOST_BYTES: u64 = 16 << 30;

/// A file that is on its way in. When it is dropped, nothing is left of it.
pub(crate) struct Arriving {
    path: PathBuf,
    file: File,
    bytes: u64,
}

/// What became of a recording that somebody brought.
pub(crate) enum Shelved {
    /// It is on the shelf.
    New(Entry),
    /// It was here already, and has the notes of both copies now.
    Merged(Entry),
}

impl Library {
    /// Gets ready for a recording of so many bytes, as far as that is known.
    pub(crate) fn arrive(&self, bytes: Option<u64>) -> Result<Arriving, Refused> {
        if bytes.is_some_and(|bytes| bytes > MOST_BYTES) {
            return Err(too_large());
        }
        let made = fs::create_dir_all(self.folder())
            .and_then(|()| names::arrival(self.folder(), &mut |path| File::create_new(path)));
        let (path, file) = made.map_err(|error| Refused::disk(self.folder(), &error))?;
        Ok(Arriving { path, file, bytes: 0 })
    }

    /// Takes the next piece.
    pub(crate) fn take(&self, arriving: &mut Arriving, piece: &[u8]) -> Result<(), Refused> {
        arriving.bytes += piece.len() as u64;
        if arriving.bytes > MOST_BYTES {
            return Err(too_large());
        }
        arriving.file.write_all(piece).map_err(|error| Refused::disk(self.folder(), &error))
    }

    /// Everything has arrived: every block is looked at, and the recording put on the shelf, or put together with the
    /// copy that is there. One of a recording under way has to wait.
    pub(crate) fn shelve(
        &self,
        arriving: Arriving,
        name: &str,
        is_underway: &dyn Fn(RecordingId) -> bool,
    ) -> Result<Shelved, Refused> {
        let id = self.look_through(&arriving)?;
        if is_underway(id) {
            let words = "it is being recorded: bring the copy once the recording has ended";
            return Err(Refused::Conflict(words.into()));
        }
        let _alone = self.changing.lock();
        match self.find_now(id) {
            Ok(found) => self.merge(&found, &arriving.path).map(Shelved::Merged),
            Err(Refused::NotThere) => self.stand(arriving, id, name).map(Shelved::New),
            Err(refused) => Err(refused),
        }
    }

    fn stand(&self, arriving: Arriving, id: RecordingId, name: &str) -> Result<Entry, Refused> {
        names::carry(&arriving.path, self.folder(), &names::given(name))
            .map_err(|error| Refused::disk(self.folder(), &error))?;
        self.find_now(id).map(|found| found.entry)
    }

    /// Looks at every block of what has arrived; which recording it is.
    fn look_through(&self, arriving: &Arriving) -> Result<RecordingId, Refused> {
        let disk = |error: io::Error| Refused::disk(self.folder(), &error);
        arriving.file.sync_all().map_err(disk)?;
        let mut source = Source::open(&arriving.path).map_err(disk)?;
        let recording = source.recording().map_err(|error| self.cannot(error))?;
        let mut packets = recording.all_packets();
        while let Some(range) = packets.needs() {
            source.give(&mut packets, range).map_err(disk)?;
            // They were only to be looked at.
            drop(packets.take());
        }
        if packets.damaged() > 0 {
            return Err(Refused::Unreadable(format!(
                "the file arrived damaged: {} of its {} blocks can't be read; send it again",
                packets.damaged(),
                recording.blocks(),
            )));
        }
        Ok(recording.info().id)
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        // On the shelf it has another name.
        let _ = fs::remove_file(&self.path);
    }
}

fn too_large() -> Refused {
    Refused::TooLarge(format!("a recording has at most {} GiB", MOST_BYTES >> 30))
}
