//! Reads IP packets: addresses and payload, which may be a fragment.

use std::net::IpAddr;

use etherparse::{
    IpAuthHeaderSlice, Ipv4HeaderSlice, Ipv6FragmentHeaderSlice, Ipv6HeaderSlice, Ipv6RawExtHeaderSlice,
};

use super::skipped_packets::Other;

pub(super) const UDP: u8 = 17;
const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION: u8 = 60;

/// A parsed IP packet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ip<'a> {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) payload: Payload<'a>,
    /// Bytes that the header announces but the capture lacks.
    pub(super) missing: usize,
}

/// The bytes after all IP headers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Payload<'a> {
    /// The protocol of the whole datagram.
    pub(super) protocol: u8,
    /// The position in the datagram, if this is a fragment.
    pub(super) piece: Option<Piece>,
    pub(super) bytes: &'a [u8],
}

/// The position of a fragment in its datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The identification that all its fragments share.
    pub(super) whole: u32,
    /// Offset in the datagram, in bytes.
    pub(super) begin: usize,
    /// Whether it is the last fragment.
    pub(super) last: bool,
}

/// Reads an IPv4 or IPv6 packet.
pub(super) fn read(packet: &[u8]) -> Result<Ip<'_>, Other> {
    match packet.first().ok_or(Other::Stub)? >> 4 {
        4 => version_4(packet),
        6 => version_6(packet),
        _ => Err(Other::Stub),
    }
}

fn version_4(packet: &[u8]) -> Result<Ip<'_>, Other> {
    let header = Ipv4HeaderSlice::from_slice(packet).map_err(|_| Other::Stub)?;
    let (begin, end) = (header.slice().len(), usize::from(header.total_len()));
    // With segmentation offload the captured length is 0; then all bytes belong to the packet.
    let end = if end < begin { packet.len() } else { end };
    let piece = header.is_fragmenting_payload().then(|| Piece {
        whole: header.identification().into(),
        begin: header.fragments_offset().byte_offset().into(),
        last: !header.more_fragments(),
    });
    let bytes = packet.get(begin..end.min(packet.len())).ok_or(Other::Stub)?;
    Ok(Ip {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        payload: behind_extensions(Payload { protocol: header.protocol().0, piece, bytes })?,
        missing: end.saturating_sub(packet.len()),
    })
}

fn version_6(packet: &[u8]) -> Result<Ip<'_>, Other> {
    let header = Ipv6HeaderSlice::from_slice(packet).map_err(|_| Other::Stub)?;
    let begin = header.slice().len();
    // Length 0 means a jumbogram, or segmentation offload.
    let end = match usize::from(header.payload_length()) {
        0 => packet.len(),
        len => begin + len,
    };
    let bytes = packet.get(begin..end.min(packet.len())).ok_or(Other::Stub)?;
    Ok(Ip {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        payload: behind_extensions(Payload { protocol: header.next_header().0, piece: None, bytes })?,
        missing: end.saturating_sub(packet.len()),
    })
}

/// Skips extension headers up to the fragment header; after that may come the middle of anything.
pub(super) fn behind_extensions(mut payload: Payload<'_>) -> Result<Payload<'_>, Other> {
    while payload.piece.is_none() {
        let bytes = payload.bytes;
        let (next, len) = match payload.protocol {
            HOP_BY_HOP | ROUTING | DESTINATION => {
                let header = Ipv6RawExtHeaderSlice::from_slice(bytes).map_err(|_| Other::Stub)?;
                (header.next_header(), header.slice().len())
            }
            AUTHENTICATION => {
                let header = IpAuthHeaderSlice::from_slice(bytes).map_err(|_| Other::Stub)?;
                (header.next_header(), header.slice().len())
            }
            FRAGMENT => {
                let header = Ipv6FragmentHeaderSlice::from_slice(bytes).map_err(|_| Other::Stub)?;
                payload.piece = header.is_fragmenting_payload().then(|| Piece {
                    whole: header.identification(),
                    begin: header.fragment_offset().byte_offset().into(),
                    last: !header.more_fragments(),
                });
                (header.next_header(), header.slice().len())
            }
            _ => break,
        };
        payload.protocol = next.0;
        payload.bytes = bytes.get(len..).ok_or(Other::Stub)?;
    }
    Ok(payload)
}

/// Whether this may contain UDP. A fragment can begin with headers that are readable only after reassembly.
pub(super) fn may_be_udp(payload: &Payload<'_>) -> bool {
    payload.protocol == UDP
        || payload.piece.is_some() && matches!(payload.protocol, ROUTING | AUTHENTICATION | DESTINATION)
}
