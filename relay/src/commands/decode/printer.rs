//! The lines: one for each packet, understood or not.

use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;

use serde::Serialize;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::{Rejected, Value};
use trailbrake_shared::time::Micros;

use crate::files::{Came, Found};

/// One packet, understood.
#[derive(Serialize)]
struct Understood {
    #[serde(flatten)]
    came: CameLine,
    feed: &'static str,
    packet: &'static str,
    fields: Value,
}

/// One packet, not understood, and where it stands.
#[derive(Serialize)]
struct Refused {
    rejected: String,
    #[serde(flatten)]
    came: CameLine,
    feed: Option<&'static str>,
    offset: u64,
    /// How many bytes are not understood, where that can be said.
    bytes: Option<u64>,
}

/// When a packet came and from whom; a bare file tells neither.
#[derive(Clone, Copy, Debug, Serialize)]
struct CameLine {
    at: Option<Micros>,
    sender: Option<SocketAddr>,
}

impl From<Came> for CameLine {
    fn from(Came { at, sender, .. }: Came) -> Self {
        Self { at, sender }
    }
}

/// Prints packets as lines, and counts those that were refused.
pub(super) struct Printer<W: Write> {
    out: BufWriter<W>,
    feed: Option<Feed>,
    refused: u64,
}

impl<W: Write> Printer<W> {
    /// All packets are taken for those of `feed`, where one is given.
    pub(super) fn new(out: W, feed: Option<Feed>) -> Self {
        Self { out: BufWriter::new(out), feed, refused: 0 }
    }

    /// How many lines tell of something that was not understood.
    pub(super) fn refused(&self) -> u64 {
        self.refused
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Prints what was found.
    pub(super) fn print(&mut self, found: Found<'_>) -> io::Result<()> {
        match found {
            Found::Packet { bytes, offset, came } => self.packet(bytes, offset, came),
            Found::Refused { reason, offset, bytes, came } => self.refuse(reason, offset, bytes, came),
        }
    }

    /// Prints a packet that stands at `offset` in the file.
    fn packet(&mut self, packet: &[u8], offset: u64, came: Came) -> io::Result<()> {
        match self.understand(packet, came) {
            Ok(line) => self.line(&line),
            Err(reason) => self.refuse(reason.to_string(), offset, Some(packet.len() as u64), came),
        }
    }

    fn understand(&self, packet: &[u8], came: Came) -> Result<Understood, Rejected> {
        let feed = match came.feed.or(self.feed) {
            Some(feed) => feed,
            None => feed::recognise(packet)?.feed,
        };
        let described = feed.describe()(packet)?;
        Ok(Understood {
            came: came.into(),
            feed: feed.id(),
            packet: described.packet,
            fields: described.fields,
        })
    }

    /// Prints why what stands at `offset` is no packet.
    fn refuse(&mut self, rejected: String, offset: u64, bytes: Option<u64>, came: Came) -> io::Result<()> {
        self.refused += 1;
        self.line(&Refused { rejected, came: came.into(), feed: self.feed.map(Feed::id), offset, bytes })
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}
