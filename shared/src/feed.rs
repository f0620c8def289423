//! The one table of feeds: what a game's telemetry is called, where it arrives, how it is recognised and decoded.

use crate::games::neighbours::{NEIGHBOURS, Neighbour};
use crate::games::{Decode, Described, Rejected, dirt_rally, f1_2018, gran_turismo};

/// How a feed's packets are read, for feeds that this version decodes.
#[derive(Clone, Copy)]
pub struct Codec {
    /// Whether a datagram is one of this feed's, told by sizes and headers alone; if so, the kind of packet.
    pub recognise: fn(&[u8]) -> Result<&'static str, Rejected>,
    /// A new decoder, for a new sender.
    pub decoder: fn() -> Box<dyn Decode>,
    /// A datagram's fields by name.
    pub describe: fn(&[u8]) -> Result<Described, Rejected>,
    /// The size of the packet at the start of a stream of packets; `None` when packets do not tell their size.
    pub datagram_size: Option<SizeOf>,
}

/// Tells how many bytes the packet at the start of a stream has.
pub type SizeOf = fn(&[u8]) -> Result<usize, Rejected>;

/// A row of the table.
pub struct FeedInfo {
    /// The feed.
    pub feed: Feed,
    /// Its name in options, files and links.
    pub id: &'static str,
    /// The game, as drivers call it.
    pub game: &'static str,
    /// The UDP ports that its packets arrive at unless told otherwise.
    pub ports: &'static [u16],
    /// What to set in the game so that packets arrive.
    pub how: &'static str,
    /// How its packets are read; `None` while this version does not decode it.
    pub codec: Option<Codec>,
}

/// Declares the feeds and their rows.
macro_rules! feeds {
    ($($feed:ident { $($field:ident: $value:expr,)* })*) => {
        /// A kind of telemetry: one game's protocol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]

        #[expect(missing_docs, reason = "the table below says what each is")]
        pub enum Feed { $($feed,)* }

        /// Every feed, in the order in which they are shown.
        pub static FEEDS: &[FeedInfo] = &[$(FeedInfo { feed: Feed::$feed, $($field: $value,)* },)*];

        impl Feed {
            /// The feed's row.
            pub fn info(self) -> &'static FeedInfo {
                match self { $(Self::$feed => {
                    const ROW: &FeedInfo = &FeedInfo { feed: Feed::$feed, $($field: $value,)* };
                    ROW
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
        how: "Game options › Settings › Telemetry settings: UDP telemetry on, format 2018, port 20777, \
              and this machine's address",
        codec: Some(Codec {
            recognise: |datagram| f1_2018::recognise(datagram).map(f1_2018::Kind::name),
            decoder: || Box::<f1_2018::Decoder>::default(),
            describe: f1_2018::describe,
            datagram_size: Some(f1_2018::datagram_size),
        }),
    }
    DirtRally {
        id: "dirt-rally",
        game: "DiRT Rally 1 and 2.0",
        ports: &[20777],
        how: "hardware_settings_config.xml: <udp enabled=\"true\" extradata=\"3\" ip=… port=\"20777\" delay=\"1\" />; \
              <custom_udp> is not supported",
        codec: Some(Codec {
            recognise: |datagram| dirt_rally::recognise(datagram).map(dirt_rally::Kind::name),
            decoder: || Box::<dirt_rally::Decoder>::default(),
            describe: dirt_rally::describe,
            datagram_size: Some(dirt_rally::datagram_size),
        }),
    }
    GranTurismo {
        id: "gran-turismo",
        game: "Gran Turismo 6, Sport and 7",
        ports: &[33740, 33340],
        how: "Nothing to set in the game; the console sends once it is asked",
        codec: Some(Codec {
            recognise: |datagram| gran_turismo::recognise(datagram).map(gran_turismo::Kind::name),
            decoder: || Box::<gran_turismo::Decoder>::default(),
            describe: gran_turismo::describe,
            datagram_size: Some(gran_turismo::datagram_size),
        }),
    }
    AcRemote {
        id: "ac-remote",
        game: "Assetto Corsa, remote telemetry",
        ports: &[],
        how: "Start with --ac-game and the game's address; the game listens on port 9996",
        codec: None,
    }
    AcTelemetryTool {
        id: "ac-telemetry-tool",
        game: "Assetto Corsa, Telemetry Tool",
        ports: &[10101],
        how: "Install the Telemetry Tool plugin and set its to_ip to this machine's address",
        codec: None,
    }
    AcLua {
        id: "ac-lua",
        game: "Assetto Corsa, Lua app",
        ports: &[5005],
        how: "Install the Lua app for Custom Shaders Patch and set this machine's address",
        codec: None,
    }
    AcServer {
        id: "ac-server",
        game: "Assetto Corsa, dedicated server",
        ports: &[10000, 12000],
        how: "server_cfg.ini: UDP_PLUGIN_ADDRESS to this machine's address and port 12000",
        codec: None,
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
}

/// A datagram whose feed is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The feed.
    pub feed: Feed,
    /// The kind of packet, in the protocol's words.
    pub packet: &'static str,
}

/// A row of the table by which datagrams are told apart.
#[derive(Clone, Copy)]
pub enum Rule {
    /// A feed's packets are the feed's.
    Feed(&'static FeedInfo),
    /// A neighbour's packets are named and not read.
    Neighbour(&'static Neighbour),
}

/// The rules in their order: neighbours whose mark is plain, then the feeds, then neighbours told by size.
///
/// The first rule that claims a datagram decides, whatever port it came in by.
pub fn rules() -> impl Iterator<Item = Rule> {
    let neighbours =
        |certain| NEIGHBOURS.iter().filter(move |row| row.certain == certain).map(Rule::Neighbour);
    neighbours(true).chain(FEEDS.iter().map(Rule::Feed)).chain(neighbours(false))
}

/// Tells which feed a datagram belongs to.
///
/// When none claims it, the most telling reason is given: that of a feed which knows what it looks like.
pub fn recognise(datagram: &[u8]) -> Result<Recognised, Rejected> {
    let mut reason = Rejected::unknown(datagram);
    for rule in rules() {
        match rule {
            Rule::Feed(FeedInfo { codec: None, .. }) => {}
            Rule::Feed(FeedInfo { feed, codec: Some(codec), .. }) => match (codec.recognise)(datagram) {
                Ok(packet) => return Ok(Recognised { feed: *feed, packet }),
                Err(other) if telling(&other) > telling(&reason) => reason = other,
                Err(_) => {}
            },
            Rule::Neighbour(neighbour) => {
                // A feed's own header says more than what a neighbour's size can.
                let named = neighbour.claims(datagram).filter(|named| telling(named) > telling(&reason));
                if let Some(named) = named {
                    return Err(named);
                }
            }
        }
    }
    Err(reason)
}

/// How much a reason says: the feed whose header is right knows more than the one that finds it too short.
fn telling(reason: &Rejected) -> u8 {
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
mod tests {
    use super::*;

    #[test]
    fn ids_lead_back_to_their_feeds() {
        for row in FEEDS {
            assert_eq!(Feed::from_id(row.id), Some(row.feed));
            assert_eq!(row.feed.info().id, row.id);
        }
        assert_eq!(Feed::from_id("f1"), None);
    }

    #[test]
    fn the_game_that_owns_its_port_is_never_bound() {
        assert!(FEEDS.iter().all(|row| !row.ports.contains(&9996)));
    }

    /// A packet that must be told from all others, and whose it is.
    struct Specimen {
        feed: Feed,
        name: String,
        bytes: Vec<u8>,
    }

    fn made(feed: Feed, name: impl Into<String>, bytes: Vec<u8>) -> Specimen {
        Specimen { feed, name: name.into(), bytes }
    }

    /// Packets of every feed that has any: made here, and captured ones.
    fn specimens() -> Vec<Specimen> {
        let mut all = Vec::new();
        for kind in f1_2018::Kind::ALL {
            let mut bytes = vec![0; kind.size()];
            bytes[..4].copy_from_slice(&[0xe2, 0x07, 1, kind.id()]);
            all.push(made(Feed::F12018, kind.name(), bytes));
        }
        let mut car = vec![0; 264];
        for (place, value) in [(44, -1.0_f32), (64, 1.0), (252, 900.0), (260, 6.0)] {
            car[place..place + 4].copy_from_slice(&value.to_le_bytes());
        }
        for len in (152..=264).step_by(4) {
            all.push(made(Feed::DirtRally, format!("{len} bytes"), car[..len].to_vec()));
            all.push(made(Feed::DirtRally, format!("{len} zeros"), vec![0; len]));
        }
        all.push(made(Feed::DirtRally, "motion", [[0; 64].as_slice(), b"ToCA"].concat()));
        for (id, len) in [(0, 154), (6, 78), (6, 62), (0, 173), (0, 175)] {
            let mut bytes = vec![0; len];
            bytes[0] = id;
            all.push(made(Feed::DirtRally, format!("older, {len} bytes"), bytes));
        }
        all.extend(captured());
        all
    }

    /// Captured packets, of feeds that are not decoded yet too; none, said aloud, where there are no captures.
    fn captured() -> Vec<Specimen> {
        let Some(folder) = std::env::var_os("TRAILBRAKE_CAPTURES") else {
            eprintln!("skipped: TRAILBRAKE_CAPTURES names no folder with captures");
            return Vec::new();
        };
        let folders = [
            (Feed::F12018, "f1-2018"),
            (Feed::DirtRally, "dirt-rally-2"),
            (Feed::GranTurismo, "gran-turismo"),
            (Feed::AcRemote, "assetto-corsa-ksudp"),
        ];
        let mut all = Vec::new();
        for (feed, name) in folders {
            for file in std::fs::read_dir(std::path::Path::new(&folder).join(name)).expect("captures") {
                let path = file.expect("a file").path();
                let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
                if !name.ends_with(".bin") {
                    continue;
                }
                // Files of many packets say in their names how many bytes each has: `name.264xN.bin`.
                let size = name.strip_suffix("xN.bin").and_then(|stem| stem.rsplit('.').next()?.parse().ok());
                let bytes = std::fs::read(&path).expect("packets");
                for packet in bytes.chunks(size.unwrap_or(bytes.len().max(1))) {
                    all.push(made(feed, name.clone(), packet.to_vec()));
                }
            }
        }
        all
    }

    #[test]
    fn no_feed_claims_a_packet_of_another() {
        let mut tried = std::collections::BTreeMap::new();
        for Specimen { feed, name, bytes } in specimens() {
            for row in FEEDS {
                let Some(codec) = row.codec else { continue };
                let claimed = (codec.recognise)(&bytes).is_ok();
                assert_eq!(claimed, row.feed == feed, "{} and {name}", row.id);
                *tried.entry((row.feed, feed)).or_insert(0) += 1;
            }
            let owner = recognise(&bytes).map(|recognised| recognised.feed);
            match feed.info().codec {
                Some(_) => assert_eq!(owner, Ok(feed), "{name}"),
                None => assert!(owner.is_err(), "{name} is nobody else's"),
            }
        }
        // Every feed that is decoded was tried against packets of every other that is.
        let decoded: Vec<Feed> = FEEDS.iter().filter(|row| row.codec.is_some()).map(|row| row.feed).collect();
        for &feed in &decoded {
            assert!(decoded.iter().all(|&other| tried.contains_key(&(feed, other))), "{feed:?}: {tried:?}");
        }
    }

    #[test]
    fn no_feed_takes_a_neighbours_packet_and_no_neighbour_a_feeds() {
        for (name, bytes) in crate::games::neighbours::specimens() {
            let reason = recognise(&bytes).expect_err("a neighbour").to_string();
            assert!(reason.contains(name), "{reason}");
        }
        for Specimen { feed, name, bytes } in specimens() {
            // Only packets with a mark are named before the feeds are asked, and none of theirs has one.
            let certain = NEIGHBOURS.iter().filter(|row| row.certain);
            assert!(certain.filter_map(|row| row.claims(&bytes)).next().is_none(), "{feed:?} {name}");
        }
    }

    #[test]
    fn rules_stand_in_order() {
        let kinds: Vec<u8> = rules()
            .map(|rule| match rule {
                Rule::Neighbour(row) if row.certain => 0,
                Rule::Feed(_) => 1,
                Rule::Neighbour(_) => 2,
            })
            .collect();
        assert!(kinds.is_sorted());
        assert_eq!(kinds.len(), FEEDS.len() + NEIGHBOURS.len());
    }

    #[test]
    fn the_reason_given_is_the_most_telling_one() {
        let check = |bytes: &[u8], words: &str| {
            let reason = recognise(bytes).expect_err("a reason").to_string();
            assert!(reason.contains(words), "{reason:?} does not say {words:?}");
        };
        check(&[], "empty");
        check(&[9, 9, 9], "3 bytes that no known game sends, starting 09 09 09");
        // A header of 2018 outweighs what its size would be elsewhere.
        let mut headed = vec![0; 324];
        headed[..4].copy_from_slice(&[0xe2, 0x07, 1, 0]);
        check(&headed, "F1 2018 header, wrong size");
        // A packet of the rally's size that holds something else is told as what it is, if that is known.
        let mut sled = vec![0; 232];
        sled[0] = 1;
        sled[8..12].copy_from_slice(&7000.0_f32.to_le_bytes());
        check(&sled, "Forza");
        check(&[0x3f; 232], "could be DiRT Rally");
        check(&[3, 1, 0xaa, 0xbb], "packet id 3");
    }
}
