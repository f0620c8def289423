//! Simulated games that send only to whoever has asked them: the game's end of the conversation.

use std::net::SocketAddr;

/// The game's end of a conversation. It opens no socket: whoever runs it does.
pub trait Host: Send {
    /// Takes what somebody said to the game. Gives what it answers them, if it does.
    fn hear(&mut self, from: SocketAddr, datagram: &[u8]) -> Option<&[u8]>;
    /// Takes a packet that the game has to send. Gives whom it goes to.
    fn listeners(&mut self, packet: &[u8]) -> &[SocketAddr];
}
