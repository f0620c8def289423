//! The demo: a simulated race in the page itself. Its datagrams become messages like the relay's, and are read by
//! the same reader.

use std::net::{Ipv4Addr, SocketAddr};

use trailbrake_shared::decimal;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::sim::{self, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, Datagram, ToBrowser};

use crate::route;

/// The fastest race that a page is asked to follow.
const FASTEST: f64 = 50.0;
/// Nobody on a network: the race is driven here.
const SENDER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Which race is driven, as the address fragment says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wish {
    pub(crate) feed: Feed,
    pub(crate) seed: u64,
    /// How many times faster than real.
    pub(crate) speed: f64,
}

impl Wish {
    /// What one click on the demo's button asks for.
    pub(crate) const FRAGMENT: &str = "#/live?demo=f1-2018";

    /// The fragment that asks for a feed's race.
    pub(crate) fn fragment(feed: Feed) -> String {
        format!("#/live?demo={}", feed.id())
    }

    /// The race that a fragment asks for, if it asks for one that can be driven.
    pub(crate) fn from_hash(hash: &str) -> Option<Self> {
        let value = |key: &str| route::value(hash, key);
        let feed =
            Feed::from_id(value("demo")?).filter(|feed| sim::Show::feeds().any(|spoken| spoken == *feed))?;
        let seed = value("seed").and_then(|seed| seed.parse().ok()).unwrap_or(1);
        let speed = value("speed").and_then(decimal::read).unwrap_or(1.0);
        let speed = if speed > 0.0 { speed.min(FASTEST) } else { 1.0 };
        Some(Self { feed, seed, speed })
    }
}

/// A race that is being driven.
pub(crate) struct Demo {
    race: sim::Show,
    wish: Wish,
    /// When it was last driven on, in milliseconds of the page.
    driven_at_ms: f64,
    /// How far it should be, in its own seconds.
    driven_s: f64,
    /// The time of day at the start, so that its packets are stamped like real ones.
    began: Micros,
}

impl Demo {
    /// Starts a race.
    pub(crate) fn start(wish: Wish, now_ms: f64) -> Option<Self> {
        let began = Micros((js_sys::Date::now() * 1e3) as u64);
        // Nobody asks the page for the truth, and it would grow with the session.
        let options = Options { seed: wish.seed, keep_truth: false, ..Options::default() };
        let race = sim::Show::new(wish.feed, options, began)?;
        Some(Self { race, wish, driven_at_ms: now_ms, driven_s: 0.0, began })
    }

    /// Drives the same race faster or slower from here on, if it is the same race that is wished.
    pub(crate) fn change(&mut self, wish: Wish) -> bool {
        let same = Wish { speed: self.wish.speed, ..wish } == self.wish;
        if same {
            self.wish = wish;
        }
        same
    }

    /// Takes what the driver wants of the game's server. There is no network between them.
    pub(crate) fn obey(&mut self, command: &ServerCommand) -> Result<String, String> {
        let request = command.request().map_err(|error| error.to_string())?;
        self.race.receive(&request.datagram());
        Ok("done in the demo".to_owned())
    }

    /// Drives on until now, and makes one message of what the game said meanwhile.
    pub(crate) fn drive(&mut self, now_ms: f64) -> Option<Vec<u8>> {
        self.driven_s += (now_ms - self.driven_at_ms) / 1e3 * self.wish.speed;
        self.driven_at_ms = now_ms;
        let mut said: Vec<(Micros, Vec<u8>)> = Vec::new();
        self.race.advance(self.began.plus_seconds(self.driven_s), &mut |at, bytes| {
            said.push((at, bytes.to_vec()))
        });
        if said.is_empty() {
            return None;
        }
        let datagrams = said.iter().map(|(at, bytes)| Datagram {
            at: *at,
            sender: SENDER,
            port: 0,
            feed: feed::recognise(bytes).ok().map(|recognised| recognised.feed),
            bytes,
        });
        // A frame's packets are far below the limit, the only thing that encoding can fail at.
        wire::encode(&ToBrowser::Batch(datagrams.collect())).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_button_s_fragment_is_a_race_at_real_speed() {
        let wish = Wish::from_hash(Wish::FRAGMENT).expect("a race");
        assert_eq!(wish, Wish { feed: Feed::F12018, seed: 1, speed: 1.0 });
        for feed in sim::Show::feeds() {
            assert_eq!(Wish::from_hash(&Wish::fragment(feed)).map(|wish| wish.feed), Some(feed));
        }
    }

    #[test]
    fn a_fragment_says_seed_and_speed_within_reason() {
        let wish = |hash| Wish::from_hash(hash).expect("a race");
        assert_eq!(
            wish("#/live?demo=f1-2018&seed=3&speed=12"),
            Wish { feed: Feed::F12018, seed: 3, speed: 12.0 }
        );
        assert_eq!(wish("#/live?speed=999&demo=f1-2018").speed, FASTEST);
        assert_eq!(wish("#/live?demo=f1-2018&speed=-1").speed, 1.0);
        for nothing in ["", "#/live", "#/live?demo=", "#/live?seed=3"] {
            assert_eq!(Wish::from_hash(nothing), None, "{nothing}");
        }
    }
}
