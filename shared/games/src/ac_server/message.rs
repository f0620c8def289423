//! The server's messages: recognising them and finding their end.

use super::kinds::messages;
use super::layout::{
    CarCollision, CarInfo, CarUpdate, Chat, ClientLoaded, Connection, EndSession, Error, Flavour,
    LapCompleted, NO_TIME, Row, Session, Version, WallCollision,
};
use super::{GAME, PROTOCOL};
use crate::{Described, Rejected, Vec3};

messages! {
    /// A message from the server.
    enum Message {
        NewSession(Session) [50] "NEW_SESSION";
        NewConnection(Connection) [51] "NEW_CONNECTION";
        ConnectionClosed(Connection) [52] "CONNECTION_CLOSED";
        CarUpdate(CarUpdate) [53] "CAR_UPDATE";
        CarInfo(CarInfo) [54] "CAR_INFO";
        EndSession(EndSession) [55] "END_SESSION";
        Version(Version) [56] "VERSION";
        Chat(Chat) [57] "CHAT";
        ClientLoaded(ClientLoaded) [58] "CLIENT_LOADED";
        SessionInfo(Session) [59] "SESSION_INFO";
        Error(Error) [60] "ERROR";
        LapCompleted(LapCompleted) [73] "LAP_COMPLETED";
        CarCollision(CarCollision) [130, 10] "CLIENT_EVENT, collision with a car";
        WallCollision(WallCollision) [130, 11] "CLIENT_EVENT, collision with the environment";
    }
}

/// A parsed datagram.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParsedMessage {
    pub(super) message: Message,
    flavour: Flavour,
    /// Bytes after the message.
    pub(super) tail: usize,
}

impl ParsedMessage {
    /// Parses a datagram in the flavour whose message fills it exactly, or else in the first that fits.
    pub(super) fn read(datagram: &[u8]) -> Result<Self, Rejected> {
        let mut read =
            candidates(datagram).map(|(flavour, message, tail)| Self { message, flavour, tail: tail.len() });
        let first = read.next().ok_or_else(|| unread(datagram))?;
        if first.tail == 0 {
            return Ok(first);
        }
        Ok(read.find(|other| other.tail == 0).unwrap_or(first))
    }

    /// Rejects trailing bytes, which no known message has.
    pub(super) fn outcome(&self) -> Result<(), Rejected> {
        match self.tail {
            0 => Ok(()),
            tail => Err(Rejected::BadContent {
                game: GAME,
                packet: self.message.name(),
                what: format!("{tail} bytes follow that this version does not know; the message was used"),
            }),
        }
    }
}

/// No track has twice full grip; a higher value means that the datagram is not a message.
const MOST_GRIP: f32 = 2.0;

/// Returns the name of the message in a datagram.
///
/// The only marker is the first byte, so a message must fill its datagram exactly. Only messages with distinctive
/// content may have trailing bytes.
pub fn recognise(datagram: &[u8]) -> Result<&'static str, Rejected> {
    let unknown = || Rejected::unknown(datagram);
    let parsed = ParsedMessage::read(datagram).map_err(|_| unknown())?;
    let has_grip = match &parsed.message {
        Message::LapCompleted(lap) => (0.0..=MOST_GRIP).contains(&lap.grip_level),
        _ => true,
    };
    let sound = parsed.message.has_only_numbers() && (parsed.tail == 0 || parsed.message.is_distinctive());
    if sound && has_grip { Ok(parsed.message.name()) } else { Err(unknown()) }
}

/// All fields of a message by name, as sent.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let ParsedMessage { message, flavour, .. } = ParsedMessage::read(datagram)?;
    Ok(Described { packet: message.name(), fields: Message::described(datagram, flavour) })
}

/// The size in bytes of the first message in a stream.
///
/// Server programs differ in their encoding: the right flavour is the one after which another message begins or the
/// stream ends.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let ends = |rest: &[u8]| rest.is_empty() || Message::MARKS.iter().any(|mark| rest.starts_with(mark));
    let mut rests = candidates(stream).map(|(_, _, rest)| rest);
    let first = rests.next().ok_or_else(|| unread(stream))?;
    let rest = if ends(first) { first } else { rests.find(|rest| ends(rest)).unwrap_or(first) };
    Ok(stream.len() - rest.len())
}

/// The message at the start of `bytes` and the remaining bytes, in each flavour that fits, most common first.
fn candidates(bytes: &[u8]) -> impl Iterator<Item = (Flavour, Message, &[u8])> {
    let begins = |flavour| Message::begins(bytes, flavour).map(|(message, rest)| (flavour, message, rest));
    Flavour::ALL.into_iter().filter_map(begins)
}

/// Why `bytes` do not begin with a message.
fn unread(bytes: &[u8]) -> Rejected {
    match bytes {
        [] => Rejected::Empty,
        [id, ..] if Message::MARKS.iter().any(|mark| mark.starts_with(&[*id])) => Rejected::BadContent {
            game: GAME,
            packet: "message",
            what: format!("{} bytes end before message {id} does", bytes.len()),
        },
        [id, ..] => Rejected::UnknownPacket { game: GAME, id: *id },
    }
}

impl Message {
    /// Parses a datagram; trailing bytes are ignored.
    pub fn read(datagram: &[u8]) -> Result<Self, Rejected> {
        ParsedMessage::read(datagram).map(|parsed| parsed.message)
    }

    /// Whether all floats in it are finite.
    fn has_only_numbers(&self) -> bool {
        let are_finite = |vectors: [Vec3<f32>; 2], number: f32| {
            let mut numbers = vectors.into_iter().flat_map(<[f32; 3]>::from).chain([number]);
            numbers.all(f32::is_finite)
        };
        match self {
            Self::CarUpdate(car) => {
                are_finite([car.world_position, car.velocity], car.normalised_spline_position)
            }
            Self::CarCollision(hit) => {
                are_finite([hit.world_position, hit.relative_position], hit.impact_speed)
            }
            Self::WallCollision(hit) => {
                are_finite([hit.world_position, hit.relative_position], hit.impact_speed)
            }
            Self::LapCompleted(lap) => lap.grip_level.is_finite(),
            _ => true,
        }
    }

    /// Whether the content is distinctive enough to recognise the message despite trailing bytes.
    fn is_distinctive(&self) -> bool {
        let is_writing = |letter: char| !letter.is_control() && letter != char::REPLACEMENT_CHARACTER;
        let is_name = |text: &str| !text.is_empty() && text.chars().all(is_writing);
        match self {
            Self::NewSession(session) | Self::SessionInfo(session) => {
                session.protocol_version == PROTOCOL
                    && is_name(&session.server_name)
                    && is_name(&session.track)
            }
            Self::NewConnection(connection) | Self::ConnectionClosed(connection) => {
                is_name(&connection.driver_name) && is_name(&connection.car_model)
            }
            Self::CarInfo(info) => is_name(&info.model),
            Self::LapCompleted(lap) => {
                let rows = &lap.leaderboard;
                let is_row =
                    |row: &Row| row.time <= NO_TIME && row.has_completed.is_none_or(|flag| flag <= 1);
                !rows.is_empty() && rows.iter().all(is_row) && (0.1..=1.0).contains(&lap.grip_level)
            }
            Self::CarUpdate(_)
            | Self::EndSession(_)
            | Self::Version(_)
            | Self::Chat(_)
            | Self::ClientLoaded(_)
            | Self::Error(_)
            | Self::CarCollision(_)
            | Self::WallCollision(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
