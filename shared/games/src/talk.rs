//! The sending half of protocols whose games send only on request.

use core::net::SocketAddr;

use serde::{Deserialize, Serialize};
use trailbrake_model::time::Micros;

use super::ServerCommand;

/// The local socket that a datagram is sent from or received on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// Any of the feed's listening sockets: the game's own settings say where it sends.
    Any,
    /// The feed's listening socket at this port.
    Port(u16),
    /// A socket of its own for the talk, numbered from 0, at a port that the system chose.
    Own(u8),
}

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing<'a> {
    /// The socket to send from, which also receives the answer.
    pub via: Via,
    /// The destination. The broadcast address means every network of this machine.
    pub to: SocketAddr,
    /// The payload.
    pub bytes: &'a [u8],
}

/// The user's settings for a game that must be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TalkOptions {
    /// Where the game listens; `None` for its usual address, or to search for it.
    pub address: Option<SocketAddr>,
    /// The request letter, for games with several; `None` to try them and keep the one that returns most.
    pub letter: Option<char>,
    /// Whether to register in the short form of an older documentation, where the game has one.
    pub short_registration: bool,
}

/// A talk's state, as the driver sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outlook {
    /// Packets arrive.
    Good,
    /// No error, but no packets yet.
    Waiting,
    /// The user has to act.
    Trouble,
}

/// The status of a talk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TalkStatus {
    /// The state.
    pub outlook: Outlook,
    /// A description, with what to do about it.
    pub words: String,
}

/// The sending half of a protocol. It opens no socket and reads no clock: the caller does both.
pub trait Talk: Send {
    /// Sends the datagrams that are due.
    fn poll(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>));
    /// Takes a received datagram. Returns true if it was only part of the talk and must not be passed on.
    fn receive(&mut self, now: Micros, via: Via, from: SocketAddr, datagram: &[u8]) -> bool;
    /// The latest time for the next poll.
    fn wake_at(&self) -> Micros;
    /// The status at `now`.
    fn status(&self, now: Micros) -> TalkStatus;

    /// Queues a command for the game, or returns why it can't.
    fn obey(&mut self, command: &ServerCommand) -> Result<(), String> {
        let _ = command;
        Err("this game takes no commands".to_owned())
    }

    /// Sends a goodbye. Most games need none: they notice when the requests stop.
    fn leave(&mut self, send: &mut dyn FnMut(Outgoing<'_>)) {
        let _ = send;
    }
}
