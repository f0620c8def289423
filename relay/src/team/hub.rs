//! What a hub knows: its servers, its rigs, and who has a link to its page.

use std::path::PathBuf;

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
    /// The folder of the hub whose servers this one shares; `None` if it has servers of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shares: Option<PathBuf>,
    /// The folders of the hubs that share the servers of this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) shared_by: Vec<PathBuf>,
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
    /// A hub without rigs.
    pub(super) fn new(
        servers: Vec<ServerAddress>,
        encrypted: bool,
        store_bytes: u64,
        archive: String,
    ) -> Self {
        Self {
            version: VERSION,
            servers,
            encrypted,
            store_bytes,
            archive,
            shares: None,
            shared_by: Vec::new(),
            rigs: Vec::new(),
            links: Vec::new(),
        }
    }

    /// On how many servers what is on its way is stored.
    pub(super) fn replicas(&self) -> usize {
        if self.servers.len() > 1 { 3 } else { 1 }
    }

    pub(crate) fn has(&self, rig: &RigName) -> bool {
        self.rigs.iter().any(|one| one.name == *rig)
    }
}
