//! Requests packets from a console: finds it, chooses the letters, sends heartbeats.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};

use trailbrake_model::time::Micros;

use super::finder::{self, Finder};
use super::heartbeat::{Heartbeat, Pace, Stage};
use super::packet::{Game, Letter, recognise};
use crate::{Outgoing, Outlook, Talk, TalkOptions, TalkStatus, Via};

/// Seconds between polls. Every deadline is a multiple of this, or late by less than this.
const POLL_S: f64 = 0.2;
/// After this many seconds without an answer, the status says that no console was found.
const NOT_FOUND_S: f64 = 15.0;
/// After this many seconds without an answer (two rounds of letters), requests become rare.
const EAGER_S: f64 = 36.0;
/// After this many seconds without a packet, the status says that a console has stopped sending.
const SILENT_S: f64 = 3.0;

/// The port for GT7's heartbeats.
const GT7_PORT: u16 = 33739;
/// GT7's letters, the one with the most data first.
const GT7_LETTERS: &[Letter] = &[Letter::C, Letter::Tilde, Letter::B, Letter::A];
/// The older games' only letter.
const OLDER_LETTERS: &[Letter] = &[Letter::A];

/// The address for GT7's heartbeats on a console.
pub fn listens_at(console: IpAddr) -> SocketAddr {
    SocketAddr::new(console, GT7_PORT)
}

/// Talks to a console, whichever of the games runs on it.
#[derive(Debug)]
pub struct Talker {
    given: Option<IpAddr>,
    finder: Finder,
    gt7: Heartbeat,
    older: Heartbeat,
    /// The sender of the packets.
    sender: Option<IpAddr>,
    /// The time since which no packet has arrived.
    silent_since: Option<Micros>,
    polled: Micros,
}

impl Talker {
    /// A talker that has sent nothing yet. An unknown letter in the options is ignored.
    pub fn new(options: &TalkOptions) -> Self {
        let wanted =
            Letter::ALL.iter().copied().find(|letter| options.letter == Some(char::from(letter.byte())));
        let letters = wanted.map_or(GT7_LETTERS.to_vec(), |letter| vec![letter]);
        Self {
            given: options.address.map(|address| address.ip()),
            finder: Finder::default(),
            gt7: Heartbeat::new(GT7_PORT, 33740, letters),
            older: Heartbeat::new(33339, 33340, OLDER_LETTERS.to_vec()),
            sender: None,
            silent_since: None,
            polled: Micros::default(),
        }
    }

    /// The console's address, once known.
    pub fn console(&self) -> Option<IpAddr> {
        let found = self.finder.only_awake();
        let known = if self.streaming().is_some() { self.sender.or(found) } else { found.or(self.sender) };
        self.given.or(known)
    }

    /// Without a console, requests are rare so as not to flood the network.
    fn pace(&self, now: Micros) -> Pace {
        let eager = self.silent_since.is_none_or(|since| now.seconds_since(since) < EAGER_S);
        if eager || self.finder.knows_any() { Pace::Usual } else { Pace::Rare }
    }

    fn streaming(&self) -> Option<&Heartbeat> {
        [&self.gt7, &self.older].into_iter().find(|beat| beat.streams())
    }
}

impl Talk for Talker {
    fn poll(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>)) {
        self.polled = now;
        let streams = (self.gt7.streams(), self.older.streams());
        let pace = self.pace(now);
        if streams == (false, false) {
            self.silent_since.get_or_insert(now);
            // The console may have a new address by now, or a different console is on.
            self.sender = self.sender.filter(|_| self.gt7.rounds() == 0);
            self.finder.forget_silent(now);
            if self.finder.due(now, pace) {
                let to = self.given.unwrap_or(IpAddr::V4(Ipv4Addr::BROADCAST));
                let to = SocketAddr::new(to, finder::PORT);
                send(Outgoing { via: Via::Port(self.gt7.via()), to, bytes: finder::SEARCH.as_bytes() });
            }
        } else {
            self.silent_since = None;
        }
        let to = self.console().unwrap_or(IpAddr::V4(Ipv4Addr::BROADCAST));
        // A console runs one game: while one stream arrives, the other one is not requested.
        let beats = [(&mut self.gt7, !streams.1), (&mut self.older, !streams.0)];
        for (beat, _) in beats.into_iter().filter(|(_, asked)| *asked) {
            if let Some(letter) = beat.poll(now, pace) {
                let to = SocketAddr::new(to, beat.port());
                send(Outgoing { via: Via::Port(beat.via()), to, bytes: &[letter.byte()] });
            }
        }
    }

    fn receive(&mut self, now: Micros, _: Via, from: SocketAddr, datagram: &[u8]) -> bool {
        if self.given.is_some_and(|given| given != from.ip()) {
            return false;
        }
        if self.finder.receive(now, from.ip(), datagram) {
            return true;
        }
        let Ok(kind) = recognise(datagram) else { return false };
        // Packets that are not encrypted are relayed from a file or another program; no heartbeat requested them.
        if kind.sealed.is_none() {
            return false;
        }
        let beat = match kind.game {
            Game::Gt7 => &mut self.gt7,
            Game::Sport | Game::Gt6 => &mut self.older,
        };
        beat.receive(now, kind.letter);
        self.sender = Some(from.ip());
        false
    }

    fn wake_at(&self) -> Micros {
        self.polled.plus_seconds(POLL_S)
    }

    fn status(&self, now: Micros) -> TalkStatus {
        let (outlook, words) = match self.streaming() {
            Some(beat) => self.streaming_words(beat, now),
            None => self.silent_words(now),
        };
        TalkStatus { outlook, words }
    }
}

impl Talker {
    fn streaming_words(&self, beat: &Heartbeat, now: Micros) -> (Outlook, String) {
        let from = self.console().map_or("the console".to_owned(), |console| self.finder.called(console));
        let asked = beat.wanted().name();
        let (got, size) = (beat.got().name(), beat.got().size());
        match beat.stage() {
            Stage::WaitingOut { ours: false } => (
                Outlook::Waiting,
                format!(
                    "{from} sends {got} ({size} bytes) although {asked} was asked: somebody asked first. Nothing \
                     is asked until that stream has stopped, which takes up to 16 seconds"
                ),
            ),
            Stage::WaitingOut { ours: true } => (
                Outlook::Waiting,
                format!(
                    "{from} sends {got} ({size} bytes). {asked} brings more and is asked again once that stream has \
                     stopped, which takes up to 16 seconds"
                ),
            ),
            Stage::Foreign => (
                Outlook::Trouble,
                format!(
                    "{from} sends {got} ({size} bytes) although {asked} was asked: another program keeps asking \
                     with {got}. Close it or set it to {asked}; until then what {got} does not hold is absent"
                ),
            ),
            _ if beat.silent_s(now) >= SILENT_S => {
                (Outlook::Waiting, format!("{from} has fallen silent and is being asked again"))
            }
            Stage::Asking | Stage::Streaming if beat.got() == beat.wanted() => {
                (Outlook::Good, format!("{from} sends {got} ({size} bytes)"))
            }
            Stage::Asking | Stage::Streaming if beat.got() > beat.wanted() => (
                Outlook::Good,
                format!(
                    "{from} sends {got} ({size} bytes), which holds all of {asked}: somebody asked for more"
                ),
            ),
            Stage::Asking | Stage::Streaming => {
                (Outlook::Good, format!("{from} sends {got} ({size} bytes); it did not answer to {asked}"))
            }
        }
    }

    fn silent_words(&self, now: Micros) -> (Outlook, String) {
        let searched = self.silent_since.map_or(0.0, |since| now.seconds_since(since));
        let stopped = self.gt7.stopped() || self.older.stopped();
        if let Some(console) =
            self.finder.standby().filter(|&console| self.console().is_none_or(|c| c == console))
        {
            let console = self.finder.called(console);
            return (Outlook::Trouble, format!("{console} is in standby: switch it on"));
        }
        match self.console() {
            Some(console) if self.finder.is_awake(console) => {
                let console = self.finder.called(console);
                let words = match (self.gt7.rounds(), stopped) {
                    (0, true) => format!("{console} is on and has stopped sending: asking again"),
                    (0, false) => format!("{console} is on and is being asked"),
                    _ => format!("{console} is on and does not answer: start Gran Turismo on it"),
                };
                (Outlook::Waiting, words)
            }
            Some(console) if self.given.is_some() && searched >= NOT_FOUND_S => (
                Outlook::Trouble,
                format!("nothing answers at {console}: is the console on, and is this its address?"),
            ),
            Some(console) if stopped => {
                (Outlook::Waiting, format!("{} has stopped sending: asking again", self.finder.called(console)))
            }
            Some(console) => (Outlook::Waiting, format!("asking {}", self.finder.called(console))),
            None if self.finder.awake().count() > 1 => (
                Outlook::Waiting,
                "several consoles are on and none answers: start Gran Turismo on one of them".to_owned(),
            ),
            None if stopped => (Outlook::Waiting, "the console has stopped sending: looking for it".to_owned()),
            // A missing console is no error: there may be none.
            None if searched >= NOT_FOUND_S => (
                Outlook::Waiting,
                "no console found yet: it has to be on and in this network; its address can be given with --console"
                    .to_owned(),
            ),
            None => (Outlook::Waiting, "looking for a console".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
