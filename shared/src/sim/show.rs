//! What a demo shows: a race, a rally, or an evening on a server, as packets of a feed that can be spoken.

use super::ac_server::ServerDemo;
use super::demo::Demo;
use super::dirt_rally::DirtRally;
use super::pace::caught_up;
use super::race::Options;
use super::rally::{self, Rally};
use super::truth::Truth;
use crate::feed::Feed;
use crate::time::Micros;

/// The feeds that can be spoken. They are listed apart from what speaks them, so that whoever only wants to know need not
/// load that.
pub const SPOKEN: [Feed; 7] = [
    Feed::F12018,
    Feed::GranTurismo,
    Feed::AcRemote,
    Feed::AcTelemetryTool,
    Feed::AcLua,
    Feed::DirtRally,
    Feed::AcServer,
];

/// A demo of any feed that can be spoken.
pub enum Show {
    /// Several cars on a circuit.
    Race(Box<Demo>),
    /// One car on a stage.
    Rally(Box<RallyDemo>),
    /// A server with several cars, that has been asked for positions.
    Server(Box<ServerDemo>),
}

/// A rally and the game that shows it.
pub struct RallyDemo {
    rally: Rally,
    game: DirtRally,
    began: Micros,
}

impl Show {
    /// A show that begins now; `None` when its feed can't be spoken.
    pub fn new(feed: Feed, options: Options, now: Micros) -> Option<Self> {
        if feed == Feed::AcServer {
            return Some(Self::Server(Box::new(ServerDemo::asked(options, now))));
        }
        if feed != Feed::DirtRally {
            return Some(Self::Race(Box::new(Demo::new(feed, options, now)?)));
        }
        let options = rally::Options {
            seed: options.seed,
            once: !options.again,
            forgetful: !options.keep_truth,
            ..rally::Options::default()
        };
        Some(Self::Rally(Box::new(RallyDemo::new(DirtRally::default(), options, now))))
    }

    /// The feeds that can be spoken.
    pub fn feeds() -> impl Iterator<Item = Feed> {
        SPOKEN.into_iter()
    }

    /// Drives on until now, and hands out each datagram with the moment at which a game would have sent it.
    pub fn advance(&mut self, now: Micros, send: &mut dyn FnMut(Micros, &[u8])) {
        match self {
            Self::Race(demo) => demo.advance(now, send),
            Self::Rally(demo) => demo.advance(now, send),
            Self::Server(demo) => demo.advance(now, send),
        }
    }

    /// Takes a datagram that is meant for the game; only some games listen.
    pub fn receive(&mut self, datagram: &[u8]) {
        match self {
            Self::Race(_) | Self::Rally(_) => {}
            Self::Server(demo) => demo.receive(datagram),
        }
    }

    /// Everything known about it so far.
    pub fn truth(&self) -> &Truth {
        match self {
            Self::Race(demo) => demo.truth(),
            Self::Rally(demo) => demo.rally.truth(),
            Self::Server(demo) => demo.truth(),
        }
    }
}

impl RallyDemo {
    /// A rally that begins now, told by a game that was told what to send.
    pub fn new(game: DirtRally, options: rally::Options, now: Micros) -> Self {
        Self { rally: Rally::new(options), game, began: now }
    }

    /// Drives on until now, and hands out each datagram with the moment at which a game would have sent it.
    pub fn advance(&mut self, now: Micros, send: &mut dyn FnMut(Micros, &[u8])) {
        self.began = caught_up(self.began, self.rally.run_s(), now);
        self.drive(now.seconds_since(self.began), send);
    }

    /// Drives until so many seconds after the beginning, however long that is: for tests, which don't wait.
    pub fn drive(&mut self, until_s: f64, send: &mut dyn FnMut(Micros, &[u8])) {
        while self.rally.run_s() < until_s {
            self.rally.step();
            if self.rally.at_frame() {
                let at = self.began.plus_seconds(self.rally.run_s());
                self.game.frame(&self.rally, &mut |datagram| send(at, datagram));
            }
        }
    }

    /// The rally itself.
    pub fn rally(&self) -> &Rally {
        &self.rally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::FEEDS;

    #[test]
    fn the_list_names_what_can_be_spoken() {
        for row in FEEDS {
            let speaks = Show::new(row.feed, Options::default(), Micros(0)).is_some();
            assert_eq!(speaks, SPOKEN.contains(&row.feed), "{}", row.id);
        }
    }
}
