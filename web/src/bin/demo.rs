//! The demo's simulator as a separate WebAssembly module, so that a page with a real game does not load it.
//!
//! To the page it acts like a relay: it returns packets as wire messages, and takes server commands as such.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "what is reached from JavaScript has to be public")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use trailbrake_shared::feed;
use trailbrake_shared::sim::{Demo, DemoGame, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, Datagram, ToBrowser, ToRelay};
use wasm_bindgen::prelude::wasm_bindgen;

/// The sender of the demo's packets, which come from no network.
const SENDER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

fn main() {}

/// A simulated race.
#[wasm_bindgen]
pub struct Race {
    demo: Demo,
    /// The time of day at the start of the race, from which its packets get their times.
    began: Micros,
}

#[wasm_bindgen]
impl Race {
    /// Starts a game's race at `began_us`, a time of day in microseconds; `None` if the game is not simulated.
    pub fn start(game: &str, seed: u64, began_us: f64) -> Option<Race> {
        let began = Micros(began_us as u64);
        // The page does not read the simulation's ground truth, which would grow with the session.
        let options = Options { seed, keep_truth: false, ..Options::default() };
        let demo = Demo::of(DemoGame::from_id(game)?, options, began)?;
        Some(Self { demo, began })
    }

    /// Simulates until `seconds` after the start. Returns one message with the packets sent meanwhile; `None` without
    /// any.
    pub fn drive(&mut self, seconds: f64) -> Option<Vec<u8>> {
        let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
        self.demo.advance(self.began.plus_seconds(seconds), &mut |at, bytes| sent.push((at, bytes.to_vec())));
        if sent.is_empty() {
            return None;
        }
        let datagrams = sent.iter().map(|(at, bytes)| Datagram {
            at: *at,
            sender: SENDER,
            port: 0,
            feed: feed::recognise(bytes).ok().map(|recognised| recognised.feed),
            bytes,
        });
        // Encoding fails only above the size limit, and a frame's packets are far below it.
        wire::encode(&ToBrowser::Batch(datagrams.collect())).ok()
    }

    /// Handles a server command, encoded as for the relay, and passes it straight to the simulated server. Returns the
    /// encoded answer; `None` for other messages.
    pub fn obey(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        let ToRelay::Command { id, command, .. } = wire::decode_owned(message).ok()? else { return None };
        let request = command.request().map_err(|error| error.to_string());
        let outcome = request.map(|request| {
            self.demo.receive(&request.datagram());
            "done in the demo".to_owned()
        });
        wire::encode(&ToBrowser::Answer { id, outcome }).ok()
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::games::ServerCommand;
    use trailbrake_shared::sim::DEMOS;

    use super::*;

    #[test]
    fn every_demo_speaks_in_messages_of_the_wire() {
        for game in DEMOS {
            let mut race = Race::start(game.id, 1, 1e15).expect("a race");
            let messages: Vec<Vec<u8>> =
                (1..=20).filter_map(|step| race.drive(f64::from(step) / 10.0)).collect();
            assert!(!messages.is_empty(), "{}", game.id);
            for message in messages {
                let Ok(ToBrowser::Batch(datagrams)) = wire::decode(&message) else { panic!("{}", game.id) };
                assert!(datagrams.iter().all(|datagram| datagram.feed == Some(game.feed)), "{}", game.id);
            }
        }
        assert!(Race::start("no-game", 1, 0.0).is_none());
    }

    #[test]
    fn what_the_driver_wants_is_answered() {
        let mut race = Race::start(Feed::AcServer.id(), 1, 1e15).expect("an evening");
        let mut answer = |text: &str| {
            let command = ServerCommand::Tell { slot: 0, text: text.to_owned() };
            let message = wire::encode(&ToRelay::Command { id: 7, feed: Feed::AcServer, command });
            let answer = race.obey(&message.expect("a message")).expect("an answer");
            match wire::decode(&answer) {
                Ok(ToBrowser::Answer { id: 7, outcome }) => outcome,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(answer("hello"), Ok("done in the demo".to_owned()));
        assert!(answer("").is_err());
        assert_eq!(race.obey(&[]), None);
    }
}
