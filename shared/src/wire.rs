//! What the relay and the browser say to each other over the WebSocket.
//!
//! A message is a version byte and then its content. Datagrams stand in it whole and unchanged. None of this is ever
//! stored: a recording has its own format.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::feed::Feed;
use crate::games::{ServerCommand, TalkStatus};
use crate::time::Micros;

/// The version of everything below. The page is served by the relay it talks to, so a difference means that an old
/// page is still open.
pub const VERSION: u8 = 6;
/// The largest message that is read.
pub const LIMIT: usize = 4 << 20;

/// What a game sent, with when, from whom and at which port it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datagram<'a> {
    /// When it was received.
    pub at: Micros,
    /// Who sent it.
    pub sender: SocketAddr,
    /// The port it came in by.
    pub port: u16,
    /// The feed it was recognised as; `None` when no feed claims it.
    pub feed: Option<Feed>,
    /// The bytes, unchanged.
    #[serde(borrow, serialize_with = "in_one_piece")]
    pub bytes: &'a [u8],
}

/// From the relay to the browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToBrowser<'a> {
    /// The first message.
    Hello {
        /// The relay's version, as people read it.
        relay: String,
        /// What its clock shows now. Packets that are received from now on are sent.
        now: Micros,
    },
    /// Datagrams in the order in which they were received.
    Batch(#[serde(borrow)] Vec<Datagram<'a>>),
    /// How the relay's ports and links are; sent twice a second.
    Status(Status),
    /// The page has changed on disk and should be loaded anew.
    Reload,
    /// What became of something that this browser wanted.
    Answer {
        /// The number that the browser gave it.
        id: u32,
        /// What was done, or why it was not, in words.
        outcome: Result<String, String>,
    },
}

/// From the browser to the relay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToRelay {
    /// The version of the page, so that an old one can be told to reload.
    Hello {
        /// The page's version, as people read it.
        page: String,
    },
    /// A server is to do something. Whoever may see the page may want it: on this machine, or with the tablets' link.
    Command {
        /// A number of the browser's own, by which it knows the answer.
        id: u32,
        /// The feed whose server it is.
        feed: Feed,
        /// What to do.
        command: ServerCommand,
    },
}

/// How the relay is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// One row for each port that the relay listens on, or would.
    pub ports: Vec<PortStatus>,
    /// Batches that this browser was too slow to take and therefore lost.
    pub lost_batches: u64,
    /// Browsers connected, this one included.
    pub browsers: u32,
    /// How the asking of games stands that send only once they are asked.
    pub talks: Vec<Talking>,
    /// Where packets are passed on to.
    pub forwards: Vec<ForwardStatus>,
    /// The addresses that a game on another machine or console can send to.
    pub addresses: Vec<String>,
    /// Whether the relay drives its own demo.
    pub demo: Option<Feed>,
    /// How recording goes.
    pub recorder: RecorderStatus,
}

/// How recording goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecorderStatus {
    /// The folder that recordings go to; `None` when nothing is recorded.
    pub folder: Option<String>,
    /// What is being recorded.
    pub underway: Vec<RecordingStatus>,
    /// What keeps something from being recorded, in words, for as long as it does.
    pub trouble: Option<String>,
    /// Batches that the recorder was too slow to take and that are in no recording.
    pub lost_batches: u64,
}

/// A recording that is being made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingStatus {
    /// Its name for ever: 32 hexadecimal digits.
    pub id: String,
    /// Its file's name.
    pub file: String,
    /// When its first packet was received.
    pub began: Micros,
    /// Bytes that are in the file.
    pub bytes: u64,
    /// Whether it is in no file, but kept in memory for pages that connect late.
    pub in_memory: bool,
}

/// How one UDP port is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortStatus {
    /// The port.
    pub port: u16,
    /// The feeds that send to it unless told otherwise.
    pub feeds: Vec<Feed>,
    /// Whether it is open.
    pub state: PortState,
    /// Datagrams received since the relay started.
    pub packets: u64,
    /// Datagrams received in the last second.
    pub per_second: f32,
    /// Who sent the last one.
    pub sender: Option<SocketAddr>,
    /// What arrived here, by feed.
    pub recognised: Vec<Recognised>,
    /// Datagrams that no feed claims.
    pub rejected: u64,
    /// Why the last of those was rejected.
    pub reason: Option<String>,
}

/// Datagrams of one feed at one port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recognised {
    /// The feed.
    pub feed: Feed,
    /// How many.
    pub packets: u64,
}

/// Whether a port is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PortState {
    /// Open, and listening.
    Open,
    /// Open for a talk alone, at whichever port the system chose: a game is asked from there and answers there.
    Asks {
        /// Where the game listens.
        game: SocketAddr,
    },
    /// Another program holds it.
    Taken {
        /// The program's name and process id, where the system tells.
        holder: Option<String>,
    },
    /// It could not be opened for another reason.
    Failed {
        /// The reason, in words.
        why: String,
    },
}

/// How the asking of a feed's games stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talking {
    /// The feed.
    pub feed: Feed,
    /// How it stands, with what to do about it.
    pub status: TalkStatus,
}

/// How one forwarding target is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForwardStatus {
    /// The feed whose packets go there.
    pub feed: Feed,
    /// Where they go.
    pub to: SocketAddr,
    /// Datagrams passed on.
    pub packets: u64,
    /// Datagrams that could not be passed on.
    pub failed: u64,
}

/// Why a message was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// Nothing in it.
    #[error("the message is empty")]
    Empty,
    /// The other side speaks another version.
    #[error("the other side speaks version {theirs}, this one {VERSION}: reload the page")]
    Version {
        /// The other side's version.
        theirs: u8,
    },
    /// More than is ever sent.
    #[error("a message of {len} bytes is over the limit of {LIMIT}")]
    TooLong {
        /// Its length.
        len: usize,
    },
    /// The content makes no sense.
    #[error("the message is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: String,
    },
}

/// Writes a message.
pub fn encode<M: Serialize>(message: &M) -> Result<Vec<u8>, WireError> {
    let mut bytes = vec![VERSION];
    bincode::serde::encode_into_writer(message, Growing(&mut bytes), format()).map_err(damaged)?;
    Ok(bytes)
}

/// Reads a message of the relay; its datagrams point into `bytes`.
pub fn decode(bytes: &[u8]) -> Result<ToBrowser<'_>, WireError> {
    let content = content(bytes)?;
    let (message, read) = bincode::serde::borrow_decode_from_slice(content, format()).map_err(damaged)?;
    whole(read, content, message)
}

/// Reads a message that borrows nothing, such as those of the browser.
pub fn decode_owned<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, WireError> {
    let content = content(bytes)?;
    let (message, read) = bincode::serde::decode_from_slice(content, format()).map_err(damaged)?;
    whole(read, content, message)
}

/// Writes behind what stands already, so that a batch is copied once.
struct Growing<'a>(&'a mut Vec<u8>);

impl bincode::enc::write::Writer for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), bincode::error::EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Left to itself, serde writes a slice byte by byte.
fn in_one_piece<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

fn format() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<LIMIT>()
}

fn content(bytes: &[u8]) -> Result<&[u8], WireError> {
    if bytes.len() > LIMIT {
        return Err(WireError::TooLong { len: bytes.len() });
    }
    match bytes {
        [] => Err(WireError::Empty),
        [VERSION, content @ ..] => Ok(content),
        [theirs, ..] => Err(WireError::Version { theirs: *theirs }),
    }
}

fn whole<M>(read: usize, content: &[u8], message: M) -> Result<M, WireError> {
    if read == content.len() {
        return Ok(message);
    }
    Err(WireError::Damaged { what: format!("{} bytes too many", content.len() - read) })
}

fn damaged(error: impl std::fmt::Display) -> WireError {
    WireError::Damaged { what: error.to_string() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sender(v6: bool, host: u32, port: u16) -> SocketAddr {
        if v6 {
            SocketAddr::new(std::net::Ipv6Addr::from(u128::from(host)).into(), port)
        } else {
            SocketAddr::new(std::net::Ipv4Addr::from(host).into(), port)
        }
    }

    proptest! {
        #[test]
        fn datagrams_come_through_whole(
            packets in prop::collection::vec(
                (any::<u64>(), any::<bool>(), any::<u32>(), any::<u16>(), prop::collection::vec(any::<u8>(), 0..400)),
                0..20,
            ),
        ) {
            let batch: Vec<Datagram<'_>> = packets
                .iter()
                .map(|(at, v6, host, port, bytes)| Datagram {
                    at: Micros(*at),
                    sender: sender(*v6, *host, *port),
                    port: *port,
                    feed: crate::feed::FEEDS.get(usize::from(*port) % 9).map(|row| row.feed),
                    bytes,
                })
                .collect();
            let message = ToBrowser::Batch(batch);
            let sent = encode(&message).expect("a message");
            prop_assert_eq!(decode(&sent).expect("the same message"), message);
        }

        #[test]
        fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            let _ = decode(&bytes);
            let mut versioned = vec![VERSION];
            versioned.extend(bytes);
            let _ = decode(&versioned);
            let _ = decode_owned::<ToRelay>(&versioned);
        }
    }

    #[test]
    fn other_versions_and_rests_are_refused() {
        let sent = encode(&ToBrowser::Reload).expect("a message");
        assert_eq!(decode(&[]), Err(WireError::Empty));
        let mut other = sent.clone();
        other[0] = VERSION + 1;
        assert_eq!(decode(&other), Err(WireError::Version { theirs: VERSION + 1 }));
        let mut longer = sent.clone();
        longer.push(0);
        assert!(matches!(decode(&longer), Err(WireError::Damaged { .. })));
        assert_eq!(decode(&vec![VERSION; LIMIT + 1]), Err(WireError::TooLong { len: LIMIT + 1 }));
    }
}
