//! `trailbrake decode`: a file's packets as lines of JSON, with every field named.

#[cfg(test)]
mod capture_tests;
mod printer;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use anyhow::Context;

use crate::commands::options::{Decode, FeedName};
use crate::files::{self, Progress};
use printer::Printer;

/// Prints every packet of a file, and to `notes` what is to be said of the file besides; says whether all packets
/// were understood.
pub fn run(request: &Decode, out: impl Write, mut notes: impl Write) -> anyhow::Result<bool> {
    let feed = request.cutting.feed.map(|FeedName(feed)| feed);
    let packets = files::open(&request.file, &request.cutting)?;
    let mut printer = Printer::new(out, feed);
    let progress = Progress::beside_lines(packets.bytes());
    let printed = packets.each(progress, &mut notes, &mut |found| printer.print(found));
    match printed.and_then(|_| printer.flush()) {
        Ok(()) => Ok(printer.refused() == 0),
        // Whoever reads the lines has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(printer.refused() == 0),
        Err(error) => Err(error).with_context(|| format!("{} cannot be decoded", request.file.display())),
    }
}
