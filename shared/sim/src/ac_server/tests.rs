//! Tests the server's messages, and that it carries out requests.

use trailbrake_games::ac_server::layout::{Chat, Interval, SessionIndex, SetSession, Slot, Text};
use trailbrake_games::ac_server::{Flavour, Message, Request, recognise};
use trailbrake_model::time::Micros;

use super::super::race::session_state;
use super::super::{Demo, Options};
use super::Server;

fn demo(server: Server, options: Options) -> Demo {
    Demo::speaking(Box::new(server), options, Micros(0))
}

/// A server whose plugin has requested nothing.
fn quiet(cars: usize) -> Demo {
    demo(Server::default(), Options { cars, ..Options::default() })
}

/// The messages until `seconds` after the start.
fn until(demo: &mut Demo, seconds: f64) -> Vec<(f64, Message)> {
    let mut messages = Vec::new();
    demo.drive(seconds, &mut |at, bytes| {
        recognise(bytes).expect("a message of the server");
        messages.push((at.0 as f64 / 1e6, Message::read(bytes).expect("a message")));
    });
    messages
}

fn names(messages: &[(f64, Message)]) -> Vec<&'static str> {
    messages.iter().map(|(_, message)| message.name()).collect()
}

fn ask(demo: &mut Demo, request: Request) {
    demo.receive(&request.datagram());
}

#[test]
fn it_starts_as_servers_do_and_sends_no_positions_until_asked() {
    let mut demo = quiet(3);
    let messages = until(&mut demo, 5.0);
    assert_eq!(names(&messages)[..2], ["VERSION", "NEW_SESSION"]);
    let count = |name: &str| names(&messages).iter().filter(|other| **other == name).count();
    assert_eq!((count("NEW_CONNECTION"), count("CLIENT_LOADED"), count("CAR_UPDATE")), (3, 3, 0));
    ask(&mut demo, Request::Interval(Interval { milliseconds: 200 }));
    let messages = until(&mut demo, 15.0);
    let positions = messages.iter().filter(|(_, message)| matches!(message, Message::CarUpdate(_))).count();
    assert!((147..=153).contains(&positions), "{positions}: five a second of each car");
    ask(&mut demo, Request::Interval(Interval { milliseconds: 0 }));
    assert!(!names(&until(&mut demo, 17.0)).contains(&"CAR_UPDATE"));
}

#[test]
fn it_describes_the_session_and_each_slot_and_refuses_missing_ones() {
    let mut demo = quiet(2);
    until(&mut demo, 5.0);
    ask(&mut demo, Request::SessionInfo(SessionIndex { session_index: -1 }));
    ask(&mut demo, Request::SessionInfo(SessionIndex { session_index: 1 }));
    for car_id in 0..5 {
        ask(&mut demo, Request::CarInfo(Slot { car_id }));
    }
    let messages = until(&mut demo, 5.1);
    let answers: Vec<String> = messages
        .iter()
        .filter_map(|(_, message)| match message {
            Message::SessionInfo(info) => Some(format!("{} {}", info.session_index, info.name)),
            Message::CarInfo(info) => Some(format!("{} {}", info.is_connected, info.driver_name)),
            Message::Error(error) => Some(error.text.clone()),
            _ => None,
        })
        .collect();
    let expected =
        ["0 Qualify", "1 Race", "1 A. VÄISÄNEN", "1 M. ØSTERGÅRD", "0 ", "0 ", "there is no car 4"];
    assert_eq!(answers, expected);
}

#[test]
fn it_advances_restarts_and_changes_its_sessions_on_request() {
    let mut demo = quiet(2);
    until(&mut demo, 10.0);
    let sessions = |messages: &[(f64, Message)]| {
        let sessions = messages.iter().filter_map(|(_, message)| match message {
            Message::NewSession(session) => Some((session.session_index, session.name.clone(), session.laps)),
            _ => None,
        });
        sessions.collect::<Vec<_>>()
    };
    ask(&mut demo, Request::NextSession(()));
    assert_eq!(sessions(&until(&mut demo, 11.0)), [(1, "Race".to_owned(), 4)]);
    assert!(session_state(demo.race()).race);
    let wish = SetSession {
        session_index: 1,
        name: "Sprint".into(),
        session_type: 3,
        laps: 2,
        time_seconds: 0,
        wait_time_seconds: 6,
    };
    ask(&mut demo, Request::SetSession(wish));
    ask(&mut demo, Request::RestartSession(()));
    assert_eq!(sessions(&until(&mut demo, 12.0)), [(1, "Sprint".to_owned(), 2)]);
    ask(&mut demo, Request::Admin(Text { text: "/next_session".into() }));
    assert_eq!(sessions(&until(&mut demo, 13.0)), [(0, "Qualify".to_owned(), 0)]);
    ask(&mut demo, Request::Admin(Text { text: "/dance".into() }));
    assert_eq!(names(&until(&mut demo, 13.1)), ["ERROR"]);
}

#[test]
fn kicked_drivers_are_gone_and_drivers_answer_the_chat() {
    let mut demo = demo(Server::asked(), Options { cars: 3, ..Options::default() });
    until(&mut demo, 20.0);
    ask(&mut demo, Request::Kick(Slot { car_id: 1 }));
    ask(&mut demo, Request::Chat(Chat { car_id: 2, message: "è".into() }));
    ask(&mut demo, Request::Broadcast(Text { text: "see you".into() }));
    ask(&mut demo, Request::Chat(Chat { car_id: 1, message: "bye".into() }));
    let messages = until(&mut demo, 22.0);
    let closed = messages
        .iter()
        .filter(|(_, message)| matches!(message, Message::ConnectionClosed(who) if who.car_id == 1));
    assert_eq!(closed.count(), 1);
    let chat = messages.iter().filter_map(|(_, message)| match message {
        Message::Chat(chat) => Some((chat.car_id, chat.message.as_str())),
        _ => None,
    });
    assert_eq!(chat.collect::<Vec<_>>(), [(2, "copy: è"), (0, "copy: see you")]);
    assert!(names(&messages).contains(&"ERROR"), "nobody drives car 1");
    let after = messages
        .iter()
        .filter(|(_, message)| matches!(message, Message::CarUpdate(update) if update.car_id == 1));
    assert_eq!(after.count(), 0);
    let drives = |demo: &mut Demo, slot: u8| {
        ask(demo, Request::CarInfo(Slot { car_id: slot }));
        let messages = until(demo, demo.race().run_s() + 0.1);
        messages
            .iter()
            .any(|(_, message)| matches!(message, Message::CarInfo(info) if info.is_connected == 1))
    };
    assert!(!drives(&mut demo, 1) && drives(&mut demo, 2));
}

#[test]
fn the_same_seed_sends_the_same() {
    let sent = |seed| {
        let mut demo = demo(Server::asked(), Options { seed, cars: 4, ..Options::default() });
        let mut bytes = Vec::new();
        demo.drive(30.0, &mut |_, datagram| bytes.extend_from_slice(datagram));
        bytes
    };
    assert_eq!(sent(3), sent(3));
    assert_ne!(sent(3), sent(4));
}

#[test]
fn every_message_is_one_that_is_written_as_it_is_read() {
    let mut demo = demo(Server::asked(), Options { cars: 4, ..Options::default() });
    demo.drive(130.0, &mut |_, datagram| {
        let message = Message::read(datagram).expect("a message");
        assert_eq!(message.write(Flavour::Vanilla), datagram);
    });
}
