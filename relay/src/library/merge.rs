//! Merges copies of one recording, and clips with notes and tasks into it: the copy that stays has the notes of both.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::Path;

use trailbrake_shared::analysis::KnownTrack;
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::authored::{self, AuthoredError, AuthoredKind};
use trailbrake_shared::recording::facts::{Fact, Labels, MOST_TAGS};
use trailbrake_shared::recording::{
    Facts, LapRow, MergedNotes, Packet, Packets, Reading, Recording, RecordingId, Tail,
};

use super::journal;
use super::recording_file::RecordingFile;
use super::recordings::{Library, ListedFile, can_hold};
use super::refusal::Refusal;

/// Merges an uploaded copy into the library's, and says what changed among the library's notes. The longer one stays.
/// The caller holds the `changing` lock.
pub(super) fn merge(
    library: &Library,
    found: &ListedFile,
    arrived: &Path,
) -> Result<(Entry, MergedNotes), Refusal> {
    let disk = |error: io::Error| Refusal::disk(library.folder(), &error);
    let mut here = Copy::open(library, &found.path)?;
    let mut brought = Copy::open(library, arrived)?;
    let longer = compare(&mut here, &mut brought).map_err(disk)?.ok_or_else(|| {
        Refusal::Conflict(format!(
            "this is not the recording that it says it is: {} has the same id and other packets",
            found.entry.file
        ))
    })?;
    let facts = together(&here.recording, &brought.recording, longer)?;
    let merged = MergedNotes::between(here.recording.facts(), &facts);
    if longer == Ordering::Less {
        can_hold(&brought.recording, &facts)?;
        journal::write(arrived, &Tail::with(&brought.recording, &facts)).map_err(disk)?;
        fs::rename(arrived, &found.path).map_err(disk)?;
    } else if facts != *here.recording.facts() {
        library.write_facts(&found.path, &here.recording, &facts)?;
    }
    let id = here.recording.info().id;
    library.find_now(id).map(|found| (found.entry, merged))
}

/// Joins the notes and tasks of a clip to the recording that it was cut out of, and says what changed there. `None` if
/// the recording lacks one of the clip's laps. The caller holds the `changing` lock.
pub(super) fn join_clip(
    library: &Library,
    parent: &ListedFile,
    clip: &Recording,
) -> Result<Option<(Entry, MergedNotes)>, Refusal> {
    let here = Copy::open(library, &parent.path)?.recording;
    let has = |row: &LapRow| here.laps().laps.iter().any(|own| own.is_same_lap(row));
    if !clip.laps().laps.iter().all(has) {
        return Ok(None);
    }
    let id = here.info().id;
    let facts = with_notes((id, here.facts()), (id, clip.facts()))?;
    let merged = MergedNotes::between(here.facts(), &facts);
    if facts != *here.facts() {
        library.write_facts(&parent.path, &here, &facts)?;
    }
    library.find_now(id).map(|found| Some((found.entry, merged)))
}

/// Which of two copies of a recording is the rig's own.
#[cfg(feature = "team")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RigsCopy {
    /// The one that is brought: this is the hub.
    Brought,
    /// The one that is here: this is the rig.
    Here,
}

/// Merges a later tail of a recording, which begins where its data ends. The same packets have both, so the facts of the
/// rig's copy stand, with the notes and tasks of both; name, tags and track are those written last.
#[cfg(feature = "team")]
pub(crate) fn merge_tail(
    library: &Library,
    id: RecordingId,
    from: u64,
    tail: Vec<u8>,
    rigs: RigsCopy,
) -> Result<(), Refusal> {
    let other = || Refusal::Conflict("the tail is that of other packets".into());
    let _alone = library.changing.lock();
    let found = library.find_now(id)?;
    let here = library.open(&found.path)?;
    if here.end_of_data() != from {
        return Err(other());
    }
    let disk = |error: io::Error| Refusal::disk(library.folder(), &error);
    let brought = RecordingFile::with_tail(&found.path, from, tail.clone()).map_err(disk)?.recording();
    let brought = brought.map_err(|error| library.cannot(error))?;
    if brought.info().id != id || !(brought.continues(&here) && here.continues(&brought)) {
        return Err(other());
    }
    let (own, other) = match rigs {
        RigsCopy::Brought => (brought.facts(), here.facts()),
        RigsCopy::Here => (here.facts(), brought.facts()),
    };
    let mut facts = with_notes((id, own), (id, other))?;
    for name in [Labels::NAME, KnownTrack::NAME] {
        let both = [own, other].map(|facts| facts.stored(name).cloned());
        // Of two that were written at the same time the rig's stands.
        if let Some(latest) = both.into_iter().flatten().rev().max_by_key(|stored| stored.at) {
            facts.store(name, latest);
        }
    }
    if facts == *here.facts() {
        return Ok(());
    }
    if facts == *brought.facts() {
        return library.write_tail(&found.path, &Tail { from, bytes: tail });
    }
    library.write_facts(&found.path, &here, &facts)
}

/// The facts of one recording with the notes and tasks of another, unless they are too many.
fn with_notes(one: (RecordingId, &Facts), other: (RecordingId, &Facts)) -> Result<Facts, Refusal> {
    let facts = authored::merge(one, other).map_err(|error| Refusal::Conflict(error.to_string()))?;
    match AuthoredKind::ALL.into_iter().find(|kind| authored::count(&facts, *kind) > kind.most()) {
        Some(kind) => Err(AuthoredError::Many(kind).into()),
        None => Ok(facts),
    }
}

/// The facts of two copies: those of the longer one, with the notes and tags of both and the library's name.
fn together(here: &Recording, brought: &Recording, longer: Ordering) -> Result<Facts, Refusal> {
    let id = here.info().id;
    let (stays, goes) = if longer == Ordering::Less { (brought, here) } else { (here, brought) };
    let mut facts = with_notes((id, stays.facts()), (id, goes.facts()))?;
    let labels = |recording: &Recording| recording.facts().get::<Labels>().ok().flatten().unwrap_or_default();
    let (ours, theirs) = (labels(here), labels(brought));
    let mut both = Labels { name: ours.name.clone().or(theirs.name), tags: ours.tags.clone() };
    both.tags.extend(theirs.tags.into_iter().filter(|tag| !ours.tags.contains(tag)));
    both.tags.truncate(MOST_TAGS);
    if both != labels(stays) {
        let times = [here, brought].map(|copy| copy.facts().stored(Labels::NAME).map(|stored| stored.at));
        facts.put(times.into_iter().flatten().max().unwrap_or_default(), &both);
    }
    // Either may name the track; the later name counts.
    let track = [here, brought].map(|copy| copy.facts().stored(KnownTrack::NAME).cloned());
    if let Some(track) = track.into_iter().flatten().max_by_key(|stored| stored.at) {
        facts.store(KnownTrack::NAME, track);
    }
    Ok(facts)
}

/// A copy, read packet by packet.
struct Copy {
    source: RecordingFile,
    recording: Recording,
    packets: Packets,
    read: VecDeque<Packet>,
}

impl Copy {
    fn open(library: &Library, path: &Path) -> Result<Self, Refusal> {
        let source = RecordingFile::open(path).map_err(|error| Refusal::disk(library.folder(), &error));
        let mut source = source?;
        let recording = source.recording().map_err(|error| library.cannot(error))?;
        let packets = recording.all_packets();
        Ok(Self { source, recording, packets, read: VecDeque::new() })
    }

    fn next(&mut self) -> io::Result<Option<Packet>> {
        while self.read.is_empty() {
            let Some(range) = self.packets.needs() else { return Ok(None) };
            self.source.give(&mut self.packets, range)?;
            self.read.extend(self.packets.take());
        }
        Ok(self.read.pop_front())
    }
}

/// Which copy reaches further; `None` when their packets differ where both have some, or a copy has no packet.
fn compare(one: &mut Copy, other: &mut Copy) -> io::Result<Option<Ordering>> {
    let mut same = 0_u64;
    let longer = loop {
        match (one.next()?, other.next()?) {
            (Some(ours), Some(theirs)) if ours == theirs => same += 1,
            (Some(_), Some(_)) => return Ok(None),
            (Some(_), None) => break Ordering::Greater,
            (None, Some(_)) => break Ordering::Less,
            (None, None) => break Ordering::Equal,
        }
    };
    Ok((same > 0).then_some(longer))
}
