//! The connections of one listener: a fair share for each device in the network, and a small one for strangers, so that
//! none shuts out the others.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::lock::Lock;
use crate::relaying::device::Device;

/// Most connections of one device at the same time: a browser that shows three pages needs twelve.
const OF_A_DEVICE: usize = 16;
/// Most connections of strangers: those that have not shown the key. A tablet shows it with its first request, so its
/// connection is a stranger's for a moment only.
const OF_STRANGERS: usize = 32;

/// The connections now. Copies are handles to the same.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Lock<State>>);

#[derive(Default)]
struct State {
    /// How many each device has.
    devices: HashMap<Device, usize>,
    /// The connections of strangers, the oldest first.
    strangers: VecDeque<Stranger>,
    /// The number of the latest connection.
    last: u64,
}

struct Stranger {
    number: u64,
    /// Wakes the connection's task, which ends it.
    gives_way: Arc<Notify>,
}

/// A connection, which counts until it is dropped.
pub(super) struct Connected {
    connections: Connections,
    device: Device,
    number: u64,
    gives_way: Arc<Notify>,
}

impl Connections {
    /// One more connection, of a stranger or not; `None` where the device has its share already. Where strangers have
    /// theirs, the oldest of them gives way: who waits without a word can't keep out a tablet.
    pub(super) fn connect(&self, client: IpAddr, is_stranger: bool) -> Option<Connected> {
        let device = Device::at(client);
        let mut state = self.0.lock();
        let connections = state.devices.entry(device).or_default();
        if *connections >= OF_A_DEVICE {
            return None;
        }
        *connections += 1;
        state.last += 1;
        let (number, gives_way) = (state.last, Arc::new(Notify::new()));
        if is_stranger {
            state.strangers.push_back(Stranger { number, gives_way: Arc::clone(&gives_way) });
            if state.strangers.len() > OF_STRANGERS
                && let Some(oldest) = state.strangers.pop_front()
            {
                oldest.gives_way.notify_one();
            }
        }
        Some(Connected { connections: self.clone(), device, number, gives_way })
    }
}

impl Connected {
    /// The connection has shown the key: it gives way to nobody.
    pub(super) fn show_key(&self) {
        self.connections.0.lock().strangers.retain(|stranger| stranger.number != self.number);
    }

    /// Waits until the connection has to give way.
    pub(super) async fn gives_way(&self) {
        self.gives_way.notified().await;
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.show_key();
        let mut state = self.connections.0.lock();
        if let Some(connections) = state.devices.get_mut(&self.device) {
            *connections -= 1;
            if *connections == 0 {
                state.devices.remove(&self.device);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_device_has_its_share_and_takes_nothing_from_others() {
        let connections = Connections::default();
        // One device may have any number of addresses in its own IPv6 network.
        let greedy = |number: usize| ip(&format!("fd00::1:0:0:0:{number:x}"));
        let connect = |client: IpAddr| connections.connect(client, false);
        let mut held: Vec<_> = (0..OF_A_DEVICE).map(|number| connect(greedy(number))).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(connect(greedy(99)).is_none());
        for other in ["10.0.0.7", "::ffff:10.0.0.8", "fd00::2:0:0:0:1"] {
            assert!(connect(ip(other)).is_some(), "{other}");
        }
        held.pop();
        assert!(connect(greedy(99)).is_some());
        drop(held);
        assert!(connections.0.lock().devices.is_empty(), "nobody is remembered");
    }

    #[tokio::test]
    async fn the_oldest_stranger_gives_way_and_a_tablet_does_not() {
        let connections = Connections::default();
        let connect = |number: usize| {
            let client = ip(&format!("10.0.0.{number}"));
            connections.connect(client, true).expect("a connection")
        };
        let tablet = connect(200);
        tablet.show_key();
        let mut strangers: Vec<Connected> = (0..OF_STRANGERS).map(connect).collect();
        strangers.push(connect(100));
        strangers[0].gives_way().await;
        let gives_way = |one: &Connected| one.gives_way().now_or_never().is_some();
        assert!(!strangers[1..].iter().any(gives_way), "only one gives way");
        assert!(!gives_way(&tablet));
        drop(strangers);
        assert!(connections.0.lock().strangers.is_empty(), "nobody is remembered");
    }
}
