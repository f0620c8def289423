//! This machine's address in a network, for tests that load the page as a tablet does.

use std::net::{IpAddr, UdpSocket};

use crate::needs::Need;

/// An address for documentation, which no machine has. Nothing is sent there.
const ELSEWHERE: &str = "203.0.113.1:9";

/// What those tests need. The system delivers packets to its own address itself: they leave this machine as little as
/// those to loopback.
pub(crate) fn need() -> Need {
    let address = own_address();
    match address {
        Some(address) => println!("address for tablets: {address}"),
        None => println!("this machine is in no network, so the tests of tablets do not run"),
    }
    let variables = address.map(|address| vec![("TRAILBRAKE_ADDRESS", address.to_string().into())]);
    Need { reason: "needs a network address: run cargo xtask test", variables }
}

/// The address that packets to other networks would leave from.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // This chooses a route and sends nothing.
    socket.connect(ELSEWHERE).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_loopback() && !own.is_unspecified()).then_some(own)
}
