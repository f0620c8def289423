//! Forwards a game's packets to other programs, since most games send to one address only.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::ForwardStatus;

/// A target for one feed's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The feed.
    pub feed: Feed,
    /// Where its packets go.
    pub to: SocketAddr,
}

/// All forwarding. Packets are forwarded as they come in, so that targets see the game's own pace; a full socket counts
/// a failure and holds up nothing.
#[derive(Default)]
pub(crate) struct Forwards {
    rows: Vec<Row>,
    here: Vec<IpAddr>,
}

struct Row {
    target: Target,
    socket: UdpSocket,
    /// The local port that this row sends from.
    leaves_from: u16,
    packets: AtomicU64,
    failed: AtomicU64,
}

impl Forwards {
    /// Opens the sockets. `own` are the addresses Trailbrake itself listens on: forwarding there would loop for ever
    /// and is rejected.
    pub(crate) fn open(targets: &[Target], own: &[SocketAddr]) -> anyhow::Result<Self> {
        let here = addresses_of_this_machine();
        let row = |&target: &Target| {
            let Target { feed, to } = target;
            if let Some(loops) = own.iter().find(|own| reaches(to, **own, &here)) {
                anyhow::bail!(
                    "--forward {}={to} would send packets back into Trailbrake, which itself listens on port {}: \
                     give the port of the other program",
                    feed.id(),
                    loops.port(),
                );
            }
            let any: IpAddr =
                if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
            let socket = UdpSocket::bind((any, 0)).context("no socket to forward with")?;
            socket.set_nonblocking(true)?;
            socket.set_broadcast(true)?;
            let leaves_from = socket.local_addr()?.port();
            Ok(Row { target, socket, leaves_from, packets: AtomicU64::new(0), failed: AtomicU64::new(0) })
        };
        let rows = targets.iter().map(row).collect::<anyhow::Result<_>>()?;
        Ok(Self { rows, here })
    }

    /// Forwards a packet of a feed to its targets, byte for byte.
    pub(crate) fn pass_on(&self, feed: Feed, sender: SocketAddr, bytes: &[u8]) {
        if self.rows.is_empty() || self.left_from_here(sender) {
            return;
        }
        for row in self.rows.iter().filter(|row| row.target.feed == feed) {
            let counter = match row.socket.send_to(bytes, row.target.to) {
                Ok(_) => &row.packets,
                Err(_) => &row.failed,
            };
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a packet was sent from here and came back: forwarding it again would make a loop.
    fn left_from_here(&self, sender: SocketAddr) -> bool {
        self.rows.iter().any(|row| row.leaves_from == sender.port())
            && (sender.ip().is_loopback() || self.here.contains(&sender.ip()))
    }

    /// The status of each target.
    pub(crate) fn status(&self) -> Vec<ForwardStatus> {
        let rows = self.rows.iter().map(|row| ForwardStatus {
            feed: row.target.feed,
            to: row.target.to,
            packets: row.packets.load(Ordering::Relaxed),
            failed: row.failed.load(Ordering::Relaxed),
        });
        rows.collect()
    }
}

/// Whether packets to `to` arrive at `own`, one of this machine's sockets.
fn reaches(to: SocketAddr, own: SocketAddr, here: &[IpAddr]) -> bool {
    let local = to.ip().is_loopback() || to.ip().is_unspecified() || here.contains(&to.ip());
    let heard = own.ip().is_unspecified() || own.ip() == to.ip() || to.ip().is_unspecified();
    to.port() == own.port() && (local && heard || is_to_everybody(to.ip()))
}

fn is_to_everybody(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_broadcast() || ip.is_multicast() || ip.octets()[3] == 255,
        IpAddr::V6(ip) => ip.is_multicast(),
    }
}

fn addresses_of_this_machine() -> Vec<IpAddr> {
    if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|interface| interface.ip()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_arrives_at_an_own_port_goes_round() {
        let here = ["127.0.0.1".parse().expect("an address"), "192.168.1.5".parse().expect("an address")];
        let check = |to: &str, own: &str, want: bool| {
            let (to, own) = (to.parse().expect("an address"), own.parse().expect("an address"));
            assert_eq!(reaches(to, own, &here), want, "{to} → {own}");
        };
        check("127.0.0.1:20777", "0.0.0.0:20777", true);
        check("192.168.1.5:20777", "0.0.0.0:20777", true);
        check("255.255.255.255:20777", "0.0.0.0:20777", true);
        check("192.168.1.255:20777", "192.168.1.5:20777", true);
        check("0.0.0.0:20777", "127.0.0.1:20777", true);
        check("127.0.0.1:20778", "0.0.0.0:20777", false);
        check("192.168.1.6:20777", "0.0.0.0:20777", false);
        check("127.0.0.1:20777", "192.168.1.5:20777", false);
    }

    #[test]
    fn a_loop_is_refused_with_advice() {
        let target = Target { feed: Feed::F12018, to: ([127, 0, 0, 1], 20777).into() };
        let own = ([0, 0, 0, 0], 20777).into();
        let error = Forwards::open(&[target], &[own]).err().expect("an error").to_string();
        assert!(error.contains("--forward f1-2018=127.0.0.1:20777"), "{error}");
        assert!(error.contains("port of the other program"), "{error}");
    }

    #[test]
    fn packets_reach_their_feeds_target_and_no_other() {
        let there = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let to = there.local_addr().expect("an address");
        let forwards = Forwards::open(&[Target { feed: Feed::F12018, to }], &[]).expect("a socket");
        let game = ([10, 0, 0, 7], 1).into();
        forwards.pass_on(Feed::DirtRally, game, b"not this one");
        forwards.pass_on(Feed::F12018, game, b"this one");
        let from_itself = ([127, 0, 0, 1], forwards.rows[0].leaves_from).into();
        forwards.pass_on(Feed::F12018, from_itself, b"again");
        let mut room = [0; 100];
        let len = there.recv(&mut room).expect("a packet");
        assert_eq!(&room[..len], b"this one");
        assert_eq!(forwards.status(), [ForwardStatus { feed: Feed::F12018, to, packets: 1, failed: 0 }]);
    }
}
