//! Talks to a simulated console, with a simulated clock.

use std::collections::BTreeMap;

use super::*;
use crate::gran_turismo::cipher::Scheme;

const CONSOLE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 20));
const OTHER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 30));
const US: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 2));
/// Our port, to which consoles answer.
const HERE: Via = Via::Port(33740);
/// How long a heartbeat keeps the console sending, in seconds.
const BOUGHT_S: f64 = 16.0;
/// The clock's step, in seconds. The console sends one packet per step, fewer than a real one.
const STEP_S: f64 = 0.1;

/// The game on the console.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Running {
    /// No game that sends packets.
    Nothing,
    /// GT7, in a version that knows these letters.
    Gt7(&'static [Letter]),
    /// GT Sport.
    Sport,
}

const NEWEST: Running = Running::Gt7(&[Letter::A, Letter::B, Letter::Tilde, Letter::C]);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Power {
    Off,
    Standby,
    On,
}

/// A console and its network, with us and another program.
struct World {
    now: Micros,
    power: Power,
    running: Running,
    address: IpAddr,
    /// The letter with which the current streams were requested.
    letter: Option<Letter>,
    /// The receivers, and until when they are sent packets.
    clients: BTreeMap<IpAddr, Micros>,
    /// Whether datagrams get through, in both directions.
    connected: bool,
    /// Whether the console answers searches.
    found: bool,
    /// The letter of another program that keeps requesting.
    other: Option<Letter>,
    talker: Talker,
    /// Everything we sent: seconds, destination, our port, bytes.
    sent: Vec<(f64, SocketAddr, u16, Vec<u8>)>,
    /// The packets we received: seconds, size in bytes.
    got: Vec<(f64, usize)>,
}

impl World {
    fn new(running: Running, options: TalkOptions) -> Self {
        Self {
            now: Micros(1_000_000),
            power: Power::On,
            running,
            address: CONSOLE,
            letter: None,
            clients: BTreeMap::new(),
            connected: true,
            found: true,
            other: None,
            talker: Talker::new(&options),
            sent: Vec::new(),
            got: Vec::new(),
        }
    }

    fn seconds(&self) -> f64 {
        self.now.seconds_since(Micros(1_000_000))
    }

    fn run(&mut self, seconds: f64) -> &mut Self {
        let end = self.now.plus_seconds(seconds);
        while self.now < end {
            self.step();
        }
        self
    }

    fn step(&mut self) {
        let (now, seconds) = (self.now, self.seconds());
        let mut out = Vec::new();
        self.talker.poll(now, &mut |outgoing| {
            let Via::Port(via) = outgoing.via else { panic!("{outgoing:?}") };
            out.push((outgoing.to, via, outgoing.bytes.to_vec()));
        });
        assert!(self.talker.wake_at() > now && self.talker.wake_at() <= now.plus_seconds(1.0));
        for (to, via, bytes) in out {
            let reaches = to.ip() == self.address || to.ip() == IpAddr::V4(Ipv4Addr::BROADCAST);
            if reaches && self.connected {
                self.receive(US, to.port(), via, &bytes);
            }
            self.sent.push((seconds, to, via, bytes));
        }
        if let Some(letter) = self.other {
            self.receive(OTHER, 33739, 33740, &[letter.byte()]);
        }
        self.send();
        self.now = now.plus_seconds(STEP_S);
    }

    /// The console's reaction to a datagram.
    fn receive(&mut self, from: IpAddr, port: u16, via: u16, bytes: &[u8]) {
        let now = self.now;
        if port == 9302 {
            assert!(bytes.starts_with(b"SRCH * HTTP/1.1\ndevice-discovery-protocol-version:00030010"));
            let line = match self.power {
                Power::Off => return,
                Power::Standby => "620 Server Standby",
                Power::On => "200 Ok",
            };
            if self.found {
                let answer = format!("HTTP/1.1 {line}\nhost-type:PS5\n");
                let from = SocketAddr::new(self.address, 9302);
                assert!(self.talker.receive(now, HERE, from, answer.as_bytes()), "it is no telemetry");
            }
            return;
        }
        let known: &[Letter] = match (self.power, self.running, port, via) {
            (Power::On, Running::Gt7(letters), 33739, 33740) => letters,
            (Power::On, Running::Sport, 33339, 33340) => &[Letter::A],
            _ => return,
        };
        let asked = known.iter().copied().find(|letter| bytes == [letter.byte()]);
        self.clients.retain(|_, until| *until > now);
        if self.clients.is_empty() {
            self.letter = asked;
        }
        // While a stream is alive, any known letter extends it, and none changes it.
        if asked.is_some() {
            self.clients.insert(from, now.plus_seconds(BOUGHT_S));
        }
    }

    fn send(&mut self) {
        let alive = self.power == Power::On && self.clients.get(&US).is_some_and(|until| *until > self.now);
        let Some(letter) = self.letter.filter(|_| alive && self.connected) else { return };
        let scheme = match self.running {
            Running::Nothing => return,
            Running::Gt7(_) => letter.scheme(),
            Running::Sport => Scheme::Sport,
        };
        let mut packet = vec![0; letter.size()];
        packet[..4].copy_from_slice(&scheme.magic());
        scheme.seal([1, 2, 3, 4], &mut packet);
        assert!(
            !self.talker.receive(self.now, HERE, SocketAddr::new(self.address, 33740), &packet),
            "it is telemetry"
        );
        self.got.push((self.seconds(), packet.len()));
    }

    /// The letters that we sent to a port since a time, each with its number of repetitions.
    fn letters(&self, port: u16, since: f64) -> String {
        let mut runs: Vec<(char, usize)> = Vec::new();
        for (_, _, _, bytes) in self.sent.iter().filter(|(at, to, ..)| *at >= since && to.port() == port) {
            let letter = char::from(bytes[0]);
            match runs.last_mut() {
                Some((last, count)) if *last == letter => *count += 1,
                _ => runs.push((letter, 1)),
            }
        }
        runs.iter().map(|(letter, count)| format!("{letter}{count}")).collect::<Vec<_>>().join(" ")
    }

    fn newest(&self) -> Option<usize> {
        self.got.last().filter(|(at, _)| self.seconds() - at < 0.5).map(|(_, size)| *size)
    }

    fn check(&self, outlook: Outlook, words: &str) {
        let status = self.talker.status(self.now);
        assert!(
            status.outlook == outlook && status.words.contains(words),
            "{status:?} is not {outlook:?} {words:?}"
        );
    }
}

fn auto(running: Running) -> World {
    World::new(running, TalkOptions::default())
}

#[test]
fn the_newest_game_answers_to_c_and_is_kept_alive() {
    let mut world = auto(NEWEST);
    world.run(60.0);
    assert_eq!(world.newest(), Some(368));
    world.check(Outlook::Good, "the PS5 at 192.168.1.20 sends C");
    // One heartbeat every 1.6 s, all with the same letter.
    assert_eq!(world.letters(33739, 0.0), "C38");
    assert!(world.got.len() > 590, "{} packets", world.got.len());
    let late: Vec<_> = world.sent.iter().filter(|(at, ..)| *at > 1.0).collect();
    assert!(late.iter().all(|(_, to, via, _)| *to == SocketAddr::new(CONSOLE, 33739) && *via == 33740));
}

#[test]
fn older_versions_answer_to_lesser_letters() {
    for (known, size, asked) in [
        (&[Letter::A, Letter::B, Letter::Tilde][..], 344, "C5 ~"),
        (&[Letter::A, Letter::B], 316, "C5 ~2 B"),
        (&[Letter::A], 296, "C5 ~2 B2 A"),
    ] {
        let known: &'static [Letter] = known.to_vec().leak();
        let mut world = auto(Running::Gt7(known));
        world.run(40.0);
        assert_eq!(world.newest(), Some(size));
        let letters = world.letters(33739, 0.0);
        assert!(letters.starts_with(asked), "{letters}");
        assert_eq!(letters.split(' ').count(), asked.split(' ').count(), "what answers is kept: {letters}");
        world.check(Outlook::Good, "it did not answer to C");
    }
}

#[test]
fn gt_sport_answers_to_a_on_its_own_port() {
    let mut world = auto(Running::Sport);
    world.run(30.0);
    assert_eq!(world.newest(), Some(296));
    world.check(Outlook::Good, "sends A");
    assert!(world.letters(33339, 0.0).starts_with('A') && !world.letters(33339, 0.0).contains(' '));
    // Once one game streams, the other is not requested.
    assert_eq!(world.letters(33739, 2.0), "");
}

#[test]
fn a_given_letter_and_address_are_kept_to() {
    let mut world = World::new(
        NEWEST,
        TalkOptions { address: Some(listens_at(CONSOLE)), letter: Some('B'), ..TalkOptions::default() },
    );
    world.run(20.0);
    assert_eq!((world.newest(), world.letters(33739, 0.0).as_str()), (Some(316), "B13"));
    assert!(world.sent.iter().all(|(_, to, ..)| to.ip() == CONSOLE), "nothing is broadcast");
    // Another machine's packets are not the console's.
    let elsewhere = SocketAddr::new(OTHER, 9302);
    assert!(!world.talker.receive(world.now, HERE, elsewhere, b"HTTP/1.1 200 Ok\n"));
    assert_eq!(world.talker.console(), Some(CONSOLE));
}

#[test]
fn lost_answers_are_asked_for_again() {
    let mut world = auto(NEWEST);
    world.connected = false;
    world.run(5.0);
    assert_eq!(world.newest(), None);
    world.connected = true;
    world.run(4.0);
    assert_eq!(world.newest(), Some(368), "the next heartbeat of the first letter got through");
    // A gap of ten seconds changes nothing: the stream is still alive.
    world.connected = false;
    world.run(10.0).connected = true;
    world.run(3.0);
    assert_eq!((world.newest(), world.letters(33739, 0.0).contains('~')), (Some(368), false));
}

#[test]
fn an_answer_that_comes_late_is_the_first_letters_own() {
    let mut talker = Talker::new(&TalkOptions::default());
    let mut now = Micros(0);
    let mut last = 0;
    while last != b'~' {
        talker.poll(now, &mut |outgoing| {
            if outgoing.to.port() == 33739 {
                last = outgoing.bytes[0];
            }
        });
        now = now.plus_seconds(0.2);
    }
    let mut packet = vec![0; 368];
    packet[..4].copy_from_slice(b"0S7G");
    Scheme::Gt7BC.seal([1, 2, 3, 4], &mut packet);
    talker.receive(now, HERE, SocketAddr::new(CONSOLE, 33740), &packet);
    assert_eq!(talker.status(now).words, "the console at 192.168.1.20 sends C (368 bytes)");
}

#[test]
fn our_own_earlier_stream_is_waited_out() {
    let mut world = auto(NEWEST);
    // Another program on this machine, closed just now, had requested A.
    world.receive(US, 33739, 33740, b"A");
    world.run(3.0);
    assert_eq!(world.newest(), Some(296));
    world.check(Outlook::Waiting, "sends A (296 bytes) although C was asked");
    world.run(25.0);
    assert_eq!(world.newest(), Some(368));
    world.check(Outlook::Good, "sends C");
    // No heartbeat while the stream was alive, then C at once.
    let asked: Vec<f64> =
        world.sent.iter().filter(|(_, to, ..)| to.port() == 33739).map(|(at, ..)| *at).collect();
    let silence = asked.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!((15.0..20.0).contains(&silence), "{silence} s of silence");
}

#[test]
fn another_program_that_keeps_asking_is_explained_and_its_format_kept() {
    let mut world = auto(NEWEST);
    world.other = Some(Letter::A);
    world.receive(OTHER, 33739, 33740, b"A");
    world.run(10.0);
    world.check(Outlook::Waiting, "somebody asked first");
    // Our own stream ends, is requested again, and is A again.
    world.run(30.0);
    assert_eq!(world.newest(), Some(296));
    world.check(
        Outlook::Trouble,
        "sends A (296 bytes) although C was asked: another program keeps asking with A",
    );
    world.run(60.0);
    assert_eq!(world.newest(), Some(296));
    assert!(world.letters(33739, 50.0).starts_with('A'), "its letter keeps our share alive");
    // The other program ends, and so does the game. When the game is back, C is requested.
    (world.other, world.running) = (None, Running::Nothing);
    world.run(5.0);
    world.check(Outlook::Trouble, "another program keeps asking with A");
    world.run(15.0);
    world.check(Outlook::Waiting, "is on and has stopped sending");
    world.run(20.0);
    world.check(Outlook::Waiting, "start Gran Turismo");
    (world.running, world.letter) = (NEWEST, None);
    world.clients.clear();
    world.run(50.0);
    assert_eq!(world.newest(), Some(368));
}

#[test]
fn a_console_in_standby_is_reported_and_found_once_it_is_on() {
    let mut world = auto(NEWEST);
    world.power = Power::Standby;
    world.run(30.0);
    world.check(Outlook::Trouble, "the PS5 at 192.168.1.20 is in standby: switch it on");
    (world.power, world.running) = (Power::On, Running::Nothing);
    world.run(60.0);
    world.check(Outlook::Waiting, "is on and does not answer: start Gran Turismo");
    world.running = NEWEST;
    world.run(50.0);
    assert_eq!(world.newest(), Some(368));
    world.check(Outlook::Good, "sends C");
}

#[test]
fn a_game_that_is_started_while_a_lesser_letter_is_asked_sends_the_best_in_the_end() {
    let mut waited_out = 0;
    for tenths in 0..200_u32 {
        let mut world = auto(Running::Nothing);
        world.run(30.0 + f64::from(tenths) / 10.0);
        world.running = NEWEST;
        world.run(3.0);
        if world.newest().is_some_and(|size| size < 368) {
            world.check(Outlook::Waiting, "C brings more and is asked again");
            waited_out += 1;
        }
        world.run(40.0);
        assert_eq!(world.newest(), Some(368), "started after {tenths} tenths");
        world.check(Outlook::Good, "sends C");
    }
    assert!((50..150).contains(&waited_out), "{waited_out} of the starts fell to a lesser letter");
}

#[test]
fn an_older_game_that_is_started_late_keeps_what_it_knows() {
    let mut world = auto(Running::Nothing);
    world.run(45.0);
    world.running = Running::Gt7(&[Letter::A, Letter::B]);
    world.run(60.0);
    assert_eq!(world.newest(), Some(316));
    world.check(Outlook::Good, "it did not answer to C");
    let kept = world.letters(33739, 85.0);
    assert!(kept.starts_with('B') && !kept.contains(' '), "{kept}");
}

#[test]
fn more_than_was_asked_for_is_kept() {
    let mut world = World::new(
        NEWEST,
        TalkOptions { address: Some(listens_at(CONSOLE)), letter: Some('A'), ..TalkOptions::default() },
    );
    world.other = Some(Letter::C);
    world.receive(OTHER, 33739, 33740, b"C");
    world.run(40.0);
    assert_eq!(world.newest(), Some(368));
    world.check(Outlook::Good, "sends C (368 bytes), which holds all of A");
}

#[test]
fn a_console_that_falls_silent_is_reported() {
    let mut world = auto(NEWEST);
    world.run(5.0);
    world.connected = false;
    world.run(4.0);
    world.check(Outlook::Waiting, "has fallen silent");
    world.connected = true;
    world.run(2.0);
    world.check(Outlook::Good, "sends C");
}

#[test]
fn a_network_without_a_console_is_soon_left_in_peace() {
    let mut world = auto(NEWEST);
    world.power = Power::Off;
    world.run(36.0);
    let eager = world.sent.len();
    world.run(600.0);
    let rare = world.sent.len() - eager;
    // A search of 58 bytes and two letters of one byte, every ten seconds.
    assert!((150..=190).contains(&rare), "{rare} datagrams in ten minutes");
    // A console that is switched on is found at the next search and gets a heartbeat at once.
    world.power = Power::On;
    world.run(14.0);
    assert!(world.newest().is_some());
    world.run(40.0);
    assert_eq!(world.newest(), Some(368));
}

#[test]
fn a_missing_console_is_reported() {
    let mut world = auto(NEWEST);
    world.power = Power::Off;
    world.run(5.0);
    world.check(Outlook::Waiting, "looking for a console");
    world.run(15.0);
    world.check(Outlook::Waiting, "no console found yet");
    let mut world = World::new(
        NEWEST,
        TalkOptions { address: Some(listens_at(CONSOLE)), letter: None, ..TalkOptions::default() },
    );
    world.power = Power::Off;
    world.run(20.0);
    world.check(Outlook::Trouble, "nothing answers at 192.168.1.20");
}

#[test]
fn a_broadcast_heartbeat_finds_a_console_that_answers_no_search() {
    let mut world = auto(NEWEST);
    world.found = false;
    world.run(10.0);
    assert_eq!((world.newest(), world.talker.console()), (Some(368), Some(CONSOLE)));
    world.check(Outlook::Good, "the console at 192.168.1.20 sends C (368 bytes)");
    let broadcast = |at: f64| at < 0.05;
    for (at, to, ..) in world.sent.iter().filter(|(_, to, ..)| to.port() == 33739) {
        assert_eq!(to.ip() == IpAddr::V4(Ipv4Addr::BROADCAST), broadcast(*at), "at {at} s");
    }
}

#[test]
fn a_console_that_restarts_at_another_address_is_found_again() {
    let mut world = auto(NEWEST);
    world.run(10.0);
    world.power = Power::Off;
    world.clients.clear();
    world.run(40.0);
    world.check(Outlook::Waiting, "the console has stopped sending: looking for it");
    (world.power, world.address) = (Power::On, OTHER);
    world.run(25.0);
    assert!(world.newest() >= Some(296));
    assert_eq!(world.talker.console(), Some(OTHER));
}

#[test]
fn what_lies_open_came_from_no_console() {
    let mut talker = Talker::new(&TalkOptions::default());
    let mut packet = vec![0; 368];
    packet[..4].copy_from_slice(b"0S7G");
    assert!(!talker.receive(Micros(0), HERE, SocketAddr::new(OTHER, 33740), &packet));
    assert_eq!((talker.console(), talker.status(Micros(0)).outlook), (None, Outlook::Waiting));
}

#[test]
fn of_several_consoles_the_one_that_answers_is_asked() {
    let mut talker = Talker::new(&TalkOptions::default());
    let mut now = Micros(0);
    for console in [CONSOLE, OTHER] {
        let answer = b"HTTP/1.1 200 Ok\nhost-type:PS4\n";
        assert!(talker.receive(now, HERE, SocketAddr::new(console, 9302), answer));
    }
    let asked = |talker: &mut Talker, now: &mut Micros| {
        *now = now.plus_seconds(2.0);
        let mut to = Vec::new();
        talker.poll(*now, &mut |out| to.push((out.to.ip(), out.to.port())));
        to.retain(|(_, port)| *port == 33739);
        to.first().map(|(ip, _)| *ip)
    };
    assert_eq!(asked(&mut talker, &mut now), Some(IpAddr::V4(Ipv4Addr::BROADCAST)));
    assert!(talker.status(now).words.contains("several consoles"), "{:?}", talker.status(now));
    let mut packet = vec![0; 368];
    packet[..4].copy_from_slice(b"0S7G");
    Scheme::Gt7BC.seal([1, 2, 3, 4], &mut packet);
    talker.receive(now, HERE, SocketAddr::new(OTHER, 33739), &packet);
    assert_eq!(asked(&mut talker, &mut now), Some(OTHER));
    assert_eq!(talker.status(now).words, "the PS4 at 192.168.1.30 sends C (368 bytes)");
}
