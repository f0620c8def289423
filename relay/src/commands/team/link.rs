//! `trailbrake team link` and `unlink`: who opens the hub's page.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::team::{HubFolder, RigName, Role, read_person};

/// Whose link, and what it opens.
#[derive(Debug, Args)]
pub(super) struct Link {
    /// Whose link it is
    #[arg(value_parser = read_person)]
    name: String,
    /// The hub's folder
    #[arg(default_value = ".")]
    dir: PathBuf,
    #[command(flatten)]
    opens: Opens,
    /// The page's address, as a browser of theirs reaches it
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8777")]
    page: String,
}

/// What a link opens.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Opens {
    /// Every rig, with write access to names, notes and tasks
    #[arg(long)]
    organiser: bool,
    /// These rigs, with write access to names, notes and tasks: for a coach
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    rigs: Vec<RigName>,
    /// This rig, read-only: for its driver
    #[arg(long, value_name = "RIG")]
    driver: Option<RigName>,
}

/// Whose link is taken away.
#[derive(Debug, Args)]
pub(super) struct Unlink {
    /// Whose link it is
    #[arg(value_parser = read_person)]
    name: String,
    /// The hub's folder
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Makes a link, and prints it.
pub(super) fn link(request: &Link, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let Opens { rigs, driver, .. } = &request.opens;
    let role = match driver {
        Some(rig) => Role::Driver { rig: rig.clone() },
        None if rigs.is_empty() => Role::Organiser,
        None => Role::Coach { rigs: rigs.clone() },
    };
    let words = role.to_string();
    let secret = HubFolder::open(&request.dir)?.link(&request.name, role)?;
    writeln!(out, "{}/?token={secret}", request.page.trim_end_matches('/'))?;
    writeln!(
        notes,
        "Give this link to {} alone ({words}). Without one nobody opens the page from now on, not even on this machine.",
        request.name
    )?;
    Ok(())
}

/// Takes a link away.
pub(super) fn unlink(request: &Unlink, mut notes: impl Write) -> anyhow::Result<()> {
    HubFolder::open(&request.dir)?.unlink(&request.name)?;
    writeln!(notes, "The link of {} opens nothing any more.", request.name)?;
    Ok(())
}
