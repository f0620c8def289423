//! `trailbrake team add`, `remove` and `list`.

use std::io::Write;
use std::path::Path;

use crate::clock::Clock;
use crate::team::{HubFolder, RigName, reload};

/// Adds a rig, and prints its invitation.
pub(super) fn add(
    rig: &RigName,
    dir: &Path,
    mut out: impl Write,
    mut notes: impl Write,
) -> anyhow::Result<()> {
    let folder = HubFolder::open(dir)?;
    let invitation = folder.add(rig.clone(), Clock::start())?;
    // Also where the server can't be reached: it is there once that starts again.
    out.write_all(invitation.text()?.as_bytes())?;
    apply(&folder, &mut notes)?;
    writeln!(notes, "Give the invitation to {rig} alone. On the rig: trailbrake --team {rig}.team")?;
    Ok(())
}

/// Removes a rig.
pub(super) fn remove(rig: &RigName, dir: &Path, mut notes: impl Write) -> anyhow::Result<()> {
    let folder = HubFolder::open(dir)?;
    folder.remove(rig)?;
    apply(&folder, &mut notes)?;
    writeln!(notes, "{rig} is removed. Its recordings stay in {}", folder.library_of(rig).display())?;
    Ok(())
}

/// Lists the rigs, one a line, and below them who has a link to the page.
pub(super) fn list(dir: &Path, mut out: impl Write) -> anyhow::Result<()> {
    let hub = HubFolder::open(dir)?.hub()?;
    for rig in hub.rigs {
        writeln!(out, "{}", rig.name)?;
    }
    for link in hub.links {
        writeln!(out, "Link of {}: {}", link.name, link.role)?;
    }
    Ok(())
}

/// Lets the servers of this machine know, and says what is to be done on the others.
pub(super) fn apply(folder: &HubFolder, notes: &mut impl Write) -> anyhow::Result<()> {
    let hub = folder.hub()?;
    reload(folder, &hub)?;
    if hub.servers.len() > 1 {
        writeln!(
            notes,
            "Copy the files nats-*.conf to the other servers, and let them read it: nats-server --signal reload"
        )?;
    }
    Ok(())
}
