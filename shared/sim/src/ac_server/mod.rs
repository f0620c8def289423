//! An Assetto Corsa dedicated server with players: it sends its plugin events, and carries out the plugin's requests.

mod board;
mod contacts;
mod people;
mod plan;
mod server;
#[cfg(test)]
mod tests;

pub use server::Server;

use std::net::SocketAddr;

use super::host::Host;

/// The server's side of the connection: every packet goes to the one plugin, whose address is that of the latest
/// request.
#[derive(Debug, Default)]
pub struct PluginConnection(Option<SocketAddr>);

impl Host for PluginConnection {
    fn receive(&mut self, from: SocketAddr, _: &[u8]) -> Option<&[u8]> {
        self.0 = Some(from);
        None
    }

    fn listeners(&mut self, _: &[u8]) -> &[SocketAddr] {
        self.0.as_slice()
    }
}
