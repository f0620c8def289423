//! The WebSocket messages between relay and browser.
//!
//! A message is a version byte followed by its content, which contains datagrams unchanged. Messages are never stored:
//! a recording has its own format.

mod room;
mod team;

use std::fmt;
use std::net::SocketAddr;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;
use trailbrake_model::time::Micros;

use crate::feed::Feed;
use crate::{ServerCommand, TalkStatus};

pub use room::{
    FromRoom, LONGEST_NAME, LONGEST_VIEW, Member, PageKind, Presence, RoomPage, RoomPages, RoomRules, ToRoom,
    cleaned_cursor,
};
pub use team::{Behind, RigDrive, RigState, TeamRig, find_gaps};

/// The protocol version. The relay serves the page, so a different version means that an old page is still open.
pub const VERSION: u8 = 12;
/// The maximum message size in bytes.
pub const LIMIT: usize = 4 << 20;

/// A packet with its time, sender and port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datagram<'a> {
    /// When it was received.
    pub at: Micros,
    /// Who sent it.
    pub sender: SocketAddr,
    /// The local port that received it.
    pub port: u16,
    /// The feed it was recognised as; `None` when no feed claims it.
    pub feed: Option<Feed>,
    /// The bytes, unchanged.
    #[serde(borrow, serialize_with = "in_one_piece")]
    pub bytes: &'a [u8],
}

/// A message from the relay to the browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToBrowser<'a> {
    /// The first message.
    Hello {
        /// The relay's version, for display.
        relay: String,
        /// The relay's clock. Packets received from now on are sent.
        now: Micros,
        /// When the relay was started, on its clock.
        started: Micros,
    },
    /// Datagrams in the order they were received.
    Batch(#[serde(borrow)] Vec<Datagram<'a>>),
    /// The state of the relay's ports and links; sent twice a second.
    Status(Status),
    /// The page has changed on disk and should be reloaded.
    Reload,
    /// The result of a command from this browser.
    Answer {
        /// The command's id.
        id: u32,
        /// What was done, or why it failed, in words.
        outcome: Result<String, String>,
    },
    /// How the rig stands with its team, whenever it changes; `None` once it left. A driver without a team gets none.
    Team(Option<TeamStatus>),
}

/// A message from the browser to the relay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToRelay {
    /// The page's version, so that the relay can ask an old page to reload.
    Hello {
        /// The page's version, for display.
        page: String,
    },
    /// A command for a server, from this machine, or from a tablet while the owner allows it.
    Command {
        /// An id chosen by the browser, repeated in the answer.
        id: u32,
        /// The feed of the server.
        feed: Feed,
        /// The command.
        command: ServerCommand,
    },
}

/// The relay's status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// One row per port that the relay listens on or tries to open.
    pub ports: Vec<PortStatus>,
    /// Batches lost because this browser was too slow.
    pub lost_batches: u64,
    /// Connected browsers, including this one.
    pub browsers: u32,
    /// The talks with games that send only on request.
    pub talks: Vec<Talking>,
    /// Forwarding targets.
    pub forwards: Vec<ForwardStatus>,
    /// This machine's addresses, for games on another machine or console.
    pub addresses: Vec<String>,
    /// The demo's feed, if the relay runs its own demo.
    pub demo: Option<Feed>,
    /// The state of recording.
    pub recorder: RecorderStatus,
}

/// How far a team's hub has what its rig recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamStatus {
    /// The rig's name in the team.
    pub rig: String,
    /// The connection to the hub.
    pub link: TeamLink,
    /// How far the hub is behind the recording under way, in seconds.
    pub behind_s: u32,
    /// Finished recordings that the hub does not have yet.
    pub waiting: u32,
    /// What is wrong, in words. Only the owner's pages get it, since it may name addresses.
    pub trouble: Option<String>,
}

/// A rig's connection to the hub of its team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TeamLink {
    /// It is being made for the first time.
    #[default]
    Connecting,
    /// The hub takes what is recorded.
    Connected,
    /// There is none, or the hub takes nothing at the moment.
    Offline,
    /// The hub does not know the rig's key any more.
    KeyRefused,
    /// The driver paused it.
    Paused,
}

/// Whether a rig is in a team, for the owner's page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamReport {
    /// Its place there; `None` without a team.
    pub place: Option<TeamPlace>,
}

/// A rig's place in a team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamPlace {
    /// The rig's name in the team.
    pub rig: String,
    /// The hub's servers.
    pub servers: Vec<String>,
    /// Whether the driver paused it.
    pub paused: bool,
    /// Whether the command line names the invitation, so that the page can't leave the team.
    pub by_option: bool,
}

/// The state of recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecorderStatus {
    /// The folder for recordings; `None` when recording is off.
    pub folder: Option<String>,
    /// Recordings in progress.
    pub underway: Vec<RecordingStatus>,
    /// What currently prevents all recording, in words.
    pub trouble: Option<String>,
    /// A game that sends now and is not recorded, though others are.
    pub unrecorded: Option<UnrecordedGame>,
    /// Batches lost because the recorder was too slow; they are in no recording.
    pub lost_batches: u64,
}

/// A game that sends without being recorded, though others are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnrecordedGame {
    /// The game's feed.
    pub feed: Feed,
    /// Where its packets come from.
    pub sender: SocketAddr,
    /// Why it is not recorded.
    pub because: Unrecorded,
}

/// Why a game is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unrecorded {
    /// Too many programs send at once.
    Crowd,
    /// Its machine has taken its share of the disk.
    DiskShare,
}

impl fmt::Display for UnrecordedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { feed, sender, because } = self;
        let because = match because {
            Unrecorded::Crowd => "too many programs send at once",
            Unrecorded::DiskShare => "this machine has filled its share of the disk: make room on it",
        };
        write!(f, "{} from {sender}: {because}", feed.info().game)
    }
}

/// A recording in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingStatus {
    /// Its permanent id: 32 hexadecimal digits.
    pub id: String,
    /// The file name.
    pub file: String,
    /// When its first packet was received.
    pub began: Micros,
    /// When its last packet so far was received.
    pub last: Micros,
    /// Bytes in the file.
    pub bytes: u64,
    /// Whether it is only in memory, for pages that connect later, and not in a file.
    pub in_memory: bool,
}

/// The state of a UDP port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortStatus {
    /// The port.
    pub port: u16,
    /// The feeds that send to it by default.
    pub feeds: Vec<Feed>,
    /// Whether it is open.
    pub state: PortState,
    /// Datagrams received since the relay started.
    pub packets: u64,
    /// Datagrams received in the last second.
    pub per_second: f32,
    /// The latest sender.
    pub sender: Option<SocketAddr>,
    /// Received packets by feed.
    pub recognised: Vec<Recognised>,
    /// Datagrams that no feed claims.
    pub rejected: u64,
    /// Who sends what no feed claims, the latest last. A sender leaves the list when it sends what is recognised, or when
    /// the list is cleared.
    #[serde(default)]
    pub rejects: Vec<RejectedSender>,
}

impl PortStatus {
    /// A port that has received nothing.
    pub fn silent(port: u16, feeds: &[Feed], state: PortState) -> Self {
        Self {
            port,
            feeds: feeds.to_vec(),
            state,
            packets: 0,
            per_second: 0.0,
            sender: None,
            recognised: Vec::new(),
            rejected: 0,
            rejects: Vec::new(),
        }
    }

    /// Why the latest datagram was rejected.
    pub fn last_reason(&self) -> Option<&str> {
        self.rejects.last().map(|last| last.reason.as_str())
    }
}

/// Datagrams of one sender that no feed claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedSender {
    /// The sender.
    pub sender: SocketAddr,
    /// Number of datagrams.
    pub packets: u64,
    /// When the latest one was received.
    pub at: Micros,
    /// Why the latest one was rejected.
    pub reason: String,
}

/// Datagrams of one feed at one port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recognised {
    /// The feed.
    pub feed: Feed,
    /// Number of datagrams.
    pub packets: u64,
}

/// Whether a port is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PortState {
    /// Open and listening.
    Open,
    /// Open for a talk alone, at a port that the system chose: the game is asked from there and answers there.
    Asks {
        /// Where the game listens.
        game: SocketAddr,
    },
    /// Another program uses it.
    Taken {
        /// The program's name and process id, if the system reports them.
        holder: Option<String>,
    },
    /// Opening it failed for another reason.
    Failed {
        /// The reason, in words.
        why: String,
    },
}

/// The state of a feed's talk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talking {
    /// The feed.
    pub feed: Feed,
    /// The status, with what to do about it.
    pub status: TalkStatus,
    /// The latest request.
    #[serde(default)]
    pub request: Option<SentRequest>,
}

/// A datagram sent to a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentRequest {
    /// When it was sent.
    pub at: Micros,
    /// Where to; for a broadcast, the last network's.
    pub to: SocketAddr,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Where tablets open the page, as JSON for the page's owner. Without links, only this machine can open it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabletLinks {
    /// A link for each of this machine's addresses.
    pub links: Vec<TabletLink>,
    /// Wrong links that were tried since they were opened.
    pub wrong_links: u64,
    /// The address that tried the latest one.
    pub wrong_from: Option<String>,
}

/// A link that opens the page on a tablet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabletLink {
    /// The address, with the secret that gives access.
    pub url: String,
    /// The link as a QR code: the number of modules on each side.
    pub code_size: u32,
    /// The dark modules as an SVG path, one unit each.
    pub code_path: String,
}

/// The state of a forwarding target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForwardStatus {
    /// The feed to forward.
    pub feed: Feed,
    /// The target address.
    pub to: SocketAddr,
    /// Datagrams forwarded.
    pub packets: u64,
    /// Datagrams that could not be forwarded.
    pub failed: u64,
}

/// Why a message could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// The message is empty.
    #[error("the message is empty")]
    Empty,
    /// The other side uses another protocol version.
    #[error("the other side speaks version {theirs}, this one {VERSION}: reload the page")]
    Version {
        /// The other side's version.
        theirs: u8,
    },
    /// Longer than [`LIMIT`].
    #[error("a message of {len} bytes is over the limit of {LIMIT}")]
    TooLong {
        /// Its length.
        len: usize,
    },
    /// The content is invalid.
    #[error("the message is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: String,
    },
}

/// Encodes a message.
pub fn encode<M: Serialize>(message: &M) -> Result<Vec<u8>, WireError> {
    let mut bytes = vec![VERSION];
    bincode::serde::encode_into_writer(message, Growing(&mut bytes), format()).map_err(damaged)?;
    Ok(bytes)
}

/// Decodes a message from the relay; its datagrams borrow from `bytes`.
pub fn decode(bytes: &[u8]) -> Result<ToBrowser<'_>, WireError> {
    let content = content(bytes)?;
    let (message, read) = bincode::serde::borrow_decode_from_slice(content, format()).map_err(damaged)?;
    whole(read, content, message)
}

/// Decodes a message that borrows nothing, such as one from the browser.
pub fn decode_owned<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, WireError> {
    let content = content(bytes)?;
    let (message, read) = bincode::serde::decode_from_slice(content, format()).map_err(damaged)?;
    whole(read, content, message)
}

/// Appends to a `Vec`, so that a batch is copied only once.
struct Growing<'a>(&'a mut Vec<u8>);

impl bincode::enc::write::Writer for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), bincode::error::EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// By default serde serialises a slice byte by byte.
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
