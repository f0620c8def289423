//! What one sender sends, and the recording that it goes into.

use std::net::SocketAddr;

use super::identity::{Identity, names};
use super::name::file_name;
use super::{Action, Desk, FileId};
use crate::feed::Feed;
use crate::model::{Event, EventKind};
use crate::recording::facts::{Info, Stored};
use crate::recording::{Follower, Packet, UNCLAIMED, Writer};
use crate::session::{Receiver, Retention, Session};
use crate::time::Micros;
use crate::wire::Datagram;

/// So much is kept of what came before a session began: the way from the menu to the track.
const PRELUDE_S: f64 = 2.0;
/// So much is recorded after a session ended: results come late.
const AFTERWORD_S: f64 = 10.0;
/// Nothing for so long inside a recording is told as a silence.
const SILENCE_S: f64 = 2.0;
/// What has waited for so long is written when the time comes round: with what passes until then, a kill costs less
/// than a second.
const WAITS_S: f64 = 0.7;
/// How often the session is looked at for what it is.
const LOOK_S: f64 = 1.0;
/// More than this is not held back until it is known what it is.
const MOST_HELD: usize = 16 << 20;

/// One sender of one feed, or one host of which nothing is recognised.
pub(super) struct Track {
    feed: Option<Feed>,
    sender: SocketAddr,
    heard: Micros,
    /// Understands the packets, to know where sessions begin and end; it keeps no lap.
    receiver: Receiver,
    /// Whether the game is in a session.
    driving: bool,
    /// What is not yet in a file: of the session that has just begun, or of the last seconds without one.
    held: Vec<Held>,
    held_bytes: usize,
    /// The file, which stays open when a session has ended, until it is known what comes.
    open: Option<Open>,
    /// Whether what is held belongs to a session that began just now.
    waiting: bool,
    /// What makes the session the one it is, as it was when it was looked at last.
    identity: (Micros, Identity),
}

/// A datagram that waits, and what its decoder said happened.
struct Held {
    packet: Packet,
    events: Vec<Event>,
}

/// A file that is being written.
struct Open {
    file: FileId,
    writer: Writer,
    follower: Follower,
    identity: Identity,
    /// When something was written last.
    last: Micros,
    /// When it was written down last what the session tells.
    told: Micros,
    /// When the session ended, if it has.
    over: Option<Micros>,
}

impl Track {
    pub(super) fn new(first: &Datagram<'_>) -> Self {
        Self {
            feed: first.feed,
            sender: first.sender,
            heard: first.at,
            receiver: Receiver::new(Retention { player_bytes: 0, ..Retention::default() }),
            driving: false,
            held: Vec::new(),
            held_bytes: 0,
            open: None,
            waiting: false,
            identity: (first.at, Identity::default()),
        }
    }

    pub(super) fn feed(&self) -> Option<Feed> {
        self.feed
    }

    pub(super) fn sender(&self) -> SocketAddr {
        self.sender
    }

    pub(super) fn heard(&self) -> Micros {
        self.heard
    }

    pub(super) fn file(&self) -> Option<FileId> {
        self.open.as_ref().map(|open| open.file)
    }

    /// Whether what comes is recorded, or will be once it is known what it is.
    pub(super) fn is_recording(&self) -> bool {
        self.driving || self.open.is_some()
    }

    pub(super) fn receive(&mut self, datagram: &Datagram<'_>, desk: &mut Desk) {
        if datagram.feed == self.feed {
            (self.heard, self.sender) = (self.heard.max(datagram.at), datagram.sender);
        }
        let mut events = Vec::new();
        // What no feed claims has no session, and is worth keeping for that: somebody may find out what it is.
        let understood = datagram.feed.is_none()
            || self.receiver.overhear(datagram, &mut |event| events.push(event.clone())).is_ok();
        let began = events.iter().any(|event| event.kind == EventKind::SessionStarted);
        let ended = events.iter().any(|event| event.kind == EventKind::SessionEnded);
        let unclaimed = self.feed.is_none();
        if began || ((unclaimed || !understood) && !self.is_recording()) {
            self.begin_waiting(datagram.at);
        }
        let now = self.identity(datagram.at);
        if !began && !self.waiting && self.open.as_ref().is_some_and(|open| now.differs(&open.identity)) {
            // The track or the car changed without a word.
            self.begin_waiting(datagram.at);
        }
        self.hold(datagram, events);
        if ended && !began {
            self.driving = false;
            if let Some(open) = self.open.as_mut().filter(|_| !self.waiting) {
                open.over = Some(datagram.at);
            }
        }
        if self.waiting {
            self.decide(&now, desk);
        }
        if !self.waiting {
            self.write_held(&now, desk);
        }
    }

    /// Hands out what has waited long enough.
    pub(super) fn end_second(&mut self, now: Micros, desk: &mut Desk) {
        let old = |since: Micros| now.seconds_since(since) >= WAITS_S;
        if let Some(open) = self.open.as_mut().filter(|open| open.writer.since().is_some_and(old)) {
            open.writer.end_second();
            open.hand_out(desk);
        }
    }

    /// Nothing more will come.
    pub(super) fn end(mut self, desk: &mut Desk) {
        self.close(desk);
    }

    pub(super) fn tail(&mut self, file: FileId) -> Option<Vec<u8>> {
        let session = self.receiver.session();
        let open = self.open.as_mut().filter(|open| open.file == file)?;
        open.write_facts(session);
        Some(open.writer.tail())
    }

    pub(super) fn write(&mut self, file: FileId, name: &str, fact: Stored, desk: &mut Desk) -> bool {
        let Some(open) = self.open.as_mut().filter(|open| open.file == file) else { return false };
        open.writer.write_now(name, fact);
        open.hand_out(desk);
        true
    }

    fn session(&self) -> Option<&Session> {
        self.receiver.session()
    }

    /// What makes the session the one it is: looked at closely while it begins, and then once a second.
    fn identity(&mut self, at: Micros) -> Identity {
        if self.waiting || at.seconds_since(self.identity.0) >= LOOK_S {
            self.identity = (at, self.session().map(Identity::of).unwrap_or_default());
        }
        self.identity.1.clone()
    }

    /// A session began: what comes is held until it is known whether it goes on with the one before.
    fn begin_waiting(&mut self, at: Micros) {
        if self.waiting {
            // The one before was too short to be kept.
            self.held.clear();
        }
        self.held.retain(|held| at.seconds_since(held.packet.at) <= PRELUDE_S);
        self.held_bytes = self.held.iter().map(|held| held.packet.bytes.len()).sum();
        (self.waiting, self.driving) = (true, true);
    }

    fn hold(&mut self, datagram: &Datagram<'_>, events: Vec<Event>) {
        self.held_bytes += datagram.bytes.len();
        self.held.push(Held { packet: Packet::of(datagram, 0), events });
        if !self.is_recording() {
            // In a menu: only the last moments matter, should a session begin.
            let kept =
                self.held.iter().position(|held| self.heard.seconds_since(held.packet.at) <= PRELUDE_S);
            self.held.drain(..kept.unwrap_or_default());
        }
    }

    /// Seconds that are held.
    fn held_s(&self) -> f64 {
        self.held.first().map_or(0.0, |first| self.heard.seconds_since(first.packet.at))
    }

    /// Finds out where what is held belongs. Another session ends the file only once it is sure to have its own.
    fn decide(&mut self, now: &Identity, desk: &mut Desk) {
        let long = self.held_s() >= desk.policy.shortest_s || self.held_bytes >= MOST_HELD;
        if let Some(open) = &self.open {
            // A game that names its sessions is taken at its word; of another, the session before has to be unfinished.
            let same = if now.is_told() { open.identity.is_told() } else { open.over.is_none() };
            let known = now.is_told() || self.feed.is_none() || long;
            if same && known && !now.differs(&open.identity) {
                self.waiting = false;
                return;
            }
        }
        if long {
            self.close(desk);
            self.open_file(desk);
            self.waiting = false;
        }
    }

    fn open_file(&mut self, desk: &mut Desk) {
        let Some(first) = self.held.first().map(|held| held.packet.at) else { return };
        let feed = self.feed.map_or(UNCLAIMED, Feed::id);
        let names = self.session().map(names).unwrap_or_default();
        let parts: Vec<&str> = std::iter::once(feed).chain(names.iter().map(String::as_str)).collect();
        let file = FileId(desk.files);
        desk.files += 1;
        let name = file_name(first, desk.policy.zone_s, &parts);
        let id = (desk.new_id)();
        desk.actions.push(Action::Open { file, id, name });
        let info = Info {
            id,
            parent: None,
            created: first,
            feed: feed.to_owned(),
            program: desk.program.clone(),
            others_left_out: false,
        };
        self.open = Some(Open {
            file,
            writer: Writer::new(&info),
            follower: Follower::default(),
            identity: Identity::default(),
            last: first,
            told: first,
            over: None,
        });
    }

    /// Writes what is held into the open file, if there is one that it belongs to.
    fn write_held(&mut self, now: &Identity, desk: &mut Desk) {
        let Some(open) = &mut self.open else { return };
        if open.over.is_some_and(|over| !self.driving && self.heard.seconds_since(over) > AFTERWORD_S) {
            // A menu. The last moments of it are the next session's.
            self.held.retain(|held| self.heard.seconds_since(held.packet.at) <= PRELUDE_S);
            return;
        }
        if self.driving {
            open.over = None;
        }
        for Held { packet, events } in self.held.drain(..) {
            let silent_s = packet.at.seconds_since(open.last);
            if silent_s >= SILENCE_S {
                open.follower.silence(packet.at, (silent_s * 1e6) as u64);
            }
            open.last = open.last.max(packet.at);
            events.iter().for_each(|event| open.follower.hear(event));
            open.writer.take(&packet.datagram());
        }
        self.held_bytes = 0;
        open.identity.learn(now.clone());
        if let Some(session) = self.receiver.session() {
            open.follower.look(session, self.heard);
            // When the next session begins, nothing is known of this one any more.
            if open.last.seconds_since(open.told) >= LOOK_S {
                open.told = open.last;
                open.writer.write_last(open.last, &Follower::told(session));
            }
        }
        open.hand_out(desk);
    }

    fn close(&mut self, desk: &mut Desk) {
        let session = self.receiver.session().filter(|_| !self.waiting);
        let Some(mut open) = self.open.take() else { return };
        open.write_facts(session);
        open.writer.end_second();
        open.hand_out(desk);
        let file = open.file;
        desk.actions.push(Action::Append { file, bytes: open.writer.finish() });
        desk.actions.push(Action::Close { file });
    }
}

impl Open {
    fn hand_out(&mut self, desk: &mut Desk) {
        let bytes = self.writer.bytes();
        if !bytes.is_empty() {
            desk.actions.push(Action::Append { file: self.file, bytes });
        }
    }

    /// Facts that can be had from the packets. While another session is held back already, what was told of this one
    /// stays as it was.
    fn write_facts(&mut self, session: Option<&Session>) {
        self.writer.write_last(self.last, &self.follower.laps());
        self.writer.write_last(self.last, self.follower.timeline());
        if let Some(session) = session {
            self.writer.write_last(self.last, &Follower::told(session));
        }
    }
}
