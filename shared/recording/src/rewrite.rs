//! Writes a recording again from what can be read of it, without the damaged parts.

use std::ops::Range;

use super::{Facts, Packets, Reading, Recording, Writer};

/// Reads a whole recording and writes it again. Each packet keeps its number, so gaps stay gaps.
#[derive(Debug)]
pub struct Rewriting {
    packets: Packets,
    writer: Writer,
}

impl Rewriting {
    /// Rewrites a recording with these facts. It keeps its id.
    pub fn new(recording: &Recording, facts: &Facts) -> Self {
        let mut writer = Writer::new(recording.info());
        writer.write_all_last(facts);
        Self { packets: recording.all_packets(), writer }
    }

    /// The bytes of the new recording since the last call.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.writer.bytes()
    }

    /// The new recording's last bytes, once nothing more is needed.
    pub fn finish(self) -> Vec<u8> {
        self.writer.finish()
    }
}

impl Reading for Rewriting {
    fn needs(&self) -> Option<Range<u64>> {
        self.packets.needs()
    }

    fn give(&mut self, bytes: &[u8]) {
        self.packets.give(bytes);
        for packet in self.packets.take() {
            self.writer.keep(packet);
        }
    }
}
