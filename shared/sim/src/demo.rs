//! A race whose packets are sent as one of the games would send them.

use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;

use super::demos::{self, DemoGame, SPOKEN};
pub use super::emitter::Emitter;
use super::pace::caught_up;
use super::race::{self, Options, Race, Request};
use super::truth::Truth;

/// A race and the emitter that sends it.
pub struct Demo {
    race: Race,
    emitter: Box<dyn Emitter>,
    began: Micros,
}

impl Demo {
    /// A race that starts now, in the options' year where the feed has games of several; `None` if the feed has no emitter.
    pub fn new(feed: Feed, options: Options, now: Micros) -> Option<Self> {
        Some(Self::speaking((demos::of_feed(feed)?.emitter)(), options, now))
    }

    /// A race of a game that starts now; `None` if its feed has no emitter.
    pub fn of(game: DemoGame, options: Options, now: Micros) -> Option<Self> {
        let year = game.year.unwrap_or(options.year);
        Self::new(game.feed, Options { year, ..options }, now)
    }

    /// A race that starts now, sent by the given emitter.
    pub fn speaking(mut emitter: Box<dyn Emitter>, options: Options, now: Micros) -> Self {
        Self { race: emitter.begin(options), emitter, began: now }
    }

    /// The feeds with a demo.
    pub fn feeds() -> impl Iterator<Item = Feed> {
        SPOKEN.into_iter()
    }

    /// What a game sends in so many seconds; `None` if the feed has no demo.
    pub fn packets(
        feed: Feed,
        options: Options,
        began: Micros,
        seconds: f64,
    ) -> Option<Vec<(Micros, Vec<u8>)>> {
        let mut packets = Vec::new();
        let mut demo = Self::new(feed, options, began)?;
        demo.drive(seconds, &mut |at, bytes| packets.push((at, bytes.to_vec())));
        Some(packets)
    }

    /// Runs until `now` and passes each datagram to `send` with the time at which a game would have sent it.
    pub fn advance(&mut self, now: Micros, send: &mut dyn FnMut(Micros, &[u8])) {
        self.began = caught_up(self.began, self.race.run_s(), now);
        self.drive(now.seconds_since(self.began), send);
    }

    /// Runs until `until_s` seconds after the start without waiting, for tests.
    pub fn drive(&mut self, until_s: f64, send: &mut dyn FnMut(Micros, &[u8])) {
        while self.race.run_s() < until_s {
            race::step(&mut self.race);
            if self.race.at_frame() {
                self.emitter.direct(&mut self.race);
                let at = self.began.plus_seconds(self.race.run_s());
                self.emitter.frame(&self.race, &mut |datagram| send(at, datagram));
            }
        }
    }

    /// Receives a datagram for the game; only some games listen.
    pub fn receive(&mut self, datagram: &[u8]) {
        self.emitter.receive(&mut self.race, datagram);
    }

    /// Requests an event.
    pub fn request(&mut self, request: Request) {
        self.race.request(request);
    }

    /// The race.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// The ground truth so far.
    pub fn truth(&self) -> &Truth {
        self.race.truth()
    }
}
