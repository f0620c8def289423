//! Writes into a game's own files what makes it send the packets that Trailbrake reads best.
//!
//! A plan says what would be written; only what a driver has seen of it is carried out. Everything else in the files stays
//! as it is, byte for byte.

mod config;
mod folder;
mod json_text;
mod structure;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Write as _;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use trailbrake_shared::feed::{Feed, FeedInfo};
use trailbrake_shared::games::{GameFiles, GamePacket};

use crate::small_file::SmallFile;
use config::{Config, Entry};
use folder::GameFolder;
use structure::StructureFile;

/// Letters in a line of names.
const LINE: usize = 100;

/// Which game to set up, and where it is to send.
#[derive(Clone, Debug)]
pub(crate) struct GameSetup {
    pub(crate) feed: Feed,
    /// The game's telemetry folder, if it is not where the game makes it.
    pub(crate) folder: Option<PathBuf>,
    /// The address that the game sends to, instead of this computer's.
    pub(crate) address: Option<IpAddr>,
    /// The port that the game sends to, instead of its usual one.
    pub(crate) port: Option<u16>,
    /// Whether to take out again what was written.
    pub(crate) undo: bool,
}

/// What would be written.
pub(crate) struct SetupPlan {
    game: &'static str,
    /// What a driver reads of it.
    words: String,
    changes: Vec<Change>,
    /// The game's configuration as it is, and where it is kept.
    before: String,
    kept: PathBuf,
}

/// A file that changes.
struct Change {
    path: PathBuf,
    /// Its new content; `None` if it is removed.
    content: Option<String>,
}

impl GameSetup {
    /// Looks at the game's files, and changes nothing.
    pub(crate) fn plan(&self) -> anyhow::Result<SetupPlan> {
        let info = self.feed.info();
        let Some(files) = self.feed.game_files() else {
            bail!("{} is set up in its own menus: {} says how", info.game, info.guide);
        };
        let folder = match &self.folder {
            Some(folder) => GameFolder::at(folder),
            None => GameFolder::find(&files),
        };
        let folder = folder.map_err(|missing| {
            anyhow!(
                "{missing}: start {} once, which makes it, and close it; or name it: trailbrake setup {} --folder FOLDER",
                info.game,
                info.id
            )
        })?;
        let config = SmallFile::new(folder.config());
        let text = config.read().with_context(|| format!("{} cannot be read", config.path().display()))?;
        let Some(text) = text else {
            bail!("{} is missing: start {} once, which makes it", config.path().display(), info.game);
        };
        let before = Config::read(&text).with_context(|| {
            format!("nothing was written: {} is not as the game writes it", config.path().display())
        })?;
        let mut plan = SetupPlan {
            game: info.game,
            words: format!("{}: {}\n", info.game, folder.path().display()),
            changes: Vec::new(),
            before: before.text().to_owned(),
            kept: folder.backup(),
        };
        match self.undo {
            true => plan.undo(&folder, &before)?,
            false => self.add(info, &files, &folder, &before, &mut plan)?,
        }
        Ok(plan)
    }

    /// Adds the structure first, so that no entry ever lacks it.
    fn add(
        &self,
        info: &FeedInfo,
        files: &GameFiles,
        folder: &GameFolder,
        before: &Config,
        plan: &mut SetupPlan,
    ) -> anyhow::Result<()> {
        let structure = StructureFile::choose(files, &folder.channels())
            .with_context(|| format!("nothing was written: {} does not fit", folder.channels().display()))?;
        let port = self.port.or(info.ports.first().copied()).context("name the port with --port")?;
        let ip = self.address.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let entry = |packet: &GamePacket| Entry { packet: packet.name, hz: packet.hz, ip, port };
        let entries: Vec<Entry> = files.packets.iter().map(entry).collect();
        let path = folder.structure();
        let text = structure.text();
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            let what = if path.exists() { "changed" } else { "new" };
            writeln!(plan.words, "{what}: {}, with these values in each packet:", path.display())?;
            plan.list(&structure.names())?;
            plan.changes.push(Change { path, content: Some(text) });
        }
        let after = before.with(&entries);
        if after != before.text() {
            let path = folder.config();
            writeln!(plan.words, "changed: {}, with these entries in udp.packets:", path.display())?;
            for entry in &entries {
                writeln!(plan.words, "    {}", entry.text())?;
            }
            writeln!(plan.words, "    Everything else in it stays as it is.")?;
            plan.changes.push(Change { path, content: Some(after) });
        }
        Ok(())
    }
}

impl SetupPlan {
    /// What a driver reads before agreeing.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Whether everything is as it should be.
    pub(crate) fn is_done(&self) -> bool {
        self.changes.is_empty()
    }

    /// Changes the files; the configuration is kept as it was. Returns what a driver reads then.
    pub(crate) fn carry_out(&self) -> anyhow::Result<String> {
        SmallFile::new(self.kept.clone())
            .begin()
            .and_then(|file| file.finish(self.before.as_bytes()))
            .with_context(|| format!("nothing was written: {} cannot be written", self.kept.display()))?;
        self.changes.iter().try_for_each(Change::write)?;
        Ok(format!(
            "done. Kept as it was: {}\n{} reads these files when it starts\n",
            self.kept.display(),
            self.game
        ))
    }

    /// Takes the entries out first, so that none ever lacks its structure.
    fn undo(&mut self, folder: &GameFolder, before: &Config) -> anyhow::Result<()> {
        let after = before.without();
        if after != before.text() {
            let path = folder.config();
            writeln!(self.words, "changed: {}, without Trailbrake's entries", path.display())?;
            self.changes.push(Change { path, content: Some(after) });
        }
        let path = folder.structure();
        if path.exists() {
            writeln!(self.words, "removed: {}", path.display())?;
            self.changes.push(Change { path, content: None });
        }
        Ok(())
    }

    fn list(&mut self, names: &[&str]) -> anyhow::Result<()> {
        let mut line = String::new();
        for name in names {
            if !line.is_empty() && line.len() + name.len() > LINE {
                writeln!(self.words, "    {}", line.trim_end())?;
                line.clear();
            }
            line.push_str(name);
            line.push(' ');
        }
        Ok(writeln!(self.words, "    {}", line.trim_end())?)
    }
}

impl Change {
    fn write(&self) -> anyhow::Result<()> {
        let path: &Path = &self.path;
        let done = match &self.content {
            Some(content) => {
                SmallFile::new(path.to_owned()).begin().and_then(|file| file.finish(content.as_bytes()))
            }
            None => fs::remove_file(path),
        };
        done.with_context(|| format!("{} cannot be changed", path.display()))
    }
}
