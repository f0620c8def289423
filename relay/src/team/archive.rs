//! The archive: reads the stream, keeps each rig's recordings as files, and answers rigs where to go on.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use anyhow::bail;
use async_nats::HeaderMap;
use trailbrake_shared::recording::RecordingId;

use super::answer::Answer;
use super::hub::Hub;
use super::hub_folder::HubFolder;
use super::json_message::JsonMessage as _;
use super::message::{FilePart, FileRange, Ignored};
use super::position::{Position, PositionFile};
use super::presence::{Change, Presence, Presences};
use super::rig_archive::{Check, Held, RigArchive, Taken};
use super::rig_name::RigName;
use super::rigs::Rigs;
use super::stream::LastMessage;
use super::subject;
use crate::clock::Clock;
use crate::terminal;

/// How long a message stays in the stream after it is in the archive.
pub(super) const KEPT: Duration = Duration::from_secs(15 * 60);
/// How often a rig is asked for the same recording again.
const ASKED: Duration = Duration::from_secs(5);
/// How often ignored messages are reported.
const REPORTED: Duration = Duration::from_secs(60);

/// The archive's files and its place in the stream. It does not talk to servers itself.
pub(super) struct Archive {
    folder: HubFolder,
    hub: Hub,
    /// When the hub's file was read, as the system dates it.
    hub_of: Option<SystemTime>,
    rigs: HashMap<RigName, RigArchive>,
    /// The rigs as pages know them.
    shown: Rigs,
    presences: Presences,
    position_file: PositionFile,
    /// The last message that was taken.
    taken: Position,
    /// The position in its file.
    synced: Position,
    /// Positions, and since when they are synced.
    marks: VecDeque<(Instant, u64)>,
    /// Whether the stream was read from its beginning once, because something was missing.
    read_again: bool,
    asked: HashMap<RecordingId, Instant>,
    ignored: BTreeMap<Ignored, u64>,
    reported: Option<Instant>,
    clock: Clock,
}

/// What the archive wants from its surroundings after a message.
#[derive(Debug)]
pub(super) enum Wish {
    /// Read the stream from its beginning.
    ReadAgain,
    /// Ask a rig to send a recording again from a byte on.
    Ask(RigName, RecordingId, u64),
    /// Check a complete recording.
    Check(RigName, Check),
}

/// Where in the stream a message stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) sequence: u64,
    /// When it was stored, nanoseconds since 1970.
    pub(super) time: i128,
}

impl Archive {
    /// Opens the archive in a hub's folder, and takes the folders of all rigs.
    pub(super) fn open(folder: HubFolder, shown: Rigs, clock: Clock) -> anyhow::Result<Self> {
        let hub = folder.hub()?;
        let position_file = PositionFile::new(folder.library());
        let position = position_file.read();
        let mut archive = Self {
            folder,
            hub,
            hub_of: None,
            rigs: HashMap::new(),
            shown,
            presences: Presences::default(),
            position_file,
            taken: position.clone(),
            synced: position,
            marks: VecDeque::new(),
            read_again: false,
            asked: HashMap::new(),
            ignored: BTreeMap::new(),
            reported: None,
            clock,
        };
        archive.follow_hub()?;
        Ok(archive)
    }

    /// Follows changes of the hub's file: rigs come and go while the archive runs.
    pub(super) fn follow_hub(&mut self) -> anyhow::Result<()> {
        let changed = self.folder.changed();
        if changed.is_some() && changed == self.hub_of {
            return Ok(());
        }
        self.hub = self.folder.hub()?;
        let hub = &self.hub;
        self.rigs.retain(|rig, _| hub.has(rig));
        self.presences.keep(|rig| hub.has(rig));
        for rig in &hub.rigs {
            if self.rigs.contains_key(&rig.name) {
                continue;
            }
            let path = self.folder.library_of(&rig.name);
            let Some(archive) = RigArchive::open(&path, terminal::report)? else {
                bail!("another Trailbrake archives into {}: only one does at a time", path.display());
            };
            self.rigs.insert(rig.name.clone(), archive);
        }
        self.shown.set(self.rigs.iter().map(|(rig, archive)| (rig.clone(), archive.library())).collect());
        self.hub_of = changed;
        Ok(())
    }

    /// The last message that was taken of this stream; nothing of another one.
    pub(super) fn taken_of(&self, stream: i128) -> Position {
        if self.taken.stream == stream {
            self.taken.clone()
        } else {
            Position { stream, ..Position::default() }
        }
    }

    /// Whether a stream is the one that the archive reads.
    pub(super) fn reads(&self, stream: i128) -> bool {
        self.taken.stream == stream
    }

    /// Goes to a position: from the next message on everything is taken, whether the archive has it or not.
    pub(super) fn go_to(&mut self, position: Position) {
        if position.stream != self.taken.stream {
            self.read_again = false;
        }
        self.marks.clear();
        self.taken = position;
    }

    /// Takes a message. An error is the disk's, and the message has to come again.
    pub(super) fn take(
        &mut self,
        place: Place,
        subject: &str,
        headers: Option<&HeaderMap>,
        payload: &[u8],
    ) -> io::Result<Option<Wish>> {
        let wish = match self.take_range(subject, headers, payload)? {
            Ok(wish) => wish,
            Err(reason) => {
                *self.ignored.entry(reason).or_default() += 1;
                None
            }
        };
        (self.taken.sequence, self.taken.time) = (place.sequence, place.time);
        Ok(wish)
    }

    fn take_range(
        &mut self,
        subject: &str,
        headers: Option<&HeaderMap>,
        payload: &[u8],
    ) -> io::Result<Result<Option<Wish>, Ignored>> {
        let Some((rig, id)) = subject::rig_and_recording(subject, "rec") else {
            return Ok(Err(Ignored::Unknown));
        };
        let range = match FileRange::of(headers, payload) {
            Ok(range) => range,
            Err(reason) => return Ok(Err(reason)),
        };
        let Some(archive) = self.rigs.get_mut(&rig) else { return Ok(Err(Ignored::Unknown)) };
        Ok(match archive.take(id, &range, payload)? {
            Taken::Here => Ok(None),
            Taken::Ignored(reason) => Err(reason),
            Taken::Complete(check) => Ok(Some(Wish::Check(rig, check))),
            Taken::Gap if !self.read_again => {
                self.read_again = true;
                Ok(Some(Wish::ReadAgain))
            }
            Taken::Gap => {
                let from = match archive.held(id) {
                    Held::Unfinished { len, .. } => len,
                    _ => 0,
                };
                self.asked.retain(|_, at| at.elapsed() < ASKED);
                let is_due = !self.asked.contains_key(&id);
                Ok(is_due.then(|| {
                    self.asked.insert(id, Instant::now());
                    Wish::Ask(rig, id, from)
                }))
            }
        })
    }

    /// Syncs all files, and then writes the position.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.taken == self.synced {
            return Ok(());
        }
        for archive in self.rigs.values_mut() {
            archive.sync()?;
        }
        self.position_file.write(&self.taken)?;
        self.synced = self.taken.clone();
        self.marks.push_back((Instant::now(), self.synced.sequence));
        Ok(())
    }

    /// The last sequence that may leave the stream: what is safe, and has been for a while, or what is safe at all where
    /// the stream is almost full.
    pub(super) fn may_leave(&mut self, is_almost_full: bool) -> Option<u64> {
        let mut last = None;
        while let Some((at, sequence)) = self.marks.front().copied() {
            if !is_almost_full && at.elapsed() < KEPT {
                break;
            }
            last = Some(sequence);
            self.marks.pop_front();
        }
        last
    }

    /// Notes the result of a check.
    pub(super) fn finish(
        &mut self,
        rig: &RigName,
        id: RecordingId,
        checked: io::Result<Result<String, String>>,
    ) {
        if let Some(archive) = self.rigs.get_mut(rig) {
            archive.finish(id, checked);
        }
    }

    /// The rig and the recording of a question, if the rig is in the team and may get the answer.
    pub(super) fn asking(&self, subject: &str, reply: Option<&str>) -> Option<(RigName, RecordingId)> {
        let (rig, id) = subject::rig_and_recording(subject, "have")?;
        let is_own = reply.is_some_and(|reply| subject::is_inbox_of(reply, &rig));
        (is_own && self.rigs.contains_key(&rig)).then_some((rig, id))
    }

    /// The answer where to go on with a recording, with the last message of its subject.
    pub(super) fn answer(&mut self, rig: &RigName, id: RecordingId, last: Option<&LastMessage>) -> Answer {
        let sequence = last.map_or(0, |last| last.sequence);
        let mut answer = Answer {
            next: 0,
            sequence,
            safe: 0,
            finished: None,
            pending: None,
            trouble: None,
            now: self.clock.now().0,
        };
        let held = self.rigs.get_mut(rig).map_or(Held::Nothing, |archive| archive.held(id));
        match held {
            Held::Nothing => {}
            Held::Unfinished { len, synced } => (answer.next, answer.safe) = (len, synced),
            Held::Finished { size, copy } => {
                (answer.next, answer.safe, answer.finished) = (size, size, Some(copy));
            }
            Held::Failed(words) => answer.trouble = Some(words),
        }
        // What the archive has not read yet is in the stream.
        if sequence > self.taken.sequence
            && let Some(last) = last
            && let Ok(range) = FileRange::of(Some(&last.headers), &last.payload)
        {
            answer.next = answer.next.max(range.to);
            answer.pending = match range.part {
                FilePart::End(tail) | FilePart::Facts(tail) if range.to == tail.size => {
                    Some(tail.hash.to_string())
                }
                _ => None,
            };
        }
        answer
    }

    /// A piece of the tail of a rig's finished recording, from a byte of the file on.
    pub(super) fn tail_piece(
        &self,
        rig: &RigName,
        id: RecordingId,
        from: u64,
    ) -> Option<(FileRange, Vec<u8>)> {
        self.rigs.get(rig)?.tail_piece(id, from)
    }

    /// Takes a rig's report.
    pub(super) fn report(&mut self, subject: &str, payload: &[u8]) {
        let rig = subject::reporting_rig(subject).filter(|rig| self.rigs.contains_key(rig));
        let (Some(rig), Some(report)) = (rig, Presence::read(payload)) else { return };
        let changes = self.presences.take(rig, report, Instant::now());
        changes.into_iter().for_each(announce);
    }

    /// Reports what changed without a message: rigs that went silent, and messages that were ignored.
    pub(super) fn look(&mut self) {
        self.presences.silent(Instant::now()).into_iter().for_each(announce);
        let is_due = self.reported.is_none_or(|at| at.elapsed() > REPORTED);
        if is_due && !self.ignored.is_empty() {
            for (reason, count) in std::mem::take(&mut self.ignored) {
                terminal::report("Ignored", &format!("{count} messages: {}", reason.words()));
            }
            self.reported = Some(Instant::now());
        }
    }

    pub(super) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// The folder of all recordings.
    pub(super) fn library(&self) -> PathBuf {
        self.folder.library()
    }
}

fn announce(change: Change) {
    match change {
        Change::Online(rig) => terminal::report("Online", rig.as_str()),
        Change::Offline(rig) => terminal::report("Offline", rig.as_str()),
        Change::Twice(rig) => terminal::report(
            "Twice",
            &format!("two programs use the invitation of {rig}: give each rig one of its own"),
        ),
    }
}
