//! Tests the talk with a simulated game and a simulated clock.

use std::collections::BTreeSet;

use super::*;
use crate::ac_remote::example;

const GAME: &str = "127.0.0.1:9996";
const OTHER: &str = "192.168.1.7:9996";
const STEP_S: f64 = 0.05;

/// The state of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Running {
    /// Not running, or in its menu.
    Nothing,
    /// A session is loaded.
    Session,
    /// An older game that follows the older documentation.
    Older,
}

/// A simulated game and network.
struct World {
    now: Micros,
    running: Running,
    address: SocketAddr,
    /// Whether our datagrams reach the game.
    game_receives: bool,
    /// Whether the game's datagrams reach us.
    talker_receives: bool,
    /// Sockets subscribed to updates, and to laps.
    updates: BTreeSet<u8>,
    laps: BTreeSet<u8>,
    talker: Talker,
    /// Datagrams sent to the game: time, socket, bytes.
    sent: Vec<(f64, u8, Vec<u8>)>,
    /// Datagrams received and passed on: socket, length.
    handed_on: Vec<(u8, usize)>,
}

fn address(text: &str) -> SocketAddr {
    text.parse().expect("an address")
}

impl World {
    fn new(running: Running, options: &TalkOptions) -> Self {
        Self {
            now: Micros(1_000_000),
            running,
            address: address(GAME),
            game_receives: true,
            talker_receives: true,
            updates: BTreeSet::new(),
            laps: BTreeSet::new(),
            talker: Talker::new(options),
            sent: Vec::new(),
            handed_on: Vec::new(),
        }
    }

    fn usual() -> Self {
        Self::new(Running::Session, &TalkOptions::default())
    }

    fn seconds(&self) -> f64 {
        self.now.seconds_since(Micros(1_000_000))
    }

    fn run(&mut self, seconds: f64) -> &mut Self {
        let end = self.now.plus_seconds(seconds - STEP_S / 2.0);
        while self.now < end {
            if self.talker.wake_at() <= self.now {
                let mut out = Vec::new();
                self.talker.poll(self.now, &mut |outgoing| out.push(copied(&outgoing)));
                assert!(self.talker.wake_at() > self.now);
                out.into_iter().for_each(|datagram| self.receive(datagram));
            }
            self.send();
            self.now = self.now.plus_seconds(STEP_S);
        }
        self
    }

    /// Shuts down the talker.
    fn leave(&mut self) {
        let mut out = Vec::new();
        self.talker.leave(&mut |outgoing| out.push(copied(&outgoing)));
        out.into_iter().for_each(|datagram| self.receive(datagram));
    }

    /// The game's reaction to a datagram.
    fn receive(&mut self, (via, to, bytes): (u8, SocketAddr, Vec<u8>)) {
        self.sent.push((self.seconds(), via, bytes.clone()));
        if to != self.address || !self.game_receives || self.running == Running::Nothing {
            return;
        }
        let numbers: Vec<i32> =
            bytes.as_chunks().0.iter().map(|&number| i32::from_le_bytes(number)).collect();
        match (self.running, numbers.as_slice()) {
            (Running::Older, [1]) => drop(self.updates.insert(via)),
            (Running::Session, [1, 1, 0]) => {
                self.answer(via, &example::answer("bmw_m3_e30_gra", "Ada", "ks_monza66", ""));
            }
            (Running::Session, [1, 1, 1]) => drop(self.updates.insert(via)),
            (Running::Session, [1, 1, 2]) => drop(self.laps.insert(via)),
            (Running::Session, [1, 1, 3]) => drop((self.updates.remove(&via), self.laps.remove(&via))),
            _ => {}
        }
    }

    fn send(&mut self) {
        if self.running == Running::Nothing {
            (self.updates, self.laps) = (BTreeSet::new(), BTreeSet::new());
        }
        let update = example::update_bytes(0, (self.seconds() * 1e3) as i32, 0);
        for via in self.updates.clone() {
            self.answer(via, &update);
        }
    }

    fn answer(&mut self, via: u8, bytes: &[u8]) {
        if self.talker_receives && !self.talker.receive(self.now, Via::Own(via), self.address, bytes) {
            self.handed_on.push((via, bytes.len()));
        }
    }

    /// Datagrams sent through a socket since `from_s`, one letter each, by length and last number.
    fn requests(&self, socket: u8, from_s: f64) -> String {
        let sent = self.sent.iter().filter(|(at, via, _)| *via == socket && *at >= from_s);
        sent.map(|(_, _, bytes)| {
            match (bytes.len(), bytes.last_chunk().map(|last| i32::from_le_bytes(*last))) {
                (12, Some(0)) => 'H',
                (12, Some(1)) => 'U',
                (12, Some(2)) => 'L',
                (12, Some(3)) => 'D',
                (4, Some(1)) => 's',
                _ => panic!("{bytes:?}"),
            }
        })
        .collect()
    }

    fn updates_since(&mut self) -> usize {
        let updates = self.handed_on.iter().filter(|(via, len)| (*via, *len) == (0, 328)).count();
        self.handed_on.clear();
        updates
    }

    fn check(&self, outlook: Outlook, words: &str) {
        let status = self.talker.status(self.now);
        assert_eq!(status.outlook, outlook, "{status:?}");
        assert!(status.words.contains(words), "{status:?} does not say {words:?}");
    }
}

fn copied(out: &Outgoing<'_>) -> (u8, SocketAddr, Vec<u8>) {
    let Via::Own(via) = out.via else { panic!("{out:?}") };
    (via, out.to, out.bytes.to_vec())
}

#[test]
fn a_game_is_shaken_hands_with_and_asked_for_updates_and_laps() {
    let mut world = World::usual();
    world.run(10.0);
    assert_eq!((world.requests(0, 0.0), world.requests(1, 0.0)), ("HU".into(), "HL".into()));
    let bytes: Vec<&[u8]> = world.sent.iter().map(|(_, _, bytes)| bytes.as_slice()).collect();
    assert_eq!(bytes[0], [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[1], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!((world.updates.len(), world.laps.len()), (1, 1), "one wish through each socket");
    // The game's answer is passed on once.
    assert_eq!(world.handed_on.iter().filter(|(_, len)| *len == 408).count(), 1);
    assert!(world.updates_since() > 190);
    world.check(Outlook::Good, "the game at 127.0.0.1:9996 sends");
}

#[test]
fn a_game_that_is_not_there_is_asked_once_a_second_and_quietly() {
    let mut world = World::new(Running::Nothing, &TalkOptions::default());
    world.run(60.0);
    assert_eq!((world.requests(0, 0.0), world.requests(1, 0.0)), ("H".repeat(60), String::new()));
    assert!(world.sent.iter().all(|(_, via, _)| *via == 0));
    world.check(Outlook::Waiting, "asks the game at 127.0.0.1:9996");
    world.running = Running::Session;
    world.run(3.0);
    world.check(Outlook::Good, "sends");
}

#[test]
fn the_words_for_those_who_do_not_play_never_change() {
    let mut world = World::new(Running::Nothing, &TalkOptions::default());
    world.run(1.0);
    let words = world.talker.status(world.now).words;
    for _ in 0..60 {
        world.run(1.0);
        assert_eq!(world.talker.status(world.now).words, words);
    }
}

#[test]
fn a_lost_answer_is_asked_for_again() {
    let mut world = World::usual();
    world.talker_receives = false;
    world.run(2.5);
    assert_eq!(world.requests(0, 0.0), "HHH");
    world.talker_receives = true;
    world.run(3.0);
    assert_eq!((world.requests(0, 2.5), world.updates.len(), world.laps.len()), ("HU".into(), 1, 1));
}

#[test]
fn a_lost_wish_is_noticed_and_the_handshake_repeated() {
    let mut world = World::usual();
    world.run(0.1);
    assert_eq!(world.requests(0, 0.0), "H");
    world.game_receives = false;
    world.run(1.0);
    assert_eq!(world.requests(0, 0.0), "HU", "the wish is lost");
    world.check(Outlook::Waiting, "has answered");
    world.game_receives = true;
    world.run(8.0);
    assert_eq!(world.requests(0, 1.0), "DHU");
    world.check(Outlook::Good, "sends");
}

#[test]
fn a_game_that_is_restarted_is_noticed_and_asked_again() {
    let mut world = World::usual();
    world.run(20.0).updates_since();
    world.running = Running::Nothing;
    world.run(4.0);
    assert_eq!(world.requests(0, 20.0), "", "a pause of the network is none of the game");
    world.run(6.0);
    world.check(Outlook::Waiting, "has stopped sending and is asked again");
    assert!(world.requests(0, 20.0).starts_with("DHH") && world.requests(1, 20.0) == "D");
    world.running = Running::Session;
    world.run(3.0);
    assert!(world.updates_since() > 30);
    assert_eq!(world.laps, BTreeSet::from([1]), "laps are asked for again, too");
    world.check(Outlook::Good, "sends");
}

#[test]
fn a_paused_game_sends_on_and_is_left_alone() {
    let mut world = World::usual();
    world.run(300.0);
    assert_eq!((world.requests(0, 0.0), world.requests(1, 0.0)), ("HU".into(), "HL".into()));
}

#[test]
fn leave_is_taken_of_a_game_that_knows_us_and_of_no_other() {
    let mut world = World::usual();
    world.run(5.0);
    world.leave();
    assert_eq!((world.requests(0, 5.0), world.requests(1, 5.0)), ("D".into(), "D".into()));
    assert!(world.updates.is_empty() && world.laps.is_empty());
    let mut world = World::new(Running::Nothing, &TalkOptions::default());
    world.run(5.0);
    world.leave();
    assert_eq!(world.requests(0, 0.0), "HHHHH");
}

#[test]
fn the_short_form_is_sent_when_asked_for_and_every_ten_seconds() {
    let options = TalkOptions { short_registration: true, ..TalkOptions::default() };
    let mut world = World::new(Running::Older, &options);
    world.run(35.0);
    assert_eq!((world.requests(0, 0.0), world.requests(1, 0.0)), ("ssss".into(), String::new()));
    world.check(Outlook::Good, "sends");
    world.leave();
    assert_eq!(world.sent.len(), 4, "it has no word for leaving");
}

#[test]
fn a_game_elsewhere_is_asked_there_and_reported_silent() {
    let options = TalkOptions { address: Some(address(OTHER)), ..TalkOptions::default() };
    let mut world = World::new(Running::Session, &options);
    world.run(10.0);
    assert!(world.updates.is_empty(), "another machine's game is none of ours");
    world.check(Outlook::Waiting, "asks the game at 192.168.1.7:9996");
    world.run(10.0);
    world.check(Outlook::Waiting, "the game at 192.168.1.7:9996 does not answer");
    world.address = address(OTHER);
    world.run(5.0);
    world.check(Outlook::Good, "sends");
}

#[test]
fn what_others_send_to_our_sockets_is_no_answer() {
    let mut talker = Talker::new(&TalkOptions::default());
    talker.poll(Micros(0), &mut |_| {});
    let answer = example::answer("car", "Ada", "track", "");
    assert!(!talker.receive(Micros(0), Via::Own(0), address("192.168.1.66:9996"), &answer));
    let mut count = 0;
    talker.poll(Micros(500_000), &mut |_| count += 1);
    assert_eq!(count, 0);
    assert!(!talker.receive(Micros(0), Via::Own(0), address(GAME), &answer));
    talker.poll(Micros(600_000), &mut |_| count += 1);
    assert_eq!(count, 1 + 1, "the wish, and the other socket's handshake");
}
