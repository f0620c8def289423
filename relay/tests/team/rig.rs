//! A rig: the program with a demo that it records, and its files.

use std::fs;
use std::path::{Path, PathBuf};

use trailbrake_shared::feed::FEEDS;

use crate::program::{Running, until};

/// A quick demo, which is recorded. Its first five seconds are on trial.
const DEMO: [&str; 4] = ["--demo", "--record-demo", "--demo-speed=10", "--demo-seed=7"];

/// A rig's folder of recordings.
pub(crate) struct Rig {
    pub(crate) library: PathBuf,
    invitation: PathBuf,
}

/// A file of a library.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// The files of a library's folder with an ending, by name.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<Recorded> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    // A file may get its name at this moment.
    let read = |path: PathBuf| fs::read(&path).ok().map(|bytes| Recorded { path, bytes });
    paths.into_iter().filter_map(read).collect()
}

/// The finished recordings in a folder.
pub(crate) fn finished(folder: &Path) -> Vec<Recorded> {
    files(folder, ".trailbrake.mcap")
}

/// The recordings in a folder that are not finished.
pub(crate) fn parts(folder: &Path) -> Vec<Recorded> {
    files(folder, ".trailbrake.mcap.part")
}

impl Rig {
    pub(crate) fn new(library: PathBuf, invitation: PathBuf) -> Self {
        Self { library, invitation }
    }

    /// Starts recording a demo, and sending it.
    pub(crate) fn start(&self) -> Running {
        self.run(&DEMO, true)
    }

    /// Starts recording a demo that began long ago.
    pub(crate) fn start_late(&self) -> Running {
        self.run(&[&DEMO[..], &["--demo-from=200"]].concat(), true)
    }

    /// Starts without a game.
    pub(crate) fn start_idle(&self) -> Running {
        self.run(&[], true)
    }

    /// Starts recording a demo without a team.
    pub(crate) fn start_alone(&self) -> Running {
        self.run(&DEMO, false)
    }

    fn run(&self, demo: &[&str], in_team: bool) -> Running {
        let usual = ["--config=/dev/null", "--http=127.0.0.1:0", "--udp-bind=127.0.0.1", "--no-open"];
        let recordings = format!("--recordings={}", self.library.display());
        let team = format!("--team={}", self.invitation.display());
        let ports: Vec<String> = FEEDS
            .iter()
            .filter(|row| !row.ports.is_empty())
            .map(|row| format!("--port={}=0", row.id))
            .collect();
        let mut arguments: Vec<&str> = usual.to_vec();
        arguments.push(&recordings);
        if in_team {
            arguments.push(&team);
        }
        arguments.extend(demo);
        arguments.extend(ports.iter().map(String::as_str));
        Running::start(&arguments, None)
    }

    /// Waits until the recording under way has so many bytes.
    pub(crate) fn recorded(&self, bytes: usize) -> usize {
        until(|| parts(&self.library).first().map(|one| one.bytes.len()).filter(|len| *len >= bytes))
    }
}
