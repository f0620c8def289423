//! Forwards a game's packets to other programs, since most games send to one address only.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::settings::{ForwardTarget, comes_back};
use trailbrake_shared::wire::ForwardStatus;

use crate::lock::Lock;
use crate::relaying::addresses::of_this_machine;

/// All forwarding. Packets are forwarded as they come in, so that targets see the game's own pace; a full socket counts
/// a failure and holds up nothing.
#[derive(Default)]
pub(crate) struct Forwards(Lock<Arc<Rows>>);

/// The targets until the next change.
#[derive(Default)]
struct Rows {
    rows: Vec<Arc<Row>>,
    here: Vec<IpAddr>,
}

struct Row {
    target: ForwardTarget,
    socket: UdpSocket,
    /// The local port that this row sends from.
    leaves_from: u16,
    packets: AtomicU64,
    failed: AtomicU64,
}

impl Forwards {
    /// Opens the sockets. `own` are the addresses Trailbrake itself listens on: forwarding there would loop for ever
    /// and is rejected.
    pub(crate) fn open(targets: &[ForwardTarget], own: &[SocketAddr]) -> anyhow::Result<Self> {
        let here = of_this_machine();
        let looping = targets.iter().find_map(|target| Some((target, loops_at(*target, own, &here)?)));
        if let Some((ForwardTarget { feed, to }, port)) = looping {
            anyhow::bail!(
                "--forward {}={to} would send packets back into Trailbrake, which itself listens on port {port}: \
                 give the port of the other program",
                feed.id(),
            );
        }
        let forwards = Self::default();
        forwards.change(targets)?;
        Ok(forwards)
    }

    /// Forwards to these targets from now on. Those that stay keep their socket and their counters.
    pub(crate) fn change(&self, targets: &[ForwardTarget]) -> anyhow::Result<()> {
        let before = Arc::clone(&self.0.lock());
        let row = |target: &ForwardTarget| match before.rows.iter().find(|row| row.target == *target) {
            Some(row) => Ok(Arc::clone(row)),
            None => Row::open(*target).map(Arc::new),
        };
        let rows = targets.iter().map(row).collect::<anyhow::Result<_>>()?;
        *self.0.lock() = Arc::new(Rows { rows, here: of_this_machine() });
        Ok(())
    }

    /// Forwards a packet of a feed to its targets, byte for byte.
    pub(crate) fn pass_on(&self, feed: Feed, sender: SocketAddr, bytes: &[u8]) {
        let now = Arc::clone(&self.0.lock());
        if now.rows.is_empty() || now.left_from_here(sender) {
            return;
        }
        for row in now.rows.iter().filter(|row| row.target.feed == feed) {
            let counter = match row.socket.send_to(bytes, row.target.to) {
                Ok(_) => &row.packets,
                Err(_) => &row.failed,
            };
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The status of each target.
    pub(crate) fn status(&self) -> Vec<ForwardStatus> {
        let now = Arc::clone(&self.0.lock());
        let rows = now.rows.iter().map(|row| ForwardStatus {
            feed: row.target.feed,
            to: row.target.to,
            packets: row.packets.load(Ordering::Relaxed),
            failed: row.failed.load(Ordering::Relaxed),
        });
        rows.collect()
    }
}

impl Rows {
    /// Whether a packet was sent from here and came back: forwarding it again would make a loop.
    fn left_from_here(&self, sender: SocketAddr) -> bool {
        self.rows.iter().any(|row| row.leaves_from == sender.port())
            && (sender.ip().is_loopback() || self.here.contains(&sender.ip()))
    }
}

impl Row {
    fn open(target: ForwardTarget) -> anyhow::Result<Self> {
        let any: IpAddr =
            if target.to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
        let socket = UdpSocket::bind((any, 0)).context("no socket to forward with")?;
        socket.set_nonblocking(true)?;
        socket.set_broadcast(true)?;
        let leaves_from = socket.local_addr()?.port();
        Ok(Self { target, socket, leaves_from, packets: AtomicU64::new(0), failed: AtomicU64::new(0) })
    }
}

/// The port of Trailbrake's own that a target's packets would come back to.
pub(crate) fn loops_at(target: ForwardTarget, own: &[SocketAddr], here: &[IpAddr]) -> Option<u16> {
    own.iter().find(|own| comes_back(target.to, **own, here)).map(SocketAddr::port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_refused_with_advice() {
        let target = ForwardTarget { feed: Feed::F1, to: ([127, 0, 0, 1], 20777).into() };
        let own = ([0, 0, 0, 0], 20777).into();
        let error = Forwards::open(&[target], &[own]).err().expect("an error").to_string();
        assert!(error.contains("--forward f1=127.0.0.1:20777"), "{error}");
        assert!(error.contains("port of the other program"), "{error}");
    }

    #[test]
    fn packets_reach_their_feeds_target_and_no_other() {
        let there = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let to = there.local_addr().expect("an address");
        let forwards = Forwards::open(&[ForwardTarget { feed: Feed::F1, to }], &[]).expect("a socket");
        let game = ([10, 0, 0, 7], 1).into();
        forwards.pass_on(Feed::DirtRally, game, b"not this one");
        forwards.pass_on(Feed::F1, game, b"this one");
        let from_itself = ([127, 0, 0, 1], forwards.0.lock().rows[0].leaves_from).into();
        forwards.pass_on(Feed::F1, from_itself, b"again");
        let mut room = [0; 100];
        let len = there.recv(&mut room).expect("a packet");
        assert_eq!(&room[..len], b"this one");
        assert_eq!(forwards.status(), [ForwardStatus { feed: Feed::F1, to, packets: 1, failed: 0 }]);
    }

    #[test]
    fn a_target_that_stays_goes_on_counting() {
        let [one, other] = [0, 1].map(|_| UdpSocket::bind("127.0.0.1:0").expect("a socket"));
        let [first, second] = [&one, &other]
            .map(|socket| ForwardTarget { feed: Feed::F1, to: socket.local_addr().expect("an address") });
        let (forwards, game) = (Forwards::default(), ([10, 0, 0, 7], 1).into());
        for targets in [&[][..], &[first], &[second, first], &[second]] {
            forwards.change(targets).expect("sockets");
            forwards.pass_on(Feed::F1, game, b"packet");
            let counts: Vec<u64> = forwards.status().iter().map(|row| row.packets).collect();
            let expected: &[u64] = match targets {
                [] => &[],
                [only] if *only == first => &[1],
                [_, _] => &[1, 2],
                _ => &[2],
            };
            assert_eq!(counts, expected);
        }
    }
}
