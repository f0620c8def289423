//! Files of bare payloads: one packet, or packets end to end.

use std::io::{self, Read};

use trailbrake_shared::feed::SizeOf;

use super::item::{FileItem, Reception};

/// No datagram is longer, so no packet in a file is.
const LONGEST: u64 = 64 << 10;

/// How to split the file into packets.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// The whole file is one packet.
    Whole,
    /// All packets have this size.
    Records(usize),
    /// Each packet contains its size.
    Stream(SizeOf),
}

/// Passes on every packet of a file split like this.
pub(super) fn each(
    cut: &Cut,
    file: &mut impl Read,
    take: &mut dyn FnMut(FileItem<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let file = &mut io::BufReader::new(file);
    let mut payloads = Payloads { take, offset: 0 };
    match *cut {
        Cut::Whole => payloads.whole(file),
        Cut::Records(size) => payloads.records(file, size),
        Cut::Stream(size_of) => payloads.stream(file, size_of),
    }
}

struct Payloads<'a> {
    take: &'a mut dyn FnMut(FileItem<'_>) -> io::Result<()>,
    offset: u64,
}

impl Payloads<'_> {
    fn whole(&mut self, file: &mut impl Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        file.take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LONGEST {
            let advice =
                "the file is longer than any packet: say how they are cut with --record-size or --stream";
            return self.refuse(advice.to_owned(), bytes.len());
        }
        self.packet(&bytes)
    }

    fn records(&mut self, file: &mut impl Read, size: usize) -> io::Result<()> {
        let mut record = Vec::with_capacity(size);
        loop {
            record.clear();
            file.by_ref().take(size as u64).read_to_end(&mut record)?;
            match record.len() {
                0 => return Ok(()),
                len if len < size => {
                    return self.refuse(format!("the last {len} bytes are no whole record of {size}"), len);
                }
                _ => self.packet(&record)?,
            }
        }
    }

    /// Packets end to end. Behind a place where no packet begins none can be found: sizes are only in headers.
    fn stream(&mut self, file: &mut impl Read, size_of: SizeOf) -> io::Result<()> {
        let mut ahead = Vec::new();
        loop {
            let wanted = LONGEST.saturating_sub(ahead.len() as u64);
            file.by_ref().take(wanted).read_to_end(&mut ahead)?;
            if ahead.is_empty() {
                return Ok(());
            }
            match size_of(&ahead) {
                Ok(size) => match ahead.get(..size) {
                    Some(packet) => {
                        self.packet(packet)?;
                        ahead.drain(..size);
                    }
                    None => {
                        let len = ahead.len();
                        return self.refuse(format!("the file ends within a packet of {size} bytes"), len);
                    }
                },
                Err(reason) => {
                    return self.refuse(format!("the stream stops making sense: {reason}"), ahead.len());
                }
            }
        }
    }

    fn packet(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.take)(FileItem::Packet { bytes, offset: self.offset, came: Reception::default() })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn refuse(&mut self, reason: String, bytes: usize) -> io::Result<()> {
        let (offset, bytes, came) = (self.offset, Some(bytes as u64), Reception::default());
        (self.take)(FileItem::Reject { reason, offset, bytes, came })
    }
}
