//! `trailbrake decode`: a file's packets as lines of JSON, with every field named.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::{Context, bail};
use serde::Serialize;
use trailbrake_shared::feed::{self, Codec, Feed, SizeOf};
use trailbrake_shared::games::{Rejected, Value};

use crate::options::{Decode, FeedName};

/// No datagram is longer, so no packet of a file is.
const LONGEST: u64 = 64 << 10;

/// One packet, understood.
#[derive(Serialize)]
struct Understood {
    /// A bare file tells no times.
    at: Option<u64>,
    feed: &'static str,
    packet: &'static str,
    fields: Value,
}

/// One packet, not understood, and where it stands.
#[derive(Serialize)]
struct Refused {
    rejected: String,
    feed: Option<&'static str>,
    offset: u64,
    bytes: usize,
}

/// How the packets stand in the file.
enum Cut {
    /// The file is one packet.
    Whole,
    /// All are of this size.
    Records(usize),
    /// Each tells its own size.
    Stream(SizeOf),
}

/// Prints every packet of a file; says whether all were understood.
pub fn run(request: &Decode, out: impl Write) -> anyhow::Result<bool> {
    let feed = request.feed.map(|FeedName(feed)| feed);
    let codec = feed.map(codec_of).transpose()?;
    let cut = cut(request, feed, codec)?;
    let file =
        File::open(&request.file).with_context(|| format!("{} cannot be read", request.file.display()))?;
    let mut printer = Printer { out: BufWriter::new(out), feed, codec, refused: 0, offset: 0 };
    let printed = printer.print(&mut BufReader::new(file), &cut).and_then(|()| printer.out.flush());
    match printed {
        Ok(()) => Ok(printer.refused == 0),
        // Whoever reads the lines has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(printer.refused == 0),
        Err(error) => Err(error).with_context(|| format!("{} cannot be decoded", request.file.display())),
    }
}

fn codec_of(feed: Feed) -> anyhow::Result<Codec> {
    let info = feed.info();
    info.codec.with_context(|| format!("{} ({}) is not decoded by this version", info.game, info.id))
}

fn cut(request: &Decode, feed: Option<Feed>, codec: Option<Codec>) -> anyhow::Result<Cut> {
    if let Some(size) = request.record_size {
        return Ok(Cut::Records(size as usize));
    }
    if !request.stream {
        return Ok(Cut::Whole);
    }
    let (Some(feed), Some(codec)) = (feed, codec) else {
        bail!("--stream needs --feed: only a feed knows where its packets end");
    };
    match codec.datagram_size {
        Some(size) => Ok(Cut::Stream(size)),
        None => bail!("packets of {} do not tell their size: use --record-size", feed.id()),
    }
}

struct Printer<W: Write> {
    out: W,
    feed: Option<Feed>,
    codec: Option<Codec>,
    refused: u64,
    offset: u64,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, file: &mut impl Read, cut: &Cut) -> io::Result<()> {
        match cut {
            Cut::Whole => {
                let mut bytes = Vec::new();
                file.take(LONGEST + 1).read_to_end(&mut bytes)?;
                if bytes.len() as u64 > LONGEST {
                    let advice = "the file is longer than any packet: say how they are cut with --record-size or --stream";
                    return self.refuse(advice.to_owned(), bytes.len());
                }
                self.packet(&bytes)
            }
            Cut::Records(size) => {
                let mut record = Vec::with_capacity(*size);
                loop {
                    record.clear();
                    file.by_ref().take(*size as u64).read_to_end(&mut record)?;
                    match record.len() {
                        0 => return Ok(()),
                        len if len < *size => {
                            return self
                                .refuse(format!("the last {len} bytes are no whole record of {size}"), len);
                        }
                        _ => self.packet(&record)?,
                    }
                }
            }
            Cut::Stream(size_of) => self.stream(file, *size_of),
        }
    }

    /// Packets end to end. Where no packet begins, nothing behind it can be found either: a size is only in a header.
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
                        let packet = packet.to_vec();
                        self.packet(&packet)?;
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

    fn packet(&mut self, packet: &[u8]) -> io::Result<()> {
        match self.understand(packet) {
            Ok(line) => self.line(&line)?,
            Err(reason) => self.refuse(reason.to_string(), packet.len())?,
        }
        self.offset += packet.len() as u64;
        Ok(())
    }

    fn understand(&self, packet: &[u8]) -> Result<Understood, Rejected> {
        let feed = match self.feed {
            Some(feed) => feed,
            None => feed::recognise(packet)?.feed,
        };
        let info = feed.info();
        let codec = self.codec.or(info.codec).ok_or(Rejected::NotDecoded { game: info.game })?;
        let described = (codec.describe)(packet)?;
        Ok(Understood { at: None, feed: info.id, packet: described.packet, fields: described.fields })
    }

    fn refuse(&mut self, rejected: String, bytes: usize) -> io::Result<()> {
        self.refused += 1;
        let refused = Refused { rejected, feed: self.feed.map(Feed::id), offset: self.offset, bytes };
        self.line(&refused)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
