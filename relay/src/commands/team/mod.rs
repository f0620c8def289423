//! `trailbrake team`: the hub of a team, and its rigs.

mod change;
mod forget;
mod init;
mod link;
mod serve;
mod verify;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::outcome::Outcome;
use crate::team::RigName;

/// What to do with a hub.
#[derive(Debug, Args)]
pub struct Team {
    #[command(subcommand)]
    action: TeamAction,
}

#[derive(Debug, Subcommand)]
enum TeamAction {
    /// Make the folder of a new hub: keys, certificates, and the configuration of nats-server
    Init(init::Init),
    /// Add a rig, and print its invitation
    Add(RigAndHub),
    /// Remove a rig at once: its invitation is worth nothing any more, its recordings stay
    Remove(RigAndHub),
    /// Remove a rig, and delete its recordings and messages at the hub for good
    Forget(RigAndHub),
    /// Make a link to the page for somebody, and print it
    Link(link::Link),
    /// Take somebody's link away at once
    Unlink(link::Unlink),
    /// List the rigs, and who has a link to the page
    List(HubPlace),
    /// Archive what the rigs send, and serve the page for all of them; starts nats-server if none runs
    Serve(serve::Serve),
    /// Compare a rig's recordings with those at the hub
    Verify(verify::Verify),
}

/// A rig, and the folder of its hub.
#[derive(Debug, Args)]
struct RigAndHub {
    /// The rig: small letters, digits and hyphens
    #[arg(allow_hyphen_values = true)]
    rig: RigName,
    #[command(flatten)]
    hub: HubPlace,
}

/// The folder of a hub.
#[derive(Debug, Args)]
struct HubPlace {
    /// The hub's folder
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Runs the command.
pub(super) fn run(request: &Team, out: impl Write, notes: impl Write) -> anyhow::Result<Outcome> {
    match &request.action {
        TeamAction::Init(init) => init::run(init, notes),
        TeamAction::Add(which) => change::add(&which.rig, &which.hub.dir, out, notes),
        TeamAction::Remove(which) => change::remove(&which.rig, &which.hub.dir, notes),
        TeamAction::Forget(which) => forget::run(&which.rig, &which.hub.dir, notes),
        TeamAction::Link(which) => link::link(which, out, notes),
        TeamAction::Unlink(which) => link::unlink(which, notes),
        TeamAction::Serve(serve) => serve::run(serve),
        TeamAction::Verify(verify) => return verify::run(verify, out),
        TeamAction::List(place) => change::list(&place.dir, out),
    }
    .map(Outcome::from)
}
