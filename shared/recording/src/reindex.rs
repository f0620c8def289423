//! Derives a recording's facts from its packets again: after a scan, or with better decoders.

use std::ops::Range;

use trailbrake_model::time::Micros;
use trailbrake_session::{Receiver, Retention};

use super::{Facts, Follower, LapTable, Packets, Reading, Recording, SessionSummary};

/// A pause in the packets of at least this long is marked as a silence.
const SILENCE_US: u64 = 2_000_000;

/// Reads a whole recording and follows its session.
pub struct Reindexer {
    facts: Facts,
    is_clip: bool,
    packets: Packets,
    receiver: Receiver,
    follower: Follower,
    last: Option<Micros>,
    packets_read: u64,
    chunks: usize,
}

impl Reindexer {
    /// Starts from a recording's facts; those that do not come from packets are kept.
    pub fn new(recording: &Recording) -> Self {
        let packets = recording.all_packets().opened();
        Self {
            facts: recording.facts().clone(),
            is_clip: recording.info().parent.is_some(),
            chunks: packets.chunks_left(),
            packets,
            receiver: Receiver::new(Retention::LAP_TABLE),
            follower: Follower::default(),
            last: None,
            packets_read: 0,
        }
    }

    /// Progress, 0 to 1.
    pub fn progress(&self) -> f64 {
        1.0 - self.packets.chunks_left() as f64 / self.chunks.max(1) as f64
    }

    /// The number of packets read.
    pub fn packets_read(&self) -> u64 {
        self.packets_read
    }

    /// The packets that it reads.
    pub fn packets(&self) -> &Packets {
        &self.packets
    }

    /// The facts, to be written by [`Tail::with`](super::Tail::with).
    pub fn finish(mut self) -> Facts {
        let at = self.last.unwrap_or_default();
        self.facts.put(at, self.follower.timeline());
        self.facts.put(at, &self.follower.events());
        if !self.is_clip {
            // A clip has not all the cars any more.
            self.facts.put(at, &self.follower.traffic());
        }
        let known: LapTable = self.facts.get().ok().flatten().unwrap_or_default();
        let found = self.follower.ended_laps();
        self.facts.put(at, &if self.is_clip { found.of_clip(known) } else { found.or(&known) });
        if let Some(session) = self.receiver.session() {
            let known: SessionSummary = self.facts.get().ok().flatten().unwrap_or_default();
            self.facts.put(at, &session.summary().or(known));
        }
        self.facts
    }
}

impl Reading for Reindexer {
    fn needs(&self) -> Option<Range<u64>> {
        self.packets.needs()
    }

    fn give(&mut self, bytes: &[u8]) {
        self.packets.give(bytes);
        for packet in self.packets.take() {
            let silence = self.last.and_then(|last| packet.at.0.checked_sub(last.0)).unwrap_or_default();
            if silence >= SILENCE_US {
                self.follower.silence(packet.at, silence);
            }
            self.last = Some(packet.at);
            self.packets_read += 1;
            // What is rejected here was rejected live, too.
            let _ = self.receiver.receive_with(&packet.datagram(), &mut |event| self.follower.event(event));
            if let Some(session) = self.receiver.session() {
                self.follower.look(session, packet.at);
            }
        }
    }
}
