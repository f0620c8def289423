//! IP packets: from whom, to whom, and what they carry, which may be a piece of something larger.

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

/// What an IP packet carries.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ip<'a> {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) payload: Payload<'a>,
    /// Bytes that the header tells of and that are not there.
    pub(super) missing: usize,
}

/// The bytes behind all headers of IP.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Payload<'a> {
    /// Which protocol the whole belongs to.
    pub(super) protocol: u8,
    /// Where it stands in the whole, when it is a part.
    pub(super) piece: Option<Piece>,
    pub(super) bytes: &'a [u8],
}

/// Which part of a whole it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// What all parts of the whole have in common.
    pub(super) whole: u32,
    /// Where it begins in the whole, in bytes.
    pub(super) begin: usize,
    /// Whether the whole ends with it.
    pub(super) last: bool,
}

/// Reads an IP packet of either version.
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
    // A network card that cuts packets itself is handed them with no length; then all there is belongs to it.
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
    // No length is that of a jumbogram, or of a packet that the network card will cut.
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

/// Takes off extension headers, up to the one that makes a fragment: behind that may be the middle of anything.
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

/// Whether UDP may be behind this: a fragment can begin with headers that are to be read only once it is whole.
pub(super) fn may_be_udp(payload: &Payload<'_>) -> bool {
    payload.protocol == UDP
        || payload.piece.is_some() && matches!(payload.protocol, ROUTING | AUTHENTICATION | DESTINATION)
}
