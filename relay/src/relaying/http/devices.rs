//! A fair share of connections for each device in the network, so that none shuts out the others.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use crate::lock::Lock;

/// Most connections of one device at the same time: a browser that shows three pages needs twelve.
const CONNECTIONS: usize = 16;

/// The devices that are connected now.
#[derive(Clone, Debug, Default)]
pub(super) struct Devices(Arc<Lock<HashMap<IpAddr, usize>>>);

/// A device's connection, which counts until it is dropped.
#[derive(Debug)]
pub(super) struct DeviceConnection {
    devices: Devices,
    device: IpAddr,
}

impl Devices {
    /// One more connection of a device; `None` where it has its share already.
    pub(super) fn connect(&self, client: IpAddr) -> Option<DeviceConnection> {
        let device = device(client);
        let mut devices = self.0.lock();
        let connections = devices.entry(device).or_default();
        if *connections >= CONNECTIONS {
            return None;
        }
        *connections += 1;
        Some(DeviceConnection { devices: self.clone(), device })
    }
}

impl Drop for DeviceConnection {
    fn drop(&mut self) {
        let mut devices = self.devices.0.lock();
        if let Some(connections) = devices.get_mut(&self.device) {
            *connections -= 1;
            if *connections == 0 {
                devices.remove(&self.device);
            }
        }
    }
}

/// What counts as one device: an IPv4 address, or the 64 bits of an IPv6 address that a device does not choose itself.
pub(super) fn device(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        ip => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_device_has_its_share_and_takes_nothing_from_others() {
        let devices = Devices::default();
        // One device may have any number of addresses in its own IPv6 network.
        let greedy = |number: usize| ip(&format!("fd00::1:0:0:0:{number:x}"));
        let mut held: Vec<_> = (0..CONNECTIONS).map(|number| devices.connect(greedy(number))).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(devices.connect(greedy(99)).is_none());
        for other in ["10.0.0.7", "::ffff:10.0.0.8", "fd00::2:0:0:0:1"] {
            assert!(devices.connect(ip(other)).is_some(), "{other}");
        }
        held.pop();
        assert!(devices.connect(greedy(99)).is_some());
        drop(held);
        assert!(devices.0.lock().is_empty(), "nobody is remembered");
    }
}
