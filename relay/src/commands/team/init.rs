//! `trailbrake team init`: makes the folder of a new hub.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::change;
use crate::team::{HubFolder, ServerAddress};

/// What the new hub is.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// The folder, which is made
    dir: PathBuf,
    /// The name or address by which rigs reach this machine, with a port if it is not 4222
    #[arg(long, value_name = "NAME")]
    host: Option<ServerAddress>,
    /// Three servers on three machines instead, so that one may fail
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    servers: Vec<ServerAddress>,
    /// The folder of another hub on this machine, whose servers this one shares: each has an account of its own
    #[arg(long, value_name = "DIR", conflicts_with_all = ["host", "servers", "encrypt"])]
    share: Option<PathBuf>,
    /// Most gigabytes of recordings on their way; half of what the disk has free unless given
    #[arg(long, value_name = "GB", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    store_gb: Option<u64>,
    /// Encrypt connections on this machine, too
    #[arg(long, hide = true)]
    encrypt: bool,
}

/// Most that is set aside without being asked.
const MOST_STORE: u64 = 50_000_000_000;
const LEAST_STORE: u64 = 1_000_000_000;

/// Makes the folder.
pub(super) fn run(request: &Init, mut notes: impl Write) -> anyhow::Result<()> {
    let servers = match (&request.host, &request.servers) {
        _ if request.share.is_some() => Vec::new(),
        (Some(host), servers) if servers.is_empty() => vec![host.clone()],
        (None, servers) if servers.len() == 3 => servers.clone(),
        (Some(host), servers) if servers.len() == 3 && servers.contains(host) => servers.clone(),
        (_, servers) if !servers.is_empty() => {
            bail!("--servers takes three servers, such as a.example,b.example,c.example")
        }
        _ => bail!("rigs have to reach the hub: name this machine with --host"),
    };
    std::fs::create_dir_all(&request.dir)
        .map_err(|error| anyhow!("{} can't be made: {error}", request.dir.display()))?;
    let free = || fs4::available_space(&request.dir).unwrap_or(LEAST_STORE);
    let store =
        request.store_gb.map_or_else(|| (free() / 2).clamp(LEAST_STORE, MOST_STORE), |gb| gb * 1_000_000_000);
    let is_cluster = servers.len() > 1;
    match &request.share {
        Some(other) => {
            let folder = HubFolder::create_sharing(&request.dir, &HubFolder::open(other)?, store)?;
            change::apply(&folder, &mut notes)?;
        }
        None => drop(HubFolder::create(&request.dir, servers, store, request.encrypt)?),
    }
    let dir = request.dir.display();
    writeln!(notes, "The hub's folder is {dir}. Keep it secret, and keep a copy of it.")?;
    if is_cluster {
        writeln!(
            notes,
            "Copy it to each of the three machines, and start nats-server there, in the folder:"
        )?;
        writeln!(notes, "    nats-server --config nats-1.conf    (nats-2.conf, nats-3.conf)")?;
    }
    writeln!(notes, "Next, invite a rig, and start the hub:")?;
    writeln!(notes, "    trailbrake team add anna {dir} > anna.team")?;
    writeln!(notes, "    trailbrake team serve {dir}")?;
    Ok(())
}
