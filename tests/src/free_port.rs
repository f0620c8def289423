//! Ports for the drivers of browsers.

use std::net::TcpListener;

/// A TCP port of loopback that nobody uses.
pub fn free_tcp_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0");
    listener.and_then(|listener| listener.local_addr()).expect("a free port").port()
}
