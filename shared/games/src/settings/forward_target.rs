//! Forwarding: where packets go, and whether they would come back to a port that Trailbrake itself listens on.

use core::net::{IpAddr, SocketAddr};

use crate::feed::Feed;

/// A feed and where its packets are forwarded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardTarget {
    /// The feed.
    pub feed: Feed,
    /// Where its packets go.
    pub to: SocketAddr,
}

/// Whether packets to `to` arrive at `own`, one of this machine's sockets. `here` are the machine's own addresses.
pub fn comes_back(to: SocketAddr, own: SocketAddr, here: &[IpAddr]) -> bool {
    let local = to.ip().is_loopback() || to.ip().is_unspecified() || here.contains(&to.ip());
    let received = own.ip().is_unspecified() || own.ip() == to.ip() || to.ip().is_unspecified();
    to.port() == own.port() && (local && received || is_to_everybody(to.ip()))
}

fn is_to_everybody(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [.., last] = ip.octets();
            ip.is_broadcast() || ip.is_multicast() || last == 255
        }
        IpAddr::V6(ip) => ip.is_multicast(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_arrives_at_an_own_port_comes_back() {
        let here = ["127.0.0.1".parse().expect("an address"), "192.168.1.5".parse().expect("an address")];
        let check = |to: &str, own: &str, want: bool| {
            let (to, own) = (to.parse().expect("an address"), own.parse().expect("an address"));
            assert_eq!(comes_back(to, own, &here), want, "{to} → {own}");
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
}
