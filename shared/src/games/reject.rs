//! Why a packet was not understood, in a driver's words.

use thiserror::Error;

/// How many bytes of an unknown packet are shown.
const HEAD: usize = 16;

/// Why a packet was not understood, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejected {
    /// The datagram holds nothing.
    #[error("the packet is empty")]
    Empty,
    /// Not even the header fits.
    #[error("{len} bytes are too few for a {game} packet, whose header alone has {header}")]
    TooShort {
        /// The game whose packet was expected.
        game: &'static str,
        /// Bytes received.
        len: usize,
        /// Bytes of the header.
        header: usize,
    },
    /// The packet is another game's, or another year's, and that can be said.
    #[error("this looks like {what}: {advice}")]
    Resembles {
        /// What it looks like.
        what: String,
        /// What to change so that it works.
        advice: String,
    },
    /// The header is right and the size is not.
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
    /// The header belongs to the game, and names a kind of packet that does not exist there.
    #[error("{game} header with the unknown packet id {id}")]
    UnknownPacket {
        /// The game.
        game: &'static str,
        /// The id.
        id: u8,
    },
    /// The header belongs to the game, in a version that is not known.
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
    /// The size is one that the game sends, and the content cannot be the game's.
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
    /// Nothing about it is familiar but a number, which an old description has a packet without fields for.
    #[error(
        "{len} bytes that no known game sends, starting {}; if this is {game}, it is packet id {id}, whose fields nobody \
         has written down, and it is passed on as it came",
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
    /// The packet was used, and the driver should know something about it.
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
    /// Nothing about it is familiar.
    #[error("{len} bytes that no known game sends, starting {}", hex(.head.get(..*.len).unwrap_or(.head)))]
    Unknown {
        /// Bytes received.
        len: usize,
        /// The first bytes.
        head: [u8; HEAD],
    },
    /// So many programs send at once that this one is not listened to.
    #[error(
        "more than {most} programs send telemetry at once; stop one of them, or wait until it was silent"
    )]
    TooManySenders {
        /// How many are listened to.
        most: usize,
    },
    /// The game is recognised, and this version cannot decode it.
    #[error("this is {game}, which this version hears and forwards but does not decode")]
    NotDecoded {
        /// The game.
        game: &'static str,
    },
}

impl Rejected {
    /// A datagram about which nothing is familiar.
    pub fn unknown(datagram: &[u8]) -> Self {
        if datagram.is_empty() {
            return Self::Empty;
        }
        Self::Unknown { len: datagram.len(), head: head(datagram) }
    }

    /// A datagram that may be a packet of which no description exists.
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
            "2 bytes that no known game sends, starting ca fe"
        );
    }
}
