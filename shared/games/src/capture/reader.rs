//! Reads a capture incrementally, from bytes supplied by the caller.

use std::net::{IpAddr, SocketAddr};

use etherparse::UdpHeaderSlice;

use super::damage::{Damage, Fault};
use super::fragments::{Fragments, Incomplete, Key};
use super::ip::{self, Payload};
use super::link;
use super::packet::{Datagram, Packet, SkipReason};
use super::pcap::Pcap;
use super::pcapng::Pcapng;
use super::record::{Part, Record};
use super::skipped_packets::{Other, Skipped};

/// Reads one capture file from start to end.
pub struct Reader {
    format: Format,
    /// Offset in the file of the next bytes.
    offset: u64,
    fragments: Fragments,
    left_out: Skipped,
    assembled: u64,
    /// Size and name of the part that needs more bytes; reported as damage if the file ends there.
    awaited: Option<(usize, &'static str)>,
}

/// The result of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Needs at least this many bytes.
    More(usize),
    /// Consumed this many bytes.
    Done(usize),
}

enum Format {
    Pcap(Pcap),
    Pcapng(Pcapng),
}

impl Reader {
    /// Bytes needed to recognise a capture.
    pub const HEAD: usize = 4;

    /// A reader for a file that starts with `head`, if it is a capture.
    pub fn open(head: &[u8]) -> Option<Self> {
        let pcap = Pcap::open(head).map(Format::Pcap);
        let format = pcap.or_else(|| Pcapng::open(head).map(Format::Pcapng))?;
        Some(Self {
            format,
            offset: 0,
            fragments: Fragments::default(),
            left_out: Skipped::default(),
            assembled: 0,
            awaited: None,
        })
    }

    /// Reads the next part of the file and adds the datagrams it completes to `found`.
    pub fn step(&mut self, ahead: &[u8], found: &mut Vec<Packet>) -> Result<Step, Damage> {
        let part = match &mut self.format {
            Format::Pcap(file) => file.part(ahead),
            Format::Pcapng(file) => file.part(ahead),
        };
        match part.map_err(|fault| Damage { offset: self.offset, fault })? {
            Part::More(bytes, part) => {
                self.awaited = Some((bytes, part));
                Ok(Step::More(bytes))
            }
            Part::Read(bytes, record) => {
                if let Some(record) = record {
                    self.record(&record, found);
                }
                self.awaited = None;
                self.offset += bytes as u64;
                Ok(Step::Done(bytes))
            }
        }
    }

    /// Ends the file after `ahead`: adds the incomplete datagrams to `found`, and returns damage if a part is cut off.
    pub fn finish(&mut self, ahead: &[u8], found: &mut Vec<Packet>) -> Result<(), Damage> {
        let mut given_up = Vec::new();
        self.fragments.finish(&mut given_up);
        found.extend(given_up.into_iter().map(Incomplete::packet));
        match (ahead.len(), self.awaited) {
            (has @ 1.., Some((wants, part))) => {
                Err(Damage { offset: self.offset, fault: Fault::Cut { part, has, wants } })
            }
            _ => Ok(()),
        }
    }

    /// Packets skipped so far because they are not UDP.
    pub fn left_out(&self) -> &Skipped {
        &self.left_out
    }

    /// Datagrams reassembled from fragments so far.
    pub fn assembled(&self) -> u64 {
        self.assembled
    }

    fn record(&mut self, record: &Record<'_>, found: &mut Vec<Packet>) {
        let packet = |content| Packet { offset: self.offset, at: record.at, content };
        let snapped = record.snapped();
        let carried = link::carried(record.link, record.bytes);
        let ip = carried.and_then(|carried| Ok((carried.device, ip::read(carried.packet)?)));
        let (device, ip) = match (ip, snapped) {
            (Ok(ip), _) => ip,
            // Too truncated to know what it was.
            (Err(Other::Stub), Some(snapped)) => return found.push(packet(Err(snapped))),
            (Err(other), _) => return self.left_out.add(other),
        };
        if !ip::may_be_udp(&ip.payload) {
            return self.left_out.add(Other::Protocol(ip.payload.protocol));
        }
        if ip.missing > 0 {
            let has = ip.payload.bytes.len();
            let short = SkipReason::Short { wants: has + ip.missing, has };
            return found.push(packet(Err(snapped.unwrap_or(short))));
        }
        let Some(piece) = ip.payload.piece else {
            let content = datagram(ip.source, ip.destination, ip.payload.bytes);
            return found.push(packet(content.map_err(|short| snapped.unwrap_or(short))));
        };
        let Payload { protocol, bytes, .. } = ip.payload;
        let (source, destination, whole) = (ip.source, ip.destination, piece.whole);
        let key = Key { interface: record.interface, device, source, destination, protocol, whole };
        let mut given_up = Vec::new();
        let complete = self.fragments.add(key, piece, bytes, (self.offset, record.at), &mut given_up);
        found.extend(given_up.into_iter().map(Incomplete::packet));
        let Some(complete) = complete else { return };
        match ip::behind_extensions(Payload { protocol, piece: None, bytes: &complete.bytes }) {
            Ok(Payload { protocol: ip::UDP, piece: None, bytes }) => {
                self.assembled += 1;
                let content = datagram(ip.source, ip.destination, bytes);
                found.push(Packet { offset: complete.offset, at: record.at, content });
            }
            Ok(other) => self.left_out.add(Other::Protocol(other.protocol)),
            Err(other) => self.left_out.add(other),
        }
    }
}

/// Reads a complete UDP packet.
fn datagram(source: IpAddr, destination: IpAddr, udp: &[u8]) -> Result<Datagram, SkipReason> {
    let short = |wants| SkipReason::Short { wants, has: udp.len() };
    let header = UdpHeaderSlice::from_slice(udp).map_err(|_| short(8))?;
    let begin = header.slice().len();
    // A length smaller than the header means that the packet is too long for the field.
    let end = match usize::from(header.length()) {
        len if len < begin => udp.len(),
        len => len,
    };
    Ok(Datagram {
        sender: SocketAddr::new(source, header.source_port()),
        receiver: SocketAddr::new(destination, header.destination_port()),
        bytes: udp.get(begin..end).ok_or(short(end))?.to_vec(),
    })
}
