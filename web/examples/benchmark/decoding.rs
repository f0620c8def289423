//! A minute of a feed, decoded as `tests/benches/decoders.rs` does it without a browser.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a game sent.
#[wasm_bindgen]
pub struct Packets {
    feed: Feed,
    packets: Vec<(Micros, Vec<u8>)>,
}

#[wasm_bindgen]
impl Packets {
    /// What a game sends in so many seconds of a race with twenty cars, where it has them.
    pub fn simulate(feed: &str, seconds: f64) -> Option<Self> {
        let options = Options { seed: 11, cars: 20, player: 3, ..Options::default() };
        let feed = Feed::from_id(feed)?;
        Some(Self { feed, packets: Demo::packets(feed, options, BEGAN, seconds)? })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.packets.len()
    }

    /// Decodes them and keeps nothing; how many were good, or nothing without a decoder.
    pub fn decode(&self) -> Option<usize> {
        let mut decoder = (self.feed.info().codec?.decoder)();
        let mut is_good = |(at, bytes): &&(Micros, Vec<u8>)| decoder.receive(*at, bytes, &mut ()).is_ok();
        Some(self.packets.iter().filter(&mut is_good).count())
    }

    /// Decodes them into a session; whether there was one.
    pub fn fill(&self) -> bool {
        let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
        let port = self.feed.info().ports.first().copied().unwrap_or(50_000);
        let mut receiver = Receiver::default();
        for (at, bytes) in &self.packets {
            let _ = receiver.receive(&Datagram { at: *at, sender, port, feed: Some(self.feed), bytes });
        }
        receiver.session().is_some()
    }
}

/// When the packets begin.
const BEGAN: Micros = Micros(1_795_000_000_000_000);
