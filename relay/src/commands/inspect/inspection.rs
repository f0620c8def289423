//! Everything a file holds.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::model::{Car, Participant, SessionInfo};
use trailbrake_shared::recording::{AuthoredKind, Fact, Gap, LapTable, Note, Recording, SampleReport, notes};
use trailbrake_shared::session::{Archive, Rejections, Session};

use crate::commands::lap_line::LapLine;
use crate::files::Packets;

#[derive(Serialize)]
pub(super) struct Inspection {
    file: String,
    bytes: u64,
    feeds: Vec<InspectedFeed>,
    /// Packets of no feed.
    rejected: RejectedPackets,
    gaps: Vec<GapLine>,
    notes: Vec<Note>,
    /// What a sample for a bug report says of the program; `facts` has it whole.
    #[serde(skip)]
    sample: Option<SampleReport>,
    facts: Value,
}

#[derive(Serialize)]
struct InspectedFeed {
    feed: &'static str,
    sender: String,
    packets: u64,
    rejected: RejectedPackets,
    sessions: Vec<InspectedSession>,
}

#[derive(Serialize)]
struct InspectedSession {
    game: String,
    session: Option<SessionInfo>,
    player: Option<Car>,
    participants: Vec<Participant>,
    laps: Vec<LapLine>,
}

/// Packets that were rejected.
#[derive(Serialize)]
struct RejectedPackets {
    packets: u64,
    reasons: Vec<Reason>,
}

#[derive(Serialize)]
struct Reason {
    reason: String,
    packets: u64,
}

/// A part of a recording that can't be read.
#[derive(Serialize)]
struct GapLine {
    from: u64,
    to: u64,
    lost: u64,
}

impl Inspection {
    pub(super) fn of(path: &Path, packets: Packets, messages: &mut dyn Write) -> anyhow::Result<Self> {
        let facts = facts(packets.recording());
        let sample = packets.recording().and_then(|recording| recording.facts().get().ok().flatten());
        let notes_of_it = packets.recording().map(|recording| notes::notes(recording.facts()));
        let mut archive = Archive::default();
        let gaps = packets.datagrams(messages, &mut |datagram| {
            // The archive counts rejected packets.
            let _ = archive.take(datagram);
            Ok(())
        })?;
        let missing = |gap: &Gap| GapLine { from: gap.from.0, to: gap.to.0, lost: gap.lost };
        Ok(Self {
            file: path.display().to_string(),
            bytes: fs::metadata(path)?.len(),
            feeds: feeds(&archive),
            rejected: RejectedPackets::of(archive.rejections()),
            gaps: gaps.iter().map(missing).collect(),
            notes: notes_of_it.unwrap_or_default(),
            sample,
            facts,
        })
    }
}

fn feeds(archive: &Archive) -> Vec<InspectedFeed> {
    let catalogue = LapCatalogue::of_archive(archive);
    let (mut feeds, mut before) = (Vec::new(), 0);
    for source in archive.sources() {
        let game = source.origin.feed.info().game;
        let session = |(number, session): (u16, &Session)| InspectedSession {
            game: session.game().unwrap_or(game).to_owned(),
            session: session.info().cloned(),
            player: session.player(),
            participants: session.participants().to_vec(),
            laps: LapLine::of_session(&catalogue, number),
        };
        let count = source.session.history().session_count();
        feeds.push(InspectedFeed {
            feed: source.origin.feed.id(),
            sender: source.origin.sender.to_string(),
            packets: source.packets,
            rejected: RejectedPackets::of(&source.rejections),
            sessions: (before..).zip(source.session.iter()).map(session).collect(),
        });
        before += count;
    }
    feeds
}

/// A recording's facts other than its notes and its laps: labels, origin and so on.
fn facts(recording: Option<&Recording>) -> Value {
    let facts = recording.map(|recording| recording.facts().iter()).into_iter().flatten();
    let others = facts
        .filter(|(name, _)| *name != LapTable::NAME && AuthoredKind::of(name) != Some(AuthoredKind::Note));
    let read = others
        .filter_map(|(name, stored)| Some((name.to_owned(), serde_json::from_slice(&stored.json).ok()?)));
    Value::Object(read.collect())
}

impl RejectedPackets {
    fn of(rejections: &Rejections) -> Self {
        let reason = |(reason, packets): (&str, u64)| Reason { reason: reason.to_owned(), packets };
        Self { packets: rejections.total(), reasons: rejections.reasons().map(reason).collect() }
    }
}

fn write_sample(f: &mut fmt::Formatter<'_>, report: &SampleReport) -> fmt::Result {
    let SampleReport { program, commit, system, settings, status, left_out } = report;
    writeln!(f, "\nsample of {program}, commit {commit}, on {system}")?;
    for (name, value) in settings.iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(f, "  {name}: {value}")?;
    }
    for port in status.ports.iter().filter(|port| port.packets > 0) {
        write!(f, "  UDP {}: {} packets, {} rejected", port.port, port.packets, port.rejected)?;
        match port.last_reason() {
            Some(reason) => writeln!(f, ", the last one: {reason}")?,
            None => writeln!(f)?,
        }
    }
    if *left_out > 0 {
        writeln!(f, "  left out, since they hold names or chat: {left_out} packets")?;
    }
    Ok(())
}

/// Prints for people: a summary of the file, and a block per session.
impl fmt::Display for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}  {:.1} MB", self.file, self.bytes as f64 / 1e6)?;
        for feed in &self.feeds {
            writeln!(f, "\n{}  from {}  {} packets", feed.feed, feed.sender, feed.packets)?;
            write!(f, "{}", feed.rejected)?;
            for session in &feed.sessions {
                write!(f, "{session}")?;
            }
        }
        if self.rejected.packets > 0 {
            writeln!(f, "\nof no known game")?;
            write!(f, "{}", self.rejected)?;
        }
        if let Some(report) = &self.sample {
            write_sample(f, report)?;
        }
        for GapLine { lost, .. } in &self.gaps {
            writeln!(f, "gap: {lost} packets missing")?;
        }
        for note in &self.notes {
            writeln!(f, "note by {}: {}", note.author, note.words())?;
        }
        Ok(())
    }
}

impl fmt::Display for RejectedPackets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Reason { reason, packets } in &self.reasons {
            writeln!(f, "  {packets} packets rejected: {reason}")?;
        }
        Ok(())
    }
}

impl fmt::Display for InspectedSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.session.as_ref();
        let kind = info.map(|info| info.kind.words()).unwrap_or_default();
        let track = info.and_then(|info| info.track.as_ref()).map(|track| track.title()).unwrap_or_default();
        let words = [self.game.as_str(), &kind, &track];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        writeln!(f, "\n  {}", words.join(", "))?;
        for lap in &self.laps {
            writeln!(f, "  {lap}")?;
        }
        Ok(())
    }
}
