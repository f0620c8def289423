//! Decodes the server's messages into a session: participants, positions, laps, events.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, Channel, Event, EventKind, Fact, LapProgress, Moment, ResultStatus, SessionInfo, Sink,
};

use super::collisions::{Collisions, with_wall};
use super::facts::{self, RACE};
use super::layout::{CarInfo, CarUpdate, Chat, Connection, LapCompleted, Session};
use super::message::{Message, ParsedMessage};
use super::order;
use super::roster::Roster;
use super::{GAME, PROTOCOL};
use crate::decode::without;
use crate::table::Values;
use crate::{Decode, Rejected};

/// No lap takes longer, seconds.
const LONGEST_LAP_S: f64 = 43_200.0;

/// Decodes the messages of one server.
///
/// Lap ends and lap times come from the server; nothing is measured here. Messages carry no time, so each is dated by
/// its receipt. The session clock runs on from the server's last value.
#[derive(Default)]
pub struct Decoder {
    roster: Roster,
    collisions: Collisions,
    session: Option<Running>,
    /// The last session clock from the server in seconds, and when it was received.
    clock: Option<(Micros, f64)>,
}

/// The current session.
struct Running {
    info: SessionInfo,
    /// Its index on the server.
    index: u8,
    kind: u8,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let parsed = ParsedMessage::read(datagram)?;
        let session_time = self.clock.map(|(received, seconds)| seconds + at.seconds_since(received));
        let mut out = Out { moment: Moment { at, session_time, frame: None }, sink };
        let taken = self.take(&parsed.message, &mut out);
        taken.and(parsed.outcome())
    }
}

/// The sink, with the moment of the current message.
struct Out<'a> {
    moment: Moment,
    sink: &'a mut dyn Sink,
}

impl Out<'_> {
    fn event(&mut self, slot: Option<u8>, kind: EventKind) {
        self.sink.event(Event { moment: self.moment, car: slot.map(Car), kind });
    }

    fn fact(&mut self, fact: Fact) {
        self.sink.fact(self.moment, fact);
    }

    /// Reports the beginning of a lap whose end is the first message about its car: the time is known, and only the way
    /// is missing.
    fn lap_of_newcomer(&mut self, after: LapProgress, time: LapTime) {
        let at = self.moment.at.plus_seconds(-time.seconds());
        let session_time = self.moment.session_time.map(|seconds| seconds - time.seconds());
        let began = LapProgress {
            moment: Moment { at, session_time, ..self.moment },
            lap: after.lap.saturating_sub(1),
            clock: Some(0.0),
            last_lap: None,
            last_struck: false,
            result: ResultStatus::Active,
            ..after
        };
        if began.lap > 0 && at < self.moment.at && time.seconds() < LONGEST_LAP_S {
            self.sink.progress(&began);
        }
    }
}

impl Decoder {
    fn take(&mut self, message: &Message, out: &mut Out<'_>) -> Result<(), Rejected> {
        match message {
            Message::NewSession(session) => {
                self.begin(session, out);
                return speaks_as_known(message, session.protocol_version);
            }
            Message::SessionInfo(session) => {
                self.session_info(session, out);
                return speaks_as_known(message, session.protocol_version);
            }
            Message::Version(version) => {
                self.roster.clear();
                (self.session, self.clock) = (None, None);
                out.event(None, EventKind::ServerStarted { protocol: version.protocol_version });
                out.fact(self.roster.participants());
                return speaks_as_known(message, version.protocol_version);
            }
            Message::EndSession(end) => {
                out.event(None, EventKind::SessionEnded);
                let file = end.report_file.clone();
                if !file.is_empty() {
                    out.event(None, EventKind::Report { file });
                }
            }
            Message::NewConnection(who) => self.connected(who, out),
            Message::ConnectionClosed(who) => self.left(who, out),
            Message::ClientLoaded(loaded) => {
                out.event(Some(loaded.car_id), EventKind::Loaded);
                self.is_there(loaded.car_id, out);
            }
            Message::CarInfo(info) => self.car_info(info, out),
            Message::CarUpdate(update) => return self.moved(update, out),
            Message::LapCompleted(lap) => return self.lap(lap, out),
            Message::Chat(Chat { car_id, message }) => {
                let text = message.clone();
                let is_command = text.starts_with('/');
                let kind = if is_command { EventKind::Command { text } } else { EventKind::Chat { text } };
                out.event(Some(*car_id), kind);
            }
            Message::CarCollision(hit) => {
                if let Some(collision) = self.collisions.with_car(out.moment.at, hit) {
                    out.event(Some(hit.car_id), EventKind::Collision(Box::new(collision)));
                }
            }
            Message::WallCollision(hit) => {
                out.event(Some(hit.car_id), EventKind::Collision(Box::new(with_wall(hit))));
            }
            Message::Error(error) => {
                out.event(None, EventKind::ServerRefused { text: error.text.clone() });
            }
        }
        Ok(())
    }

    /// Starts a session: participants stay, but have no laps in it.
    fn begin(&mut self, session: &Session, out: &mut Out<'_>) {
        let info = facts::session(session);
        // Later answers about this session do not set the clock again: that could turn it back.
        let seconds = f64::from(session.elapsed_ms) / 1e3;
        self.clock = Some((out.moment.at, seconds));
        out.moment.session_time = Some(seconds);
        out.event(None, EventKind::SessionStarted);
        out.fact(Fact::Session(Box::new(info.clone())));
        self.session = Some(Running { info, index: session.session_index, kind: session.session_type });
        self.collisions = Collisions::default();
        self.roster.begin_session();
        out.fact(self.roster.participants());
        for (slot, seat) in self.roster.seats() {
            out.fact(seat.vehicle(slot));
            if seat.is_there() {
                out.sink.progress(&seat.progress(slot, out.moment));
            }
        }
    }

    /// Handles session information. Only the current session matters.
    fn session_info(&mut self, session: &Session, out: &mut Out<'_>) {
        if session.session_index != session.current_session_index {
            return;
        }
        let same = |running: &&mut Running| {
            (running.index, running.kind) == (session.session_index, session.session_type)
        };
        let Some(running) = self.session.as_mut().filter(same) else {
            return self.begin(session, out);
        };
        running.info = SessionInfo { grip: running.info.grip, ..facts::session(session) };
        out.fact(Fact::Session(Box::new(running.info.clone())));
    }

    fn connected(&mut self, who: &Connection, out: &mut Out<'_>) {
        self.roster.connected(who);
        self.send_roster(who.car_id, out);
        out.event(Some(who.car_id), EventKind::Connected);
    }

    fn left(&mut self, who: &Connection, out: &mut Out<'_>) {
        if self.roster.seat(who.car_id).is_none() {
            // They were connected before the first message was received.
            self.roster.connected(who);
        }
        self.roster.left(who.car_id);
        out.fact(self.roster.participants());
        if let Some(seat) = self.roster.seat(who.car_id) {
            out.fact(seat.vehicle(who.car_id));
            out.sink.progress(&seat.progress(who.car_id, out.moment));
        }
        out.event(Some(who.car_id), EventKind::Disconnected);
    }

    fn car_info(&mut self, info: &CarInfo, out: &mut Out<'_>) {
        self.roster.update(info);
        self.send_roster(info.car_id, out);
        if let Some(seat) = self.roster.seat(info.car_id).filter(|seat| seat.is_there() || seat.is_gone()) {
            out.sink.progress(&seat.progress(info.car_id, out.moment));
        }
    }

    fn send_roster(&self, slot: u8, out: &mut Out<'_>) {
        out.fact(self.roster.participants());
        if let Some(seat) = self.roster.seat(slot) {
            out.fact(seat.vehicle(slot));
        }
    }

    /// Marks a car as driving; the server's message about that may have come before reception began.
    fn is_there(&mut self, slot: u8, out: &mut Out<'_>) {
        if !self.roster.there(slot) {
            return;
        }
        out.fact(self.roster.participants());
        if let Some(seat) = self.roster.seat(slot) {
            out.sink.progress(&seat.progress(slot, out.moment));
        }
    }

    fn moved(&mut self, update: &CarUpdate, out: &mut Out<'_>) -> Result<(), Rejected> {
        let slot = update.car_id;
        self.is_there(slot, out);
        let [x, y, z] = update.velocity.into();
        let mut values = Values::default();
        values.fill::<true>(update);
        values.add(Channel::Speed.slot(), (x * x + y * y + z * z).sqrt());
        let not_numbers = values.give(out.sink, Car(slot), out.moment);
        let share = update.normalised_spline_position;
        if let Some(seat) = self.roster.seat_mut(slot)
            && share.is_finite()
        {
            seat.drive.moved(out.moment.at, share);
        }
        let is_race = self.is_race();
        let mut moved = if is_race { order::rank(&mut self.roster) } else { Vec::new() };
        if !moved.contains(&slot) {
            moved.push(slot);
        }
        for slot in moved {
            if let Some(seat) = self.roster.seat(slot) {
                out.sink.progress(&seat.progress(slot, out.moment));
            }
        }
        without(GAME, "CAR_UPDATE", not_numbers)
    }

    fn lap(&mut self, lap: &LapCompleted, out: &mut Out<'_>) -> Result<(), Rejected> {
        let is_new = self.roster.there(lap.car_id);
        if is_new {
            out.fact(self.roster.participants());
        }
        let is_race = self.is_race();
        let row = lap.leaderboard.iter().find(|row| row.car_id == lap.car_id);
        let seat = self.roster.seat_mut(lap.car_id);
        if !seat.is_some_and(|seat| seat.drive.completed(out.moment.at, lap, row, is_race)) {
            return Ok(());
        }
        if lap.cuts > 0 {
            out.event(Some(lap.car_id), EventKind::Cuts { count: lap.cuts });
        }
        for (place, row) in (1..=u8::MAX).zip(&lap.leaderboard) {
            if let Some(seat) = self.roster.seat_mut(row.car_id) {
                seat.drive.classified(out.moment.at, row, place, is_race);
            }
        }
        for (slot, seat) in self.roster.seats().filter(|(_, seat)| seat.is_there()) {
            if is_new && slot == lap.car_id {
                out.lap_of_newcomer(seat.progress(slot, out.moment), LapTime(lap.lap_time));
            }
            out.sink.progress(&seat.progress(slot, out.moment));
        }
        let grip = Some(lap.grip_level).filter(|grip| grip.is_finite());
        if let Some(running) =
            self.session.as_mut().filter(|running| grip.is_some() && running.info.grip != grip)
        {
            running.info.grip = grip;
            out.fact(Fact::Session(Box::new(running.info.clone())));
        }
        without(GAME, "LAP_COMPLETED", usize::from(grip.is_none()))
    }

    fn is_race(&self) -> bool {
        self.session.as_ref().is_some_and(|running| running.kind == RACE)
    }
}

/// Warns about another protocol version, whose messages may differ.
fn speaks_as_known(message: &Message, version: u8) -> Result<(), Rejected> {
    if version == PROTOCOL {
        return Ok(());
    }
    Err(Rejected::Caution {
        game: GAME,
        packet: message.name(),
        what: "the server speaks another version of its protocol than 4",
        advice: "look whether its figures are right",
    })
}
