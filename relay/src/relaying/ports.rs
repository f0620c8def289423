//! The UDP ports that games send to: which are wanted, and the outcome of opening them.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr, UdpSocket};

use socket2::{Domain, Protocol, Socket, Type};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Via;
use trailbrake_shared::wire::PortState;

use crate::relaying::port_owner;

/// Receive buffer requested from the system, which may give less.
const RECEIVE_BUFFER: usize = 8 << 20;

/// A port, and the feeds that send to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortRequest {
    /// The port; 0 lets the system choose.
    pub port: u16,
    /// The feeds.
    pub feeds: Vec<Feed>,
}

/// A port after the attempt to open it.
#[derive(Debug)]
pub(crate) struct Port {
    /// The port that was wanted; 0 where the system chose.
    pub requested: u16,
    /// The address it listens on, or would.
    pub address: SocketAddr,
    /// The feeds that send to it.
    pub feeds: Vec<Feed>,
    /// Whether it is open.
    pub state: PortState,
    /// The socket, if it is open.
    pub socket: Option<UdpSocket>,
    /// The talker's name for it.
    pub via: Via,
}

/// The ports for feeds: one for each number, however many feeds send to it.
pub(crate) fn wanted(feeds: impl IntoIterator<Item = (Feed, u16)>) -> Vec<PortRequest> {
    let mut shared: BTreeMap<u16, Vec<Feed>> = BTreeMap::new();
    let mut chosen_by_system = Vec::new();
    for (feed, port) in feeds {
        if port == 0 {
            chosen_by_system.push(PortRequest { port, feeds: vec![feed] });
            continue;
        }
        let feeds = shared.entry(port).or_default();
        if !feeds.contains(&feed) {
            feeds.push(feed);
        }
    }
    let shared = shared.into_iter().map(|(port, feeds)| PortRequest { port, feeds });
    shared.chain(chosen_by_system).collect()
}

/// Opens a port, or reports why it is not open. A failure does not affect other ports.
pub(crate) fn open(wanted: PortRequest, ip: IpAddr) -> Port {
    let PortRequest { port, feeds } = wanted;
    let address = SocketAddr::new(ip, port);
    match bind(address) {
        Ok((socket, address)) => {
            let via = Via::Port(address.port());
            Port { requested: port, address, feeds, state: PortState::Open, socket: Some(socket), via }
        }
        Err(error) => {
            let (state, via) = (refused(port, ip, &error), Via::Port(port));
            Port { requested: port, address, feeds, state, socket: None, via }
        }
    }
}

/// Opens one of the sockets that a talker needs for itself.
pub(crate) fn open_own(feed: Feed, number: u8, ip: IpAddr, game: SocketAddr) -> Port {
    let open_any = || open(PortRequest { port: 0, feeds: vec![feed] }, ip);
    let mut port = open_any();
    if port.address.port() == game.port() {
        // On the game's own machine this would take the game's port. Close it only once another is open.
        port = open_any();
    }
    port.via = Via::Own(number);
    if port.state == PortState::Open {
        port.state = PortState::Asks { game };
    }
    port
}

fn bind(address: SocketAddr) -> io::Result<(UdpSocket, SocketAddr)> {
    let socket = Socket::new(Domain::for_address(address), Type::DGRAM, Some(Protocol::UDP))?;
    // A smaller buffer still receives, but tolerates shorter delays.
    if let Err(error) = socket.set_recv_buffer_size(RECEIVE_BUFFER) {
        tracing::debug!("the receive buffer of {address} stays as it is: {error}");
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    let socket = UdpSocket::from(socket);
    let address = socket.local_addr()?;
    Ok((socket, address))
}

fn refused(port: u16, ip: IpAddr, error: &io::Error) -> PortState {
    match error.kind() {
        io::ErrorKind::AddrInUse => PortState::Taken { holder: port_owner::of_udp_port(port) },
        io::ErrorKind::AddrNotAvailable => {
            PortState::Failed { why: format!("this machine has no address {ip}; see --udp-bind") }
        }
        io::ErrorKind::PermissionDenied => match port_owner::of_udp_port(port) {
            // Windows reports a port that another program keeps for itself like this.
            Some(owner) => PortState::Taken { holder: Some(owner) },
            None if cfg!(windows) => PortState::Failed {
                why: "Windows keeps this port for itself: use --port to choose another".into(),
            },
            None => PortState::Failed { why: "the system allows it to administrators alone".into() },
        },
        _ => PortState::Failed { why: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn feeds_share_a_port_unless_the_system_chooses() {
        use Feed::{DirtRally, F1, GranTurismo};
        let feeds = [(F1, 20777), (DirtRally, 20777), (F1, 20777), (GranTurismo, 0), (DirtRally, 0)];
        assert_eq!(
            wanted(feeds),
            [
                PortRequest { port: 20777, feeds: vec![F1, DirtRally] },
                PortRequest { port: 0, feeds: vec![GranTurismo] },
                PortRequest { port: 0, feeds: vec![DirtRally] },
            ]
        );
    }

    #[test]
    fn a_taken_port_says_so() {
        let first = open(PortRequest { port: 0, feeds: vec![] }, HERE);
        assert_eq!(first.state, PortState::Open);
        let second = open(PortRequest { port: first.address.port(), feeds: vec![] }, HERE);
        assert!(second.socket.is_none());
        let PortState::Taken { holder } = second.state else { panic!("{:?}", second.state) };
        if cfg!(any(target_os = "linux", windows)) {
            let holder = holder.expect("the name of this very program");
            assert!(holder.contains(&std::process::id().to_string()), "{holder}");
        }
    }

    #[test]
    fn an_address_of_another_machine_says_so() {
        let port = open(PortRequest { port: 0, feeds: vec![] }, Ipv4Addr::new(192, 0, 2, 1).into());
        assert!(matches!(port.state, PortState::Failed { why } if why.contains("192.0.2.1")));
    }
}
