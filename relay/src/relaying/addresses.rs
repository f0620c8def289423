//! This machine's addresses.

use std::net::IpAddr;

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
