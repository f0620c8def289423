//! One sender's datagrams, and the recording they go into.

use std::net::SocketAddr;

use trailbrake_games::feed::Feed;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;
use trailbrake_model::{Event, EventKind};
use trailbrake_session::{Receiver, Retention, Session};

use super::identity::Identity;
use super::open::{DelayedPacket, Open};
use super::{Desk, FileId};
use crate::Packet;
use crate::facts::StoredFact;

/// Time kept from before a session begins: from the menu to the track.
const PRELUDE_S: f64 = 10.0;
/// Time recorded after a session ended: results arrive late.
const AFTERWORD_S: f64 = 10.0;
/// Seconds between checks of the session's identity.
const LOOK_S: f64 = 1.0;
/// A session that interrupts another one on trial counts once it has lasted this long.
const LASTS_S: f64 = 1.0;
/// What is sent between two sessions is kept for the next one's file, unless that lets this long wait for it.
const BETWEEN_S: f64 = 600.0;
/// The most bytes kept aside while a session is on trial, or between two.
const MOST_ASIDE: usize = 16 << 20;

/// One sender of one feed, or one host whose packets no feed recognises.
pub(super) struct Track {
    feed: Option<Feed>,
    sender: SocketAddr,
    last_received: Micros,
    /// Decodes the packets to find where sessions begin and end; it keeps no laps.
    receiver: Receiver,
    /// Whether the game is in a session.
    driving: bool,
    /// Packets not in a file yet: the latest, or the last seconds in a menu.
    held: Held,
    /// The file. It stays open after the session ended, until the next session is identified.
    open: Option<Open>,
    /// The session that just began. It has its own file from its first packet on, so that a kill costs no more than
    /// usual. A few seconds later the file is kept or discarded.
    trial: Option<Open>,
    /// When the session on trial began: one that interrupts another has to last before it counts.
    trial_began: Micros,
    /// The packets of the trial, in case they belong into the open file.
    aside: Vec<DelayedPacket>,
    aside_bytes: usize,
    /// Whether only a change of track or car showed that the session began: the game may still report it.
    unannounced: bool,
    /// The session's identity, and when it was last checked.
    identity: (Micros, Identity),
}

/// Packets that are not in a file yet.
#[derive(Default)]
struct Held {
    packets: Vec<DelayedPacket>,
    bytes: usize,
}

impl Held {
    fn push(&mut self, packet: DelayedPacket) {
        self.bytes += packet.packet.bytes.len();
        self.packets.push(packet);
    }

    fn drain(&mut self) -> impl Iterator<Item = DelayedPacket> {
        self.bytes = 0;
        self.packets.drain(..)
    }

    fn drop_older(&mut self, now: Micros, seconds: f64) {
        let kept = self.packets.iter().position(|held| now.seconds_since(held.packet.at) <= seconds);
        let dropped = self.packets.drain(..kept.unwrap_or(self.packets.len()));
        self.bytes -= dropped.map(|held| held.packet.bytes.len()).sum::<usize>();
    }
}

impl Track {
    pub(super) fn new(first: &Datagram<'_>) -> Self {
        Self {
            feed: first.feed,
            sender: first.sender,
            last_received: first.at,
            receiver: Receiver::new(Retention::LAP_TABLE),
            driving: false,
            held: Held::default(),
            open: None,
            trial: None,
            trial_began: first.at,
            aside: Vec::new(),
            aside_bytes: 0,
            unannounced: false,
            identity: (first.at, Identity::default()),
        }
    }

    pub(super) fn feed(&self) -> Option<Feed> {
        self.feed
    }

    pub(super) fn sender(&self) -> SocketAddr {
        self.sender
    }

    pub(super) fn last_received(&self) -> Micros {
        self.last_received
    }

    /// The open file; none while it is on trial.
    pub(super) fn file(&self) -> Option<FileId> {
        self.open.as_ref().map(Open::file)
    }

    /// Whether this track writes into a file, even on trial.
    pub(super) fn writes(&self, file: FileId) -> bool {
        self.open.iter().chain(&self.trial).any(|open| open.file() == file)
    }

    /// When the last packet in a file was received.
    pub(super) fn last_in(&self, file: FileId) -> Option<Micros> {
        self.open.iter().find(|open| open.file() == file).map(Open::last)
    }

    /// Bytes of waiting packets and of columns.
    pub(super) fn bytes(&self) -> usize {
        let held = self.held.packets.iter().chain(&self.aside).map(|held| held.packet.bytes.len());
        let files = self.open.iter().chain(&self.trial).map(Open::bytes);
        held.chain(files).sum::<usize>() + self.session().map_or(0, Session::bytes)
    }

    /// Whether packets are recorded, or will be once they are identified.
    pub(super) fn is_recording(&self) -> bool {
        self.driving || self.open.is_some() || self.trial.is_some()
    }

    pub(super) fn receive(&mut self, datagram: &Datagram<'_>, desk: &mut Desk) {
        if datagram.feed == self.feed {
            (self.last_received, self.sender) = (self.last_received.max(datagram.at), datagram.sender);
        }
        let mut events = Vec::new();
        // Packets that no feed recognises have no session. They are kept because somebody may identify them.
        let understood = datagram.feed.is_none()
            || self.receiver.receive_with(datagram, &mut |event| events.push(event.clone())).is_ok();
        let began = events.iter().any(|event| event.kind == EventKind::SessionStarted);
        let ended = events.iter().any(|event| event.kind == EventKind::SessionEnded);
        // From the results of a race the driver may restart it, or go back in it.
        let resumes = |event: &Event| matches!(event.kind, EventKind::Restarted | EventKind::Rewound { .. });
        self.driving |= events.iter().any(resumes);
        let unclaimed = self.feed.is_none();
        if began && self.trial.is_some() && self.unannounced {
            self.unannounced = false;
        } else if began || ((unclaimed || !understood || self.keeps_all()) && !self.is_recording()) {
            self.begin_trial(datagram.at, desk);
        }
        let now = self.identity(datagram.at);
        if !began && self.trial.is_none() && self.open.as_ref().is_some_and(|open| open.is_another(&now)) {
            // The track or the car changed without a session event.
            self.begin_trial(datagram.at, desk);
            self.unannounced = true;
        }
        self.held.push(DelayedPacket { packet: Packet::of(datagram, 0), events });
        if ended && !began {
            self.driving = false;
            if let Some(current) = self.trial.as_mut().or(self.open.as_mut()) {
                current.over = Some(datagram.at);
            }
        }
        match self.trial.take() {
            Some(trial) => self.try_out(trial, &now, desk),
            None => self.write_held(&now, desk),
        }
    }

    /// Hands out data that has waited long enough.
    pub(super) fn end_second(&mut self, now: Micros, desk: &mut Desk) {
        let files = self.open.iter_mut().chain(&mut self.trial);
        files.for_each(|open| open.end_old_second(now, desk));
    }

    /// Hands out everything received.
    pub(super) fn flush(&mut self, desk: &mut Desk) {
        let files = self.open.iter_mut().chain(&mut self.trial);
        files.for_each(|open| open.end_second(desk));
    }

    /// Forgets what is in a file before an offset.
    pub(super) fn forget(&mut self, file: FileId, before: u64) {
        let files = self.open.iter_mut().chain(&mut self.trial);
        files.filter(|open| open.file() == file).for_each(|open| open.forget(before));
    }

    /// Ends the recording. A session still on trial is too short for its own file. If everything is kept, it goes into the
    /// file before.
    pub(super) fn end(mut self, desk: &mut Desk) {
        if let Some(trial) = self.trial.take() {
            let now = self.identity.1.clone();
            let keeps_all = self.keeps_all();
            if self.open.as_ref().is_some_and(|open| keeps_all || open.goes_on_as(&now)) {
                self.put_back(trial, &now, desk);
            } else {
                trial.discard(desk);
            }
        }
        self.write_late(desk);
        if let Some(open) = self.open.take() {
            open.finish(self.receiver.session(), desk);
        }
    }

    pub(super) fn tail(&mut self, file: FileId) -> Option<Vec<u8>> {
        // While another session is on trial, this one's last summary stays.
        let session = if self.trial.is_none() { self.receiver.session() } else { None };
        self.open.as_mut().filter(|open| open.file() == file).map(|open| open.tail(session))
    }

    pub(super) fn write(&mut self, file: FileId, name: &str, fact: StoredFact, desk: &mut Desk) -> bool {
        let Some(open) = self.open.as_mut().filter(|open| open.file() == file) else { return false };
        open.write_now(name, fact, desk);
        true
    }

    /// The session of the open file; `None` while another one is on trial.
    pub(super) fn recorded_session(&self) -> Option<&Session> {
        if self.trial.is_none() { self.receiver.session() } else { None }
    }

    fn session(&self) -> Option<&Session> {
        self.receiver.session()
    }

    /// The session's identity: checked with every packet while on trial, and otherwise once a second.
    fn identity(&mut self, at: Micros) -> Identity {
        if self.trial.is_some() || at.seconds_since(self.identity.0) >= LOOK_S {
            self.identity = (at, self.session().map(Identity::of).unwrap_or_default());
        }
        self.identity.1.clone()
    }

    /// Begins a file on trial for a new session, until it is known whether it continues the one before. If a session is on
    /// trial already, both go into its file: either may be a single wrong packet.
    fn begin_trial(&mut self, at: Micros, desk: &mut Desk) {
        (self.driving, self.unannounced, self.trial_began) = (true, false, at);
        if let Some(trial) = &mut self.trial {
            return trial.begin_session();
        }
        self.forget_aside();
        self.hold_the_last_moments(at);
        let first = self.held.packets.first().map_or(at, |held| held.packet.at);
        self.trial = Some(Open::begin(self.feed, self.sender.ip(), first, desk));
    }

    /// Writes the held packets into the file on trial, and finds out where they belong. Another session ends the open
    /// file only once it is sure to get its own.
    fn try_out(&mut self, mut trial: Open, now: &Identity, desk: &mut Desk) {
        for held in self.held.drain() {
            trial.take(&held);
            if self.open.is_some() {
                self.aside_bytes += held.packet.bytes.len();
                self.aside.push(held);
            }
        }
        trial.look(self.receiver.session(), self.last_received, now);
        trial.hand_out(desk);
        let shortest_s = desk.policy.shortest_s;
        let long = self.last_received.seconds_since(trial.began()) >= shortest_s
            && self.last_received.seconds_since(self.trial_began) >= shortest_s.min(LASTS_S)
            || self.aside_bytes >= MOST_ASIDE;
        let known = now.has_session_id() || self.feed.is_none() || long;
        if known && self.open.as_ref().is_some_and(|open| open.goes_on_as(now)) {
            self.put_back(trial, now, desk);
        } else if long {
            if let Some(before) = self.open.take() {
                before.finish(None, desk);
            }
            self.forget_aside();
            trial.keep(self.receiver.session(), desk);
            self.open = Some(trial);
        } else {
            self.trial = Some(trial);
        }
    }

    /// Continues the open file with the packets of the trial.
    fn put_back(&mut self, trial: Open, now: &Identity, desk: &mut Desk) {
        self.held = Held { packets: std::mem::take(&mut self.aside), bytes: self.aside_bytes };
        self.forget_aside();
        self.write_held(now, desk);
        if let Some(open) = &mut self.open {
            open.over = trial.over;
            // Write them to this file before the other one is deleted.
            open.end_second(desk);
        }
        trial.discard(desk);
    }

    fn forget_aside(&mut self) {
        (self.aside, self.aside_bytes) = (Vec::new(), 0);
    }

    /// Whether everything sent between sessions is kept.
    fn keeps_all(&self) -> bool {
        self.feed.is_some_and(|feed| feed.info().sends_between_sessions)
    }

    /// Writes packets from after the open file's session into it, since no other session follows.
    fn write_late(&mut self, desk: &mut Desk) {
        let keeps_all = self.keeps_all();
        if let Some(open) = self.open.as_mut().filter(|_| keeps_all) {
            self.held.drain().for_each(|held| open.take(&held));
            open.hand_out(desk);
        }
    }

    /// Drops held packets older than [`PRELUDE_S`]: of a menu only the last seconds before a session matter.
    fn hold_the_last_moments(&mut self, at: Micros) {
        if self.keeps_all() {
            return;
        }
        self.held.drop_older(at, PRELUDE_S);
    }

    /// Writes the held packets into the open file, if they belong to it.
    fn write_held(&mut self, now: &Identity, desk: &mut Desk) {
        let over = self.open.as_ref().map(|open| open.over);
        let menu = over.is_none_or(|over| {
            over.is_some_and(|over| !self.driving && self.last_received.seconds_since(over) > AFTERWORD_S)
        });
        let Some(open) = self.open.as_mut().filter(|_| !menu) else {
            let waits = |held: &DelayedPacket| self.last_received.seconds_since(held.packet.at) > BETWEEN_S;
            if self.held.packets.first().is_some_and(waits) || self.held.bytes >= MOST_ASIDE {
                self.write_late(desk);
            }
            return self.hold_the_last_moments(self.last_received);
        };
        if self.driving {
            open.over = None;
        }
        self.held.drain().for_each(|held| open.take(&held));
        open.look(self.receiver.session(), self.last_received, now);
        open.hand_out(desk);
    }
}
