//! The game's side of feeds in which the game sends only to clients that have asked.

use std::net::SocketAddr;

/// The protocol logic of such a game. It opens no socket; its caller does.
pub trait Host: Send {
    /// Receives a client's datagram and returns the reply, if any.
    fn receive(&mut self, from: SocketAddr, datagram: &[u8]) -> Option<&[u8]>;
    /// Returns the addresses that a packet from the game goes to.
    fn listeners(&mut self, packet: &[u8]) -> &[SocketAddr];
}
