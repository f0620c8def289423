//! A file being written: packets, and the facts derived from them.

use std::net::IpAddr;

use trailbrake_games::feed::Feed;
use trailbrake_model::Event;
use trailbrake_model::time::Micros;
use trailbrake_session::Session;

use super::identity::Identity;
use super::name::{began_as, called};
use super::{Action, Desk, FileId};
use crate::facts::{self, Fact, Info, Origin, StoredFact};
use crate::{Follower, LapTable, Packet, UNCLAIMED, Writer};

/// A pause in the packets of at least this long is marked as a silence.
const SILENCE_S: f64 = 2.0;
/// Data older than this is written at the next poll. With the time until that poll, a kill costs less than a second.
const WAITS_S: f64 = 0.7;
/// Seconds between updates of the session summary.
const SUMMARY_S: f64 = 1.0;

/// A packet not yet written, with the events of its decoder.
pub(super) struct DelayedPacket {
    pub(super) packet: Packet,
    pub(super) events: Vec<Event>,
}

/// A file being written.
pub(super) struct Open {
    file: FileId,
    info: Info,
    writer: Writer,
    follower: Follower,
    identity: Identity,
    /// When the last packet was received.
    last: Micros,
    /// The time of the last packet when the session summary was last updated.
    summarised: Micros,
    /// When the session ended, if it has.
    pub(super) over: Option<Micros>,
}

impl Open {
    /// Begins a file of a machine's packets; `first` is the time of the first. Its final name is not known yet.
    pub(super) fn begin(feed: Option<Feed>, machine: IpAddr, first: Micros, desk: &mut Desk) -> Self {
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
        desk.actions.push(Action::Open { file, id: info.id, machine, began: first, name });
        let mut writer = Writer::new(&info);
        writer.write_now(Origin::NAME, StoredFact { at: first, json: facts::write(&Origin { machine }) });
        Self {
            file,
            writer,
            info,
            follower: Follower::default(),
            identity: Identity::default(),
            last: first,
            summarised: first,
            over: None,
        }
    }

    pub(super) fn file(&self) -> FileId {
        self.file
    }

    pub(super) fn began(&self) -> Micros {
        self.info.created
    }

    pub(super) fn last(&self) -> Micros {
        self.last
    }

    /// Another session begins in this file.
    pub(super) fn begin_session(&mut self) {
        (self.identity, self.over) = (Identity::default(), None);
    }

    /// Bytes not yet handed out.
    pub(super) fn bytes(&self) -> usize {
        self.writer.waiting()
    }

    /// Whether `now` is certainly another session than the file's.
    pub(super) fn is_another(&self, now: &Identity) -> bool {
        now.differs(&self.identity)
    }

    /// Whether a session that begins may be the file's. If the game identifies its sessions, that decides; otherwise
    /// the file's session must be unfinished.
    pub(super) fn goes_on_as(&self, now: &Identity) -> bool {
        let same = if now.has_session_id() { self.identity.has_session_id() } else { self.over.is_none() };
        same && !self.is_another(now)
    }

    /// Marks the file as kept, under its final name.
    pub(super) fn keep(&self, session: Option<&Session>, desk: &mut Desk) {
        let summary = session.map(Session::summary).unwrap_or_default();
        let name = called(&self.info, &summary, desk.policy.zone_s);
        desk.actions.push(Action::Keep { file: self.file, name });
    }

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
    pub(super) fn look(&mut self, session: Option<&Session>, last_received: Micros, now: &Identity) {
        self.identity.learn(now.clone());
        let Some(session) = session else { return };
        self.follower.look(session, last_received);
        // Once the next session begins, this session's data is gone.
        if self.last.seconds_since(self.summarised) >= SUMMARY_S {
            self.summarised = self.last;
            self.writer.write_last(self.last, &session.summary());
        }
    }

    /// Writes a fact that can't be derived from packets, at once.
    pub(super) fn write_now(&mut self, name: &str, fact: StoredFact, desk: &mut Desk) {
        self.writer.write_now(name, fact);
        self.hand_out(desk);
    }

    /// Hands out data that is older than [`WAITS_S`].
    pub(super) fn end_old_second(&mut self, now: Micros, desk: &mut Desk) {
        if self.writer.since().is_some_and(|since| now.seconds_since(since) >= WAITS_S) {
            self.end_second(desk);
        }
    }

    /// Ends the current second and hands out everything received.
    pub(super) fn end_second(&mut self, desk: &mut Desk) {
        self.writer.end_second();
        self.hand_out(desk);
    }

    /// Forgets what is in the file before an offset.
    pub(super) fn forget(&mut self, before: u64) {
        self.writer.forget(before);
    }

    /// Hands out the bytes written so far.
    pub(super) fn hand_out(&mut self, desk: &mut Desk) {
        let bytes = self.writer.bytes();
        if !bytes.is_empty() {
            desk.actions.push(Action::Append { file: self.file, bytes });
        }
    }

    /// The bytes that complete those handed out so far into a finished recording.
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

    /// Writes the facts derived from packets. Without a session, the last session summary stays.
    fn write_facts(&mut self, session: Option<&Session>, laps: &LapTable) {
        self.writer.write_last(self.last, laps);
        self.writer.write_last(self.last, self.follower.timeline());
        self.writer.write_last(self.last, &self.follower.events());
        self.writer.write_last(self.last, &self.follower.traffic());
        if let Some(session) = session {
            self.writer.write_last(self.last, &session.summary());
        }
    }
}
