//! Tests every feed against the packets of all other feeds and of the neighbours.

use std::collections::BTreeSet;

use super::*;

#[test]
fn ids_lead_back_to_their_feeds() {
    for row in FEEDS {
        assert_eq!(Feed::from_id(row.id), Some(row.feed));
        assert_eq!(row.feed.info().id, row.id);
    }
    assert_eq!(Feed::from_id("f2"), None);
}

#[test]
fn an_older_id_stays_valid_and_belongs_to_one_feed() {
    assert_eq!(["f1", "f1-2018"].map(Feed::from_id), [Some(Feed::F1); 2]);
    assert_eq!(["f1", "f1-2018", "unclaimed"].map(Feed::current_id), ["f1", "f1", "unclaimed"]);
    let renamed = FeedInfo { id: "f1", older_ids: &["f1-2018", "formula"], ..*Feed::F1.info() };
    assert_eq!((renamed.first_id(), Feed::DirtRally.info().first_id()), ("formula", "dirt-rally"));
    let of = |id| Feed::in_table([Feed::DirtRally.info(), &renamed], id);
    assert!(["f1", "f1-2018", "formula"].into_iter().all(|id| of(id) == Some(Feed::F1)));
    assert_eq!((of("dirt-rally"), of("f1-2019")), (Some(Feed::DirtRally), None));
    let ids: Vec<&str> = FEEDS.iter().flat_map(FeedInfo::ids).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    for row in FEEDS {
        assert!(row.older_ids.iter().all(|id| Feed::from_id(id) == Some(row.feed)), "{}", row.id);
    }
}

#[test]
fn the_game_that_owns_its_port_is_never_bound() {
    assert!(FEEDS.iter().all(|row| !row.ports.contains(&9996)));
}

/// A packet and the only feed that may claim it.
struct Specimen {
    feed: Feed,
    name: String,
    bytes: Vec<u8>,
}

/// Returns packets with their names.
type Make = fn() -> Vec<(String, Vec<u8>)>;

/// Generated packets for every decoded feed. A feed without any fails the test of all pairs.
const MADE: &[(Feed, Make)] = &[
    (Feed::F1, f1),
    (Feed::DirtRally, dirt_rally),
    (Feed::GranTurismo, gran_turismo),
    (Feed::Forza, forza),
    (Feed::EaWrc, ea_wrc),
    (Feed::AcRemote, ac_remote),
    (Feed::AcTelemetryTool, ac_telemetry_tool),
    (Feed::AcLua, ac_lua),
    (Feed::AcServer, ac_server),
    (Feed::ImportedLaps, imported_laps::specimens::packets),
];

/// Folders of captured packets, including those of feeds that are not decoded yet.
const CAPTURED: &[(Feed, &str)] = &[
    (Feed::F1, "f1-2018"),
    (Feed::DirtRally, "dirt-rally-2"),
    (Feed::GranTurismo, "gran-turismo"),
    (Feed::Forza, "next/forza"),
    (Feed::AcRemote, "assetto-corsa-ksudp"),
    (Feed::AcServer, "assetto-corsa-server"),
];

fn f1() -> Vec<(String, Vec<u8>)> {
    let years = f1::layout::YEARS;
    let packets = (0..years.len()).flat_map(move |place| {
        let version = years.at(place);
        f1::Kind::ALL.iter().filter_map(move |kind| {
            let header = f1::layout::Header {
                packet_format: version.number(),
                packet_version: f1::VERSION,
                packet_id: kind.id(),
                ..f1::layout::Header::default()
            };
            let mut bytes = header.bytes(version);
            bytes.resize(kind.size(version)?, 0);
            Some((kind.name().to_owned(), bytes))
        })
    });
    packets.collect()
}

fn dirt_rally() -> Vec<(String, Vec<u8>)> {
    let mut car = vec![0; 264];
    for (place, value) in [(44, -1.0_f32), (64, 1.0), (252, 900.0), (260, 6.0)] {
        car[place..place + 4].copy_from_slice(&value.to_le_bytes());
    }
    let mut all = vec![("motion".to_owned(), [[0; 64].as_slice(), b"ToCA"].concat())];
    for len in (152..=264).step_by(4) {
        all.push((format!("{len} bytes"), car[..len].to_vec()));
        all.push((format!("{len} zeros"), vec![0; len]));
    }
    for (id, len) in [(0, 154), (6, 78), (6, 62), (0, 173), (0, 175)] {
        let mut bytes = vec![0; len];
        bytes[0] = id;
        all.push((format!("older, {len} bytes"), bytes));
    }
    all
}

fn gran_turismo() -> Vec<(String, Vec<u8>)> {
    use crate::gran_turismo::{Letter, cipher::Scheme};
    let mut all = Vec::new();
    for scheme in Scheme::ALL {
        for len in Letter::ALL.iter().map(|letter| letter.size()) {
            let mut bytes = vec![0; len];
            bytes[..4].copy_from_slice(&scheme.magic());
            all.push((format!("{scheme:?} {len}, open"), bytes.clone()));
            let seed = [7, 0, 0xab, 0x31];
            scheme.seal(seed, &mut bytes);
            all.push((format!("{scheme:?} {len}, sealed"), bytes));
        }
    }
    all
}

fn forza() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for len in [232, 311, 323, 324, 331] {
        let mut car = vec![0; len];
        car[0] = 1;
        car[8..12].copy_from_slice(&7000.0_f32.to_le_bytes());
        car[56..60].copy_from_slice(&(-3.0_f32).to_le_bytes());
        all.push((format!("{len} bytes, with an engine"), car.clone()));
        car[0] = 0;
        all.push((format!("{len} bytes, paused"), car));
        // As many zeros as the shortest has are DiRT Rally's.
        if len > 232 {
            all.push((format!("{len} zeros"), vec![0; len]));
        }
    }
    all
}

fn ea_wrc() -> Vec<(String, Vec<u8>)> {
    let mut car = vec![0; 237];
    car[97..101].copy_from_slice(&1.0_f32.to_le_bytes());
    car[185..189].copy_from_slice(&7000.0_f32.to_le_bytes());
    let mut all = vec![("default structure".to_owned(), car)];
    for mark in ea_wrc::SessionMark::ALL {
        for len in [252, 275] {
            let mut bytes = mark.bytes().to_vec();
            bytes.resize(len, 0);
            all.push((format!("{mark:?}, {len} bytes of zeros"), bytes.clone()));
            bytes[..4].reverse();
            bytes[4..].fill(0x3f);
            all.push((format!("{mark:?} reversed, {len} bytes"), bytes));
        }
    }
    all
}

fn ac_remote() -> Vec<(String, Vec<u8>)> {
    use crate::ac_remote::example::{answer, lap, update_bytes};
    let mut all = vec![
        ("an answer".to_owned(), answer("abarth500", "Ada", "spa", "")),
        ("an update".to_owned(), update_bytes(1, 20_000, 90_000)),
    ];
    for number in 0..20 {
        all.push((
            format!("lap {number}"),
            lap(number, number, "Grace Hopper", "abarth500", 90_000 + number),
        ));
    }
    all
}

fn ac_telemetry_tool() -> Vec<(String, Vec<u8>)> {
    let two = ac_telemetry_tool::specimens::two_cars();
    let cars = |count: usize| [&[22][..], &two[1..358].repeat(count)].concat();
    let mut all = vec![("version".to_owned(), vec![23, 0, 0, 0x48, 0x41])];
    all.extend((1..=30).chain([183]).map(|count| (format!("{count} cars"), cars(count))));
    all
}

fn ac_lua() -> Vec<(String, Vec<u8>)> {
    // At these lengths other games' packets are recognised by little but their size.
    let lengths = (60..=400).chain([784, 1028, 1085, 1289, 1341, 1347, 1367]);
    let packet = |len: usize| {
        let mut text = r#"{"speed_ms":42.5,"lap_time_ms":78123"#.to_owned();
        text.push_str(&" ".repeat(len - text.len() - 1));
        (format!("{len} bytes"), format!("{text}}}").into_bytes())
    };
    lengths.map(packet).collect()
}

fn ac_server() -> Vec<(String, Vec<u8>)> {
    use crate::ac_server::layout;
    use crate::ac_server::{Flavour, Message};
    let session = || layout::Session {
        protocol_version: 4,
        server_name: "Sunday".into(),
        track: "magione".into(),
        weather_graphics: "3_clear".into(),
        ..layout::Session::default()
    };
    let connection =
        || layout::Connection { driver_name: "Ann".into(), car_model: "ks_a".into(), ..Default::default() };
    let messages = [
        Message::NewSession(session()),
        Message::SessionInfo(session()),
        Message::NewConnection(connection()),
        Message::ConnectionClosed(connection()),
        Message::CarUpdate(layout::CarUpdate::default()),
        Message::CarInfo(layout::CarInfo { model: "ks_a".into(), ..Default::default() }),
        Message::EndSession(layout::EndSession { report_file: "race.json".into() }),
        Message::Version(layout::Version { protocol_version: 4 }),
        Message::Chat(layout::Chat { car_id: 3, message: "gg".into() }),
        Message::ClientLoaded(layout::ClientLoaded { car_id: 3 }),
        Message::Error(layout::Error { text: "no car".into() }),
        Message::LapCompleted(layout::LapCompleted {
            leaderboard: vec![layout::Row::default(); 24],
            ..Default::default()
        }),
        Message::CarCollision(layout::CarCollision::default()),
        Message::WallCollision(layout::WallCollision::default()),
    ];
    let written = messages.iter().flat_map(|message| {
        Flavour::ALL.map(|flavour| (format!("{}, {flavour:?}", message.name()), message.write(flavour)))
    });
    written.collect()
}

/// Generated packets of every feed in `MADE`.
fn made() -> Vec<Specimen> {
    let made = MADE.iter().flat_map(|&(feed, make)| {
        make().into_iter().map(move |(name, bytes)| Specimen { feed, name, bytes })
    });
    made.collect()
}

fn captured() -> Vec<Specimen> {
    let mut all = Vec::new();
    for &(feed, name) in CAPTURED {
        for file in std::fs::read_dir(trailbrake_captures::path(name)).expect("captures") {
            let path = file.expect("a file").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            if !name.ends_with(".bin") {
                continue;
            }
            // Files with several packets have the packet size in their name: `name.264xN.bin`.
            let size = name.strip_suffix("xN.bin").and_then(|stem| stem.rsplit('.').next()?.parse().ok());
            let bytes = std::fs::read(&path).expect("packets");
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                // Packets that contain their own size follow each other directly.
                let size_of = if size.is_none() {
                    feed.info().codec.and_then(|codec| codec.datagram_size)
                } else {
                    None
                };
                let own_size = size_of.map(|size_of| size_of(rest).expect("a packet"));
                let (packet, behind) = rest.split_at(size.or(own_size).unwrap_or(rest.len()));
                all.push(Specimen { feed, name: name.clone(), bytes: packet.to_vec() });
                rest = behind;
            }
        }
    }
    all
}

/// Checks that only its own feed claims each packet. Returns the pairs (feed that was asked, feed of the packet).
fn check_claims(specimens: Vec<Specimen>) -> BTreeSet<(Feed, Feed)> {
    let mut tried = BTreeSet::new();
    for Specimen { feed, name, bytes } in specimens {
        for row in FEEDS {
            let Some(codec) = row.codec else { continue };
            let claimed = (codec.recognise)(&bytes).is_ok();
            assert_eq!(claimed, row.feed == feed, "{} and {name}", row.id);
            tried.insert((row.feed, feed));
        }
        let owner = recognise(&bytes).map(|recognised| recognised.feed);
        match feed.info() {
            row if row.networked && row.codec.is_some() => assert_eq!(owner, Ok(feed), "{name}"),
            _ => assert!(owner.is_err(), "{name} is nobody else's"),
        }
    }
    tried
}

#[test]
fn no_feed_claims_a_packet_of_another() {
    let tried = check_claims(made());
    // Every decoded feed was tried against packets of every decoded feed.
    let decoded: Vec<Feed> = FEEDS.iter().filter(|row| row.codec.is_some()).map(|row| row.feed).collect();
    for &feed in &decoded {
        for &other in &decoded {
            assert!(tried.contains(&(feed, other)), "{feed:?} was never shown a packet of {other:?}");
        }
    }
}

#[test]
#[ignore = "needs captures"]
fn no_feed_claims_a_captured_packet_of_another() {
    check_claims(captured());
}

/// Neighbours with an unmistakable mark are checked before the feeds, so no feed's packet may carry such a mark.
fn check_unmarked(specimens: Vec<Specimen>) {
    for Specimen { feed, name, bytes } in specimens {
        let certain = NEIGHBOURS.iter().filter(|row| row.certain);
        assert!(certain.filter_map(|row| row.claims(&bytes)).next().is_none(), "{feed:?} {name}");
    }
}

#[test]
fn no_feed_takes_a_neighbours_packet_and_no_neighbour_a_feeds() {
    for (name, bytes) in crate::neighbours::specimens() {
        let reason = recognise(&bytes).expect_err("a neighbour").to_string();
        assert!(reason.contains(name), "{reason}");
    }
    check_unmarked(made());
}

#[test]
#[ignore = "needs captures"]
fn no_neighbour_takes_a_captured_packet_of_a_feed() {
    check_unmarked(captured());
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
    assert_eq!(kinds.len(), FEEDS.iter().filter(|row| row.networked).count() + NEIGHBOURS.len());
}

#[test]
fn feeds_of_files_are_not_recognised_on_the_network() {
    let from_files: Vec<Feed> = FEEDS.iter().filter(|row| !row.networked).map(|row| row.feed).collect();
    assert_eq!(from_files, [Feed::ImportedLaps]);
    assert!(from_files.iter().all(|feed| feed.info().ports.is_empty() && feed.talker().is_none()));
    for (name, bytes) in imported_laps::specimens::packets() {
        assert!(imported_laps::recognise(&bytes).is_ok(), "{name}");
        assert!(recognise(&bytes).is_err(), "{name} is nobody's");
    }
}

#[test]
fn the_most_specific_reason_is_given() {
    let check = |bytes: &[u8], words: &str| {
        let reason = recognise(bytes).expect_err("a reason").to_string();
        assert!(reason.contains(words), "{reason:?} does not say {words:?}");
    };
    check(&[], "empty");
    check(&[9, 9, 9], "unknown packet (3 bytes, starting 09 09 09), not from a supported game");
    // A 2018 header outweighs what the size would mean elsewhere.
    let mut headed = vec![0; 324];
    headed[..4].copy_from_slice(&[0xe2, 0x07, 1, 0]);
    check(&headed, "F1 2018 header, wrong size");
    check(&[0x3f; 232], "could be DiRT Rally");
    // Another program's structure of EA SPORTS WRC is named by its mark.
    check(b"SESU, and more", "trailbrake setup ea-wrc");
    check(&[3, 1, 0xaa, 0xbb], "packet id 3");
}
