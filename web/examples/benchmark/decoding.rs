//! A minute of a feed, decoded as `tests/benches/decoders.rs` does it without a browser.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Options, Show};
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
        Some(Self { feed, packets: Show::packets(feed, options, BEGAN, seconds)? })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.packets.len()
    }

    /// Decodes them into a sink that keeps nothing but a sum.
    pub fn decode(&self) -> Option<f32> {
        let (mut decoder, mut sum) = ((self.feed.info().codec?.decoder)(), Sum::default());
        for (at, bytes) in &self.packets {
            let _ = decoder.receive(*at, bytes, &mut sum);
        }
        Some(sum.0)
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

/// Keeps one number, so that the compiler can't remove the work.
#[derive(Default)]
struct Sum(f32);

impl Sink for Sum {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.0 += sample.values.iter().map(|(_, value)| value).sum::<f32>();
    }
    fn progress(&mut self, progress: &LapProgress) {
        self.0 += progress.clock.unwrap_or_default();
    }
    fn event(&mut self, _: Event) {}
    fn fact(&mut self, _: Moment, _: Fact) {}
}
