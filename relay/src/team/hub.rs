//! What a hub knows: its servers, its rigs, and who has a link to its page.

use serde::{Deserialize, Serialize};

use super::page_link::PageLink;
use super::rig_name::RigName;
use super::server_address::ServerAddress;

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// A hub, as its file has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hub {
    pub(super) version: u32,
    /// One server, or those of a cluster.
    pub(crate) servers: Vec<ServerAddress>,
    /// Whether connections are encrypted: always, unless only this machine reaches the hub.
    pub(super) encrypted: bool,
    /// Most bytes of recordings on their way from rigs to the archive. Keep it below what the disk has: on a full disk
    /// `nats-server` stops storing until it is restarted.
    pub(crate) store_bytes: u64,
    /// The archive's public key.
    pub(super) archive: String,
    #[serde(default)]
    pub(crate) rigs: Vec<Rig>,
    /// Who opens the page by a link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) links: Vec<PageLink>,
}

/// A rig of the team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rig {
    pub(crate) name: RigName,
    /// Its public key.
    pub(super) key: String,
}

impl Hub {
    pub(crate) fn has(&self, rig: &RigName) -> bool {
        self.rigs.iter().any(|one| one.name == *rig)
    }
}
