//! Everything received from the relay, in plain buffers. Nothing here is reactive: pages read it when they paint, or at
//! each beat of the page's pulse.

mod connection;
mod faults;
mod joining;
mod ports;
mod rate;
mod recent_packets;

use std::collections::HashSet;

use trailbrake_shared::model::{Car, TrackPrint};
use trailbrake_shared::recording::{Recording, RecordingId};
use trailbrake_shared::session::{
    DriverChoices, Origin, RecalledSession, Receiver, Retention, Seat, Session, Source, choices,
};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::{self, Datagram, TeamStatus, ToBrowser, WireError};

pub(crate) use connection::Connection;
pub(crate) use faults::Fault;
pub(crate) use joining::{Needs, Ticket};
pub(crate) use ports::{FeedRow, PortNote, PortWords, Ports, RecordedTime};
pub(crate) use recent_packets::{KeptPacket, PacketOrigin, RecentPackets};

use faults::Faults;
use joining::Joins;
use rate::Rate;

/// A sender that is silent for this long has stopped.
const SILENT_MS: f64 = 3_000.0;
/// The fault when the relay had to skip packets for this page.
const TOO_SLOW: &str = "This device is too slow for every packet, and some were left out for it: the figures have gaps. \
                        The relay itself lost nothing.";

/// The fault after a restart of the relay, during which this page was disconnected for `away_ms`.
fn restarted(away_ms: f64) -> String {
    let seconds = (away_ms / 1e3).ceil().max(1.0);
    format!(
        "Trailbrake was away for {seconds} s and was started again: what games sent meanwhile is missing."
    )
}

/// The kind of a received message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageKind {
    /// The relay's greeting.
    Hello,
    /// Packets, at least one of them of a game that this version decodes.
    Packets,
    /// Only packets that are not decoded.
    Noise,
    /// The status of the relay's ports and recorder.
    Status,
    /// The relay asks the page to reload.
    Reload,
    /// The outcome of a command.
    Answer,
    /// How the rig stands with its team.
    Team,
}

/// Where a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    Relay,
    /// The page's own demo.
    Demo,
    /// A recording that plays.
    Recording,
}

/// The packets per second of the shown sender. What was read from a recording to join a session did not arrive.
#[derive(Default)]
struct ShownRate {
    of: Option<Origin>,
    /// How many of its packets arrived here while it was shown.
    packets: u64,
    rate: Rate,
}

/// Everything received.
#[derive(Default)]
pub(crate) struct Telemetry {
    receiver: Receiver,
    /// The joining of a session that began before the page connected.
    joins: Joins,
    /// Rises when lap serials start again, so that they identify other laps.
    generation: u32,
    /// The packets per second of the shown sender.
    rate: ShownRate,
    /// When the shown sender last sent, in milliseconds of the page.
    arrived_ms: f64,
    /// What the driver chose for every session.
    choices: DriverChoices,
    /// The outcome of the last command.
    pub(crate) answer: Option<Result<String, String>>,
    /// Where the session comes from. While a recording plays, live packets are counted, but not shown.
    connection: Connection,
    /// The car to watch once there is a session.
    looks_for: Option<Car>,
    /// When a game last sent to the relay, shown or not, in milliseconds of the page.
    game_arrived_ms: Option<f64>,
    /// The relay's time when its greeting arrived, and that moment in milliseconds of the page.
    relay_clock: Option<(Micros, f64)>,
    /// When the relay was started, on its own clock; and when it last sent, in milliseconds of the page.
    relay_seen: Option<(Micros, f64)>,
    /// The relay's ports, and what they receive.
    pub(crate) ports: Ports,
    /// How this rig stands with its team; `None` without one.
    pub(crate) team: Option<TeamStatus>,
    /// The last packets that games sent.
    pub(crate) recent: RecentPackets,
    faults: Faults,
}

impl Telemetry {
    /// Takes a message from the relay. Times are in milliseconds of the page.
    pub(crate) fn receive(&mut self, message: &[u8], now: f64) -> Result<MessageKind, WireError> {
        self.take(message, now, Sender::Relay)
    }

    /// Takes a message from the page's demo.
    pub(crate) fn demonstrate(&mut self, message: &[u8], now: f64) -> Result<MessageKind, WireError> {
        self.take(message, now, Sender::Demo)
    }

    /// Takes a message with packets of the playing recording.
    pub(crate) fn replay(&mut self, message: &[u8], now: f64) -> Result<MessageKind, WireError> {
        let kind = self.take(message, now, Sender::Recording);
        if let Some(session) = self.receiver.session_mut().filter(|_| self.looks_for.is_some()) {
            session.pick(self.looks_for.take());
        }
        kind
    }

    /// Drops the session, except which car is watched, since the playing recording is decoded from another position.
    /// `recalled` is the state of the session before that position.
    pub(crate) fn restart_decoding(&mut self, recalled: Option<RecalledSession>) {
        let picked = self.session().and_then(Session::picked);
        self.forget_senders();
        if let Some(recalled) = recalled {
            self.receiver = Receiver::recalling(Retention::default(), recalled);
            self.receiver.choose(self.choices.clone());
        }
        self.look_for(picked);
    }

    /// The recordings to open now to join a session, with the joining's ticket. Returns them once only.
    pub(crate) fn recordings_to_join(&mut self) -> Option<(Ticket, Vec<RecordingId>)> {
        self.joins.wanted()
    }

    /// Begins to read the opened recordings of a joining.
    pub(crate) fn read_to_join(&mut self, ticket: Ticket, recordings: &[&Recording]) {
        if let Some(joining) = self.joins.of(ticket) {
            joining.read(recordings, &self.choices);
        }
    }

    /// Takes fetched bytes of a joining's recording, given by its index in the order of opening.
    pub(crate) fn give_to_join(&mut self, ticket: Ticket, index: usize, bytes: &[u8]) {
        if let Some(joining) = self.joins.of(ticket) {
            joining.give(index, bytes);
        }
    }

    /// Decodes the session so far while `has_time` returns true. Replaces the shown session once that has caught up.
    /// Returns what the next step needs.
    pub(crate) fn work_on_join(&mut self, ticket: Ticket, has_time: &mut dyn FnMut() -> bool) -> Needs {
        let Some(joining) = self.joins.of(ticket) else { return Needs::Nothing };
        joining.work(has_time);
        let needs = joining.needs();
        let done = joining.is_done().then(|| self.joins.now.take()).flatten();
        let joined = done.map(joining::Joining::finish);
        // After a restart the relay's recording lacks the laps that a page has which stayed open: then keep the page's own.
        let replaces =
            |joined: &Receiver| is_another(joined, &self.receiver) || has_laps_of(joined, &self.receiver);
        if let Some(joined) = joined.filter(replaces) {
            let before = std::mem::replace(&mut self.receiver, joined);
            self.generation = self.generation.wrapping_add(1);
            self.receiver.choose(self.choices.clone());
            if let Some((session, before)) = self.receiver.session_mut().zip(before.session()) {
                choices::carry_over(session, before);
            }
            if let Some(session) = self.receiver.session_mut().filter(|_| self.looks_for.is_some()) {
                session.pick(self.looks_for.take());
            }
        }
        needs
    }

    /// Cancels a joining, since its recordings can't be read.
    pub(crate) fn give_up_join(&mut self, ticket: Ticket) {
        if self.joins.of(ticket).is_some() {
            self.joins.now = None;
        }
    }

    /// The progress of joining a session, 0 to 1; `None` without a joining.
    pub(crate) fn joining_share(&self) -> Option<f64> {
        self.joins.now.as_ref().map(|joining| joining.share())
    }

    /// A number that rises when lap serials start again: then they identify other laps.
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// Watches a car as soon as there is a session; `None` cancels that.
    pub(crate) fn look_for(&mut self, car: Option<Car>) {
        self.looks_for = car;
    }

    /// Where the session comes from.
    pub(crate) fn connection(&self) -> Connection {
        self.connection
    }

    /// Takes the session from somewhere, and drops the one so far. The relay's live session is joined.
    pub(crate) fn connect(&mut self, connection: Connection) {
        self.connection = connection;
        self.forget_senders();
        if self.shows_games() {
            self.joins.begin(&self.choices);
        }
    }

    /// Whether live data is shown.
    fn shows_games(&self) -> bool {
        self.connection == Connection::Relay
    }

    /// Whether a game sends while a recording plays.
    pub(crate) fn game_waits(&self, now: f64) -> bool {
        self.connection == Connection::Replay
            && self.game_arrived_ms.is_some_and(|arrived_ms| now - arrived_ms <= SILENT_MS)
    }

    /// Adds a fault, in a driver's words.
    pub(crate) fn complain(&mut self, words: String) {
        self.faults.note(words);
    }

    /// Takes the relay's greeting. If the relay was restarted during a session, adds a fault about the missing time.
    fn greet(&mut self, started: Micros, now: f64) {
        let before = self.relay_seen.replace((started, now));
        if let Some((_, seen)) = before.filter(|(before, _)| *before != started && self.session().is_some()) {
            self.faults.note(restarted(now - seen));
        }
    }

    /// Takes a message. One that can't be decoded becomes a fault.
    fn take(&mut self, message: &[u8], now: f64, from: Sender) -> Result<MessageKind, WireError> {
        let decoded = wire::decode(message);
        if let Err(error) = &decoded {
            self.faults.note(format!("From the relay: {error}"));
        }
        let message = decoded?;
        if let (Sender::Relay, Some((_, seen))) = (from, &mut self.relay_seen)
            && !matches!(message, ToBrowser::Hello { .. })
        {
            *seen = now;
        }
        Ok(match message {
            ToBrowser::Hello { now: relay_now, started, .. } => {
                self.relay_clock = Some((relay_now, now));
                self.team = None;
                self.greet(started, now);
                self.joins.connected(relay_now);
                if self.shows_games() {
                    self.joins.begin(&self.choices);
                }
                MessageKind::Hello
            }
            ToBrowser::Reload => MessageKind::Reload,
            ToBrowser::Answer { outcome, .. } => {
                self.answer = Some(outcome);
                MessageKind::Answer
            }
            ToBrowser::Team(team) => {
                self.team = team;
                MessageKind::Team
            }
            ToBrowser::Status(status) => {
                let lost = self.ports.lost_batches();
                let not_recorded = self.ports.not_recorded();
                if self.shows_games() {
                    self.joins.take_status(&status.recorder, &self.choices);
                }
                self.ports.take(status);
                if let Some(words) =
                    self.ports.not_recorded().filter(|now| not_recorded.as_ref() != Some(now))
                {
                    self.faults.note(format!("Not recorded: {words}."));
                }
                if self.ports.lost_batches() > lost {
                    self.faults.note(TOO_SLOW.to_owned());
                }
                MessageKind::Status
            }
            ToBrowser::Batch(datagrams) => {
                let mut kind = MessageKind::Noise;
                for datagram in &datagrams {
                    if from == Sender::Relay {
                        self.count(datagram, now);
                    }
                    if from != Sender::Recording && self.connection == Connection::Replay {
                        continue;
                    }
                    if self.shows_games() {
                        self.joins.receive(datagram);
                    }
                    if self.decode(datagram, now) {
                        kind = MessageKind::Packets;
                    }
                }
                kind
            }
        })
    }

    /// Handles the passing of time; call it several times a second.
    pub(crate) fn tick(&mut self, now: f64) {
        self.ports.tick(now);
        let shown = self.shown().map(|source| source.origin);
        if shown == self.rate.of {
            self.rate.rate.tick(now, self.rate.packets);
        } else {
            self.rate = ShownRate { of: shown, packets: 0, rate: Rate::new(now, 0) };
        }
    }

    /// How much the relay has recorded of what games send now, or sent last.
    pub(crate) fn recorded(&self, now: f64) -> Option<RecordedTime> {
        let (at, page_ms) = self.relay_clock?;
        self.ports.recorded(at.plus_seconds((now - page_ms) / 1e3))
    }

    /// The shown sender. Another one takes its place if it falls silent.
    pub(crate) fn shown(&self) -> Option<&Source<Session>> {
        self.receiver.shown()
    }

    /// The shown session.
    pub(crate) fn session(&self) -> Option<&Session> {
        self.receiver.session()
    }

    /// The shown session, to apply a driver's choice to it.
    pub(crate) fn session_mut(&mut self) -> Option<&mut Session> {
        self.receiver.session_mut()
    }

    /// The shown session, if a server sends it, which takes commands.
    pub(crate) fn server(&self) -> Option<&Session> {
        self.shown().filter(|source| source.origin.feed.info().takes_commands).map(|source| &source.session)
    }

    /// The shown game, as drivers call it.
    pub(crate) fn game(&self) -> Option<&str> {
        let source = self.shown()?;
        Some(source.session.game().unwrap_or(source.origin.feed.info().game))
    }

    /// The shown game, while it sends.
    pub(crate) fn sending(&self, now: f64) -> Option<&str> {
        self.game().filter(|_| now - self.arrived_ms <= SILENT_MS)
    }

    /// When the shown sender last sent, in milliseconds of the page.
    pub(crate) fn arrived_ms(&self) -> f64 {
        self.arrived_ms
    }

    /// The shown sender's packets per second.
    pub(crate) fn per_second(&self) -> u32 {
        self.rate.rate.per_second()
    }

    /// Drops all senders and their sessions, as when the demo begins or ends.
    pub(crate) fn forget_senders(&mut self) {
        self.looks_for = None;
        self.joins.now = None;
        self.generation = self.generation.wrapping_add(1);
        self.receiver = Receiver::new(Retention::default());
        self.receiver.choose(self.choices.clone());
        self.rate = Default::default();
    }

    /// A row for each feed. Its notes include why packets of its senders could not be decoded.
    pub(crate) fn feed_rows(&self) -> Vec<FeedRow> {
        let mut rows = self.ports.rows();
        if !self.shows_games() {
            return rows;
        }
        for source in self.receiver.sources() {
            let Some((reason, count)) = source.rejections.reasons().next() else { continue };
            if let Some(row) = rows.iter_mut().find(|row| row.feed == source.origin.feed) {
                let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
                row.notes.push(PortNote {
                    what: format!("From {}:", source.origin.sender),
                    advice: format!("{reason}{times}."),
                    testid: "not-understood",
                });
            }
        }
        rows
    }

    /// The shape of the current track; `None` while it is unknown, or if the track has a name.
    pub(crate) fn unnamed_track(&self) -> Option<&TrackPrint> {
        let session =
            self.session().filter(|session| session.info().is_none_or(|info| info.track.is_none()))?;
        let named = |print: &TrackPrint| self.choices.tracks.iter().any(|track| track.line == print.line);
        session.track_print().filter(|print| !named(print))
    }

    /// Takes the driver's name for the current track. Ignores it if the track's shape is unknown or the name is empty.
    pub(crate) fn name_track(&mut self, name: &str) {
        let named = self.unnamed_track().and_then(|print| print.named(name));
        self.choose(|choices| choices.tracks.extend(named));
    }

    /// What the driver chose for every session.
    pub(crate) fn choices(&self) -> &DriverChoices {
        &self.choices
    }

    /// Changes what the driver chose, for this session and those that follow.
    pub(crate) fn choose(&mut self, change: impl FnOnce(&mut DriverChoices)) {
        change(&mut self.choices);
        self.receiver.choose(self.choices.clone());
    }

    /// The faults, the latest first.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        self.faults.list()
    }

    /// Drops all faults: the driver dismissed them.
    pub(crate) fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// Counts a packet that a game sent to the relay, shown or not.
    fn count(&mut self, datagram: &Datagram<'_>, now: f64) {
        self.recent.keep(datagram);
        // The relay's status has the packets that no feed recognises.
        let Some(feed) = datagram.feed else { return };
        self.ports.count(feed, datagram.sender, now);
        if feed.info().codec.is_some() {
            self.game_arrived_ms = Some(now);
        }
    }

    /// Decodes a packet. Returns whether this version decodes the game.
    fn decode(&mut self, datagram: &Datagram<'_>, now: f64) -> bool {
        let Some(feed) = datagram.feed else { return false };
        if feed.info().codec.is_none() {
            return false;
        }
        if let Err(rejected) = self.receiver.receive(datagram) {
            self.faults.note(format!("Packet from {}: {rejected}", datagram.sender));
        }
        let origin = Origin { feed, sender: datagram.sender };
        if self.shown().is_some_and(|source| source.origin == origin) {
            self.arrived_ms = now;
            self.rate.packets += 1;
        }
        true
    }
}

/// Whether two sessions are certainly not the same: another game, or another id of the game's own.
fn is_another(one: &Receiver, other: &Receiver) -> bool {
    let Some((one, other)) = one.session().zip(other.session()) else { return false };
    let ids = [one, other].map(|session| session.info().and_then(|info| info.uid));
    one.game() != other.game() || matches!(ids, [Some(one), Some(other)] if one != other)
}

/// Whether a session has every finished lap with a time that another has.
fn has_laps_of(one: &Receiver, other: &Receiver) -> bool {
    let laps = |receiver: &Receiver| -> HashSet<(Car, LapTime)> {
        let seats = receiver.session().into_iter().flat_map(Session::seats);
        let timed = |seat: Seat<'_>| {
            let car = seat.car;
            seat.state
                .laps
                .finished()
                .iter()
                .filter_map(move |lap| Some((car, lap.time?)))
                .collect::<Vec<_>>()
        };
        seats.flat_map(timed).collect()
    };
    laps(other).is_subset(&laps(one))
}

#[cfg(test)]
mod tests;
