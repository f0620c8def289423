//! Counters of each UDP port.

use std::net::SocketAddr;
use std::time::Instant;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Rejected;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{PortState, PortStatus, Recognised};

use crate::lock::Lock;
use crate::relaying::ports::Port;
use crate::relaying::rejects::{Reason, Rejects};

/// A port's counters. Its receiving task updates them, the status reads them.
pub(crate) struct PortCounters {
    pub(crate) port: u16,
    pub(crate) feeds: Vec<Feed>,
    state: Lock<PortState>,
    counts: Lock<Counts>,
    rate: Lock<Rate>,
}

#[derive(Default)]
struct Counts {
    packets: u64,
    sender: Option<SocketAddr>,
    recognised: Vec<Recognised>,
    rejected: u64,
    rejects: Rejects,
}

impl PortCounters {
    pub(crate) fn new(port: &Port) -> Self {
        Self {
            port: port.address.port(),
            feeds: port.feeds.clone(),
            state: Lock::new(port.state.clone()),
            counts: Lock::default(),
            rate: Lock::new(Rate::new(Instant::now())),
        }
    }

    pub(crate) fn recognised(&self, sender: SocketAddr, at: Micros, feed: Feed) {
        let mut counts = self.counts.lock();
        counts.packets += 1;
        counts.sender = Some(sender);
        counts.rejects.settle(sender, at);
        match counts.recognised.iter_mut().find(|row| row.feed == feed) {
            Some(row) => row.packets += 1,
            None => counts.recognised.push(Recognised { feed, packets: 1 }),
        }
    }

    pub(crate) fn rejected(&self, sender: SocketAddr, at: Micros, reason: Rejected) {
        self.refuse(sender, at, Reason::Rejected(reason));
    }

    pub(crate) fn too_large(&self, sender: SocketAddr, at: Micros, len: usize, limit: usize) {
        self.refuse(sender, at, Reason::TooLarge { len, limit });
    }

    /// Counts a packet from an address that games may not send from.
    pub(crate) fn reject_sender(&self, sender: SocketAddr, at: Micros) {
        self.refuse(sender, at, Reason::SenderNotAllowed);
    }

    /// Forgets who sent what no feed claims.
    pub(crate) fn clear_rejects(&self) {
        self.counts.lock().rejects.clear();
    }

    /// Marks the port as unable to receive.
    pub(crate) fn failed(&self, why: String) {
        *self.state.lock() = PortState::Failed { why };
    }

    /// The port's status. The rate is that of the last second.
    pub(crate) fn status(&self, now: Instant) -> PortStatus {
        let counts = self.counts.lock();
        PortStatus {
            port: self.port,
            feeds: self.feeds.clone(),
            state: self.state.lock().clone(),
            packets: counts.packets,
            per_second: self.rate.lock().at(now, counts.packets),
            sender: counts.sender,
            recognised: counts.recognised.clone(),
            rejected: counts.rejected,
            rejects: counts.rejects.list(),
        }
    }

    fn refuse(&self, sender: SocketAddr, at: Micros, reason: Reason) {
        let mut counts = self.counts.lock();
        counts.packets += 1;
        counts.sender = Some(sender);
        counts.rejected += 1;
        counts.rejects.add(sender, at, reason);
    }
}

/// Packets per second over about the last second, from occasional readings.
struct Rate {
    /// Readings, oldest first; the rate is measured from the first.
    readings: [(Instant, u64); 3],
}

impl Rate {
    fn new(now: Instant) -> Self {
        Self { readings: [(now, 0); 3] }
    }

    fn at(&mut self, now: Instant, packets: u64) -> f32 {
        let [_, second, third] = self.readings;
        self.readings = [second, third, (now, packets)];
        let seconds = now.duration_since(second.0).as_secs_f32();
        if seconds <= 0.0 {
            return 0.0;
        }
        packets.saturating_sub(second.1) as f32 / seconds
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trailbrake_shared::games::Via;

    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_second() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        let after = |half_seconds| start + Duration::from_millis(500) * half_seconds;
        assert_eq!(rate.at(after(1), 0), 0.0);
        assert_eq!(rate.at(after(2), 30), 30.0);
        assert_eq!(rate.at(after(3), 60), 60.0);
        assert_eq!(rate.at(after(4), 60), 30.0);
        assert_eq!(rate.at(after(5), 60), 0.0);
        assert_eq!(rate.at(after(5), 60), 0.0);
    }

    #[test]
    fn everything_received_is_counted_as_one_thing_or_the_other() {
        let port = Port {
            requested: 20777,
            address: ([127, 0, 0, 1], 20777).into(),
            feeds: vec![Feed::F1],
            state: PortState::Open,
            socket: None,
            via: Via::Port(20777),
        };
        let counters = PortCounters::new(&port);
        let (one, other) = (([10, 0, 0, 1], 1).into(), ([10, 0, 0, 2], 2).into());
        let at = Micros(1);
        counters.recognised(one, at, Feed::F1);
        counters.recognised(other, at, Feed::DirtRally);
        counters.recognised(one, at, Feed::F1);
        counters.rejected(other, at, Rejected::Empty);
        counters.too_large(one, at, 60_000, 8192);
        let status = counters.status(Instant::now());
        assert_eq!((status.packets, status.rejected, status.sender), (5, 2, Some(one)));
        assert_eq!(
            status.recognised,
            [Recognised { feed: Feed::F1, packets: 2 }, Recognised { feed: Feed::DirtRally, packets: 1 }]
        );
        assert!(status.last_reason().expect("a reason").starts_with("60000 bytes are more"));
        assert_eq!(status.rejects.len(), 2);
        counters.clear_rejects();
        let cleared = counters.status(Instant::now());
        assert_eq!((cleared.rejected, cleared.rejects), (2, Vec::new()), "the total stays");
    }
}
