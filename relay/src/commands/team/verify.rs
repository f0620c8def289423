//! `trailbrake team verify`: compares a rig's recordings with those at the hub.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::RecordingId;

use super::super::outcome::Outcome;
use crate::library::{Library, RecordingFile};
use crate::team::{HubFolder, hash_of};

/// What is compared.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// The folder of the rig's recordings
    rig_library: PathBuf,
    /// The hub's folder
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Prints a line for each recording that is not equal, and how many are.
pub(super) fn run(request: &Verify, mut out: impl Write) -> anyhow::Result<Outcome> {
    let folder = HubFolder::open(&request.dir)?;
    if !request.rig_library.is_dir() {
        bail!("{} is no folder of recordings", request.rig_library.display());
    }
    let mut at_hub: HashMap<RecordingId, PathBuf> = HashMap::new();
    for rig in std::fs::read_dir(folder.library())?.flatten() {
        let listing = Library::new(rig.path()).list();
        at_hub.extend(
            listing.recordings.into_iter().filter_map(|entry| Some((entry.id?, rig.path().join(entry.file)))),
        );
    }
    let (mut equal, mut others) = (0_u64, 0_u64);
    for Entry { file, id, .. } in Library::new(request.rig_library.clone()).list().recordings {
        let path = request.rig_library.join(&file);
        let words = match id.and_then(|id| at_hub.get(&id)) {
            None => "missing at the hub",
            Some(copy) => {
                match compare(&path, copy).with_context(|| format!("{} can't be read", copy.display()))? {
                    Comparison::Equal => {
                        equal += 1;
                        continue;
                    }
                    Comparison::OtherFacts => "the same packets, with other notes or facts",
                    Comparison::Different => "different at the hub",
                }
            }
        };
        others += 1;
        writeln!(out, "{file}: {words}")?;
    }
    writeln!(out, "{equal} equal, {others} not")?;
    Ok(if others == 0 { Outcome::Done } else { Outcome::Rejections })
}

enum Comparison {
    Equal,
    OtherFacts,
    Different,
}

fn compare(one: &Path, other: &Path) -> anyhow::Result<Comparison> {
    if hash_of(one, u64::MAX)? == hash_of(other, u64::MAX)? {
        return Ok(Comparison::Equal);
    }
    let data = |path: &Path| anyhow::Ok(RecordingFile::open(path)?.recording()?.end_of_data());
    let (Ok(own), Ok(theirs)) = (data(one), data(other)) else { return Ok(Comparison::Different) };
    let is_same = own == theirs && hash_of(one, own)? == hash_of(other, own)?;
    Ok(if is_same { Comparison::OtherFacts } else { Comparison::Different })
}
