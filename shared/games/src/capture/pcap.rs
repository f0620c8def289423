//! The pcap format: a file header, then packets, each after its time and length.

use trailbrake_model::time::Micros;

use super::damage::Fault;
use super::order::Order;
use super::record::{Part, Record, length};

const FILE_HEADER: usize = 24;
const PACKET_HEADER: usize = 16;

/// The state while reading a pcap file.
pub(super) struct Pcap {
    order: Order,
    /// Timestamp fractions are in nanoseconds, not microseconds.
    nanos: bool,
    /// The file header, once read.
    header: Option<Header>,
}

#[derive(Clone, Copy)]
struct Header {
    snap_len: u32,
    link: u16,
}

impl Pcap {
    /// Recognises the format by the file's first bytes.
    pub(super) fn open(head: &[u8]) -> Option<Self> {
        let (order, nanos) = match head.first_chunk()? {
            [0xd4, 0xc3, 0xb2, 0xa1] => (Order::Little, false),
            [0xa1, 0xb2, 0xc3, 0xd4] => (Order::Big, false),
            [0x4d, 0x3c, 0xb2, 0xa1] => (Order::Little, true),
            [0xa1, 0xb2, 0x3c, 0x4d] => (Order::Big, true),
            _ => return None,
        };
        Some(Self { order, nanos, header: None })
    }

    pub(super) fn part<'a>(&mut self, ahead: &'a [u8]) -> Result<Part<'a>, Fault> {
        let Some(header) = self.header else {
            self.header = self.header_of(ahead);
            return Ok(match self.header {
                Some(_) => Part::Read(FILE_HEADER, None),
                None => Part::More(FILE_HEADER, "the file's header"),
            });
        };
        let Some([seconds, fraction, kept, was]) = self.packet_header(ahead) else {
            return Ok(Part::More(PACKET_HEADER, "the header of a packet"));
        };
        let end = PACKET_HEADER + length(kept)?;
        let Some(bytes) = ahead.get(PACKET_HEADER..end) else {
            return Ok(Part::More(end, "a packet"));
        };
        let micros = if self.nanos { fraction / 1000 } else { fraction };
        let record = Record {
            at: Some(Micros(u64::from(seconds) * 1_000_000 + u64::from(micros))),
            interface: 0,
            link: header.link,
            snap_len: header.snap_len,
            was,
            bytes,
        };
        Ok(Part::Read(end, Some(record)))
    }

    fn header_of(&self, ahead: &[u8]) -> Option<Header> {
        let snap_len = self.order.u32(ahead, 16)?;
        // The upper half describes frame check sequences, which the IP length excludes anyway.
        let link = self.order.u32(ahead, 20)? as u16;
        Some(Header { snap_len, link })
    }

    fn packet_header(&self, ahead: &[u8]) -> Option<[u32; 4]> {
        let field = |at| self.order.u32(ahead, at);
        Some([field(0)?, field(4)?, field(8)?, field(12)?])
    }
}
