//! The handshake with the game: subscribing to updates and laps, and unsubscribing.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};

use trailbrake_model::time::Micros;

use super::layout::Request;
use super::packet::{Kind, VERSION, recognise};
use crate::table::ONLY_VERSION;
use crate::{Outgoing, Outlook, Talk, TalkOptions, TalkStatus, Via};

/// The port the game listens on. Never bind it: that would cut the game off.
pub const PORT: u16 = 9996;

/// Seconds between polls; an action is late by less than this.
const POLL_S: f64 = 0.1;
/// Seconds between unanswered handshakes.
const HANDSHAKE_S: f64 = 1.0;
/// A game silent for this long, in seconds, has ended its session and forgotten its subscribers.
const SILENT_S: f64 = 5.0;
/// Seconds between registrations in the short form.
const SHORT_S: f64 = 10.0;
/// A game at an address from the user gets this many seconds to answer before its silence is reported.
const NO_ANSWER_S: f64 = 15.0;
/// The client's identifier; the game ignores it.
const IDENTIFIER: i32 = 1;
/// The registration of the older documentation.
const SHORT: [u8; 4] = 1_i32.to_le_bytes();

/// Operations that the game accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
enum Operation {
    Handshake = 0,
    Updates = 1,
    Laps = 2,
    Dismiss = 3,
}

/// Where the game listens if it runs on this machine.
pub const USUAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT);

/// The talk with one game.
#[derive(Debug)]
pub struct Talker {
    game: SocketAddr,
    /// Whether the address comes from the user.
    given: bool,
    short: bool,
    /// Updates and laps use a socket each: the effect of two subscriptions on one socket is undocumented.
    updates: Line,
    laps: Line,
    /// When the last update arrived.
    last_update: Option<Micros>,
    /// When updates stopped, or polling began without any.
    asking_since: Option<Micros>,
    polled: Micros,
}

/// A subscription.
#[derive(Debug)]
struct Line {
    via: Via,
    wish: Operation,
    stage: Stage,
}

/// The progress of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No answer yet; contains the time of the last handshake.
    Asking(Option<Micros>),
    /// The handshake was answered; the subscription is still to be sent.
    Answered,
    /// The subscription was sent.
    Subscribed(Micros),
}

impl Talker {
    /// Creates a talk that has not sent anything yet.
    pub fn new(options: &TalkOptions) -> Self {
        let line = |number, wish| Line { via: Via::Own(number), wish, stage: Stage::Asking(None) };
        Self {
            game: options.address.unwrap_or(USUAL_ADDRESS),
            given: options.address.is_some(),
            short: options.short_registration,
            updates: line(0, Operation::Updates),
            laps: line(1, Operation::Laps),
            last_update: None,
            asking_since: None,
            polled: Micros::default(),
        }
    }

    /// Since when the game has been silent although it could send.
    fn silent_since(&self) -> Option<Micros> {
        match self.updates.stage {
            Stage::Subscribed(since) => Some(self.last_update.map_or(since, |update| update.max(since))),
            Stage::Asking(_) | Stage::Answered => None,
        }
    }

    fn sends(&self, now: Micros) -> bool {
        self.last_update.is_some_and(|update| now.seconds_since(update) < SILENT_S)
    }
}

impl Line {
    /// Sends the handshake or the subscription if it is due.
    fn poll(&mut self, now: Micros, game: SocketAddr, send: &mut dyn FnMut(Outgoing<'_>)) {
        match self.stage {
            Stage::Asking(asked) if asked.is_none_or(|asked| now.seconds_since(asked) >= HANDSHAKE_S) => {
                self.stage = Stage::Asking(Some(now));
                self.send(Operation::Handshake, game, send);
            }
            Stage::Answered => {
                self.stage = Stage::Subscribed(now);
                self.send(self.wish, game, send);
            }
            Stage::Asking(_) | Stage::Subscribed(_) => {}
        }
    }

    fn answered(&mut self) {
        if matches!(self.stage, Stage::Asking(Some(_))) {
            self.stage = Stage::Answered;
        }
    }

    /// Unsubscribes from a game that may still know us, and starts over.
    fn drop_off(&mut self, game: SocketAddr, send: &mut dyn FnMut(Outgoing<'_>)) {
        if let Stage::Answered | Stage::Subscribed(_) = self.stage {
            self.send(Operation::Dismiss, game, send);
        }
        self.stage = Stage::Asking(None);
    }

    fn send(&self, operation: Operation, game: SocketAddr, send: &mut dyn FnMut(Outgoing<'_>)) {
        let request = Request { identifier: IDENTIFIER, version: VERSION, operation: operation as i32 };
        send(Outgoing { via: self.via, to: game, bytes: &request.bytes(ONLY_VERSION) });
    }
}

impl Talk for Talker {
    fn poll(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>)) {
        self.polled = now;
        if self.sends(now) {
            self.asking_since = None;
        } else {
            self.asking_since.get_or_insert(now);
        }
        if self.short {
            return self.register(now, send);
        }
        if self.silent_since().is_some_and(|since| now.seconds_since(since) >= SILENT_S) {
            self.updates.drop_off(self.game, send);
            self.laps.drop_off(self.game, send);
        }
        self.updates.poll(now, self.game, send);
        // A game that does not send updates needs no second handshake.
        if let Stage::Subscribed(_) = self.updates.stage {
            self.laps.poll(now, self.game, send);
        }
    }

    fn receive(&mut self, now: Micros, via: Via, from: SocketAddr, datagram: &[u8]) -> bool {
        if from.ip() != self.game.ip() {
            return false;
        }
        match recognise(datagram) {
            Ok(Kind::Update) => {
                self.last_update = Some(now);
                false
            }
            // The game's description of the session is passed on, but only once.
            Ok(Kind::Answer) if via == self.laps.via => {
                self.laps.answered();
                true
            }
            Ok(Kind::Answer) if via == self.updates.via => {
                self.updates.answered();
                false
            }
            Ok(Kind::Answer | Kind::Lap) | Err(_) => false,
        }
    }

    fn wake_at(&self) -> Micros {
        self.polled.plus_seconds(POLL_S)
    }

    fn status(&self, now: Micros) -> TalkStatus {
        let game = format!("the game at {}", self.game);
        if self.sends(now) {
            return TalkStatus { outlook: Outlook::Good, words: format!("{game} sends") };
        }
        let silent_s = self.asking_since.map_or(0.0, |since| now.seconds_since(since));
        let words = match self.updates.stage {
            Stage::Subscribed(_) | Stage::Answered => format!("{game} has answered and is about to send"),
            Stage::Asking(_) if self.last_update.is_some() => {
                format!("{game} has stopped sending and is asked again: it sends while a session is loaded")
            }
            Stage::Asking(_) if self.given && silent_s >= NO_ANSWER_S => format!(
                "{game} does not answer: it does so while a session is loaded, if its machine lets UDP port {} \
                 through and no other program there has taken it",
                self.game.port()
            ),
            Stage::Asking(_) => format!("asks {game}, which answers once a session is loaded"),
        };
        TalkStatus { outlook: Outlook::Waiting, words }
    }

    fn leave(&mut self, send: &mut dyn FnMut(Outgoing<'_>)) {
        self.updates.drop_off(self.game, send);
        self.laps.drop_off(self.game, send);
    }
}

impl Talker {
    /// Registers as the older documentation says: no handshake, repeated every ten seconds.
    fn register(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>)) {
        let Stage::Asking(asked) = self.updates.stage else { return };
        if asked.is_none_or(|asked| now.seconds_since(asked) >= SHORT_S) {
            self.updates.stage = Stage::Asking(Some(now));
            send(Outgoing { via: self.updates.via, to: self.game, bytes: &SHORT });
        }
    }
}

#[cfg(test)]
mod tests;
