//! Counts what a replay sends: a running line at a terminal, and one line at its end.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;

use trailbrake_shared::time::Micros;

/// Least time between two updates of the line.
const PACE_US: u64 = 200_000;

/// Packets sent so far.
pub(super) struct SentPackets {
    began: Micros,
    /// When the line was last written.
    last: Micros,
    /// Number of packets sent to each target.
    sent: BTreeMap<SocketAddr, u64>,
    terminal: bool,
}

impl SentPackets {
    pub(super) fn new(now: Micros) -> Self {
        Self { began: now, last: now, sent: BTreeMap::new(), terminal: std::io::stderr().is_terminal() }
    }

    /// Counts a packet, and updates the line.
    pub(super) fn sent(&mut self, to: SocketAddr, now: Micros) {
        *self.sent.entry(to).or_default() += 1;
        if self.terminal && now.0.saturating_sub(self.last.0) >= PACE_US {
            self.last = now;
            let seconds = now.seconds_since(self.began) as u64;
            // Failing to show the line is no error.
            let _ = write!(
                std::io::stderr(),
                "\r{}:{:02}  {} packets sent; Ctrl+C ends it ",
                seconds / 60,
                seconds % 60,
                self.sent.values().sum::<u64>()
            );
        }
    }

    /// The targets of sent packets.
    pub(super) fn targets(&self) -> impl Iterator<Item = SocketAddr> {
        self.sent.keys().copied()
    }

    /// The number of packets sent.
    pub(super) fn packets(&self) -> u64 {
        self.sent.values().sum()
    }

    /// Writes the last line: what went where.
    pub(super) fn end(self, now: Micros, ended_early: bool, notes: &mut dyn Write) -> std::io::Result<()> {
        if self.last != self.began {
            let _ = write!(std::io::stderr(), "\r{:60}\r", "");
        }
        let to: Vec<String> = self.sent.iter().map(|(to, packets)| format!("{packets} to {to}")).collect();
        let word = if ended_early { "stopped" } else { "sent" };
        let seconds = now.seconds_since(self.began);
        writeln!(notes, "{word}: {} packets in {seconds:.1} s ({})", self.packets(), to.join(", "))
    }
}
