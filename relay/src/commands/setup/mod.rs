//! `trailbrake setup`: writes into a game's own files what makes it send the packets that Trailbrake reads best.
//!
//! It shows what it would write, and writes only what the driver agrees to. Everything else in the files stays as it is,
//! byte for byte.

mod config;
mod folder;
mod json_text;
mod structure;

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use trailbrake_shared::feed::FeedInfo;
use trailbrake_shared::games::GameFiles;

use crate::feed_name::FeedName;
use crate::small_file::SmallFile;
use config::{Config, Entry};
use folder::GameFolder;
use structure::StructureFile;

/// What the driver agrees with.
const YES: &str = "yes";
/// Letters in a line of names.
const LINE: usize = 100;

/// What to set up, and where the game is to send.
#[derive(Clone, Debug, Args)]
pub struct Setup {
    /// The game: ea-wrc
    #[arg(value_name = "GAME")]
    pub feed: FeedName,
    /// The game's telemetry folder, if it is not found
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// The address that the game sends to, instead of this computer
    #[arg(long, value_name = "IP")]
    pub address: Option<IpAddr>,
    /// The port that the game sends to, instead of its usual one
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Write without asking
    #[arg(long)]
    pub yes: bool,
    /// Take out again what was written
    #[arg(long)]
    pub undo: bool,
}

/// A file that changes.
struct Change {
    path: PathBuf,
    /// Its new content; `None` if it is removed.
    content: Option<String>,
}

/// Shows what belongs into the game's files, and writes it once the driver agrees.
pub fn run(request: &Setup, notes: impl Write) -> anyhow::Result<()> {
    let stdin = io::stdin();
    match stdin.is_terminal() {
        true => set_up(request, Some(&mut stdin.lock()), notes),
        false => set_up(request, None, notes),
    }
}

/// The same with the place where the driver may answer.
fn set_up(request: &Setup, answers: Option<&mut dyn BufRead>, mut notes: impl Write) -> anyhow::Result<()> {
    let info = request.feed.0.info();
    let Some(files) = request.feed.0.game_files() else {
        bail!("{} is set up in its own menus: {} says how", info.game, info.guide);
    };
    let folder = match &request.folder {
        Some(folder) => GameFolder::at(folder),
        None => GameFolder::find(&files),
    };
    let folder = folder.with_context(|| {
        format!(
            "start {} once, which makes the folder, and close it; or name the folder with --folder",
            info.game
        )
    })?;
    let config = SmallFile::new(folder.config());
    let text = config.read().with_context(|| unreadable(config.path()))?;
    let Some(text) = text else {
        bail!("{} is missing: start {} once, which makes it", config.path().display(), info.game);
    };
    let before = Config::read(&text).with_context(|| {
        format!("nothing was written: {} is not as the game writes it", config.path().display())
    })?;
    writeln!(notes, "{}: {}", info.game, folder.path().display())?;
    let changes = match request.undo {
        true => undo(&folder, &before, &mut notes)?,
        false => add(request, info, &files, &folder, &before, &mut notes)?,
    };
    if changes.is_empty() {
        writeln!(notes, "nothing to do")?;
        return Ok(());
    }
    if !request.yes && !agrees(answers, &mut notes)? {
        writeln!(notes, "nothing was written")?;
        return Ok(());
    }
    let kept = folder.backup();
    SmallFile::new(kept.clone())
        .begin()
        .and_then(|file| file.finish(&text))
        .with_context(|| format!("nothing was written: {} cannot be written", kept.display()))?;
    changes.iter().try_for_each(write)?;
    writeln!(notes, "done. Kept as it was: {}", kept.display())?;
    writeln!(notes, "{} reads these files when it starts", info.game)?;
    Ok(())
}

/// What is added: the structure first, so that no entry ever lacks it.
fn add(
    request: &Setup,
    info: &FeedInfo,
    files: &GameFiles,
    folder: &GameFolder,
    before: &Config,
    notes: &mut impl Write,
) -> anyhow::Result<Vec<Change>> {
    let structure = StructureFile::choose(files, &folder.channels())
        .with_context(|| format!("nothing was written: {} does not fit", folder.channels().display()))?;
    let port = request.port.or(info.ports.first().copied()).context("name the port with --port")?;
    let ip = request.address.unwrap_or(Ipv4Addr::LOCALHOST.into());
    let entries: Vec<Entry> =
        files.packets.iter().map(|packet| Entry { packet: packet.name, hz: packet.hz, ip, port }).collect();
    let mut changes = Vec::new();
    let path = folder.structure();
    let text = structure.text();
    if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
        let what = if path.exists() { "changed" } else { "new" };
        writeln!(notes, "{what}: {}, with these values in each packet:", path.display())?;
        write_names(&structure.names(), notes)?;
        changes.push(Change { path, content: Some(text) });
    }
    let after = before.with(&entries);
    if after != before.text() {
        writeln!(notes, "changed: {}, with these entries in udp.packets:", folder.config().display())?;
        for entry in &entries {
            writeln!(notes, "    {}", entry.text())?;
        }
        writeln!(notes, "    Everything else in it stays as it is.")?;
        changes.push(Change { path: folder.config(), content: Some(after) });
    }
    Ok(changes)
}

/// What is taken out: the entries first, so that none ever lacks its structure.
fn undo(folder: &GameFolder, before: &Config, notes: &mut impl Write) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    let after = before.without();
    if after != before.text() {
        writeln!(notes, "changed: {}, without Trailbrake's entries", folder.config().display())?;
        changes.push(Change { path: folder.config(), content: Some(after) });
    }
    let path = folder.structure();
    if path.exists() {
        writeln!(notes, "removed: {}", path.display())?;
        changes.push(Change { path, content: None });
    }
    Ok(changes)
}

/// Whether the driver agrees. Without a terminal nobody is asked.
fn agrees(answers: Option<&mut dyn BufRead>, notes: &mut impl Write) -> anyhow::Result<bool> {
    let Some(answers) = answers else {
        writeln!(notes, "run it again with --yes to write this")?;
        return Ok(false);
    };
    write!(notes, "Type {YES} to write this: ")?;
    notes.flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(answer.trim().eq_ignore_ascii_case(YES))
}

fn write(change: &Change) -> anyhow::Result<()> {
    let done = match &change.content {
        Some(content) => {
            SmallFile::new(change.path.clone()).begin().and_then(|file| file.finish(content.as_bytes()))
        }
        None => fs::remove_file(&change.path),
    };
    done.with_context(|| format!("{} cannot be changed", change.path.display()))
}

fn write_names(names: &[&str], notes: &mut impl Write) -> io::Result<()> {
    let mut line = String::new();
    for name in names {
        if !line.is_empty() && line.len() + name.len() > LINE {
            writeln!(notes, "    {}", line.trim_end())?;
            line.clear();
        }
        line.push_str(name);
        line.push(' ');
    }
    writeln!(notes, "    {}", line.trim_end())
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read", path.display())
}

#[cfg(test)]
mod tests;
