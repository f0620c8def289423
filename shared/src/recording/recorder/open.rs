//! A file that is being written: packets, and the facts that they tell.

use super::identity::Identity;
use super::name::{began_as, called};
use super::{Action, Desk, FileId};
use crate::feed::Feed;
use crate::model::Event;
use crate::recording::facts::{Info, StoredFact};
use crate::recording::{Follower, LapTable, Packet, UNCLAIMED, Writer};
use crate::session::{Session, SessionSummary};
use crate::time::Micros;

/// Nothing for so long inside a recording is told as a silence.
const SILENCE_S: f64 = 2.0;
/// What has waited for so long is written when the time comes round: with what passes until then, a kill costs less
/// than a second.
const WAITS_S: f64 = 0.7;
/// How often it is written down what the session tells.
const TOLD_S: f64 = 1.0;

/// A datagram that waits, and what its decoder said happened.
pub(super) struct DelayedPacket {
    pub(super) packet: Packet,
    pub(super) events: Vec<Event>,
}

/// A file that is being written.
pub(super) struct Open {
    file: FileId,
    info: Info,
    writer: Writer,
    follower: Follower,
    identity: Identity,
    /// When something was written last.
    last: Micros,
    /// When it was written down last what the session tells.
    told: Micros,
    /// When the session ended, if it has.
    pub(super) over: Option<Micros>,
}

impl Open {
    /// Begins a file with a packet that was received then. What it is to be called is not known yet.
    pub(super) fn begin(feed: Option<Feed>, first: Micros, desk: &mut Desk) -> Self {
        let file = FileId(desk.files);
        desk.files += 1;
        let info = Info {
            id: (desk.new_id)(),
            parent: None,
            created: first,
            feed: feed.map_or(UNCLAIMED, Feed::id).to_owned(),
            program: desk.program.clone(),
            others_left_out: false,
        };
        let name = began_as(&info, desk.policy.zone_s);
        desk.actions.push(Action::Open { file, id: info.id, began: first, name });
        Self {
            file,
            writer: Writer::new(&info),
            info,
            follower: Follower::default(),
            identity: Identity::default(),
            last: first,
            told: first,
            over: None,
        }
    }

    pub(super) fn file(&self) -> FileId {
        self.file
    }

    pub(super) fn began(&self) -> Micros {
        self.info.created
    }

    /// Bytes that wait to be handed out.
    pub(super) fn bytes(&self) -> usize {
        self.writer.waiting()
    }

    /// Whether it is certain that another session goes on than the one in the file.
    pub(super) fn is_another(&self, now: &Identity) -> bool {
        now.differs(&self.identity)
    }

    /// Whether a session that begins may be the one in the file: a game that names its sessions is taken at its word; of
    /// another, the session before has to be unfinished.
    pub(super) fn goes_on_as(&self, now: &Identity) -> bool {
        let same = if now.is_told() { self.identity.is_told() } else { self.over.is_none() };
        same && !self.is_another(now)
    }

    /// It is sure to be kept, and what it is is known by now.
    pub(super) fn keep(&self, session: Option<&Session>, desk: &mut Desk) {
        let summary = session.map(SessionSummary::of).unwrap_or_default();
        let name = called(&self.info, &summary, desk.policy.zone_s);
        desk.actions.push(Action::Keep { file: self.file, name });
    }

    /// It is not kept.
    pub(super) fn discard(self, desk: &mut Desk) {
        desk.actions.push(Action::Discard { file: self.file });
    }

    /// Writes a packet.
    pub(super) fn take(&mut self, held: &DelayedPacket) {
        let at = held.packet.at;
        let silent_s = at.seconds_since(self.last);
        if silent_s >= SILENCE_S {
            self.follower.silence(at, (silent_s * 1e6) as u64);
        }
        self.last = self.last.max(at);
        held.events.iter().for_each(|event| self.follower.event(event));
        self.writer.take(&held.packet.datagram());
    }

    /// Looks at the session after packets were written.
    pub(super) fn look(&mut self, session: Option<&Session>, heard: Micros, now: &Identity) {
        self.identity.learn(now.clone());
        let Some(session) = session else { return };
        self.follower.look(session, heard);
        // When the next session begins, nothing is known of this one any more.
        if self.last.seconds_since(self.told) >= TOLD_S {
            self.told = self.last;
            self.writer.write_last(self.last, &SessionSummary::of(session));
        }
    }

    /// Writes a fact that can't be had from the packets, at once.
    pub(super) fn write_now(&mut self, name: &str, fact: StoredFact, desk: &mut Desk) {
        self.writer.write_now(name, fact);
        self.hand_out(desk);
    }

    /// Hands out what has waited long enough.
    pub(super) fn end_old_second(&mut self, now: Micros, desk: &mut Desk) {
        if self.writer.since().is_some_and(|since| now.seconds_since(since) >= WAITS_S) {
            self.end_second(desk);
        }
    }

    /// Hands out everything that came.
    pub(super) fn end_second(&mut self, desk: &mut Desk) {
        self.writer.end_second();
        self.hand_out(desk);
    }

    /// Forgets what is in the file before a place in it.
    pub(super) fn forget(&mut self, before: u64) {
        self.writer.forget(before);
    }

    /// Hands out what is written.
    pub(super) fn hand_out(&mut self, desk: &mut Desk) {
        let bytes = self.writer.bytes();
        if !bytes.is_empty() {
            desk.actions.push(Action::Append { file: self.file, bytes });
        }
    }

    /// What would have to stand behind the bytes handed out so far to make them a finished recording.
    pub(super) fn tail(&mut self, session: Option<&Session>) -> Vec<u8> {
        let laps = self.follower.laps();
        self.write_facts(session, &laps);
        self.writer.tail()
    }

    /// Ends the file.
    pub(super) fn finish(mut self, session: Option<&Session>, desk: &mut Desk) {
        let laps = self.follower.ended_laps();
        self.write_facts(session, &laps);
        self.end_second(desk);
        let file = self.file;
        desk.actions.push(Action::Append { file, bytes: self.writer.finish() });
        desk.actions.push(Action::Close { file });
    }

    /// Facts that can be had from the packets. Without the session, what was told of it stays as it was.
    fn write_facts(&mut self, session: Option<&Session>, laps: &LapTable) {
        self.writer.write_last(self.last, laps);
        self.writer.write_last(self.last, self.follower.timeline());
        self.writer.write_last(self.last, &self.follower.events());
        if let Some(session) = session {
            self.writer.write_last(self.last, &SessionSummary::of(session));
        }
    }
}
