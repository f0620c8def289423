//! Files of recordings under way. Bytes that can't be written wait.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::recording::recorder::{Action, FileId};
use trailbrake_shared::time::Micros;

use super::disk_shares::DiskShares;
use super::underway::{Content, RecordingUnderway};
use crate::disk;
use crate::library::file_names;

/// Most bytes that wait for a failing disk: some minutes of the busiest game. Beyond, the recording is given up.
const MOST_WAITING: usize = 4 << 20;
/// How often files are synced, against a power failure; a kill of the program loses nothing that was written.
const SYNC: Duration = Duration::from_secs(5);

/// All files being written.
pub(super) struct PartFiles {
    folder: PathBuf,
    open: BTreeMap<FileId, PartFile>,
    /// Why something could not be written, until it can.
    trouble: Option<String>,
    /// Names of files that are finished.
    finished: Vec<String>,
    shares: DiskShares,
}

/// One file being written.
struct PartFile {
    id: RecordingId,
    /// The machine that its packets come from.
    machine: IpAddr,
    /// When its first packet was received.
    began: Micros,
    /// Its name once it is finished.
    name: String,
    /// Whether it is certain to be kept; until then it is not listed.
    kept: bool,
    /// Its path and handle; `None` until it could be created.
    place: Option<Place>,
    waiting: Vec<u8>,
    /// Set when nothing follows any more.
    end: Option<End>,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It is finished and gets its name.
    Whole,
    /// It is deleted.
    Discarded,
}

/// The outcome of writing a file.
enum WriteOutcome {
    /// More is to come.
    NotYet,
    /// It is finished, under this name.
    Whole(String),
    /// It is deleted; it had so many bytes.
    Discarded(u64),
}

struct Place {
    path: PathBuf,
    file: File,
    /// Bytes that are certainly in it.
    len: u64,
    synced: Instant,
}

impl PartFiles {
    /// The files in a folder, which is created if needed.
    pub(super) fn new(folder: PathBuf, shares: DiskShares) -> Self {
        let trouble = fs::create_dir_all(&folder).err().map(|error| disk::trouble(&folder, &error));
        Self { folder, open: BTreeMap::new(), trouble, finished: Vec::new(), shares }
    }

    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The recordings that are in files and will be kept.
    pub(super) fn underway(&self) -> impl Iterator<Item = RecordingUnderway> {
        self.open.iter().filter(|(_, written)| written.kept).filter_map(|(file, written)| {
            let place = written.place.as_ref()?;
            Some(RecordingUnderway {
                file: *file,
                id: written.id,
                name: written.name.clone(),
                began: written.began,
                content: Content::File(place.path.clone()),
                len: place.len,
            })
        })
    }

    /// The machines whose share of the disk is full, and those that have room again, since the last call.
    pub(super) fn stopped(&mut self) -> Vec<(IpAddr, bool)> {
        self.shares.changed()
    }

    /// The names of files finished since the last call.
    pub(super) fn finished(&mut self) -> Vec<String> {
        std::mem::take(&mut self.finished)
    }

    /// Queues an action.
    pub(super) fn take(&mut self, action: Action) {
        match action {
            Action::Open { file, id, machine, began, name } => {
                let waiting = Vec::new();
                let written =
                    PartFile { id, machine, began, name, kept: false, place: None, waiting, end: None };
                self.open.insert(file, written);
            }
            Action::Keep { file, name } => {
                if let Some(written) = self.open.get_mut(&file) {
                    (written.kept, written.name) = (true, name);
                }
            }
            Action::Discard { file } => {
                if let Some(written) = self.open.get_mut(&file) {
                    written.end = Some(End::Discarded);
                }
            }
            Action::Append { file, bytes } => {
                if let Some(written) = self.open.get_mut(&file) {
                    self.shares.take(written.machine, bytes.len() as u64);
                    written.waiting.extend(bytes);
                }
            }
            Action::Close { file } => {
                if let Some(written) = self.open.get_mut(&file) {
                    written.end = Some(End::Whole);
                }
            }
        }
    }

    /// Performs the queued actions, as far as the disk allows; returns recordings that had to be given up.
    pub(super) fn write(&mut self) -> Vec<FileId> {
        let mut error = None;
        let mut given_up = Vec::new();
        let folder = &self.folder;
        let (finished, shares) = (&mut self.finished, &mut self.shares);
        self.open.retain(|file, written| match written.write(folder) {
            Ok(WriteOutcome::NotYet) => true,
            Ok(WriteOutcome::Discarded(bytes)) => {
                shares.give_back(written.machine, bytes);
                false
            }
            Ok(WriteOutcome::Whole(name)) => {
                finished.push(name);
                false
            }
            Err(why) => {
                // A file that was removed can't go on; other errors may end once there is room again.
                let lost = why.kind() == io::ErrorKind::NotFound && written.place.is_some();
                let over = written.waiting.len() > MOST_WAITING || lost || written.end.is_some();
                if over {
                    given_up.push(*file);
                }
                error = Some(why);
                !over
            }
        });
        match error {
            Some(error) => self.trouble = Some(disk::trouble(&self.folder, &error)),
            // Without open files nothing was tried, so the trouble may remain.
            None if !self.open.is_empty() => self.trouble = None,
            None => {}
        }
        given_up
    }
}

impl PartFile {
    /// Writes what is queued.
    fn write(&mut self, folder: &Path) -> io::Result<WriteOutcome> {
        if self.end == Some(End::Discarded) {
            let waiting = self.waiting.len() as u64;
            let Some(Place { path, file, len, .. }) = self.place.take() else {
                return Ok(WriteOutcome::Discarded(waiting));
            };
            // Some systems can't remove open files.
            drop(file);
            return fs::remove_file(path).map(|()| WriteOutcome::Discarded(len + waiting));
        }
        let place = match &mut self.place {
            Some(place) => {
                // A file without a name can still be written to, but never found.
                fs::metadata(&place.path)?;
                place
            }
            None => self.place.insert(Place::make(folder, &self.name)?),
        };
        place.append(&self.waiting)?;
        self.waiting.clear();
        if self.end.is_none() {
            if place.synced.elapsed() >= SYNC {
                place.file.sync_data()?;
                place.synced = Instant::now();
            }
            return Ok(WriteOutcome::NotYet);
        }
        place.file.sync_all()?;
        let path = place.path.clone();
        // Nor can they rename them.
        self.place = None;
        file_names::carry(&path, folder, &self.name)
            .map(|path| WriteOutcome::Whole(file_names::of(&path).to_owned()))
    }
}

impl Place {
    fn make(folder: &Path, name: &str) -> io::Result<Self> {
        let (path, file) = file_names::make(folder, name, &mut |path| {
            OpenOptions::new().write(true).create_new(true).open(path)
        })?;
        Ok(Self { path, file, len: 0, synced: Instant::now() })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        // A failed attempt may have written part of it: write it again.
        self.file.seek(SeekFrom::Start(self.len))?;
        self.file.write_all(bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn part_files(folder: PathBuf) -> PartFiles {
        PartFiles::new(folder, DiskShares::new(Box::new(|| Ok(u64::MAX)), |_| true))
    }

    fn open(files: &mut PartFiles, number: u32) {
        let name = format!("2026-11-21_1432_f1-2018{}", trailbrake_shared::recording::ENDING);
        let (file, id) = (FileId(number), RecordingId(u128::from(number)));
        files.take(Action::Open { file, id, machine: MACHINE, began: Micros(0), name: name.clone() });
        files.take(Action::Keep { file, name });
    }

    fn append(files: &mut PartFiles, number: u32, bytes: &[u8]) -> Vec<FileId> {
        files.take(Action::Append { file: FileId(number), bytes: bytes.to_vec() });
        files.write()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_gets_its_name_when_it_is_whole_and_takes_nobody_elses() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = part_files(folder.path().join("new/one"));
        let folder = folder.path().join("new/one");
        for number in [1, 2] {
            open(&mut files, number);
            append(&mut files, number, b"one ");
        }
        assert_eq!(
            names(&folder),
            [
                "2026-11-21_1432_f1-2018-2.trailbrake.mcap.part",
                "2026-11-21_1432_f1-2018.trailbrake.mcap.part"
            ]
        );
        assert_eq!(files.underway().map(|one| one.len).collect::<Vec<_>>(), [4, 4]);
        for number in [1, 2] {
            files.take(Action::Close { file: FileId(number) });
            append(&mut files, number, b"two");
        }
        assert_eq!(
            names(&folder),
            ["2026-11-21_1432_f1-2018-2.trailbrake.mcap", "2026-11-21_1432_f1-2018.trailbrake.mcap"]
        );
        assert_eq!(fs::read(folder.join(&names(&folder)[0])).expect("the file"), b"one two");
        assert_eq!((files.underway().count(), files.trouble()), (0, None));
    }

    #[test]
    fn a_file_on_trial_is_nobodys_until_it_is_kept_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = part_files(folder.path().to_owned());
        for number in 1..=3 {
            let (file, id) = (FileId(number), RecordingId(u128::from(number)));
            files.take(Action::Open {
                file,
                id,
                machine: MACHINE,
                began: Micros(0),
                name: format!("now{}", trailbrake_shared::recording::ENDING),
            });
            // The third is discarded before it was ever created.
            if number < 3 {
                append(&mut files, number, b"one");
            }
        }
        assert_eq!((names(folder.path()).len(), files.underway().count()), (2, 0));
        let name = format!("now_spa{}", trailbrake_shared::recording::ENDING);
        files.take(Action::Keep { file: FileId(1), name: name.clone() });
        files.take(Action::Discard { file: FileId(2) });
        files.take(Action::Discard { file: FileId(3) });
        assert_eq!(files.write(), []);
        assert!(files.underway().map(|one| one.name).eq([name.as_str()]));
        files.take(Action::Close { file: FileId(1) });
        assert_eq!(files.write(), []);
        assert_eq!((names(folder.path()), files.trouble()), (vec![name], None));
    }

    #[test]
    fn a_folder_that_goes_is_missed_and_one_that_comes_back_is_used() {
        let above = tempfile::tempdir().expect("a folder");
        let folder = above.path().join("laps");
        let mut files = part_files(folder.clone());
        open(&mut files, 1);
        append(&mut files, 1, b"one");
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(append(&mut files, 1, b"two"), [FileId(1)]);
        assert!(files.trouble().is_some_and(|words| words.contains("laps is gone")), "{:?}", files.trouble());
        open(&mut files, 2);
        assert_eq!(append(&mut files, 2, b"three"), []);
        assert!(files.trouble().is_some());
        fs::create_dir(&folder).expect("a folder");
        assert_eq!(append(&mut files, 2, b" four"), []);
        assert_eq!(files.trouble(), None);
        assert_eq!(fs::read(folder.join(&names(&folder)[0])).expect("the file"), b"three four");
    }

    #[test]
    fn a_recording_that_can_be_written_nowhere_is_given_up_before_it_fills_the_memory() {
        let above = tempfile::tempdir().expect("a folder");
        let file = above.path().join("a-file");
        fs::write(&file, b"no folder").expect("a file");
        let mut files = part_files(file);
        assert!(files.trouble().is_some());
        open(&mut files, 1);
        assert_eq!(append(&mut files, 1, &vec![0; MOST_WAITING]), []);
        assert_eq!(append(&mut files, 1, b"one too many"), [FileId(1)]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_and_what_waits_is_written_once_there_is_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = part_files(folder.path().to_owned());
        open(&mut files, 1);
        append(&mut files, 1, b"before ");
        let place =
            files.open.get_mut(&FileId(1)).and_then(|written| written.place.as_mut()).expect("a place");
        // A device that never has room.
        let full = OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let disk = std::mem::replace(&mut place.file, full);
        assert_eq!(append(&mut files, 1, b"meanwhile "), []);
        let words = files.trouble().expect("trouble").to_owned();
        let place =
            files.open.get_mut(&FileId(1)).and_then(|written| written.place.as_mut()).expect("a place");
        place.file = disk;
        append(&mut files, 1, b"after");
        assert!(words.contains("is full"), "{words}");
        assert_eq!(files.trouble(), None);
        let path = folder.path().join(&names(folder.path())[0]);
        assert_eq!(fs::read(path).expect("the file"), b"before meanwhile after");
    }
}
