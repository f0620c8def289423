//! Tests messages against literal bytes, written from the protocol's tables, in every flavour.

use proptest::prelude::*;

use super::*;
use crate::Value;
use crate::ac_server::describe;
use crate::ac_server::layout::Row;
use crate::flat_fields::flat_fields;

/// A text with one byte per character.
fn narrow(text: &str) -> Vec<u8> {
    [&[text.len() as u8][..], text.as_bytes()].concat()
}

/// A text with four bytes per character.
fn wide(text: &str) -> Vec<u8> {
    let letters = text.chars().flat_map(|letter| u32::from(letter).to_le_bytes());
    [text.chars().count() as u8].into_iter().chain(letters).collect()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A session message, with the weather in either encoding.
fn session(id: u8, weather: &[u8]) -> Vec<u8> {
    let head = [id, 4, 1, 0, 3];
    let numbers: [&[u8]; 6] = [&[3], &[30, 0], &[7, 0], &[0x40, 0x9c], &[24], &[31]];
    let texts = [wide("Zürich"), narrow("magione"), narrow("gp"), narrow("Race")].concat();
    [&head[..], &texts, &numbers.concat(), weather, &(-40_000_i32).to_le_bytes()].concat()
}

fn connection(id: u8) -> Vec<u8> {
    [vec![id], wide("Ann é"), wide("7656"), vec![5], narrow("ks_a"), narrow("01")].concat()
}

fn car_update() -> Vec<u8> {
    let places = floats(&[1.5, -2.0, 300.25, 40.0, 0.5, -30.0]);
    [&[53, 7][..], &places, &[0, 0x10, 0x27], &0.25_f32.to_le_bytes()].concat()
}

/// A lap of car 7, with two rows of eight or seven bytes.
fn lap(early: bool) -> Vec<u8> {
    let mut bytes = vec![73, 7, 0x4c, 0x2f, 0x01, 0x00, 2, 2];
    for (car, done) in [(7_u8, 1_u8), (3, 0)] {
        bytes.extend([car, 0xff, 0xc9, 0x9a, 0x3b, 4, 1]);
        if !early {
            bytes.push(done);
        }
    }
    bytes.extend(0.75_f32.to_le_bytes());
    bytes
}

fn collision(kind: u8) -> Vec<u8> {
    let cars: &[u8] = if kind == 10 { &[130, 10, 4, 2] } else { &[130, 11, 4] };
    [cars, &floats(&[32.5, 1.0, 2.0, 3.0, -0.5, 0.25, 1.75])].concat()
}

/// Every message with its size and fields, values as printed.
#[test]
fn every_message_reads_as_the_protocol_lays_it_out() {
    type Fields = Vec<(String, &'static str)>;
    let vec3 = |name: &str, [x, y, z]: [&'static str; 3]| {
        vec![(format!("{name}.x"), x), (format!("{name}.y"), y), (format!("{name}.z"), z)]
    };
    let plain = |fields: &[(&str, &'static str)]| -> Fields {
        fields.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    };
    let session_fields = plain(&[
        ("protocol_version", "4"),
        ("session_index", "1"),
        ("current_session_index", "0"),
        ("session_count", "3"),
        ("server_name", "\"Zürich\""),
        ("track", "\"magione\""),
        ("track_config", "\"gp\""),
        ("name", "\"Race\""),
        ("session_type", "3"),
        ("time", "30"),
        ("laps", "7"),
        ("wait_time", "40000"),
        ("ambient_temp", "24"),
        ("road_temp", "31"),
        ("weather_graphics", "\"3_clear\""),
        ("elapsed_ms", "-40000"),
    ]);
    let connection_fields = plain(&[
        ("driver_name", "\"Ann é\""),
        ("driver_guid", "\"7656\""),
        ("car_id", "5"),
        ("car_model", "\"ks_a\""),
        ("car_skin", "\"01\""),
    ]);
    let places = |first: &[(&str, &'static str)]| {
        let world = vec3("world_position", ["1.0", "2.0", "3.0"]);
        [plain(first), world, vec3("relative_position", ["-0.5", "0.25", "1.75"])].concat()
    };
    let cases: [(&str, Vec<u8>, Fields); 16] = [
        ("NEW_SESSION", session(50, &narrow("3_clear")), session_fields.clone()),
        ("NEW_SESSION", session(50, &wide("3_clear")), session_fields.clone()),
        ("SESSION_INFO", session(59, &narrow("3_clear")), session_fields.clone()),
        ("SESSION_INFO", session(59, &wide("3_clear")), session_fields),
        ("NEW_CONNECTION", connection(51), connection_fields.clone()),
        ("CONNECTION_CLOSED", connection(52), connection_fields),
        (
            "CAR_UPDATE",
            car_update(),
            [
                plain(&[("car_id", "7")]),
                vec3("world_position", ["1.5", "-2.0", "300.25"]),
                vec3("velocity", ["40.0", "0.5", "-30.0"]),
                plain(&[("gear", "0"), ("engine_rpm", "10000"), ("normalised_spline_position", "0.25")]),
            ]
            .concat(),
        ),
        (
            "CAR_INFO",
            [vec![54, 9, 1], wide("ks_b"), wide("red"), wide("Bo"), wide("Team"), wide("42")].concat(),
            plain(&[
                ("car_id", "9"),
                ("is_connected", "1"),
                ("model", "\"ks_b\""),
                ("skin", "\"red\""),
                ("driver_name", "\"Bo\""),
                ("driver_team", "\"Team\""),
                ("driver_guid", "\"42\""),
            ]),
        ),
        (
            "END_SESSION",
            [vec![55], wide("results/a.json")].concat(),
            plain(&[("report_file", "\"results/a.json\"")]),
        ),
        (
            "END_SESSION",
            [vec![55], narrow("results/a.json")].concat(),
            plain(&[("report_file", "\"results/a.json\"")]),
        ),
        ("VERSION", vec![56, 4], plain(&[("protocol_version", "4")])),
        ("CHAT", [vec![57, 3], wide("è!")].concat(), plain(&[("car_id", "3"), ("message", "\"è!\"")])),
        ("CLIENT_LOADED", vec![58, 200], plain(&[("car_id", "200")])),
        ("ERROR", [vec![60], wide("no car")].concat(), plain(&[("text", "\"no car\"")])),
        (
            "CLIENT_EVENT, collision with a car",
            collision(10),
            places(&[("car_id", "4"), ("other_car_id", "2"), ("impact_speed", "32.5")]),
        ),
        (
            "CLIENT_EVENT, collision with the environment",
            collision(11),
            places(&[("car_id", "4"), ("impact_speed", "32.5")]),
        ),
    ];
    for (name, bytes, fields) in cases {
        let described = describe(&bytes).expect("a message");
        let found: Vec<(String, String)> =
            flat_fields(&described.fields).into_iter().map(|(path, value)| (path, printed(&value))).collect();
        let fields: Vec<(String, String)> =
            fields.into_iter().map(|(path, value)| (path, value.to_owned())).collect();
        assert_eq!((described.packet, found), (name, fields));
        assert_eq!(recognise(&bytes), Ok(name));
    }
    let shortest = Message::NewSession(Session::default()).write(Flavour::Vanilla);
    assert_eq!((shortest.len(), car_update().len()), (23, 33));
    assert_eq!((collision(10).len(), collision(11).len()), (32, 31));
}

fn printed(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        Value::Float(number) => format!("{number:?}"),
        Value::Unsigned(number) => number.to_string(),
        Value::Signed(number) => number.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_leaderboard_has_rows_of_eight_bytes_or_of_seven() {
    for (early, has_completed) in [(false, [Some(1), Some(0)]), (true, [None, None])] {
        let bytes = lap(early);
        let Message::LapCompleted(read) = ParsedMessage::read(&bytes).expect("a lap").message else {
            panic!("a lap")
        };
        assert_eq!((read.car_id, read.lap_time, read.cuts, read.grip_level), (7, 77_644, 2, 0.75));
        let row = |car_id, has_completed| Row { car_id, time: 999_999_999, laps: 260, has_completed };
        let [first, second] = has_completed;
        assert_eq!(read.leaderboard, vec![row(7, first), row(3, second)]);
        let flavour = if early { Flavour::Early } else { Flavour::Vanilla };
        assert_eq!(Message::LapCompleted(read).write(flavour), bytes);
        assert_eq!(bytes.len(), if early { 12 + 14 } else { 12 + 16 });
    }
}

#[test]
fn a_stream_ends_each_message_where_the_next_begins() {
    let messages = [
        session(50, &wide("3_clear")),
        session(59, &narrow("3_clear")),
        lap(true),
        lap(false),
        vec![58, 3],
        [vec![55], wide("results/a.json")].concat(),
        [vec![55], narrow("results/b.json")].concat(),
        collision(10),
        vec![55, 0],
        car_update(),
    ];
    let stream = messages.concat();
    let mut rest = stream.as_slice();
    for message in &messages {
        let size = datagram_size(rest).expect("a message");
        assert_eq!(rest[..size], message[..]);
        rest = &rest[size..];
    }
    assert!(rest.is_empty());
    assert!(datagram_size(&stream[..20]).is_err(), "it ends too early");
}

#[test]
fn bytes_after_a_message_are_reported_and_the_message_is_used() {
    let long = [session(50, &narrow("3_clear")), vec![1, 2, 3]].concat();
    let parsed = ParsedMessage::read(&long).expect("a message");
    let reason = parsed.outcome().expect_err("a reason").to_string();
    assert!(reason.contains("3 bytes follow"), "{reason}");
    assert_eq!(recognise(&long), Ok("NEW_SESSION"));
    // A message with little distinctive content must fill its datagram.
    for short in [&[56, 4, 0][..], &[58, 1, 1], &[60, 0, 0], &[57, 1, 0, 9]] {
        assert!(recognise(short).is_err(), "{short:?}");
    }
    let mut no_number = car_update();
    no_number[14..18].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(recognise(&no_number).is_err());
}

#[test]
fn datagrams_that_are_no_message_are_rejected_with_the_reason() {
    for (bytes, words) in [
        (&[][..], "empty"),
        (&[99, 1, 2], "unknown packet id 99"),
        (&[73, 1, 2], "3 bytes end before message 73 does"),
        (&[130, 12, 1], "end before message 130"),
    ] {
        let reason = ParsedMessage::read(bytes).expect_err("a reason").to_string();
        assert!(reason.contains(words), "{reason}");
        assert!(matches!(recognise(bytes), Err(Rejected::Unknown { .. } | Rejected::Empty)));
    }
}

#[test]
fn texts_are_read_whatever_stands_in_them() {
    let chat = |letters: &[u32]| {
        let letters = letters.iter().flat_map(|letter| letter.to_le_bytes());
        let bytes: Vec<u8> = [57, 0, 3].into_iter().chain(letters).collect();
        match ParsedMessage::read(&bytes).expect("a chat").message {
            Message::Chat(chat) => chat.message,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(chat(&[0x48, 0xd800, 0x1f600]), "H\u{fffd}\u{1f600}");
    assert_eq!(chat(&[0x11_0000, u32::MAX, 0x69]), "\u{fffd}\u{fffd}i");
    // A narrow text is UTF-8, or otherwise one byte per character.
    let connected = |skin: &[u8]| {
        let skin = [&[skin.len() as u8][..], skin].concat();
        let bytes = [vec![51], wide("A"), wide("1"), vec![5], narrow("ks_a"), skin].concat();
        match ParsedMessage::read(&bytes).expect("a connection").message {
            Message::NewConnection(who) => who.car_skin,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(connected("bleu_foncé".as_bytes()), "bleu_foncé");
    assert_eq!(connected(&[0x66, 0xe9]), "fé");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_not(bytes in prop::collection::vec(any::<u8>(), 0..400), mark in 0_usize..14) {
        let _ = (ParsedMessage::read(&bytes), recognise(&bytes), datagram_size(&bytes));
        let marked = [Message::MARKS[mark], &bytes].concat();
        let _ = (ParsedMessage::read(&marked), recognise(&marked), describe(&marked));
        if let Ok(size) = datagram_size(&marked) {
            prop_assert!(size > 0 && size <= marked.len());
        }
    }

    #[test]
    fn what_is_written_is_read_again(
        texts in prop::collection::vec("\\PC{0,40}", 3),
        // An empty text would be the same in every encoding.
        weather in "[a-z0-9_]{1,20}",
        numbers in any::<(u8, u8, u16, u16, i32)>(),
        assetto_server in any::<bool>(),
    ) {
        let flavour = if assetto_server { Flavour::AssettoServer } else { Flavour::Vanilla };
        let (index, kind, time, wait_time, elapsed_ms) = numbers;
        let session = Session {
            protocol_version: 4,
            session_index: index,
            server_name: texts[0].chars().take(40).collect::<String>(),
            track: texts[1].clone(),
            name: texts[2].clone(),
            session_type: kind,
            time,
            wait_time,
            weather_graphics: weather,
            elapsed_ms,
            ..Session::default()
        };
        let message = Message::SessionInfo(session);
        let bytes = message.write(flavour);
        let parsed = ParsedMessage::read(&bytes).expect("a message");
        prop_assert_eq!((parsed.message, parsed.tail), (message, 0));
    }
}
