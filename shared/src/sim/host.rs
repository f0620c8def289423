//! Simulated games that send only to whoever has asked them: the game's end of the conversation.

use std::net::SocketAddr;

use super::ac_remote::Shaken;
use super::ac_server::Plugged;
use crate::feed::Feed;

/// The game's end of a conversation. It opens no socket: whoever runs it does.
pub trait Host: Send {
    /// Takes what somebody said to the game. Gives what it answers them, if it does.
    fn hear(&mut self, from: SocketAddr, datagram: &[u8]) -> Option<&[u8]>;
    /// Takes a packet that the game has to send. Gives whom it goes to.
    fn listeners(&mut self, packet: &[u8]) -> &[SocketAddr];
}

/// A host that nobody has spoken to; `None` for a feed whose demo sends without being asked.
pub fn host(feed: Feed) -> Option<Box<dyn Host>> {
    match feed {
        Feed::AcRemote => Some(Box::<Shaken>::default()),
        Feed::AcServer => Some(Box::<Plugged>::default()),
        _ => None,
    }
}
