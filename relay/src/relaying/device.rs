//! A device in the network.

use std::net::{IpAddr, Ipv6Addr};

/// What counts as one device: an IPv4 address, or the 64 bits of an IPv6 address that a device does not choose itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Device(IpAddr);

impl Device {
    /// The device at an address.
    pub(crate) fn at(ip: IpAddr) -> Self {
        Self(match ip.to_canonical() {
            IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
            ip => ip,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(text: &str) -> Device {
        Device::at(text.parse().expect("an address"))
    }

    #[test]
    fn one_ipv4_address_is_one_device_and_so_is_one_ipv6_network() {
        assert_eq!(device("10.0.0.7"), device("::ffff:10.0.0.7"));
        assert_ne!(device("10.0.0.7"), device("10.0.0.8"));
        assert_eq!(device("fd00::1:0:0:0:1"), device("fd00::1:0:0:0:2"));
        assert_ne!(device("fd00::1:0:0:0:1"), device("fd00::2:0:0:0:1"));
    }
}
