//! The interface of a simulated game that sends a race.

use super::race::{self, Options, Race};

/// Sends a race as one game would.
pub trait Emitter: Send {
    /// Begins the race that the game runs with these options.
    fn begin(&mut self, options: Options) -> Race {
        race::start(options)
    }

    /// Runs the game's own part of the race before each frame, such as the sessions of a server.
    fn direct(&mut self, _race: &mut Race) {}

    /// Sends the datagrams of the current frame.
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8]));

    /// Receives a datagram; only some games listen.
    fn receive(&mut self, _race: &mut Race, _datagram: &[u8]) {}
}
