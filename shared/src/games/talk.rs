//! What every protocol does that has to be spoken to before it sends.

use core::net::{IpAddr, SocketAddr};

use serde::{Deserialize, Serialize};

use super::ServerCommand;
use crate::time::Micros;

/// A socket of this machine that a talk goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// Any at which the feed's packets are heard: to where the game sends stands in its own settings.
    Any,
    /// The one at this port, where the feed's packets are heard.
    Port(u16),
    /// One that is there for the talk alone, counted from 0, at a port that the system chose.
    Own(u8),
}

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing<'a> {
    /// The socket to send it from: the answer comes back there.
    pub via: Via,
    /// Where it goes. The broadcast address means every network that this machine is part of.
    pub to: SocketAddr,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// What the user has said about whom to talk to, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TalkOptions {
    /// Where the game runs; `None` to look for it.
    pub console: Option<IpAddr>,
    /// The letter to ask with, for games that know several; `None` to find the one that brings most.
    pub letter: Option<char>,
    /// Where Assetto Corsa listens; `None` to ask on this machine.
    pub ac_game: Option<SocketAddr>,
    /// Whether Assetto Corsa is asked in the short form that the older description tells of.
    pub ac_short_registration: bool,
    /// Where Assetto Corsa's dedicated server takes what is asked of it; `None` where nobody has said so.
    pub ac_server: Option<SocketAddr>,
}

/// How a talk stands, as a driver cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outlook {
    /// Packets come.
    Good,
    /// Nothing is wrong, nothing comes yet.
    Waiting,
    /// Somebody has to do something.
    Trouble,
}

/// How a talk stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TalkStatus {
    /// In short.
    pub outlook: Outlook,
    /// In words, with what to do about it.
    pub words: String,
}

/// The sending half of a protocol. It opens no socket and asks for no time: whoever runs it does.
pub trait Talk: Send {
    /// Hands over what is to be sent by now.
    fn poll(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>));
    /// Takes a datagram that came in. Tells whether it was part of the talk alone, and so goes no further.
    fn receive(&mut self, now: Micros, via: Via, from: SocketAddr, datagram: &[u8]) -> bool;
    /// When to poll again at the latest.
    fn wake_at(&self) -> Micros;
    /// How the talk stands.
    fn status(&self, now: Micros) -> TalkStatus;

    /// Takes what somebody wants of the game, to be asked of it in its turn; or says why not.
    fn obey(&mut self, command: &ServerCommand) -> Result<(), String> {
        let _ = command;
        Err("this game takes no commands".to_owned())
    }

    /// Hands over what is to be said before going. Most games notice by themselves that nobody asks any more.
    fn leave(&mut self, send: &mut dyn FnMut(Outgoing<'_>)) {
        let _ = send;
    }
}
