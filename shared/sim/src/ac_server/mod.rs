//! An Assetto Corsa dedicated server with players: it sends its plugin events, and carries out the plugin's requests.

mod board;
mod contacts;
mod people;
mod plan;
mod server;
#[cfg(test)]
mod tests;

pub use contacts::Contact;
pub use server::Server;

use std::net::SocketAddr;

use trailbrake_games::ac_server::Request;
use trailbrake_games::ac_server::layout::Interval;
use trailbrake_model::time::Micros;

use super::Options;
use super::host::Host;
use super::pace::caught_up;
use super::truth::Truth;

/// The update interval that plugins usually request, in ms.
const USUAL_INTERVAL_MS: u16 = 100;

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

/// A server that runs in real time.
pub struct ServerDemo {
    server: Server,
    began: Micros,
}

impl ServerDemo {
    /// A server that starts now, without any requests.
    pub fn new(options: Options, now: Micros) -> Self {
        Self { server: Server::new(options), began: now }
    }

    /// A server that starts now, with a plugin that has requested positions.
    pub fn asked(options: Options, now: Micros) -> Self {
        let mut demo = Self::new(options, now);
        demo.receive(&Request::Interval(Interval { milliseconds: USUAL_INTERVAL_MS }).datagram());
        demo
    }

    /// Receives a plugin's datagram.
    pub fn receive(&mut self, datagram: &[u8]) {
        self.server.receive(datagram);
    }

    /// Runs until `now` and passes each message to `send` with the time at which it would have been sent.
    pub fn advance(&mut self, now: Micros, send: &mut dyn FnMut(Micros, &[u8])) {
        self.began = caught_up(self.began, self.server.run_s(), now);
        self.drive(now.seconds_since(self.began), send);
    }

    /// Runs until `until_s` seconds after the start without waiting, for tests.
    pub fn drive(&mut self, until_s: f64, send: &mut dyn FnMut(Micros, &[u8])) {
        while self.server.run_s() < until_s {
            self.server.step();
            let at = self.began.plus_seconds(self.server.run_s());
            self.server.take_messages().iter().for_each(|message| send(at, message));
        }
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The ground truth of the current session.
    pub fn truth(&self) -> &Truth {
        self.server.race().truth()
    }
}
