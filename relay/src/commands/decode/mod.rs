//! `trailbrake decode`: a file's packets as lines of JSON, with every field named.

#[cfg(test)]
mod capture_tests;
mod printer;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::commands::Outcome;
use crate::feed_name::FeedName;
use crate::files::{self, PacketSplit};
use crate::progress::Progress;
use printer::Printer;

/// Which file to decode.
#[derive(Clone, Debug, Args)]
pub struct Decode {
    /// A recording, a capture as tcpdump and Wireshark write it, or bare packets; without further options, one packet
    pub file: PathBuf,
    /// How to split it into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

/// Prints a line for every packet of a file, and notes about the file to `notes`.
pub fn run(request: &Decode, out: impl Write, mut notes: impl Write) -> anyhow::Result<Outcome> {
    let feed = request.cutting.feed.map(|FeedName(feed)| feed);
    let packets = files::open(&request.file, &request.cutting)?;
    let mut printer = Printer::new(out, feed);
    let progress = Progress::beside_lines(packets.bytes());
    let printed = packets.each(progress, &mut notes, &mut |found| printer.print(found));
    let outcome = if printer.refused() == 0 { Outcome::Done } else { Outcome::Rejections };
    match printed.and_then(|_| printer.flush()) {
        Ok(()) => Ok(outcome),
        // The reader closed the pipe: it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(outcome),
        Err(error) => Err(error).with_context(|| format!("{} cannot be decoded", request.file.display())),
    }
}
