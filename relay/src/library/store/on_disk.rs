//! Keeps recordings under way in the library's folder.

use std::net::IpAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use trailbrake_shared::recording::recorder::{Action, FileId};

use super::Store;
use super::disk_shares::{DiskShares, Free};
use super::part_files::PartFiles;
use super::underway::RecordingUnderway;
use crate::library::folder_lock::OwnedFolder;
use crate::library::recordings::Library;
use crate::library::startup;
use crate::library::track_recognition::recognise_track;

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
    pub(crate) fn new(
        library: Arc<Library>,
        announce: fn(&str, &str),
        free: Free,
        is_here: fn(IpAddr) -> bool,
    ) -> Self {
        let own = startup::begin(&library, announce).unwrap_or_else(not_put_right);
        let files = PartFiles::new(library.folder().to_owned(), DiskShares::new(free, is_here));
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
                if let Err(refusal) = recognise_track(&library, &file) {
                    tracing::warn!("the track of {file} could not be recognised: {}", refusal.words());
                }
            });
            self.looking.extend(looking);
        }
    }
}

impl Store for FolderStore {
    fn begin(&mut self) {
        if let Some(Err(error)) =
            self.own.as_mut().map(|own| startup::repair_interrupted(&self.library, own, self.announce))
        {
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

    fn stopped(&mut self) -> Vec<(IpAddr, bool)> {
        self.files.stopped()
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::recording::recorder::Policy;
    use trailbrake_shared::recording::{Recorder, RecordingId};
    use trailbrake_shared::sim::{Demo, Options};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::{Datagram, Unrecorded};

    use super::*;

    const BEGAN: Micros = Micros(1_795_271_520_000_000);
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 7));
    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn another_machine_that_fills_the_disk_is_stopped_and_this_ones_game_is_recorded_on() {
        static FREE: AtomicU64 = AtomicU64::new(0);
        FREE.store(1 << 40, Ordering::Relaxed);
        let folder = tempfile::tempdir().expect("a folder");
        let library = Arc::new(Library::new(folder.path().to_owned()));
        let free = Box::new(|| Ok(FREE.load(Ordering::Relaxed)));
        let mut store = FolderStore::new(library, |_, _| (), free, |machine| machine == HERE);
        let mut ids = 0;
        let next_id = move || {
            ids += 1;
            RecordingId(ids)
        };
        let mut recorder = Recorder::new(Policy::default(), "test", Box::new(next_id));
        let mut demo = Demo::new(Feed::F1, Options::default(), BEGAN).expect("a feed that is spoken");
        for second in 1..=40_u32 {
            let now = BEGAN.plus_seconds(second.into());
            demo.advance(now, &mut |at, bytes| {
                for machine in [HERE, OTHER] {
                    let sender = (machine, 5000).into();
                    recorder.receive(&Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes });
                }
            });
            if second == 20 {
                FREE.store(1 << 30, Ordering::Relaxed);
            }
            recorder.poll(now);
            recorder.actions().into_iter().for_each(|action| store.take(action));
            assert_eq!(store.write(), []);
            for (machine, is_stopped) in store.stopped() {
                assert_eq!((second, machine, is_stopped), (20, OTHER, true));
                recorder.stop_recording(machine, is_stopped);
            }
        }
        let unrecorded = recorder.unrecorded(BEGAN.plus_seconds(40.0)).expect("a game that is not recorded");
        assert_eq!((unrecorded.sender.ip(), unrecorded.because), (OTHER, Unrecorded::DiskShare));
        recorder.stop();
        recorder.actions().into_iter().for_each(|action| store.take(action));
        store.write();
        Box::new(store).finish();
        let listed = Library::new(folder.path().to_owned()).list().recordings;
        let seconds_of = |machine| {
            let of_machine = listed.iter().filter(|entry| entry.machine == Some(machine));
            of_machine.map(|entry| entry.seconds.round()).collect::<Vec<f64>>()
        };
        // The game starts its session in the first second.
        assert_eq!((seconds_of(OTHER), seconds_of(HERE)), (vec![19.0], vec![39.0]));
    }
}
