//! Tests the talk with a simulated clock.

use super::*;
use crate::ac_server::Flavour;
use crate::ac_server::layout::{CarInfo, Error, Session, Version};

const SERVER: &str = "127.0.0.1:11000";

/// A talk, the requests it has sent, and the time.
struct Desk {
    talker: Talker,
    now: Micros,
    sent: Vec<(Micros, Via, Request)>,
}

impl Desk {
    fn new(server: Option<&str>) -> Self {
        let ac_server = server.map(|address| address.parse().expect("an address"));
        let options = TalkOptions { address: ac_server, ..TalkOptions::default() };
        Self { talker: Talker::new(&options), now: Micros(1_000_000), sent: Vec::new() }
    }

    /// Advances the clock, polling whenever the talk asks for it.
    fn pass(&mut self, seconds: f64) -> Vec<Request> {
        let (end, before) = (self.now.plus_seconds(seconds), self.sent.len());
        for _ in 0..10_000 {
            let (now, sent) = (self.now, &mut self.sent);
            self.talker.poll(now, &mut |out| {
                assert_eq!(out.to.to_string(), SERVER);
                sent.push((now, out.via, Request::read(out.bytes).expect("a request")));
            });
            let next = self.talker.wake_at().max(self.now);
            if next > end {
                break;
            }
            self.now = next;
        }
        self.now = end;
        self.sent[before..].iter().map(|(_, _, request)| request.clone()).collect()
    }

    fn receive(&mut self, message: &Message) -> bool {
        let from = "127.0.0.1:11000".parse().expect("an address");
        self.talker.receive(self.now, Via::Port(12000), from, &message.write(Flavour::Vanilla))
    }
}

fn session_info(index: i16) -> Request {
    Request::SessionInfo(SessionIndex { session_index: index })
}

fn interval(milliseconds: u16) -> Request {
    Request::Interval(Interval { milliseconds })
}

fn car(slot: u8) -> Request {
    Request::CarInfo(Slot { car_id: slot })
}

fn current() -> Session {
    Session { protocol_version: 4, ..Session::default() }
}

fn info(slot: u8) -> Message {
    Message::CarInfo(CarInfo { car_id: slot, ..CarInfo::default() })
}

#[test]
fn a_server_that_runs_already_is_asked_for_everything_until_there_are_no_more_slots() {
    let mut desk = Desk::new(Some(SERVER));
    assert_eq!(desk.pass(4.9), [session_info(-1)]);
    assert_eq!(desk.pass(5.0), [session_info(-1)], "asked again as long as nothing comes");
    assert!(!desk.receive(&Message::SessionInfo(current())), "it is telemetry too");
    assert_eq!(desk.pass(0.05), [interval(100), car(0)]);
    assert!(!desk.receive(&info(0)));
    assert_eq!(desk.pass(0.05), [car(1)]);
    desk.receive(&info(1));
    assert_eq!(desk.pass(0.05), [car(2)]);
    assert!(
        desk.receive(&Message::Error(Error::default())),
        "that it was the last slot is nobody else's business"
    );
    assert_eq!(desk.pass(60.0), []);
    assert!(!desk.receive(&Message::Error(Error::default())), "another error is");
}

#[test]
fn slots_that_nothing_comes_of_are_passed_over() {
    let mut desk = Desk::new(Some(SERVER));
    desk.pass(0.0);
    desk.receive(&Message::SessionInfo(current()));
    let mut asked = desk.pass(0.2).len();
    desk.receive(&info(0));
    // Slot 1 is empty, slot 2 is taken.
    asked += desk.pass(0.45).len();
    desk.receive(&info(2));
    asked += desk.pass(60.0).len();
    // The interval, slots 0 to 2, and the maximum number of silent slots after the last answer.
    assert_eq!(asked, 1 + 3 + usize::from(MOST_SILENT_SLOTS));
    let slots: Vec<Request> = (0..3 + MOST_SILENT_SLOTS).map(car).collect();
    let found: Vec<Request> = desk
        .sent
        .iter()
        .map(|(.., request)| request.clone())
        .filter(|request| matches!(request, Request::CarInfo(_)))
        .collect();
    assert_eq!(found, slots);
}

#[test]
fn positions_are_requested_in_each_session_as_often_as_wanted() {
    let mut desk = Desk::new(Some(SERVER));
    desk.receive(&Message::Version(Version { protocol_version: 4 }));
    desk.receive(&Message::NewSession(current()));
    assert_eq!(
        desk.pass(1.0),
        [interval(100)],
        "of a server that has just started nothing else is to be asked"
    );
    desk.talker.obey(&Command::Interval { millis: 250 }).expect("it goes");
    assert_eq!(desk.pass(1.0), [interval(250)]);
    for _ in 0..2 {
        desk.receive(&Message::NewSession(current()));
        // A recording begins here and must contain the participants.
        assert_eq!(desk.pass(0.2), [interval(250), car(0)]);
        desk.receive(&Message::Error(Error::default()));
    }
    // The answer to a user's request changes nothing.
    desk.receive(&Message::SessionInfo(current()));
    assert_eq!(desk.pass(1.0), []);
    let sockets: Vec<Via> = desk.sent.iter().map(|(_, via, _)| *via).collect();
    assert!(sockets.iter().all(|via| *via == Via::Port(12000)), "{sockets:?}");
}

#[test]
fn what_is_wanted_goes_out_in_order_and_in_pace() {
    let mut desk = Desk::new(Some(SERVER));
    desk.receive(&Message::Version(Version { protocol_version: 4 }));
    desk.pass(1.0);
    for slot in 0..5 {
        desk.talker.obey(&Command::Kick { slot }).expect("it goes");
    }
    let kicks: Vec<Request> = (0..5).map(|slot| Request::Kick(Slot { car_id: slot })).collect();
    assert_eq!(desk.pass(1.0), kicks);
    let times: Vec<u64> = desk.sent.iter().rev().take(5).map(|(at, ..)| at.0).collect();
    assert!(times.windows(2).all(|pair| pair[0] - pair[1] >= 20_000), "{times:?}");
    for _ in 0..MOST_WAITING {
        desk.talker.obey(&Command::Next).expect("it goes");
    }
    let full = desk.talker.obey(&Command::Next).expect_err("too many");
    assert!(full.contains("64 requests are waiting"), "{full}");
}

#[test]
fn a_server_of_unknown_port_is_received_and_not_asked() {
    let mut desk = Desk::new(None);
    assert_eq!(desk.talker.wake_at(), Micros(u64::MAX));
    assert_eq!(desk.talker.status(desk.now).outlook, Outlook::Waiting);
    let nowhere = desk.talker.obey(&Command::Next).expect_err("nowhere to send it");
    assert!(nowhere.contains("--ac-server ADDR:PORT"), "{nowhere}");
    desk.receive(&Message::NewSession(current()));
    assert_eq!(desk.pass(10.0), []);
    let status = desk.talker.status(desk.now);
    assert_eq!(status.outlook, Outlook::Trouble);
    for words in ["127.0.0.1 sends; to request", "--ac-server 127.0.0.1:PORT", "UDP_PLUGIN_LOCAL_PORT"] {
        assert!(status.words.contains(words), "{status:?}");
    }
}

#[test]
fn the_status_follows_the_talk() {
    let mut desk = Desk::new(Some(SERVER));
    assert!(desk.talker.status(desk.now).words.contains("has not answered"));
    desk.receive(&Message::SessionInfo(current()));
    assert_eq!(desk.talker.status(desk.now).outlook, Outlook::Good);
    desk.pass(30.0);
    assert!(desk.talker.status(desk.now).words.contains("perhaps nobody drives"));
    // Packets of another machine to the same port are ignored.
    let from = "192.0.2.7:11000".parse().expect("an address");
    let wide = Message::Error(Error { text: "x".into() }).write(Flavour::Vanilla);
    assert!(!desk.talker.receive(desk.now, Via::Port(10000), from, &wide));
    assert!(desk.talker.status(desk.now).words.contains("perhaps nobody drives"));
}
