//! The table of feeds: each game's name, ports, setup, recogniser, decoder and talker.

mod setup;

use core::net::SocketAddr;

use trailbrake_model::{Channel, SessionInfo};

use crate::neighbours::{NEIGHBOURS, Neighbour};
use crate::{
    Anonymise, Decode, Described, Rejected, Seals, Talk, TalkOptions, ac_lua, ac_remote, ac_server,
    ac_telemetry_tool, dirt_rally, f1_2018, gran_turismo, imported_laps,
};
use setup::{AC_LUA, AC_REMOTE, AC_SERVER, AC_TELEMETRY_TOOL, DIRT_RALLY, F1_2018, GRAN_TURISMO};
pub use setup::{GamePlace, SetupStep};

/// Recognises and decodes a feed's packets.
#[derive(Clone, Copy)]
pub struct Codec {
    /// The packet kind, if the datagram belongs to this feed. Checks sizes and headers, and for some feeds keys or
    /// values.
    pub recognise: fn(&[u8]) -> Result<&'static str, Rejected>,
    /// Creates a decoder for a new sender.
    pub decoder: fn() -> Box<dyn Decode>,
    /// The size of the first packet in a stream of packets; `None` when packets don't contain their size.
    pub datagram_size: Option<SizeOf>,
}

/// Returns a datagram's fields by name.
pub type Describe = fn(&[u8]) -> Result<Described, Rejected>;

/// Returns the size in bytes of the first packet in a stream.
pub type SizeOf = fn(&[u8]) -> Result<usize, Rejected>;

/// How to ask a feed's game for data.
#[derive(Clone, Copy)]
pub struct Talker {
    /// A short name of the game, or of the machine that runs it.
    pub partner: &'static str,
    /// Creates a talk that has not sent anything yet.
    pub begin: fn(&TalkOptions) -> Box<dyn Talk>,
    /// The sockets that it uses.
    pub sockets: Sockets,
    /// Where the game listens; `None` when every network of this machine is searched.
    pub address: fn(&TalkOptions) -> Option<SocketAddr>,
    /// Whether the user has configured this talk.
    pub wished: fn(&TalkOptions) -> bool,
    /// Sets the game's address in the options, overriding the user's.
    pub ask_at: fn(&mut TalkOptions, SocketAddr),
}

/// The sockets that a talk uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sockets {
    /// The feed's usual ports: the game answers only to these.
    UsualPorts,
    /// Any of the feed's ports: the game answers to the port in its own settings.
    AnyPort,
    /// This many sockets of its own, at ports that the system chooses: the game answers to the port that asked.
    Own(u8),
}

/// A row of the feed table.
pub struct FeedInfo {
    /// The feed.
    pub feed: Feed,
    /// The feed's name in options, files and links.
    pub id: &'static str,
    /// The game, as drivers call it.
    pub game: &'static str,
    /// The default UDP ports.
    pub ports: &'static [u16],
    /// What to do so that the game sends packets, in order.
    pub setup: &'static [SetupStep],
    /// Whether its packets come over the network. Packets of other feeds are found only in files, and a network packet
    /// is never taken for one.
    pub networked: bool,
    /// How to decode its packets; `None` while this version does not.
    pub codec: Option<Codec>,
}

/// Declares the feeds and their rows.
///
/// The fields under `apart` are reached through functions instead of the row: the page never asks games, and is smaller
/// without that code.
macro_rules! feeds {
    ($($feed:ident { $($field:ident: $value:expr,)* } apart { describe: $describe:expr, talker: $talker:expr, })*) => {
        /// A kind of telemetry: one game's protocol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[expect(missing_docs, reason = "the table below says what each is")]
        pub enum Feed { $($feed,)* }

        /// Every feed, in display order.
        pub static FEEDS: &[FeedInfo] = &[$(FeedInfo { feed: Feed::$feed, $($field: $value,)* },)*];

        impl Feed {
            /// The feed's row.
            pub fn info(self) -> &'static FeedInfo {
                match self { $(Self::$feed => {
                    const ROW: &FeedInfo = &FeedInfo { feed: Feed::$feed, $($field: $value,)* };
                    ROW
                })* }
            }

            /// The function that names a datagram's fields.
            pub fn describe(self) -> Describe {
                match self { $(Self::$feed => $describe,)* }
            }

            /// How to ask the feed's game; `None` when it sends without being asked.
            pub fn talker(self) -> Option<&'static Talker> {
                match self { $(Self::$feed => {
                    const TALKER: Option<Talker> = $talker;
                    const { TALKER.as_ref() }
                })* }
            }
        }
    };
}

feeds! {
    F12018 {
        id: "f1-2018",
        game: "F1 2018",
        ports: &[20777],
        setup: F1_2018,
        networked: true,
        codec: Some(Codec {
            recognise: |datagram| f1_2018::recognise(datagram).map(f1_2018::Kind::name),
            decoder: || Box::<f1_2018::Decoder>::default(),
            datagram_size: Some(f1_2018::datagram_size),
        }),
    } apart {
        describe: f1_2018::describe,
        talker: None,
    }
    DirtRally {
        id: "dirt-rally",
        game: "DiRT Rally 1 and 2.0",
        ports: &[20777],
        setup: DIRT_RALLY,
        networked: true,
        codec: Some(Codec {
            recognise: |datagram| dirt_rally::recognise(datagram).map(dirt_rally::Kind::name),
            decoder: || Box::<dirt_rally::Decoder>::default(),
            datagram_size: Some(dirt_rally::datagram_size),
        }),
    } apart {
        describe: dirt_rally::describe,
        talker: None,
    }
    GranTurismo {
        id: "gran-turismo",
        game: "Gran Turismo 6, Sport and 7",
        ports: &[33740, 33340],
        setup: GRAN_TURISMO,
        networked: true,
        codec: Some(Codec {
            recognise: |datagram| gran_turismo::recognise(datagram).map(gran_turismo::Kind::name),
            decoder: || Box::<gran_turismo::Decoder>::default(),
            datagram_size: Some(gran_turismo::datagram_size),
        }),
    } apart {
        describe: gran_turismo::describe,
        talker: Some(Talker {
            partner: "Gran Turismo",
            begin: |options| Box::new(gran_turismo::Talker::new(options)),
            sockets: Sockets::UsualPorts,
            address: |options| options.console.map(gran_turismo::listens_at),
            wished: |options| options.console.is_some() || options.letter.is_some(),
            ask_at: |options, address| options.console = Some(address.ip()),
        }),
    }
    AcRemote {
        id: "ac-remote",
        game: "Assetto Corsa, remote telemetry",
        ports: &[],
        setup: AC_REMOTE,
        networked: true,
        codec: Some(Codec {
            recognise: |datagram| ac_remote::recognise(datagram).map(ac_remote::Kind::name),
            decoder: || Box::<ac_remote::Decoder>::default(),
            datagram_size: Some(ac_remote::datagram_size),
        }),
    } apart {
        describe: ac_remote::describe,
        talker: Some(Talker {
            partner: "Assetto Corsa",
            begin: |options| Box::new(ac_remote::Talker::new(options)),
            sockets: Sockets::Own(2),
            address: |options| Some(ac_remote::game(options)),
            wished: |options| options.ac_game.is_some() || options.ac_short_registration,
            ask_at: |options, address| options.ac_game = Some(address),
        }),
    }
    AcTelemetryTool {
        id: "ac-telemetry-tool",
        game: "Assetto Corsa, Telemetry Tool",
        ports: &[10101],
        setup: AC_TELEMETRY_TOOL,
        networked: true,
        codec: Some(Codec {
            recognise: |datagram| ac_telemetry_tool::recognise(datagram).map(ac_telemetry_tool::Kind::name),
            decoder: || Box::<ac_telemetry_tool::Decoder>::default(),
            datagram_size: Some(ac_telemetry_tool::datagram_size),
        }),
    } apart {
        describe: ac_telemetry_tool::describe,
        talker: None,
    }
    AcLua {
        id: "ac-lua",
        game: "Assetto Corsa, Lua app",
        ports: &[5005],
        setup: AC_LUA,
        networked: true,
        codec: Some(Codec {
            recognise: ac_lua::recognise,
            decoder: || Box::<ac_lua::Decoder>::default(),
            datagram_size: None,
        }),
    } apart {
        describe: ac_lua::describe,
        talker: None,
    }
    AcServer {
        id: "ac-server",
        game: "Assetto Corsa, dedicated server",
        ports: &[10000, 12000],
        setup: AC_SERVER,
        networked: true,
        codec: Some(Codec {
            recognise: ac_server::recognise,
            decoder: || Box::<ac_server::Decoder>::default(),
            datagram_size: Some(ac_server::datagram_size),
        }),
    } apart {
        describe: ac_server::describe,
        talker: Some(Talker {
            partner: "Assetto Corsa's server",
            begin: |options| Box::new(ac_server::Talker::new(options)),
            sockets: Sockets::AnyPort,
            address: |options| options.ac_server,
            wished: |options| options.ac_server.is_some(),
            ask_at: |options, address| options.ac_server = Some(address),
        }),
    }
    ImportedLaps {
        id: "imported-laps",
        game: "Imported laps",
        ports: &[],
        setup: &[],
        networked: false,
        codec: Some(Codec {
            recognise: |datagram| imported_laps::recognise(datagram).map(imported_laps::Kind::name),
            decoder: || Box::<imported_laps::Decoder>::default(),
            datagram_size: Some(imported_laps::datagram_size),
        }),
    } apart {
        describe: imported_laps::describe,
        talker: None,
    }
}

impl Feed {
    /// The feed with a given id.
    pub fn from_id(id: &str) -> Option<Self> {
        FEEDS.iter().find(|row| row.id == id).map(|row| row.feed)
    }

    /// The feed's name in options, files and links.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// Decrypts the feed's datagrams for storage and encrypts them again, where a game encrypts them.
    pub fn seals(self) -> Option<Seals> {
        match self {
            Self::GranTurismo => Some(gran_turismo::SEALS),
            _ => None,
        }
    }

    /// Removes other people from the feed's datagrams; `None` where the packets describe only the driver.
    pub fn leave_out(self) -> Option<Anonymise> {
        match self {
            Self::F12018 => Some(f1_2018::LEAVE_OUT),
            // A lap packet names its driver, who may be anyone. The player's laps are in the updates too.
            Self::AcRemote => Some(Anonymise {
                others: |datagram, _, _| ac_remote::recognise(datagram) != Ok(ac_remote::Kind::Lap),
            }),
            Self::AcTelemetryTool => Some(ac_telemetry_tool::LEAVE_OUT),
            // No packet of a server is about the driver alone.
            Self::AcServer => Some(Anonymise { others: |_, _, _| false }),
            Self::ImportedLaps => Some(imported_laps::LEAVE_OUT),
            Self::DirtRally | Self::GranTurismo | Self::AcLua => None,
        }
    }

    /// Whether the feed sends things of its own between sessions: a server sends who joins and what they write, and does
    /// not repeat it. Other feeds send a menu then.
    pub fn speaks_between_sessions(self) -> bool {
        self == Self::AcServer
    }

    /// The name of a number on a channel of choices, such as tyre compounds; `None` if unknown.
    pub fn word(self, channel: Channel, number: i32, session: Option<&SessionInfo>) -> Option<String> {
        let classic = session.and_then(|session| session.classic) == Some(true);
        match self {
            Self::F12018 => f1_2018::word(channel, number, classic),
            _ => None,
        }
    }
}

/// The result of recognising a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The feed.
    pub feed: Feed,
    /// The kind of packet, in the protocol's terms.
    pub packet: &'static str,
}

/// One test in the order of recognition.
#[derive(Clone, Copy)]
pub enum Rule {
    /// The feed's packets are decoded.
    Feed(&'static FeedInfo),
    /// The neighbour's packets are named but not read.
    Neighbour(&'static Neighbour),
}

/// The rules in order: neighbours with an unmistakable mark, then feeds, then neighbours recognised by size.
///
/// The first rule that claims a datagram wins, on any port. Feeds that never come over the network have no rule.
pub fn rules() -> impl Iterator<Item = Rule> {
    let neighbours =
        |certain| NEIGHBOURS.iter().filter(move |row| row.certain == certain).map(Rule::Neighbour);
    let feeds = FEEDS.iter().filter(|row| row.networked).map(Rule::Feed);
    neighbours(true).chain(feeds).chain(neighbours(false))
}

/// Recognises a datagram that came over the network.
///
/// If no feed claims it, the error is the most specific reason: that of the feed that recognised most of it.
pub fn recognise(datagram: &[u8]) -> Result<Recognised, Rejected> {
    let mut reason = Rejected::unknown(datagram);
    for rule in rules() {
        match rule {
            Rule::Feed(FeedInfo { codec: None, .. }) => {}
            Rule::Feed(FeedInfo { feed, codec: Some(codec), .. }) => match (codec.recognise)(datagram) {
                Ok(packet) => return Ok(Recognised { feed: *feed, packet }),
                Err(other) if specificity(&other) > specificity(&reason) => reason = other,
                Err(_) => {}
            },
            Rule::Neighbour(neighbour) => {
                // A feed's own header is stronger evidence than a neighbour's size.
                let named =
                    neighbour.claims(datagram).filter(|named| specificity(named) > specificity(&reason));
                if let Some(named) = named {
                    return Err(named);
                }
            }
        }
    }
    Err(reason)
}

/// How specific a reason is: a feed whose header matches knows more than one that finds the packet too short.
fn specificity(reason: &Rejected) -> u8 {
    match reason {
        Rejected::TooShort { .. } => 0,
        Rejected::Unknown { .. } => 1,
        Rejected::NoLayout { .. } => 2,
        Rejected::Empty | Rejected::TooManySenders { .. } => 3,
        Rejected::Implausible { .. } => 4,
        Rejected::UnknownVersion { .. } | Rejected::UnknownPacket { .. } => 5,
        Rejected::Resembles { .. } | Rejected::NotDecoded { .. } => 6,
        Rejected::WrongSize { .. } | Rejected::BadContent { .. } | Rejected::Caution { .. } => 7,
    }
}

#[cfg(test)]
mod tests;
