//! The interface of a simulated game that sends a race.

use super::race::Race;

/// Sends a race as one game would.
pub trait Emitter: Send {
    /// Sends the datagrams of the current frame.
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8]));
}
