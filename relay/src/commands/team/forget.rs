//! `trailbrake team forget`: deletes everything of a rig at the hub.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

use super::change::apply;
use crate::team::{HubFolder, RigName, forget_messages};

/// Removes a rig, its messages and its recordings.
pub(super) fn run(rig: &RigName, dir: &Path, mut notes: impl Write) -> anyhow::Result<()> {
    let folder = HubFolder::open(dir)?;
    if folder.hub()?.has(rig) {
        folder.remove(rig)?;
        apply(&folder, &mut notes)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if let Err(error) = runtime.block_on(forget_messages(&folder, rig)) {
        writeln!(notes, "What {rig} sent last stays in the server until it is purged: {error:#}")?;
    }
    let path = folder.library_of(rig);
    match fs::remove_dir_all(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            writeln!(notes, "{rig} has no recordings here.")?
        }
        removed => {
            removed.with_context(|| format!("{} can't be deleted", path.display()))?;
            writeln!(notes, "{rig} and its recordings are deleted.")?;
        }
    }
    Ok(())
}
