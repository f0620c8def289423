//! The sending of one finished recording, until the hub confirms it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;
use trailbrake_shared::recording::RecordingId;

use super::answer::{Answer, FinishedCopy};
use super::digest;
use super::finished_file::{FinishedFile, Stamp};
use super::message::{FilePart, FileRange, Hash};
use super::sender::{Sender, Unsent};
use crate::library::{Library, RigsCopy, merge_tail};

/// How often the hub is asked whether a recording is there.
const ASK: Duration = Duration::from_millis(500);
/// How long the hub may take for a recording that it has all of.
const PATIENCE: Duration = Duration::from_secs(30);

/// A finished recording on its way.
pub(super) struct FinishedSending {
    pub(super) id: RecordingId,
    pub(super) stamp: Stamp,
    file: Option<Arc<FinishedFile>>,
    /// The hub's last answer, while it counts.
    answer: Option<Answer>,
    asked: Instant,
    /// A tail that is being sent: as what, and from where on.
    tail: Option<(FilePart, u64)>,
    /// When a tail was sent whole.
    sent: Option<Instant>,
    /// Whether that was a later tail, which is merged.
    is_facts: bool,
    /// The hub's tail, as far as it was brought here.
    brought: Option<Vec<u8>>,
    /// The hub's tail that has nothing more for this rig.
    merged: Option<Hash>,
}

/// The result of one step.
pub(super) enum Turn {
    Worked,
    /// What somebody wrote at the hub is here now.
    Merged,
    /// The hub needs a moment.
    Waits,
    /// Everything is on the archive's disk.
    Confirmed,
    /// The hub can't take it, in words.
    Failed(String),
    /// It changed on this rig.
    Changed,
    /// It can't be read on this rig at the moment.
    Unreadable,
}

impl FinishedSending {
    pub(super) fn new(id: RecordingId, stamp: Stamp) -> Self {
        Self {
            id,
            stamp,
            file: None,
            answer: None,
            asked: Instant::now(),
            tail: None,
            sent: None,
            is_facts: false,
            brought: None,
            merged: None,
        }
    }

    /// Does one thing: asks, or sends one piece.
    pub(super) async fn turn(&mut self, sender: &mut Sender, library: &Arc<Library>) -> Result<Turn, Unsent> {
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => {
                let (library, id) = (Arc::clone(library), self.id);
                let opened = spawn_blocking(move || FinishedFile::open(&library, id)).await;
                let Ok(Ok(file)) = opened else { return Ok(Turn::Unreadable) };
                Arc::clone(self.file.insert(Arc::new(file)))
            }
        };
        if !file.is_current() {
            return Ok(Turn::Changed);
        }
        if let Some((part, from)) = self.tail {
            return self.send_tail(sender, &file, part, from).await;
        }
        if self.brought.is_some() {
            return self.bring_tail(sender, library, &file).await;
        }
        let Some(answer) = &self.answer else {
            if self.sent.is_some() && self.asked.elapsed() < ASK {
                return Ok(Turn::Waits);
            }
            self.answer = Some(sender.ask(self.id).await?);
            self.asked = Instant::now();
            return Ok(Turn::Worked);
        };
        if let Some(words) = &answer.trouble {
            return Ok(Turn::Failed(words.clone()));
        }
        if let Some(copy) = answer.finished.clone() {
            return Ok(self.compare(&file, &copy));
        }
        if let Some(since) = self.sent {
            let is_late = since.elapsed() > PATIENCE;
            self.answer = None;
            self.asked = Instant::now();
            if is_late {
                self.sent = None;
            }
            return Ok(Turn::Waits);
        }
        if answer.next < file.data {
            return self.send_data(sender, &file).await;
        }
        let hashed = Arc::clone(&file);
        let Ok(Ok(hash)) = spawn_blocking(move || hashed.hash()).await else { return Ok(Turn::Unreadable) };
        if answer.pending.as_deref() == Some(&hash.to_string()) {
            self.sent = Some(Instant::now());
            self.answer = None;
            return Ok(Turn::Waits);
        }
        self.tail = Some((FilePart::End(file.tail_with(hash)), file.data));
        Ok(Turn::Worked)
    }

    /// Compares with the finished recording at the hub.
    fn compare(&mut self, file: &FinishedFile, copy: &FinishedCopy) -> Turn {
        let is_here = |hash: &str| hash == file.tail_hash.to_string();
        let has_all = self.merged.is_some_and(|merged| merged.to_string() == copy.tail);
        if copy.deleted || is_here(&copy.tail) || has_all {
            return Turn::Confirmed;
        }
        if copy.merged.as_deref().is_some_and(is_here) {
            // The hub has what is here, and more: somebody wrote into it there.
            self.brought = Some(Vec::new());
            return Turn::Worked;
        }
        if copy.data != file.data {
            return Turn::Failed("the hub has other packets of it, and keeps what it has".to_owned());
        }
        // What was sent as the end of the file is here already, and somebody wrote into it since.
        match self.sent.filter(|_| self.is_facts) {
            // A tail of the same data, merged where the archive was started again since, or on its way.
            Some(since) if since.elapsed() < PATIENCE => {
                self.answer = None;
                self.asked = Instant::now();
                Turn::Waits
            }
            Some(_) => Turn::Confirmed,
            None => {
                self.tail = Some((FilePart::Facts(file.tail_with(file.tail_hash)), file.data));
                Turn::Worked
            }
        }
    }

    /// Brings the next piece of the hub's tail here, and merges the tail once it is whole.
    async fn bring_tail(
        &mut self,
        sender: &mut Sender,
        library: &Arc<Library>,
        file: &FinishedFile,
    ) -> Result<Turn, Unsent> {
        let mut bytes = self.brought.take().unwrap_or_default();
        let from = file.data + bytes.len() as u64;
        // An older hub has no answer to that.
        let Some((range, piece)) = sender.ask_for_tail(self.id, from).await? else {
            return Ok(Turn::Confirmed);
        };
        let FilePart::Facts(tail) = range.part else { return Ok(Turn::Confirmed) };
        if tail.data != file.data || range.from != from {
            return Ok(Turn::Failed("the hub has other packets of it, and keeps what it has".to_owned()));
        }
        bytes.extend_from_slice(&piece);
        if range.to < tail.size {
            self.brought = Some(bytes);
            return Ok(Turn::Worked);
        }
        // It changed at the hub meanwhile: ask once more.
        (self.answer, self.asked) = (None, Instant::now());
        if digest::of(&bytes) != tail.hash {
            return Ok(Turn::Waits);
        }
        let (library, id) = (Arc::clone(library), self.id);
        let merging =
            spawn_blocking(move || merge_tail(&library, id, tail.data, bytes, RigsCopy::Here)).await;
        match merging {
            Ok(Ok(())) => {
                self.merged = Some(tail.hash);
                Ok(Turn::Merged)
            }
            Ok(Err(refusal)) => Ok(Turn::Failed(refusal.words().to_owned())),
            Err(_) => Ok(Turn::Unreadable),
        }
    }

    async fn send_data(&mut self, sender: &mut Sender, file: &Arc<FinishedFile>) -> Result<Turn, Unsent> {
        let Some(answer) = &mut self.answer else { return Ok(Turn::Worked) };
        let (read, from) = (Arc::clone(file), answer.next);
        let Ok(Ok(payload)) = spawn_blocking(move || read.piece(from)).await else {
            return Ok(Turn::Unreadable);
        };
        let range = FileRange { part: FilePart::Data, from, to: from + payload.len() as u64 };
        answer.sequence = sender.send(self.id, &range, payload, answer.sequence).await?;
        answer.next = range.to;
        Ok(Turn::Worked)
    }

    async fn send_tail(
        &mut self,
        sender: &mut Sender,
        file: &FinishedFile,
        part: FilePart,
        from: u64,
    ) -> Result<Turn, Unsent> {
        let Some(answer) = &mut self.answer else { return Ok(Turn::Changed) };
        let payload = file.tail_piece(from);
        let range = FileRange { part, from, to: from + payload.len() as u64 };
        answer.sequence = sender.send(self.id, &range, payload, answer.sequence).await?;
        if range.to < file.size() {
            self.tail = Some((part, range.to));
        } else {
            (self.tail, self.answer) = (None, None);
            (self.sent, self.asked) = (Some(Instant::now()), Instant::now());
            self.is_facts = matches!(part, FilePart::Facts(_));
        }
        Ok(Turn::Worked)
    }
}
