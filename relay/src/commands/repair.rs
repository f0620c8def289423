//! `trailbrake repair`: repairs a recording that is broken off or damaged, as the relay does at its start.
//!
//! Intact parts are written to a new file, which replaces the old one only once it is on the disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use trailbrake_shared::recording::{OpenError, Reading, Recording};

use crate::library::{
    FolderLock, OpenFailure, Reached, RecordingFile, RepairLoss, Salvage, file_names, finish_repair, journal,
    name_of, replace,
};
use crate::progress::Progress;
use crate::unfinished::NewFile;

/// Steps in which progress is measured.
const PARTS: f64 = 1000.0;

/// What to repair.
#[derive(Clone, Debug, Args)]
pub struct Repair {
    /// A damaged or interrupted recording
    pub file: PathBuf,
    /// Write the recovered recording to this file and leave the original unchanged
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
}

/// Repairs a recording, and notes what was lost. Fails where nothing can be saved.
pub fn run(request: &Repair, mut notes: impl Write) -> anyhow::Result<()> {
    let path = &request.file;
    let unreadable = || format!("{} cannot be read", path.display());
    let _alone = alone(request)?;
    if request.out.is_none()
        && let Some(whole) = finish_repair(path).with_context(unreadable)?
    {
        writeln!(notes, "finished: a repair that was broken off, as {}", whole.display())?;
        return Ok(());
    }
    File::open(path).with_context(unreadable)?;
    if request.out.is_none() && journal::finish(path).with_context(unreadable)? {
        writeln!(notes, "finished: a change that was broken off")?;
    }
    let mut source = RecordingFile::open(path).with_context(unreadable)?;
    let opened = match source.recording() {
        Ok(recording) => Some(recording),
        Err(OpenFailure::Content(_)) => None,
        Err(OpenFailure::File(error)) => return Err(error).with_context(unreadable),
    };
    if let Some(recording) = &opened
        && is_whole(&mut source, recording)?
    {
        writeln!(notes, "whole: {} needs no repair", path.display())?;
        return finished_name(request, recording, &mut notes);
    }
    let mut progress = Progress::new(PARTS as u64);
    let facts = opened.as_ref().map(Recording::facts);
    let reached: Reached<'_> = &mut |share| {
        progress.reached((share * PARTS) as u64);
        Ok(())
    };
    let salvage = Salvage::of(&mut source, facts, reached);
    let salvage = match salvage {
        Ok(salvage) => salvage,
        Err(OpenFailure::Content(OpenError::NotARecording)) => {
            bail!("{} holds no part of a recording that is whole", path.display())
        }
        Err(why) => return Err(why).with_context(unreadable),
    };
    let (new, kept) = save(request, &mut source, &salvage, reached)
        .with_context(|| format!("{} stays as it is", path.display()))?;
    drop(progress);
    let seconds = salvage.recording.time().map_or(0.0, |time| time.end.seconds_since(time.start)).round();
    let (minutes, seconds) = (seconds as u64 / 60, seconds as u64 % 60);
    let laps = salvage.laps().laps.len();
    writeln!(notes, "saved: {} ({minutes}:{seconds:02}, {laps} laps of all cars)", new.display())?;
    writeln!(notes, "lost: {}", RepairLoss::of(&salvage))?;
    if let Some(kept) = kept {
        writeln!(notes, "kept: the damaged file, as {}", kept.display())?;
    }
    Ok(())
}

/// Locks the folder against recording programs; fails for a file a program may be writing at this moment.
fn alone(request: &Repair) -> anyhow::Result<Option<FolderLock>> {
    let folder = folder_of(&request.file);
    if !is_part(&request.file) && request.out.is_some() {
        return Ok(None);
    }
    let alone = FolderLock::with(&folder).with_context(|| {
        format!(
            "a Trailbrake records into {}: end it first; it repairs what was broken off by itself when it starts",
            folder.display()
        )
    })?;
    Ok(Some(alone))
}

/// Whether a file has the name of a recording under way.
fn is_part(path: &Path) -> bool {
    path.to_string_lossy().ends_with(file_names::PART)
}

/// Whether every block can be read.
fn is_whole(source: &mut RecordingFile, recording: &Recording) -> io::Result<bool> {
    let mut packets = recording.all_packets();
    let mut progress = Progress::new(packets.bytes_left());
    while let Some(range) = packets.needs() {
        source.give(&mut packets, range)?;
        // The blocks are only checked.
        drop(packets.take());
        progress.reached(source.read);
    }
    Ok(packets.damaged() == 0)
}

/// Gives an intact recording its final name, if it has that of one under way.
fn finished_name(request: &Repair, recording: &Recording, notes: &mut dyn Write) -> anyhow::Result<()> {
    if is_part(&request.file) && request.out.is_none() {
        let name = name_of(recording, recording.facts());
        let new = file_names::carry(&request.file, &folder_of(&request.file), &name)?;
        writeln!(notes, "renamed: {}", new.display())?;
    }
    Ok(())
}

/// Writes the intact parts. Returns where they are now, and where the damaged file is if it was moved.
fn save(
    request: &Repair,
    source: &mut RecordingFile,
    salvage: &Salvage,
    reached: Reached<'_>,
) -> anyhow::Result<(PathBuf, Option<PathBuf>)> {
    let path = &request.file;
    if let Some(out) = &request.out {
        let unwritable = || format!("{} cannot be written", out.display());
        let (new, file) = NewFile::create_new(out).with_context(unwritable)?;
        salvage.write(source, file, reached).and_then(|()| new.finish()).with_context(unwritable)?;
        return Ok((out.clone(), None));
    }
    let whole = if is_part(path) {
        let name = name_of(&salvage.recording, &salvage.facts);
        file_names::free(&folder_of(path), &name).context("too many recordings have its name")?
    } else {
        path.clone()
    };
    let broken = replace(salvage, source, path, &whole, reached);
    let broken =
        broken.with_context(|| format!("{} cannot be written; -o names another file", whole.display()))?;
    Ok((whole, Some(broken)))
}

fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}
