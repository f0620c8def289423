//! `trailbrake decode`: a file's packets as lines of JSON, with every field named.

mod capture;
#[cfg(test)]
mod capture_tests;
mod payloads;
mod printer;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Cursor, Read, Write};

use anyhow::{Context, bail};
use trailbrake_shared::capture::Reader;
use trailbrake_shared::feed::{Codec, Feed};

use crate::options::{Decode, FeedName};
use payloads::Cut;
use printer::Printer;

/// Prints every packet of a file, and to `notes` what is to be said of the file besides; says whether all packets
/// were understood.
pub fn run(request: &Decode, out: impl Write, notes: impl Write) -> anyhow::Result<bool> {
    let feed = request.feed.map(|FeedName(feed)| feed);
    let codec = feed.map(codec_of).transpose()?;
    let cut = cut(request, feed, codec)?;
    let unreadable = || format!("{} cannot be read", request.file.display());
    let mut file = File::open(&request.file).with_context(unreadable)?;
    let mut printer = Printer::new(out, feed, codec);
    let head = head(&mut file).with_context(unreadable)?;
    let reader = Reader::open(&head);
    // What was looked at is read again, also where the file is a pipe.
    let mut file = Cursor::new(head).chain(file);
    let printed = match reader {
        Some(_) if cut.is_some() => bail!(
            "{} is a packet capture, which tells where its packets begin and end: leave out --record-size and --stream",
            request.file.display()
        ),
        Some(reader) => capture::print(reader, &mut file, &mut printer, notes),
        None => payloads::print(&cut.unwrap_or(Cut::Whole), &mut file, &mut printer),
    };
    match printed.and_then(|()| printer.flush()) {
        Ok(()) => Ok(printer.refused() == 0),
        // Whoever reads the lines has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(printer.refused() == 0),
        Err(error) => Err(error).with_context(|| format!("{} cannot be decoded", request.file.display())),
    }
}

fn codec_of(feed: Feed) -> anyhow::Result<Codec> {
    let info = feed.info();
    info.codec.with_context(|| format!("{} ({}) is not decoded by this version", info.game, info.id))
}

/// How the packets stand in a file that is no capture, where the command line says so.
fn cut(request: &Decode, feed: Option<Feed>, codec: Option<Codec>) -> anyhow::Result<Option<Cut>> {
    if let Some(size) = request.record_size {
        return Ok(Some(Cut::Records(size as usize)));
    }
    if !request.stream {
        return Ok(None);
    }
    let (Some(feed), Some(codec)) = (feed, codec) else {
        bail!("--stream needs --feed: only a feed knows where its packets end");
    };
    match codec.datagram_size {
        Some(size) => Ok(Some(Cut::Stream(size))),
        None => bail!("packets of {} do not tell their size: use --record-size", feed.id()),
    }
}

/// The first bytes of a file, which tell whether it is a capture.
fn head(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(Reader::HEAD);
    file.take(Reader::HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}
