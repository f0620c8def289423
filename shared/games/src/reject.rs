//! Why a packet was rejected, in the driver's words.

use thiserror::Error;

/// Bytes of an unknown packet to show.
const HEAD: usize = 16;

/// Why a packet was rejected, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejected {
    /// The datagram is empty.
    #[error("the packet is empty")]
    Empty,
    /// Too short for the header.
    #[error("{len} bytes are too few for a {game} packet, whose header alone has {header}")]
    TooShort {
        /// The game whose packet was expected.
        game: &'static str,
        /// Bytes received.
        len: usize,
        /// Bytes of the header.
        header: usize,
    },
    /// The packet belongs to another known game or another year's version.
    #[error("this looks like {what}: {advice}")]
    Resembles {
        /// What it looks like.
        what: String,
        /// What to change so that it works.
        advice: String,
    },
    /// The header is right but the size is wrong.
    #[error("{game} header, wrong size: a {packet} packet has {want} bytes, this one has {len}")]
    WrongSize {
        /// The game.
        game: &'static str,
        /// The kind of packet.
        packet: &'static str,
        /// Bytes received.
        len: usize,
        /// Bytes of that kind of packet.
        want: usize,
    },
    /// The game's header, with a packet id that does not exist.
    #[error("{game} header with the unknown packet id {id}")]
    UnknownPacket {
        /// The game.
        game: &'static str,
        /// The id.
        id: u8,
    },
    /// The game's header, with an unknown version.
    #[error("{game} header with the unknown packet version {version}")]
    UnknownVersion {
        /// The game.
        game: &'static str,
        /// The version.
        version: u8,
    },
    /// A part of the packet makes no sense; the rest was used.
    #[error("{game} {packet} packet: {what}")]
    BadContent {
        /// The game.
        game: &'static str,
        /// The kind of packet.
        packet: &'static str,
        /// What is wrong.
        what: String,
    },
    /// The game sends packets of this size, but the content cannot be the game's.
    #[error("{len} bytes could be {game}, but {what}; {advice}")]
    Implausible {
        /// The game.
        game: &'static str,
        /// Bytes received.
        len: usize,
        /// What does not fit.
        what: String,
        /// What to change so that it works.
        advice: &'static str,
    },
    /// Unknown except for a packet id that an old description lists without its fields.
    #[error(
        "unknown packet ({len} bytes, starting {}); if this is {game}, its packet id {id} has no known layout",
        hex(.head.get(..*.len).unwrap_or(.head))
    )]
    NoLayout {
        /// The game.
        game: &'static str,
        /// The id.
        id: u8,
        /// Bytes received.
        len: usize,
        /// The first bytes.
        head: [u8; HEAD],
    },
    /// The packet was used, but the driver should know about a problem.
    #[error("{game} {packet} packet: {what}; {advice}")]
    Caution {
        /// The game.
        game: &'static str,
        /// The kind of packet.
        packet: &'static str,
        /// What the driver should know.
        what: &'static str,
        /// What to do about it.
        advice: &'static str,
    },
    /// Nothing about the packet is recognised.
    #[error(
        "unknown packet ({len} bytes, starting {}), not from a supported game",
        hex(.head.get(..*.len).unwrap_or(.head))
    )]
    Unknown {
        /// Bytes received.
        len: usize,
        /// The first bytes.
        head: [u8; HEAD],
    },
    /// Too many senders at once; this one is ignored.
    #[error(
        "more than {most} programs send telemetry at once; stop one of them, or wait until it was silent"
    )]
    TooManySenders {
        /// The maximum number of senders.
        most: usize,
    },
    /// The game is recognised, but this version cannot decode it.
    #[error("this is {game}, which this version receives and forwards but does not decode")]
    NotDecoded {
        /// The game.
        game: &'static str,
    },
}

impl Rejected {
    /// Rejects a datagram that nothing recognises.
    pub fn unknown(datagram: &[u8]) -> Self {
        if datagram.is_empty() {
            return Self::Empty;
        }
        Self::Unknown { len: datagram.len(), head: head(datagram) }
    }

    /// Rejects a datagram that may be a packet without a known layout.
    pub(super) fn no_layout(game: &'static str, id: u8, datagram: &[u8]) -> Self {
        Self::NoLayout { game, id, len: datagram.len(), head: head(datagram) }
    }
}

fn head(datagram: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head.iter_mut().zip(datagram).for_each(|(to, from)| *to = *from);
    head
}

fn hex(head: &[u8]) -> String {
    let bytes: Vec<String> = head.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_bytes_show_how_they_start() {
        assert_eq!(Rejected::unknown(&[]).to_string(), "the packet is empty");
        assert_eq!(
            Rejected::unknown(&[0xca, 0xfe]).to_string(),
            "unknown packet (2 bytes, starting ca fe), not from a supported game"
        );
    }
}
