//! `trailbrake laps` and `trailbrake inspect`: what a file holds.

mod line;
mod table;

use std::fs;
use std::io::Write;

use anyhow::bail;
use serde_json::{Value, json};
use trailbrake_shared::recording::{Fact, LapTable, Recording, notes};
use trailbrake_shared::session::{Archive, ArchivedSession, ArchivedSource, Rejections};

use crate::file;
use crate::options::{CarName, Inspect, Laps};
use line::LapLine;
pub(crate) use table::{FileLap, laps_of, of_archive, of_recording};

/// Prints the laps of a file, one a line.
pub fn laps(request: &Laps, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let mut laps = laps_of(&request.file, &request.cutting, &mut notes)?;
    laps.retain(|lap| lap.is_of(request.car));
    if laps.is_empty() {
        let whose = if request.car == CarName::Player { "the player" } else { "that car" };
        bail!("{}: no lap of {whose} is in it; --car all lists everyone's", request.file.display());
    }
    for line in LapLine::of(&laps) {
        if request.json {
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Prints what a file holds: one object, or the same for people.
pub fn inspect(request: &Inspect, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let packets = file::open(&request.file, &request.cutting)?;
    let facts = facts(packets.recording());
    let notes_of_it = packets.recording().map(|recording| notes::notes(recording.facts()));
    let mut archive = Archive::default();
    let gaps = packets.datagrams(&mut notes, &mut |datagram| {
        // What is not understood is counted there.
        let _ = archive.take(datagram);
        Ok(())
    })?;
    let gaps: Vec<Value> =
        gaps.iter().map(|gap| json!({ "from": gap.from, "to": gap.to, "lost": gap.lost })).collect();
    let report = json!({
        "file": request.file.display().to_string(),
        "bytes": fs::metadata(&request.file)?.len(),
        "feeds": archive.sources().iter().map(source).collect::<Vec<_>>(),
        "rejected": rejected(archive.rejections()),
        "gaps": gaps,
        "notes": notes_of_it.unwrap_or_default(),
        "facts": facts,
    });
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
    } else {
        serde_json::to_writer_pretty(&mut out, &report)?;
    }
    writeln!(out)?;
    Ok(())
}

/// What a recording knows besides its packets and its notes: names, tags, where it comes from. Its laps are told as they
/// are decoded now.
fn facts(recording: Option<&Recording>) -> Value {
    let facts = recording.map(|recording| recording.facts().iter()).into_iter().flatten();
    let others = facts.filter(|(name, _)| *name != LapTable::NAME && !notes::is_name(name));
    let read = others
        .filter_map(|(name, stored)| Some((name.to_owned(), serde_json::from_slice(&stored.json).ok()?)));
    Value::Object(read.collect())
}

fn source(source: &ArchivedSource) -> Value {
    json!({
        "feed": source.origin.feed.id(),
        "sender": source.origin.sender,
        "packets": source.packets,
        "rejected": rejected(&source.rejections),
        "sessions": source.sessions().map(|archived| session(source, archived)).collect::<Vec<_>>(),
    })
}

fn session(source: &ArchivedSource, archived: &ArchivedSession) -> Value {
    let session = &archived.session;
    json!({
        "game": session.game().unwrap_or(source.origin.feed.info().game),
        "session": session.info(),
        "player": session.player(),
        "participants": session.participants(),
        "laps": LapLine::of(&table::of_session(0, archived)).collect::<Vec<_>>(),
    })
}

fn rejected(rejections: &Rejections) -> Value {
    let reasons: Vec<Value> = rejections
        .reasons()
        .map(|(reason, packets)| json!({ "reason": reason, "packets": packets }))
        .collect();
    json!({ "packets": rejections.total(), "reasons": reasons })
}
