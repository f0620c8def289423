//! Prints a line for each packet, decoded or rejected.

use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;

use serde::Serialize;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::{Rejected, Value};
use trailbrake_shared::time::Micros;

use crate::files::{FileItem, Reception};

/// One decoded packet.
#[derive(Serialize)]
struct PacketLine {
    #[serde(flatten)]
    came: ReceptionLine,
    feed: &'static str,
    packet: &'static str,
    fields: Value,
}

/// One rejected packet, and its offset.
#[derive(Serialize)]
struct RejectLine {
    rejected: String,
    #[serde(flatten)]
    came: ReceptionLine,
    feed: Option<&'static str>,
    offset: u64,
    /// Bytes that were not decoded, where known.
    bytes: Option<u64>,
}

/// When a packet was received and from whom. A file of bare packets has neither.
#[derive(Clone, Copy, Debug, Serialize)]
struct ReceptionLine {
    at: Option<Micros>,
    sender: Option<SocketAddr>,
}

impl From<Reception> for ReceptionLine {
    fn from(Reception { at, sender, .. }: Reception) -> Self {
        Self { at, sender }
    }
}

/// Prints packets as lines, and counts the rejected ones.
pub(super) struct Printer<W: Write> {
    out: BufWriter<W>,
    feed: Option<Feed>,
    refused: u64,
}

impl<W: Write> Printer<W> {
    /// With a feed, every packet is decoded as that feed's.
    pub(super) fn new(out: W, feed: Option<Feed>) -> Self {
        Self { out: BufWriter::new(out), feed, refused: 0 }
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Prints one item of the file.
    pub(super) fn print(&mut self, found: FileItem<'_>) -> io::Result<()> {
        match found {
            FileItem::Packet { bytes, offset, came } => self.packet(bytes, offset, came),
            FileItem::Reject { reason, offset, bytes, came } => self.refuse(reason, offset, bytes, came),
        }
    }

    /// Prints the packet at `offset` in the file.
    fn packet(&mut self, packet: &[u8], offset: u64, came: Reception) -> io::Result<()> {
        match self.understand(packet, came) {
            Ok(line) => self.line(&line),
            Err(reason) => self.refuse(reason.to_string(), offset, Some(packet.len() as u64), came),
        }
    }

    fn understand(&self, packet: &[u8], came: Reception) -> Result<PacketLine, Rejected> {
        let feed = match came.feed.or(self.feed) {
            Some(feed) => feed,
            None => feed::recognise(packet)?.feed,
        };
        let described = feed.describe()(packet)?;
        Ok(PacketLine {
            came: came.into(),
            feed: feed.id(),
            packet: described.packet,
            fields: described.fields,
        })
    }

    /// Prints why there is no packet at `offset`.
    fn refuse(
        &mut self,
        rejected: String,
        offset: u64,
        bytes: Option<u64>,
        came: Reception,
    ) -> io::Result<()> {
        self.refused += 1;
        self.line(&RejectLine { rejected, came: came.into(), feed: self.feed.map(Feed::id), offset, bytes })
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}
