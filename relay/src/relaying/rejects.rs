//! Rejected packets of a port by sender.

use std::net::SocketAddr;

use trailbrake_shared::games::Rejected;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::RejectedSender;

/// Most senders of a port; the one that is silent for longest makes room.
const MOST_SENDERS: usize = 8;
/// A sender that was set up right is forgotten this many seconds after its last rejected packet.
const SETTLED_S: f64 = 10.0;

/// Why a packet was rejected; formatted only when shown.
pub(super) enum Reason {
    /// No feed claims it.
    Rejected(Rejected),
    /// Its sender is not among the addresses that games may send from.
    SenderNotAllowed,
    /// It is larger than any game's.
    TooLarge {
        /// Bytes received.
        len: usize,
        /// Most bytes accepted.
        limit: usize,
    },
}

impl Reason {
    /// The reason in a driver's words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Rejected(reason) => reason.to_string(),
            Self::SenderNotAllowed => {
                "packets from this address are not received: allow it with --udp-from".to_owned()
            }
            Self::TooLarge { len, limit } => {
                format!("{len} bytes are more than any game sends; packets above {limit} bytes are dropped")
            }
        }
    }
}

/// The senders, the one that sent last at the end.
#[derive(Default)]
pub(super) struct Rejects(Vec<SenderRejects>);

struct SenderRejects {
    sender: SocketAddr,
    packets: u64,
    at: Micros,
    reason: Reason,
}

impl Rejects {
    /// Counts a rejected packet.
    pub(super) fn add(&mut self, sender: SocketAddr, at: Micros, reason: Reason) {
        let known = self.0.iter().position(|one| one.sender == sender);
        let packets = known.map_or(0, |place| self.0.remove(place).packets);
        if self.0.len() == MOST_SENDERS {
            self.0.remove(0);
        }
        self.0.push(SenderRejects { sender, packets: packets.saturating_add(1), at, reason });
    }

    /// A machine sends what is recognised: what it sent before is settled, unless it still sends both.
    pub(super) fn settle(&mut self, sender: SocketAddr, at: Micros) {
        self.0.retain(|one| one.sender.ip() != sender.ip() || at.seconds_since(one.at) < SETTLED_S);
    }

    /// Forgets all senders.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The senders for the status.
    pub(super) fn list(&self) -> Vec<RejectedSender> {
        let listed = |one: &SenderRejects| RejectedSender {
            sender: one.sender,
            packets: one.packets,
            at: one.at,
            reason: one.reason.words(),
        };
        self.0.iter().map(listed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(host: u8, port: u16) -> SocketAddr {
        ([10, 0, 0, host], port).into()
    }

    fn seconds(seconds: u64) -> Micros {
        Micros(seconds * 1_000_000)
    }

    fn counts(rejects: &Rejects) -> Vec<(SocketAddr, u64)> {
        rejects.list().iter().map(|one| (one.sender, one.packets)).collect()
    }

    #[test]
    fn senders_are_counted_apart_and_the_oldest_make_room() {
        let mut rejects = Rejects::default();
        for (host, at) in [(1, 1), (2, 2), (1, 3)] {
            rejects.add(sender(host, 5), seconds(at), Reason::Rejected(Rejected::Empty));
        }
        assert_eq!(counts(&rejects), [(sender(2, 5), 1), (sender(1, 5), 2)]);
        assert_eq!(rejects.list()[1].reason, "the packet is empty");
        for host in 10..20 {
            rejects.add(sender(host, 5), seconds(4), Reason::TooLarge { len: 60_000, limit: 8192 });
        }
        assert_eq!(rejects.list().len(), MOST_SENDERS);
        assert!(rejects.list()[0].reason.starts_with("60000 bytes are more"));
        rejects.clear();
        assert!(rejects.list().is_empty());
    }

    #[test]
    fn a_game_that_was_set_up_right_is_no_problem_any_more() {
        let mut rejects = Rejects::default();
        rejects.add(sender(1, 5), seconds(1), Reason::Rejected(Rejected::Empty));
        rejects.add(sender(2, 5), seconds(1), Reason::Rejected(Rejected::Empty));
        rejects.settle(sender(1, 6), seconds(5));
        assert_eq!(rejects.list().len(), 2, "it may send both");
        rejects.settle(sender(1, 6), seconds(11));
        assert_eq!(counts(&rejects), [(sender(2, 5), 1)]);
    }
}
