//! A hub's folder: its file, keys and certificates, and the configuration of `nats-server`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use serde::Deserialize;
use trailbrake_shared::time::Micros;

use super::certificates::{Certificates, VALID};
use super::hub::{Hub, Rig, VERSION};
use super::invitation::Invitation;
use super::key_pair::KeyPair;
use super::page_link::{PageLink, Role};
use super::rig_name::RigName;
use super::secret_file::write_secret;
use super::server_address::ServerAddress;
use super::server_config::{self, AUTHORITY, SERVER, SERVER_KEY};
use crate::clock::Clock;
use crate::small_file::SmallFile;
use crate::token::Token;

/// The hub's file.
const HUB: &str = "hub.toml";
/// The archive's seed.
const ARCHIVE: &str = "archive.seed";
/// Locked while the hub's file is changed.
const CHANGING: &str = ".changing";
/// The folder of the recordings, with a folder for each rig.
const LIBRARY: &str = "library";

/// A hub's folder.
#[derive(Clone, Debug)]
pub(crate) struct HubFolder(PathBuf);

/// The one thing that every version has.
#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

impl HubFolder {
    /// Makes the folder of a new hub. Connections are encrypted, unless only this machine reaches the hub and that is not
    /// asked for.
    pub(crate) fn create(
        path: &Path,
        servers: Vec<ServerAddress>,
        store_bytes: u64,
        encrypt: bool,
    ) -> anyhow::Result<Self> {
        let encrypted = encrypt || !servers.iter().all(ServerAddress::is_loopback);
        Self::make(path, |folder, archive| {
            if encrypted {
                let hosts: Vec<String> = servers.iter().map(|server| server.host.clone()).collect();
                folder.write_certificates(&Certificates::new(&hosts, SystemTime::now(), VALID)?)?;
            }
            folder.write(&Hub::new(servers, encrypted, store_bytes, archive))
        })
    }

    /// Makes the folder of a new hub that shares the servers of another one, where it has an account of its own.
    pub(crate) fn create_sharing(path: &Path, other: &Self, store_bytes: u64) -> anyhow::Result<Self> {
        Self::make(path, |folder, archive| {
            let shared = fs::canonicalize(&other.0)?;
            other.change(|hub| {
                if let Some(owner) = &hub.shares {
                    bail!("{} shares the servers of {}: name that one", other.0.display(), owner.display());
                }
                let mut new = Hub::new(hub.servers.clone(), hub.encrypted, store_bytes, archive);
                new.shares = Some(shared);
                folder.put(HUB, &toml::to_string(&new)?)?;
                hub.shared_by.push(fs::canonicalize(&folder.0)?);
                Ok(())
            })
        })
    }

    /// Makes a folder with the archive's key; `rest` makes what else is in it.
    fn make(path: &Path, rest: impl FnOnce(&Self, String) -> anyhow::Result<()>) -> anyhow::Result<Self> {
        let folder = Self(path.to_owned());
        if folder.file(HUB).exists() {
            bail!("{} is the folder of a hub already", path.display());
        }
        let made = || -> anyhow::Result<()> {
            fs::create_dir_all(folder.library())?;
            let archive = KeyPair::new()?;
            write_secret(&folder.file(ARCHIVE), &archive.seed)?;
            rest(&folder, archive.public)
        };
        made().with_context(|| format!("no hub can be made in {}", path.display()))?;
        Ok(folder)
    }

    /// The folder of a hub that exists.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let folder = Self(path.to_owned());
        folder.hub().map(|_| folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of all recordings.
    pub(crate) fn library(&self) -> PathBuf {
        self.file(LIBRARY)
    }

    /// The folder of a rig's recordings.
    pub(crate) fn library_of(&self, rig: &RigName) -> PathBuf {
        self.library().join(rig.as_str())
    }

    /// The file of this name.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// What the hub's file says now.
    pub(crate) fn hub(&self) -> anyhow::Result<Hub> {
        let path = self.file(HUB);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "{} is no hub's folder: name one, or make one with `trailbrake team init`",
                self.0.display()
            ),
            read => read.with_context(|| format!("{} can't be read", path.display()))?,
        };
        let broken = || format!("{} is broken: bring back a copy of it", path.display());
        let AnyVersion { version } = toml::from_str(&text).with_context(broken)?;
        if version > VERSION {
            bail!("a newer Trailbrake made the hub in {}: update Trailbrake here", self.0.display());
        }
        toml::from_str(&text).with_context(broken)
    }

    /// When the hub's file was changed last.
    pub(super) fn changed(&self) -> Option<SystemTime> {
        fs::metadata(self.file(HUB)).and_then(|metadata| metadata.modified()).ok()
    }

    /// The archive's key.
    pub(super) fn archive_key(&self) -> anyhow::Result<KeyPair> {
        let path = self.file(ARCHIVE);
        let seed = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        KeyPair::of_seed(seed.trim()).with_context(|| format!("{} holds no key", path.display()))
    }

    /// The folder with the hub's servers: this one, or that of the hub whose servers it shares.
    pub(super) fn servers_folder(&self, hub: &Hub) -> Self {
        hub.shares.clone().map_or_else(|| self.clone(), Self)
    }

    /// The certificate of the hub's authority; `None` on loopback.
    pub(super) fn authority(&self, hub: &Hub) -> anyhow::Result<Option<String>> {
        let path = self.servers_folder(hub).file(AUTHORITY);
        let read = || fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()));
        hub.encrypted.then(read).transpose()
    }

    /// Adds a rig; returns its invitation. Its seed is in that alone.
    pub(crate) fn add(&self, name: RigName, clock: Clock) -> anyhow::Result<Invitation> {
        self.change(|hub| {
            if hub.has(&name) {
                bail!("{name} is in the team already: for a new invitation, remove it first");
            }
            let key = KeyPair::new()?;
            hub.rigs.push(Rig { name: name.clone(), key: key.public.clone() });
            let (authority, Micros(issued)) = (self.authority(hub)?, clock.now());
            Ok(Invitation { rig: name, key, servers: hub.servers.clone(), authority, issued: Micros(issued) })
        })
    }

    /// Removes a rig: its key is worth nothing any more. Its recordings stay.
    pub(crate) fn remove(&self, name: &RigName) -> anyhow::Result<()> {
        self.change(|hub| {
            let before = hub.rigs.len();
            hub.rigs.retain(|rig| rig.name != *name);
            if hub.rigs.len() == before {
                bail!("{name} is not in the team: `trailbrake team list` names those that are");
            }
            Ok(())
        })
    }

    /// Makes a link to the page for somebody; returns its secret, which is nowhere else.
    pub(crate) fn link(&self, name: &str, role: Role) -> anyhow::Result<Token> {
        self.change(|hub| {
            if hub.links.iter().any(|link| link.name == name) {
                bail!("{name} has a link already: for a new one, take it away first with `trailbrake team unlink`");
            }
            if let Some(stranger) = role.rigs().iter().find(|rig| !hub.has(rig)) {
                bail!("{stranger} is not in the team: `trailbrake team list` names those that are");
            }
            let secret = Token::random()?;
            hub.links.push(PageLink::new(name.to_owned(), role, &secret));
            Ok(secret)
        })
    }

    /// Takes somebody's link away: it opens nothing any more.
    pub(crate) fn unlink(&self, name: &str) -> anyhow::Result<()> {
        self.change(|hub| {
            let before = hub.links.len();
            hub.links.retain(|link| link.name != name);
            if hub.links.len() == before {
                bail!("{name} has no link: `trailbrake team list` names those who have one");
            }
            Ok(())
        })
    }

    /// Changes the hub's file and the servers' configurations, one change at a time.
    fn change<T>(&self, change: impl FnOnce(&mut Hub) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let locked = self.servers_folder(&self.hub()?).file(CHANGING);
        let lock = File::options().write(true).create(true).truncate(false).open(locked)?;
        // Some network folders know no locks.
        let _ = lock.lock();
        let mut hub = self.hub()?;
        let changed = change(&mut hub)?;
        self.write(&hub)?;
        Ok(changed)
    }

    fn write(&self, hub: &Hub) -> anyhow::Result<()> {
        let folder = self.servers_folder(hub);
        let owner = if hub.shares.is_some() { folder.hub()? } else { hub.clone() };
        let mut sharers = Vec::new();
        for path in &owner.shared_by {
            let sharer = Self(path.clone());
            // Who deletes the folder of a hub removes it.
            if sharer.file(HUB).exists() {
                let written = sharer.hub()?;
                sharers.push(if written.archive == hub.archive { hub.clone() } else { written });
            }
        }
        for (number, server) in owner.servers.iter().enumerate() {
            let text = server_config::text(&owner, &sharers, number, server);
            folder.put(&config_name(&owner, number), &text)?;
        }
        self.put(HUB, &toml::to_string(hub)?)?;
        Ok(())
    }

    fn put(&self, name: &str, text: &str) -> io::Result<()> {
        SmallFile::new(self.file(name)).begin()?.finish(text.as_bytes())
    }

    fn write_certificates(&self, certificates: &Certificates) -> io::Result<()> {
        fs::write(self.file(AUTHORITY), &certificates.authority)?;
        fs::write(self.file(SERVER), &certificates.server)?;
        write_secret(&self.file(SERVER_KEY), &certificates.server_key)
    }
}

/// The name of a server's configuration file.
pub(super) fn config_name(hub: &Hub, number: usize) -> String {
    format!("{}.conf", server_config::name(hub, number))
}
