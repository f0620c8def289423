//! Asking a console to send: finding it, the letters, and their heartbeats.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::finder::{self, Finder};
use super::heartbeat::{Heartbeat, Stage};
use super::packet::{Game, Letter, recognise};
use crate::games::{Outgoing, Outlook, Talk, TalkOptions, TalkStatus};
use crate::time::Micros;

/// Between polls; every appointment is a multiple of it, or late by less.
const POLL_S: f64 = 0.2;
/// After so long without any answer it is said that there is no console.
const NOT_FOUND_S: f64 = 15.0;

/// GT7's letters, the one that brings most first.
const GT7_LETTERS: &[Letter] = &[Letter::C, Letter::Tilde, Letter::B, Letter::A];
/// The older games' only letter.
const OLDER_LETTERS: &[Letter] = &[Letter::A];

/// Talks to a console, whichever of the games runs on it.
#[derive(Debug)]
pub struct Talker {
    given: Option<IpAddr>,
    finder: Finder,
    gt7: Heartbeat,
    older: Heartbeat,
    /// Whom packets come from.
    sender: Option<IpAddr>,
    began: Option<Micros>,
    polled: Micros,
}

impl Talker {
    /// A talker that has said nothing yet. A letter that does not exist is none.
    pub fn new(options: TalkOptions) -> Self {
        let wanted =
            Letter::ALL.iter().copied().find(|letter| options.letter == Some(char::from(letter.byte())));
        let letters = wanted.map_or(GT7_LETTERS.to_vec(), |letter| vec![letter]);
        Self {
            given: options.console,
            finder: Finder::default(),
            gt7: Heartbeat::new(33739, 33740, letters),
            older: Heartbeat::new(33339, 33340, OLDER_LETTERS.to_vec()),
            sender: None,
            began: None,
            polled: Micros::default(),
        }
    }

    /// The console, once it is known.
    pub fn console(&self) -> Option<IpAddr> {
        self.given.or(self.sender).or_else(|| self.finder.awake())
    }

    fn streaming(&self) -> Option<&Heartbeat> {
        [&self.gt7, &self.older].into_iter().find(|beat| beat.streams())
    }
}

impl Talk for Talker {
    fn poll(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>)) {
        self.polled = now;
        self.began.get_or_insert(now);
        let streams = (self.gt7.streams(), self.older.streams());
        if streams == (false, false) {
            // The one that sent may have another address by now, or another one is on.
            self.sender = None;
            self.finder.forget_silent(now);
            if self.finder.due(now) {
                let to = self.given.unwrap_or(IpAddr::V4(Ipv4Addr::BROADCAST));
                let to = SocketAddr::new(to, finder::PORT);
                send(Outgoing { via: self.gt7.via(), to, bytes: finder::SEARCH.as_bytes() });
            }
        }
        let to = self.console().unwrap_or(IpAddr::V4(Ipv4Addr::BROADCAST));
        // One console runs one game: while one kind of stream comes, the other is not asked for.
        let beats = [(&mut self.gt7, !streams.1), (&mut self.older, !streams.0)];
        for (beat, _) in beats.into_iter().filter(|(_, asked)| *asked) {
            if let Some(letter) = beat.poll(now) {
                let to = SocketAddr::new(to, beat.port());
                send(Outgoing { via: beat.via(), to, bytes: &[letter.byte()] });
            }
        }
    }

    fn receive(&mut self, now: Micros, from: SocketAddr, datagram: &[u8]) -> bool {
        if self.given.is_some_and(|given| given != from.ip()) {
            return false;
        }
        if self.finder.receive(now, from.ip(), datagram) {
            return true;
        }
        let Ok(kind) = recognise(datagram) else { return false };
        // What is relayed from a file or another program lies open, and no heartbeat brings it.
        if kind.sealed.is_none() {
            return false;
        }
        let beat = match kind.game {
            Game::Gt7 => &mut self.gt7,
            Game::Sport | Game::Gt6 => &mut self.older,
        };
        beat.heard(now, kind.letter);
        self.sender = Some(from.ip());
        false
    }

    fn wake_at(&self) -> Micros {
        self.polled.plus_seconds(POLL_S)
    }

    fn status(&self, now: Micros) -> TalkStatus {
        let (outlook, words) = match self.streaming() {
            Some(beat) => self.streaming_words(beat),
            None => self.silent_words(now),
        };
        TalkStatus { outlook, words }
    }
}

impl Talker {
    fn streaming_words(&self, beat: &Heartbeat) -> (Outlook, String) {
        let from = self.console().map_or("the console".to_owned(), |console| self.finder.called(console));
        let asked = beat.wanted().name();
        let (got, size) = (beat.got().name(), beat.got().size());
        match beat.stage() {
            Stage::WaitingOut => (
                Outlook::Waiting,
                format!(
                    "{from} sends {got} ({size} bytes) although {asked} was asked: somebody asked first. Nothing \
                     is asked until that stream has stopped, which takes up to 16 seconds"
                ),
            ),
            Stage::Foreign => (
                Outlook::Trouble,
                format!(
                    "{from} sends {got} ({size} bytes) although {asked} was asked: another program keeps asking \
                     with {got}. Close it or set it to {asked}; until then what {got} does not hold is absent"
                ),
            ),
            Stage::Asking | Stage::Streaming if beat.got() == beat.wanted() => {
                (Outlook::Good, format!("{from} sends {got}"))
            }
            Stage::Asking | Stage::Streaming => {
                (Outlook::Good, format!("{from} sends {got}; it did not answer to {asked}"))
            }
        }
    }

    fn silent_words(&self, now: Micros) -> (Outlook, String) {
        let searched = self.began.map_or(0.0, |began| now.seconds_since(began));
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
                let words = if stopped {
                    format!("{console} is on and has stopped sending: asking again")
                } else if self.gt7.rounds() == 0 {
                    format!("{console} is on and is being asked")
                } else {
                    format!("{console} is on and does not answer: start Gran Turismo on it")
                };
                (Outlook::Waiting, words)
            }
            Some(console) if searched >= NOT_FOUND_S => (
                Outlook::Trouble,
                format!("nothing answers at {console}: is the console on, and is this its address?"),
            ),
            Some(console) => (Outlook::Waiting, format!("asking {console}")),
            None if stopped => (Outlook::Waiting, "the console has stopped sending: looking for it".to_owned()),
            None if searched >= NOT_FOUND_S => (
                Outlook::Trouble,
                "no console found: it has to be on and in this network; its address can be given with --console"
                    .to_owned(),
            ),
            None => (Outlook::Waiting, "looking for a console".to_owned()),
        }
    }
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
