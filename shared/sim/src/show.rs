//! Demos of all feeds: a race or a rally.

use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;

use super::demo::Demo;
use super::demos::{self, Driven, SPOKEN};
use super::dirt_rally::DirtRally;
use super::pace::caught_up;
use super::race::Options;
use super::rally::{self, Rally};
use super::truth::Truth;

/// A demo that advances by more than a moment assumes that the machine was asleep.
const STEP_S: f64 = 0.5;

/// The demo of a feed.
pub enum Show {
    /// Several cars on a circuit.
    Race(Box<Demo>),
    /// One car on a stage.
    Rally(Box<RallyDemo>),
}

/// A rally and the game that sends it.
pub struct RallyDemo {
    rally: Rally,
    game: DirtRally,
    began: Micros,
}

impl Show {
    /// A demo that starts now; `None` if the feed has none.
    pub fn new(feed: Feed, options: Options, now: Micros) -> Option<Self> {
        Some(match demos::info(feed)?.driven {
            Driven::Race(emitter) => Self::Race(Box::new(Demo::speaking(emitter(), options, now))),
            Driven::Rally => {
                let options = rally::Options {
                    seed: options.seed,
                    once: !options.again,
                    forgetful: !options.keep_truth,
                    ..rally::Options::default()
                };
                Self::Rally(Box::new(RallyDemo::new(DirtRally::default(), options, now)))
            }
        })
    }

    /// The feeds with a demo.
    pub fn feeds() -> impl Iterator<Item = Feed> {
        SPOKEN.into_iter()
    }

    /// Runs until `now` and passes each datagram to `send` with the time at which a game would have sent it.
    pub fn advance(&mut self, now: Micros, send: &mut dyn FnMut(Micros, &[u8])) {
        match self {
            Self::Race(demo) => demo.advance(now, send),
            Self::Rally(demo) => demo.advance(now, send),
        }
    }

    /// What a game sends in so many seconds; `None` if the feed has no demo.
    pub fn packets(
        feed: Feed,
        options: Options,
        began: Micros,
        seconds: f64,
    ) -> Option<Vec<(Micros, Vec<u8>)>> {
        let mut show = Self::new(feed, options, began)?;
        let (mut packets, mut until_s) = (Vec::new(), 0.0);
        while until_s < seconds {
            until_s += STEP_S;
            let mut keep = |at, bytes: &[u8]| packets.push((at, bytes.to_vec()));
            show.advance(began.plus_seconds(until_s), &mut keep);
        }
        Some(packets)
    }

    /// Receives a datagram for the game; only some games listen.
    pub fn receive(&mut self, datagram: &[u8]) {
        match self {
            Self::Race(demo) => demo.receive(datagram),
            Self::Rally(_) => {}
        }
    }

    /// The ground truth so far.
    pub fn truth(&self) -> &Truth {
        match self {
            Self::Race(demo) => demo.truth(),
            Self::Rally(demo) => demo.rally.truth(),
        }
    }
}

impl RallyDemo {
    /// A rally that starts now, sent by the given game.
    pub fn new(game: DirtRally, options: rally::Options, now: Micros) -> Self {
        Self { rally: Rally::new(options), game, began: now }
    }

    /// Runs until `now` and passes each datagram to `send` with the time at which a game would have sent it.
    pub fn advance(&mut self, now: Micros, send: &mut dyn FnMut(Micros, &[u8])) {
        self.began = caught_up(self.began, self.rally.run_s(), now);
        self.drive(now.seconds_since(self.began), send);
    }

    /// Runs until `until_s` seconds after the start without waiting, for tests.
    pub fn drive(&mut self, until_s: f64, send: &mut dyn FnMut(Micros, &[u8])) {
        while self.rally.run_s() < until_s {
            self.rally.step();
            if self.rally.at_frame() {
                let at = self.began.plus_seconds(self.rally.run_s());
                self.game.frame(&self.rally, &mut |datagram| send(at, datagram));
            }
        }
    }

    /// The rally.
    pub fn rally(&self) -> &Rally {
        &self.rally
    }
}
