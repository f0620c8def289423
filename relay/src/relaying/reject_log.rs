//! Reports rejected packets in the terminal: the first soon, later ones seldom.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use trailbrake_shared::number::count;
use trailbrake_shared::wire::{PortStatus, RejectedSender};

/// Least time between two lines about a port.
const QUIET: Duration = Duration::from_secs(60);

/// Remembers what was reported for each port.
#[derive(Default)]
pub(crate) struct RejectLog {
    logged: BTreeMap<u16, LoggedRejects>,
}

struct LoggedRejects {
    rejected: u64,
    at: Instant,
}

impl RejectLog {
    /// The lines that are due now.
    pub(crate) fn lines(&mut self, ports: &[PortStatus], now: Instant) -> Vec<String> {
        ports.iter().filter_map(|port| self.line(port, now)).collect()
    }

    fn line(&mut self, port: &PortStatus, now: Instant) -> Option<String> {
        let (before, quiet) = match self.logged.get(&port.port) {
            Some(logged) => (logged.rejected, now.duration_since(logged.at) < QUIET),
            None => (0, false),
        };
        if port.rejected <= before || quiet {
            return None;
        }
        let last = port.rejects.last()?;
        self.logged.insert(port.port, LoggedRejects { rejected: port.rejected, at: now });
        let packets = count(port.rejected - before, "packet", "packets");
        let RejectedSender { sender, reason, .. } = last;
        Some(format!(
            "UDP port {}: {packets} not recognised; the last one, from {sender}: {reason}",
            port.port
        ))
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::PortState;

    use super::*;

    fn last(packets: u64) -> RejectedSender {
        RejectedSender {
            sender: ([10, 0, 0, 7], 999).into(),
            packets,
            at: Micros(1),
            reason: "this looks like F1 2020".to_owned(),
        }
    }

    fn port(rejected: u64) -> PortStatus {
        PortStatus {
            port: 20777,
            feeds: vec![Feed::F1],
            state: PortState::Open,
            packets: rejected,
            per_second: 0.0,
            sender: Some(([10, 0, 0, 7], 999).into()),
            recognised: Vec::new(),
            rejected,
            rejects: (rejected > 0).then(|| last(rejected)).into_iter().collect(),
        }
    }

    #[test]
    fn the_first_is_logged_and_then_seldom() {
        let mut log = RejectLog::default();
        let start = Instant::now();
        let mut lines =
            |rejected, seconds| log.lines(&[port(rejected)], start + Duration::from_secs(seconds));
        assert!(lines(0, 0).is_empty());
        let first = "UDP port 20777: 1 packet not recognised; the last one, from 10.0.0.7:999: this looks like F1 2020";
        assert_eq!(lines(1, 1), [first]);
        assert!(lines(500, 30).is_empty());
        let later = lines(900, 61);
        assert!(later.len() == 1 && later[0].contains("899 packets"), "{later:?}");
        assert!(lines(900, 200).is_empty(), "nothing new");
    }
}
