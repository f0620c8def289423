//! The table of feeds: each game's name, ports, setup, recogniser, decoder and talker.

mod setup;
mod talk_setting;
mod titles;

use core::net::SocketAddr;

use trailbrake_model::{Channel, SessionInfo};

use crate::neighbours::{NEIGHBOURS, Neighbour};
use crate::{
    Anonymise, Decode, Described, GameFiles, Rejected, Seals, Talk, TalkOptions, ac_lua, ac_remote,
    ac_server, ac_telemetry_tool, dirt_rally, ea_wrc, f1, forza, gran_turismo, imported_laps,
};
use setup::{AC_LUA, AC_REMOTE, AC_SERVER, AC_TELEMETRY_TOOL, DIRT_RALLY, EA_WRC, F1, FORZA, GRAN_TURISMO};
pub use setup::{GamePlace, SetupStep};
pub(crate) use talk_setting::socket_address;
pub use talk_setting::{
    AC_GAME_ADDRESS, AC_GAME_PORT, AC_SERVER_ADDRESS, ANY_HEARTBEAT, CONSOLE_ADDRESS, HEARTBEAT, HEARTBEATS,
    TalkSetting, game_address, heartbeat,
};
pub use titles::{GAME_TITLES, GameTitle};

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

/// Returns the name of a number on a channel of choices, such as tyre compounds; `None` if unknown.
pub type Word = fn(Channel, i32, Option<&SessionInfo>) -> Option<String>;

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
    /// Where the game listens unless the user says; `None` when it must be searched for, or the user has to say.
    pub usual_address: Option<SocketAddr>,
    /// Whether its options may ask for the short registration.
    pub has_short_registration: bool,
}

impl Talker {
    /// Where the game listens; `None` when every network of this machine is searched, or the user has not said.
    pub fn address(&self, options: &TalkOptions) -> Option<SocketAddr> {
        options.address.or(self.usual_address)
    }
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
    /// Ids that it had in earlier versions, the oldest last. They stay valid in recordings, settings, options and links.
    pub older_ids: &'static [&'static str],
    /// The game, as drivers call it.
    pub game: &'static str,
    /// The default UDP ports.
    pub ports: &'static [u16],
    /// What to do so that the game sends packets, in order.
    pub setup: &'static [SetupStep],
    /// The document about it, below the project's folder.
    pub guide: &'static str,
    /// What the driver may set of the game that is asked.
    pub talk_settings: &'static [TalkSetting],
    /// Whether its packets come over the network. Packets of other feeds are found only in files, and a network packet
    /// is never taken for one.
    pub networked: bool,
    /// Whether it sends the steering as a share of its lock and no angle.
    pub steering_is_share: bool,
    /// Whether it sends things of its own between sessions, which it does not repeat. Other feeds send a menu then.
    pub sends_between_sessions: bool,
    /// Whether its game takes commands of the driver's.
    pub takes_commands: bool,
    /// Whether anybody has tried it with the game. The guide of another one asks for a sample.
    pub is_tried: bool,
    /// How to decode its packets; `None` while this version does not.
    pub codec: Option<Codec>,
}

/// Declares the feeds and their rows.
///
/// The fields under `apart` are reached through functions instead of the row, so that a program contains only what it
/// uses: the page never asks games, and its demo removes nobody from packets.
macro_rules! feeds {
    ($($feed:ident { $($field:ident: $value:expr,)* } apart {
        describe: $describe:expr,
        word: $word:expr,
        seals: $seals:expr,
        leave_out: $leave_out:expr,
        talker: $talker:expr,
        game_files: $game_files:expr,
    })*) => {
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

            fn words(self) -> Option<Word> {
                match self { $(Self::$feed => $word,)* }
            }

            /// Decrypts the feed's datagrams for storage and encrypts them again; `None` where the game does not
            /// encrypt them.
            pub fn seals(self) -> Option<Seals> {
                match self { $(Self::$feed => $seals,)* }
            }

            /// Removes other people from the feed's datagrams; `None` where the packets describe only the driver.
            pub fn leave_out(self) -> Option<Anonymise> {
                match self { $(Self::$feed => $leave_out,)* }
            }

            /// How to ask the feed's game; `None` when it sends without being asked.
            pub fn talker(self) -> Option<&'static Talker> {
                match self { $(Self::$feed => {
                    const TALKER: Option<Talker> = $talker;
                    const { TALKER.as_ref() }
                })* }
            }

            /// The game's files into which Trailbrake can write what it reads; `None` where its menus suffice.
            pub fn game_files(self) -> Option<GameFiles> {
                match self { $(Self::$feed => $game_files,)* }
            }
        }
    };
}

feeds! {
    F1 {
        id: "f1",
        older_ids: &["f1-2018"],
        game: "F1 2018 to 25",
        ports: &[20777],
        setup: F1,
        guide: "docs/games/f1.md",
        talk_settings: &[],
        networked: true,
        steering_is_share: true,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: true,
        codec: Some(Codec {
            recognise: |datagram| f1::recognise(datagram).map(|(kind, _)| kind.name()),
            decoder: || Box::<f1::Decoder>::default(),
            datagram_size: Some(f1::datagram_size),
        }),
    } apart {
        describe: f1::describe,
        word: Some(|channel, number, session| {
            let classic = session.and_then(|session| session.classic) == Some(true);
            f1::word(channel, number, classic)
        }),
        seals: None,
        leave_out: Some(f1::LEAVE_OUT),
        talker: None,
        game_files: None,
    }
    DirtRally {
        id: "dirt-rally",
        older_ids: &[],
        game: "DiRT Rally 1 and 2.0",
        ports: &[20777],
        setup: DIRT_RALLY,
        guide: "docs/games/dirt-rally.md",
        talk_settings: &[],
        networked: true,
        steering_is_share: true,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: true,
        codec: Some(Codec {
            recognise: |datagram| dirt_rally::recognise(datagram).map(dirt_rally::Kind::name),
            decoder: || Box::<dirt_rally::Decoder>::default(),
            datagram_size: Some(dirt_rally::datagram_size),
        }),
    } apart {
        describe: dirt_rally::describe,
        word: None,
        seals: None,
        leave_out: None,
        talker: None,
        game_files: None,
    }
    GranTurismo {
        id: "gran-turismo",
        older_ids: &[],
        game: "Gran Turismo 6, Sport and 7",
        ports: &[33740, 33340],
        setup: GRAN_TURISMO,
        guide: "docs/games/gran-turismo.md",
        talk_settings: &[CONSOLE_ADDRESS, HEARTBEAT],
        networked: true,
        steering_is_share: false,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: true,
        codec: Some(Codec {
            recognise: |datagram| gran_turismo::recognise(datagram).map(gran_turismo::Kind::name),
            decoder: || Box::<gran_turismo::Decoder>::default(),
            datagram_size: Some(gran_turismo::datagram_size),
        }),
    } apart {
        describe: gran_turismo::describe,
        word: None,
        seals: Some(gran_turismo::SEALS),
        leave_out: None,
        talker: Some(Talker {
            partner: "Gran Turismo",
            begin: |options| Box::new(gran_turismo::Talker::new(options)),
            sockets: Sockets::UsualPorts,
            usual_address: None,
            has_short_registration: false,
        }),
        game_files: None,
    }
    AcRemote {
        id: "ac-remote",
        older_ids: &[],
        game: "Assetto Corsa, remote telemetry",
        ports: &[],
        setup: AC_REMOTE,
        guide: "docs/games/ac-remote.md",
        talk_settings: &[AC_GAME_ADDRESS],
        networked: true,
        steering_is_share: false,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: true,
        codec: Some(Codec {
            recognise: |datagram| ac_remote::recognise(datagram).map(ac_remote::Kind::name),
            decoder: || Box::<ac_remote::Decoder>::default(),
            datagram_size: Some(ac_remote::datagram_size),
        }),
    } apart {
        describe: ac_remote::describe,
        word: None,
        seals: None,
        // A lap packet names its driver, who may be anyone. The player's laps are in the updates too.
        leave_out: Some(Anonymise {
            others: |datagram, _, _| ac_remote::recognise(datagram) != Ok(ac_remote::Kind::Lap),
        }),
        talker: Some(Talker {
            partner: "Assetto Corsa",
            begin: |options| Box::new(ac_remote::Talker::new(options)),
            sockets: Sockets::Own(2),
            usual_address: Some(ac_remote::USUAL_ADDRESS),
            has_short_registration: true,
        }),
        game_files: None,
    }
    AcTelemetryTool {
        id: "ac-telemetry-tool",
        older_ids: &[],
        game: "Assetto Corsa, Telemetry Tool",
        ports: &[10101],
        setup: AC_TELEMETRY_TOOL,
        guide: "docs/games/ac-telemetry-tool.md",
        talk_settings: &[],
        networked: true,
        steering_is_share: false,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: false,
        codec: Some(Codec {
            recognise: |datagram| ac_telemetry_tool::recognise(datagram).map(ac_telemetry_tool::Kind::name),
            decoder: || Box::<ac_telemetry_tool::Decoder>::default(),
            datagram_size: Some(ac_telemetry_tool::datagram_size),
        }),
    } apart {
        describe: ac_telemetry_tool::describe,
        word: None,
        seals: None,
        leave_out: Some(ac_telemetry_tool::LEAVE_OUT),
        talker: None,
        game_files: None,
    }
    AcLua {
        id: "ac-lua",
        older_ids: &[],
        game: "Assetto Corsa, Lua app",
        ports: &[5005],
        setup: AC_LUA,
        guide: "docs/games/ac-lua.md",
        talk_settings: &[],
        networked: true,
        steering_is_share: false,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: false,
        codec: Some(Codec {
            recognise: ac_lua::recognise,
            decoder: || Box::<ac_lua::Decoder>::default(),
            datagram_size: None,
        }),
    } apart {
        describe: ac_lua::describe,
        word: None,
        seals: None,
        leave_out: None,
        talker: None,
        game_files: None,
    }
    AcServer {
        id: "ac-server",
        older_ids: &[],
        game: "Assetto Corsa, dedicated server",
        ports: &[10000, 12000],
        setup: AC_SERVER,
        guide: "docs/games/ac-server.md",
        talk_settings: &[AC_SERVER_ADDRESS],
        networked: true,
        steering_is_share: false,
        sends_between_sessions: true,
        takes_commands: true,
        is_tried: true,
        codec: Some(Codec {
            recognise: ac_server::recognise,
            decoder: || Box::<ac_server::Decoder>::default(),
            datagram_size: Some(ac_server::datagram_size),
        }),
    } apart {
        describe: ac_server::describe,
        word: None,
        seals: None,
        // No packet of a server is about the driver alone.
        leave_out: Some(Anonymise { others: |_, _, _| false }),
        talker: Some(Talker {
            partner: "Assetto Corsa's server",
            begin: |options| Box::new(ac_server::Talker::new(options)),
            sockets: Sockets::AnyPort,
            usual_address: None,
            has_short_registration: false,
        }),
        game_files: None,
    }
    ImportedLaps {
        id: "imported-laps",
        older_ids: &[],
        game: "Imported laps",
        ports: &[],
        setup: &[],
        guide: "docs/imported-laps.md",
        talk_settings: &[],
        networked: false,
        steering_is_share: false,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: true,
        codec: Some(Codec {
            recognise: |datagram| imported_laps::recognise(datagram).map(imported_laps::Kind::name),
            decoder: || Box::<imported_laps::Decoder>::default(),
            datagram_size: Some(imported_laps::datagram_size),
        }),
    } apart {
        describe: imported_laps::describe,
        word: None,
        seals: None,
        leave_out: Some(imported_laps::LEAVE_OUT),
        talker: None,
        game_files: None,
    }
    Forza {
        id: "forza",
        older_ids: &[],
        game: "Forza Motorsport and Horizon",
        // None is usual. Horizon 6 binds 5200 to 5300 itself.
        ports: &[5400],
        setup: FORZA,
        guide: "docs/games/forza.md",
        talk_settings: &[],
        networked: true,
        steering_is_share: true,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: true,
        codec: Some(Codec {
            recognise: |datagram| forza::recognise(datagram).map(forza::Kind::name),
            decoder: || Box::<forza::Decoder>::default(),
            datagram_size: Some(forza::datagram_size),
        }),
    } apart {
        describe: forza::describe,
        word: None,
        seals: None,
        leave_out: None,
        talker: None,
        game_files: None,
    }
    EaWrc {
        id: "ea-wrc",
        older_ids: &[],
        game: "EA SPORTS WRC",
        ports: &[20777],
        setup: EA_WRC,
        guide: "docs/games/ea-wrc.md",
        talk_settings: &[],
        networked: true,
        steering_is_share: true,
        sends_between_sessions: false,
        takes_commands: false,
        is_tried: false,
        codec: Some(Codec {
            recognise: |datagram| ea_wrc::recognise(datagram).map(ea_wrc::Kind::name),
            decoder: || Box::<ea_wrc::Decoder>::default(),
            datagram_size: Some(ea_wrc::datagram_size),
        }),
    } apart {
        describe: ea_wrc::describe,
        word: None,
        seals: None,
        leave_out: None,
        talker: None,
        game_files: Some(ea_wrc::FILES),
    }
}

impl Feed {
    /// The feed with a given id, in this version or an earlier one.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::in_table(FEEDS, id)
    }

    /// The feed whose game takes commands.
    pub fn taking_commands() -> Option<Self> {
        FEEDS.iter().find(|row| row.takes_commands).map(|row| row.feed)
    }

    /// The current id of the feed with an id, which may be one of an earlier version; unknown ids stay as they are.
    pub fn current_id(id: &str) -> &str {
        match Self::from_id(id) {
            Some(feed) => feed.id(),
            None => id,
        }
    }

    fn in_table<'a>(table: impl IntoIterator<Item = &'a FeedInfo>, id: &str) -> Option<Self> {
        table.into_iter().find(|row| row.ids().any(|known| known == id)).map(|row| row.feed)
    }

    /// The feed's name in options, files and links.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// The name of a number on a channel of choices, such as tyre compounds; `None` if unknown.
    pub fn word(self, channel: Channel, number: i32, session: Option<&SessionInfo>) -> Option<String> {
        self.words().and_then(|word| word(channel, number, session))
    }
}

impl FeedInfo {
    /// The feed's ids: that of this version, then those of earlier ones.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        [self.id].into_iter().chain(self.older_ids.iter().copied())
    }

    /// The id of its first version, for what must never change, such as numbers made of an id.
    pub fn first_id(&self) -> &'static str {
        self.older_ids.last().copied().unwrap_or(self.id)
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

/// Feeds whose packets are recognised by many values. They are asked before feeds that a few bytes may speak for by chance.
const CERTAIN: &[Feed] = &[Feed::EaWrc];

/// The rules in order: neighbours with an unmistakable mark, then feeds, then neighbours recognised by size.
///
/// The first rule that claims a datagram wins, on any port. Feeds that never come over the network have no rule.
pub fn rules() -> impl Iterator<Item = Rule> {
    let neighbours =
        |certain| NEIGHBOURS.iter().filter(move |row| row.certain == certain).map(Rule::Neighbour);
    let feeds = |certain| {
        let is_asked = move |row: &&FeedInfo| row.networked && CERTAIN.contains(&row.feed) == certain;
        FEEDS.iter().filter(is_asked).map(Rule::Feed)
    };
    neighbours(true).chain(feeds(true)).chain(feeds(false)).chain(neighbours(false))
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
