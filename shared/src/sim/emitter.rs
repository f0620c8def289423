//! The game's side of a simulated race: what each feed's simulator implements.

use super::race::Race;

/// Speaks one feed: says everything that its game would say at one frame.
pub trait Emitter: Send {
    /// Hands out the datagrams of this frame.
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8]));
}
