//! This machine's addresses.

use std::net::IpAddr;

/// Where games elsewhere on the network can send to, when the ports are open at a local address.
pub(crate) fn reachable(bind: IpAddr) -> Vec<IpAddr> {
    match bind {
        all if all.is_unspecified() => addresses(),
        own if own.is_loopback() => Vec::new(),
        one => vec![one],
    }
}

/// This machine's addresses that games elsewhere on the network can send to.
pub(crate) fn addresses() -> Vec<IpAddr> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut addresses: Vec<IpAddr> = interfaces
        .iter()
        .filter(|interface| !interface.is_loopback() && !interface.is_link_local())
        .map(|interface| interface.ip())
        .filter(IpAddr::is_ipv4)
        .collect();
    addresses.sort();
    addresses.dedup();
    addresses
}

/// All of this machine's addresses, loopback included.
pub(crate) fn of_this_machine() -> Vec<IpAddr> {
    if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|interface| interface.ip()).collect()
}

/// Whether an address is this machine's.
pub(crate) fn is_here(ip: IpAddr) -> bool {
    ip.is_loopback() || of_this_machine().contains(&ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn only_addresses_that_receive_are_named() {
        let one = Ipv4Addr::new(192, 168, 1, 5).into();
        assert_eq!(reachable(one), [one]);
        assert_eq!(reachable(Ipv4Addr::LOCALHOST.into()), [IpAddr::V4(Ipv4Addr::LOCALHOST); 0]);
        assert_eq!(reachable(Ipv4Addr::UNSPECIFIED.into()), addresses());
    }
}
