//! An evening on a real server, whose messages are in one file without boundaries.

use std::collections::BTreeMap;

use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::ac_server::layout::{self, NO_TIME, Session};
use trailbrake_shared::games::ac_server::{Flavour, Message, datagram_size, recognise};
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::model::{Car, EventKind, Fact, Presence, SessionKind};
use trailbrake_shared::session::{Archive, log_words, timing_table};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

use super::listener::Listener;

const FILE: &str = "assetto-corsa-server/acsp-red-bull-ring-2016.bin";

/// The messages with their places in the file.
fn capture() -> Vec<(usize, Vec<u8>)> {
    let bytes = trailbrake_captures::read(FILE);
    let (mut rest, mut messages) = (bytes.as_slice(), Vec::new());
    while !rest.is_empty() {
        let (message, behind) = rest.split_at(datagram_size(rest).expect("a message"));
        messages.push((bytes.len() - rest.len(), message.to_vec()));
        rest = behind;
    }
    assert_eq!(bytes.len(), 65_891);
    messages
}

fn read(bytes: &[u8]) -> Message {
    Message::read(bytes).expect("a message")
}

/// Receives all messages, one second apart.
fn receive(messages: &[(usize, Vec<u8>)]) -> Listener {
    let mut listener = Listener::default();
    messages.iter().for_each(|(_, message)| listener.take(message));
    listener
}

/// Receives the messages before an offset in the file.
fn receive_before(messages: &[(usize, Vec<u8>)], place: usize) -> Listener {
    let end = messages.partition_point(|(at, _)| *at < place);
    receive(&messages[..end])
}

fn counts<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counts = BTreeMap::new();
    values.into_iter().for_each(|value| *counts.entry(value).or_default() += 1);
    counts.into_iter().collect()
}

#[test]
#[ignore = "needs captures"]
fn the_captured_stream_is_395_messages_of_known_kinds_and_sizes() {
    let messages = capture();
    assert_eq!(messages.len(), 395);
    let kinds = counts(messages.iter().map(|(_, message)| recognise(message).expect("a message")));
    let expected = [
        ("CHAT", 21),
        ("CLIENT_EVENT, collision with a car", 20),
        ("CLIENT_EVENT, collision with the environment", 52),
        ("CLIENT_LOADED", 17),
        ("CONNECTION_CLOSED", 17),
        ("END_SESSION", 4),
        ("LAP_COMPLETED", 155),
        ("NEW_CONNECTION", 17),
        ("NEW_SESSION", 92),
    ];
    assert_eq!(kinds, expected);
    let sizes = |id: u8| {
        let sizes = messages.iter().filter(|(_, message)| message[0] == id).map(|(_, message)| message.len());
        counts(sizes)
    };
    assert_eq!(sizes(50), [(255, 46), (258, 46)]);
    assert_eq!(sizes(73), [(204, 155)]);
    assert_eq!(sizes(58), [(2, 17)]);
    assert_eq!(sizes(130), [(31, 52), (32, 20)]);
    for (place, message) in &messages {
        // Parsing and writing a message restores its bytes.
        assert_eq!(read(message).write(Flavour::Vanilla), *message, "{place}");
        assert_eq!(feed::recognise(message).map(|recognised| recognised.feed), Ok(Feed::AcServer), "{place}");
    }
}

#[test]
#[ignore = "needs captures"]
fn the_captured_sessions_are_a_race_and_a_qualifying_in_turn() {
    let messages = capture();
    assert_eq!((messages[0].0, messages[1].0), (0, 255));
    let Message::NewSession(race) = read(&messages[0].1) else { panic!("a session") };
    let expected = Session {
        protocol_version: 4,
        session_index: 1,
        current_session_index: 1,
        session_count: 2,
        server_name: "AC ! JU 24.7 ! 30quali ! 7race ! factory tc & abs".into(),
        track: "ks_red_bull_ring".into(),
        track_config: "layout_gp".into(),
        name: "Race".into(),
        session_type: 3,
        time: 0,
        laps: 7,
        wait_time: 40_000,
        ambient_temp: 24,
        road_temp: 30,
        weather_graphics: "3_clear".into(),
        elapsed_ms: -40_000,
    };
    assert_eq!(race, expected);

    let listener = receive(&messages[..1]);
    let info = listener.info();
    assert_eq!((info.kind, info.total_laps, info.duration_s), (SessionKind::Race(1), Some(7), None));
    assert_eq!((info.air_celsius, info.track_celsius), (Some(24), Some(30)));
    assert_eq!((info.weather, info.weather_name.as_deref()), (None, Some("3_clear")));
    let track = info.track.as_ref().expect("a track");
    assert_eq!(track.id, "ks_red_bull_ring/layout_gp");
    assert_eq!(track.name.as_deref(), Some("ks_red_bull_ring, layout_gp"));
    let server = info.server.as_deref().expect("a server");
    assert_eq!((server.name.as_str(), server.session_name.as_str()), (expected.server_name.as_str(), "Race"));
    assert_eq!((server.wait_ms, server.elapsed_ms), (40_000, -40_000));
    assert_eq!((server.session, server.driven, server.sessions, server.protocol), (1, 1, 2, 4));

    let listener = receive(&messages[..2]);
    let info = listener.info();
    assert_eq!(
        (info.kind, info.total_laps, info.duration_s),
        (SessionKind::ShortQualifying, None, Some(30 * 60))
    );
    assert_eq!(info.server.as_deref().map(|server| (server.wait_ms, server.elapsed_ms)), Some((0, 0)));

    let all = receive(&messages);
    let started = all.kinds().iter().filter(|(_, kind)| *kind == EventKind::SessionStarted).count();
    assert_eq!(started, 92);
    let ended: Vec<String> = all
        .kinds()
        .into_iter()
        .filter_map(|(_, kind)| if let EventKind::Report { file } = kind { Some(file) } else { None })
        .collect();
    assert_eq!(
        ended,
        [
            "results/2016_7_24_22_52_QUALIFY.json",
            "results/2016_7_24_23_24_QUALIFY.json",
            "results/2016_7_24_23_34_RACE.json",
            "results/2016_7_25_0_5_QUALIFY.json"
        ]
    );
    assert_eq!(all.kinds().iter().filter(|(_, kind)| *kind == EventKind::SessionEnded).count(), 4);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_people_come_and_go() {
    let messages = capture();
    let listener = receive_before(&messages, 3079);
    let first = listener.participant(0);
    assert_eq!(first.name, "Joao Coutinho");
    assert_eq!(first.guid.as_deref(), Some("76561197975488835"));
    assert_eq!(first.presence, Some(Presence::Loading));
    let vehicle = listener.session.car(Car(0)).and_then(|car| car.vehicle.as_deref()).expect("a vehicle");
    assert_eq!(vehicle.id.as_deref(), Some("ks_ferrari_sf15t"));
    assert_eq!(vehicle.livery.as_deref(), Some("00_default"));
    assert_eq!(receive_before(&messages, 3231).participant(0).presence, Some(Presence::There));

    // Players whom the game does not know have no guid.
    let listener = receive_before(&messages, 6441);
    assert_eq!(listener.participant(2).name, "marcio rodrigues marcio rodrigues");
    assert_eq!(listener.participant(2).guid, None);

    // Slot 4 changes drivers; the second does not get the first one's laps.
    let listener = receive_before(&messages, 16_592);
    assert_eq!(listener.participant(4).presence, Some(Presence::Gone));
    assert_eq!(listener.session.car(Car(4)).map(|car| car.laps.finished().len()), Some(2));
    let listener = receive_before(&messages, 16_593);
    assert_eq!(
        (listener.participant(4).name.as_str(), listener.participant(4).presence),
        ("Schuberth", Some(Presence::Loading))
    );
    assert!(listener.session.car(Car(4)).is_none_or(|car| car.laps.finished().is_empty()));
    let grid = [
        (0, "Joao Coutinho"),
        (1, "Paolo Ugetti"),
        (2, "marcio rodrigues marcio rodrigues"),
        (3, "bilo2bell"),
        (4, "Schuberth"),
        (6, "Alessandro Pili"),
    ];
    assert_eq!(listener.present(), grid);

    let all = receive(&messages);
    assert_eq!(all.present(), [], "everybody has left");
    let models = all.facts.iter().filter_map(|fact| match fact {
        Fact::Vehicle(_, vehicle) => vehicle.id.clone(),
        _ => None,
    });
    assert_eq!(models.collect::<std::collections::BTreeSet<_>>().len(), 1);
    let happened = |wanted: EventKind| all.kinds().iter().filter(|(_, kind)| *kind == wanted).count();
    assert_eq!(happened(EventKind::Connected), 17);
    assert_eq!(happened(EventKind::Loaded), 17);
    assert_eq!(happened(EventKind::Disconnected), 17);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_laps_are_the_server_s_own() {
    let messages = capture();
    let laps: Vec<(usize, layout::LapCompleted)> = messages
        .iter()
        .filter_map(|(place, message)| match read(message) {
            Message::LapCompleted(lap) => Some((*place, lap)),
            _ => None,
        })
        .collect();
    assert_eq!(laps.len(), 155);
    assert_eq!(
        counts(laps.iter().map(|(_, lap)| lap.cuts)),
        [(0, 96), (1, 36), (2, 18), (3, 2), (5, 2), (6, 1)]
    );
    let grips = laps.iter().map(|(_, lap)| lap.grip_level);
    assert_eq!(grips.clone().fold(f32::INFINITY, f32::min), 0.940_516_77);
    assert_eq!(grips.fold(0.0, f32::max), 1.0);
    let (place, first) = &laps[0];
    assert_eq!((*place, first.car_id, first.lap_time, first.cuts), (4451, 1, 169_916, 2));
    assert_eq!(first.leaderboard.len(), 24);
    assert!(first.leaderboard.iter().all(|row| row.time == NO_TIME));
    let row = laps
        .iter()
        .find(|(place, _)| *place == 6032)
        .map(|(_, lap)| (lap.car_id, lap.lap_time, lap.leaderboard[0]));
    let expected = layout::Row { car_id: 1, time: 83_020, laps: 2, has_completed: Some(0) };
    assert_eq!(row, Some((1, 83_020, expected)));
    assert_eq!(
        laps.iter().filter(|(_, lap)| lap.lap_time == 77_567).map(|(place, _)| *place).collect::<Vec<_>>(),
        [35_084]
    );

    // Each becomes a timed lap of its driver; laps with cuts are invalid.
    let mut listener = Listener::default();
    let mut numbers = Vec::new();
    for (_, message) in &messages {
        // So far apart that every driver was connected for longer than their first lap took.
        listener.after(200.0, message).expect("a message");
        if let Message::LapCompleted(lap) = read(message) {
            let last = listener.session.car(Car(lap.car_id)).and_then(|car| car.laps.finished().last());
            let last = last.unwrap_or_else(|| panic!("no lap of {}", lap.car_id));
            assert_eq!(last.time, Some(LapTime(lap.lap_time)));
            assert_eq!(last.flags.has(LapFlag::Invalid), lap.cuts > 0);
            assert_eq!(last.counts().is_some(), lap.cuts == 0);
            assert_eq!(listener.info().grip, Some(lap.grip_level));
            numbers.push(last.number);
        }
    }
    assert_eq!((numbers.len(), numbers[0], numbers[7]), (155, 1, 8));
    let cuts = listener.kinds().into_iter().filter_map(|(_, kind)| match kind {
        EventKind::Cuts { count } => Some(count),
        _ => None,
    });
    assert_eq!(counts(cuts), [(1, 36), (2, 18), (3, 2), (5, 2), (6, 1)]);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_race_is_won_by_car_6() {
    let messages = capture();
    let board = |place: usize| {
        let listener = receive_before(&messages, place);
        let rows = timing_table(&listener.session).into_iter();
        rows.map(|row| (row.position, row.car.0, row.short, row.gap)).collect::<Vec<_>>()
    };
    use trailbrake_shared::session::Gap;
    let finished = board(35_085);
    assert_eq!(finished[0], (1, 6, "PIL".to_owned(), Gap::Leader));
    // 492.961 s against the winner's 536.272 s less the last lap's 77.567 s.
    assert_eq!((finished[1].0, finished[1].1), (2, 3));
    let Gap::Seconds(gap) = finished[1].3 else { panic!("{:?}", finished[1]) };
    assert!((gap - (492.961 - (536.272 - 77.567))).abs() < 1e-3, "{gap}");
    assert_eq!(finished[4].3, Gap::Laps(2), "car 1 has finished four laps of the winner's seven");
    let places: Vec<u8> = finished.iter().map(|row| row.1).collect();
    assert_eq!(places, [6, 3, 7, 8, 1, 2, 0, 4]);

    let listener = receive_before(&messages, 35_085);
    let winner = listener.session.car(Car(6)).expect("the winner");
    let laps: Vec<u32> = winner.laps.finished().iter().map(|lap| lap.time.expect("a time").0).collect();
    assert_eq!(laps, [84_192, 75_518, 75_314, 74_090, 73_843, 75_763, 77_567]);
    assert_eq!(laps.iter().sum::<u32>(), 536_287);
    let progress = winner.progress().expect("progress");
    assert_eq!(
        (progress.race_time, progress.result),
        (Some(LapTime(536_272)), trailbrake_shared::model::ResultStatus::Finished)
    );

    // In qualifying the leaderboard is ordered by best clean lap.
    let board = board(25_083);
    assert_eq!((board[0].1, board[1].1, board[1].3), (4, 6, Gap::Seconds(1.01)));
    let best = timing_table(&receive_before(&messages, 25_083).session)[0].best;
    assert_eq!(best, Some(LapTime(70_452)));
}

#[test]
#[ignore = "needs captures"]
fn the_captured_collisions_are_reported_once_each() {
    let messages = capture();
    let (mut walls, mut cars) = (Vec::new(), Vec::new());
    for (place, message) in &messages {
        match read(message) {
            Message::WallCollision(hit) => walls.push(hit.impact_speed),
            Message::CarCollision(hit) => cars.push((*place, hit.car_id, hit.other_car_id, hit.impact_speed)),
            _ => {}
        }
    }
    let near =
        |value: f32, expected: f32| assert!((value - expected).abs() < 5e-4, "{value} is not {expected}");
    near(walls.iter().copied().fold(f32::INFINITY, f32::min), 0.117);
    near(walls.iter().copied().fold(0.0, f32::max), 206.3545);
    near(cars.iter().map(|hit| hit.3).fold(f32::INFINITY, f32::min), 5.795);
    near(cars.iter().map(|hit| hit.3).fold(0.0, f32::max), 52.318);
    assert_eq!((cars[0].0, cars[0].1, cars[0].2), (20_017, 4, 2));
    near(cars[0].3, 32.4389);

    let all = receive(&messages);
    let reported: Vec<(u8, Option<u8>, f64)> = all
        .kinds()
        .into_iter()
        .filter_map(|(car, kind)| match kind {
            EventKind::Collision(hit) => {
                Some((car?, hit.with.map(|car| car.0), f64::from(hit.mm_per_s) * 3.6e-3))
            }
            _ => None,
        })
        .collect();
    assert_eq!(reported.iter().filter(|(_, with, _)| with.is_none()).count(), 52);
    let fastest = reported.iter().map(|(.., kmh)| *kmh).fold(0.0, f64::max);
    assert!((fastest - 206.3545).abs() < 4e-3, "{fastest}");
    // Messages are one second apart here, so the two reports of a collision are at most one second apart: reports that
    // follow each other directly are merged.
    let pairs: Vec<(u8, u8)> = reported.iter().filter_map(|(car, with, _)| Some((*car, (*with)?))).collect();
    assert_eq!(pairs[0], (4, 2));
    assert!(pairs.contains(&(5, 4)) && !pairs.contains(&(4, 5)), "{pairs:?}");

    // With all messages at once, both reports always merge: nine collisions reported by both cars, and two by one.
    let mut listener = Listener::default();
    for (_, message) in &messages {
        listener.after(1e-3, message).expect("a message");
    }
    let with_cars =
        |(_, kind): &(Option<u8>, EventKind)| matches!(kind, EventKind::Collision(hit) if hit.with.is_some());
    assert_eq!(listener.kinds().iter().filter(|kind| with_cars(kind)).count(), 11);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_chat_keeps_its_letters_and_separates_commands() {
    let messages = capture();
    let all = receive(&messages);
    let chat = all.kinds().into_iter().filter_map(|(car, kind)| match kind {
        EventKind::Chat { text } => Some((car?, false, text)),
        EventKind::Command { text } => Some((car?, true, text)),
        _ => None,
    });
    let chat: Vec<(u8, bool, String)> = chat.collect();
    assert_eq!(chat.len(), 21);
    assert_eq!(chat[0], (0, true, "/next_session".to_owned()));
    assert_eq!(chat.iter().filter(|(_, command, _)| *command).count(), 2);
    assert!(chat.contains(&(8, false, "paolo mi si è scaricato il cell".to_owned())));
    let place = messages.iter().find(|(_, message)| message[0] == 57).map(|(place, _)| *place);
    assert_eq!(place, Some(3487));
    let wide =
        messages.iter().find(|(place, _)| *place == 36_745).map(|(_, message)| message).expect("a message");
    assert!(wide.windows(4).any(|bytes| bytes == [0xe8, 0, 0, 0]));
    // The log keeps the author's name although another driver takes the car later.
    let listener = receive_before(&messages, 36_746);
    let words: Vec<String> =
        listener.session.log().map(|entry| log_words(&listener.session, entry, Units::default())).collect();
    assert!(words.contains(&"CAN: \u{201c}paolo mi si è scaricato il cell\u{201d}".to_owned()), "{words:?}");
}

#[test]
#[ignore = "needs captures"]
fn every_captured_lap_is_listed_with_the_name_of_who_drove_it() {
    let messages = capture();
    let sender = std::net::SocketAddr::from(([127, 0, 0, 1], 11000));
    let mut archive = Archive::default();
    // The driver of a car is sent before its laps; the name is that of the current connection.
    let (mut names, mut driven) = (BTreeMap::new(), Vec::new());
    for (second, (_, bytes)) in (1..).zip(&messages) {
        let at = Micros(1_700_000_000_000_000 + second * 1_000_000);
        let datagram = Datagram { at, sender, port: 12000, feed: Some(Feed::AcServer), bytes };
        archive.take(&datagram).expect("a message");
        match read(bytes) {
            Message::NewConnection(who) => drop(names.insert(who.car_id, who.driver_name)),
            Message::LapCompleted(lap) => {
                let name = names.get(&lap.car_id).cloned().unwrap_or_else(|| Car(lap.car_id).to_string());
                driven.push((name, lap.lap_time));
            }
            _ => {}
        }
    }
    let catalogue = LapCatalogue::of_archive(&archive);
    let timed = catalogue.laps().iter().filter_map(|entry| Some((entry.driver_words(), entry.lap.time?.0)));
    let mut listed: Vec<(String, u32)> = timed.collect();
    listed.sort();
    driven.sort();
    assert_eq!(driven.len(), 155);
    assert_eq!(listed, driven);
    assert!(catalogue.laps().iter().all(|entry| !entry.is_player()), "a server has no player");
}
