//! A capture that is read in pieces of any size.

use super::damage::Damage;
use super::packet::Packet;
use super::reader::{Reader, Step};

/// Takes a capture's bytes in order, in pieces of any size, and returns its packets.
pub struct PacketStream {
    reader: Reader,
    /// Bytes not read yet.
    ahead: Vec<u8>,
}

impl PacketStream {
    /// Reads with a reader that has read nothing yet.
    pub fn new(reader: Reader) -> Self {
        Self { reader, ahead: Vec::new() }
    }

    /// Takes the next bytes, and adds the packets that they complete to `found`. After damage nothing more can be read;
    /// what was found until then is in `found`.
    pub fn push(&mut self, bytes: &[u8], found: &mut Vec<Packet>) -> Result<(), Damage> {
        self.ahead.extend_from_slice(bytes);
        let mut begin = 0;
        loop {
            match self.reader.step(self.ahead.get(begin..).unwrap_or_default(), found) {
                Ok(Step::Done(bytes)) => begin += bytes,
                Ok(Step::More(_)) => {
                    self.ahead.drain(..begin);
                    return Ok(());
                }
                Err(damage) => {
                    self.ahead.drain(..begin);
                    // An unfinished packet can't be completed.
                    let _ = self.reader.finish(&[], found);
                    return Err(damage);
                }
            }
        }
    }

    /// Ends the capture: adds the incomplete packets to `found`, and returns damage if a part is cut off.
    pub fn finish(&mut self, found: &mut Vec<Packet>) -> Result<(), Damage> {
        self.reader.finish(&self.ahead, found)
    }

    /// The number of bytes that are not read yet.
    pub fn bytes_ahead(&self) -> usize {
        self.ahead.len()
    }

    /// The reader, for what it skipped and put together.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }
}
