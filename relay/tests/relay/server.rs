//! The conversation with Assetto Corsa's dedicated server, byte by byte.

use std::net::SocketAddr;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tokio::net::UdpSocket;
use tokio_tungstenite::tungstenite::Message;
use trailbrake_isolation::free_port;
use trailbrake_relay::relaying::PortRequest;
use trailbrake_relay::relaying::Settings;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::{Outlook, ServerCommand};
use trailbrake_shared::model::{Channel, Presence, SessionKind};
use trailbrake_shared::session::{Receiver, Session, log_words};
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::{self, Datagram, Status, ToRelay};

use crate::running::{Browser, MessageKind, ReceivedPackets, Running, settings, soon};

/// The answer to a session request: number 1 of 2, seven laps of Magione, written from the protocol's table.
const SESSION: &[u8] = b"\x3b\x04\x01\x01\x02\x02A\0\0\0C\0\0\0\x07magione\0\x04Race\x03\0\0\x07\0\x40\x9c\x18\x1e\x073_clear\xc0\x63\xff\xff";
/// The same message for a new session.
const NEW_SESSION: &[u8] = b"\x32\x04\0\0\x02\x02A\0\0\0C\0\0\0\x07magione\0\x07Qualify\x02\x1e\0\0\0\0\0\x18\x1e\x073_clear\0\0\0\0";
/// Slot 0: Ann in car `a` with skin `b`, team `T` and guid `7`.
const CAR: &[u8] = b"\x36\0\x01\x01a\0\0\0\x01b\0\0\0\x03A\0\0\0n\0\0\0n\0\0\0\x01T\0\0\0\x017\0\0\0";
/// The error for a slot that does not exist.
const ERROR: &[u8] = b"\x3c\x02n\0\0\0o\0\0\0";
/// Car 0's position: 40 m/s at a quarter of the lap.
const UPDATE: &[u8] =
    b"\x35\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x20\x42\0\0\0\0\0\0\0\0\x05\x58\x1b\0\0\x80\x3e";

/// A server on this machine, and a relay that knows its command port.
struct Scene {
    server: UdpSocket,
    relay: Running,
    /// Where the relay receives the server's messages.
    udp_address: SocketAddr,
}

impl Scene {
    async fn start() -> Self {
        let server = UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
        let option = format!("--ac-server={}", server.local_addr().expect("an address"));
        let ports = vec![PortRequest { port: 0, feeds: vec![Feed::AcServer] }];
        let mut settings = Settings { ports, ..settings(&[&option]) };
        settings.asking.retain(|asking| asking.feed == Feed::AcServer);
        let relay = Running::start(settings);
        let udp_address = relay.address_of(Feed::AcServer);
        Self { server, relay, udp_address }
    }

    /// A relay whose server has answered the initial requests.
    async fn settled() -> Self {
        let scene = Self::start().await;
        assert_eq!(scene.asked().await, [0xcc, 0xff, 0xff]);
        scene.say(SESSION).await;
        assert_eq!(scene.asked().await, [0xc8, 0x64, 0x00]);
        assert_eq!(scene.asked().await, [0xc9, 0x00]);
        scene.say(ERROR).await;
        scene
    }

    /// The next datagram that the server receives. Checks that it comes from the port that receives the server's
    /// messages.
    async fn asked(&self) -> Vec<u8> {
        let mut room = [0; 2048];
        let (len, from) = soon(self.server.recv_from(&mut room)).await.expect("a datagram");
        assert_eq!(from, self.udp_address);
        room[..len].to_vec()
    }

    async fn say(&self, message: &[u8]) {
        self.server.send_to(message, self.udp_address).await.expect("sent");
    }

    /// Runs `trailbrake server` for this relay.
    async fn errand(&self, arguments: &[&str]) -> Output {
        errand(self.relay.report.http, arguments).await
    }
}

/// Runs `trailbrake server` for the relay whose page is at an address.
async fn errand(http: SocketAddr, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    program.args(["server", "--config=/dev/null", &format!("--http={http}")]).args(arguments);
    let ran = tokio::task::spawn_blocking(move || program.output());
    soon(ran).await.expect("no panic").expect("the program")
}

fn wide(text: &str) -> Vec<u8> {
    let letters = text.chars().flat_map(|letter| u32::from(letter).to_le_bytes());
    [text.chars().count() as u8].into_iter().chain(letters).collect()
}

/// Every command with its datagram, written from the protocol's table.
fn commands() -> Vec<(ServerCommand, Vec<u8>)> {
    let text = || "Zürich, è".to_owned();
    let race = ServerCommand::SetSession {
        index: 1,
        name: "GP".into(),
        kind: 3,
        laps: 300,
        seconds: 5400,
        wait_seconds: 75,
    };
    let race_bytes = [&[0xcd, 1][..], &wide("GP"), &[3, 0x2c, 0x01, 0, 0, 0x18, 0x15, 0, 0, 75, 0, 0, 0]];
    vec![
        (ServerCommand::Interval { millis: 500 }, vec![0xc8, 0xf4, 0x01]),
        (ServerCommand::CarInfo { slot: 9 }, vec![0xc9, 9]),
        (ServerCommand::Tell { slot: 3, text: text() }, [vec![0xca, 3], wide(&text())].concat()),
        (ServerCommand::Say { text: "Hi".into() }, vec![0xcb, 2, 0x48, 0, 0, 0, 0x69, 0, 0, 0]),
        (ServerCommand::SessionInfo { index: None }, vec![0xcc, 0xff, 0xff]),
        (race, race_bytes.concat()),
        (ServerCommand::Kick { slot: 17 }, vec![0xce, 17]),
        (ServerCommand::Next, vec![0xcf]),
        (ServerCommand::Restart, vec![0xd0]),
        (ServerCommand::Admin { text: "/help".into() }, [vec![0xd1], wide("/help")].concat()),
    ]
}

pub(crate) async fn order(browser: &mut Browser, id: u32, command: ServerCommand) {
    let message = ToRelay::Command { id, feed: Feed::AcServer, command };
    browser.send(Message::Binary(wire::encode(&message).expect("a message").into())).await;
}

pub(crate) async fn answer(browser: &mut Browser) -> (u32, Result<String, String>) {
    browser
        .find("answer", |message| match message {
            MessageKind::Answer(id, outcome) => Some((id, outcome)),
            _ => None,
        })
        .await
}

fn talk(status: &Status) -> (Outlook, &str) {
    let [talk] = status.talks.as_slice() else { panic!("{:?}", status.talks) };
    assert_eq!(talk.feed, Feed::AcServer);
    (talk.status.outlook, &talk.status.words)
}

#[tokio::test]
async fn a_server_is_asked_and_its_answers_received_in_each_session() {
    let scene = Scene::start().await;
    let mut browser = scene.relay.browser().await;
    assert_eq!(scene.asked().await, [0xcc, 0xff, 0xff], "what is driven");
    scene.say(SESSION).await;
    assert_eq!(scene.asked().await, [0xc8, 0x64, 0x00], "where the cars are, ten times a second");
    assert_eq!(scene.asked().await, [0xc9, 0x00], "who is there");
    scene.say(CAR).await;
    assert_eq!(scene.asked().await, [0xc9, 0x01]);
    scene.say(ERROR).await;
    scene.say(UPDATE).await;
    scene.say(NEW_SESSION).await;
    assert_eq!(
        scene.asked().await,
        [0xc8, 0x64, 0x00],
        "again, since another session began, and no third slot"
    );

    let received: Vec<ReceivedPackets> = browser.datagrams(4).await;
    let bytes: Vec<&[u8]> = received.iter().map(|one| one.bytes.as_slice()).collect();
    assert_eq!(
        bytes,
        [SESSION, CAR, UPDATE, NEW_SESSION],
        "whole and unchanged, without the answer that ends a talk"
    );
    assert!(received.iter().all(|one| one.feed == Some(Feed::AcServer)));
    let status = browser.status(|status| talk(status).0 == Outlook::Good).await;
    let server = scene.server.local_addr().expect("an address");
    assert_eq!(talk(&status).1, format!("{server} answers"));
    assert_eq!(status.ports[0].rejected, 0);
    scene.relay.stop().await;
}

#[tokio::test]
async fn every_command_of_a_browser_reaches_the_server_byte_by_byte() {
    let scene = Scene::settled().await;
    let mut browser = scene.relay.browser().await;
    let began = Instant::now();
    for (id, (command, _)) in (0..).zip(commands()) {
        order(&mut browser, id, command).await;
    }
    for (id, (command, bytes)) in (0..).zip(commands()) {
        assert_eq!(scene.asked().await, bytes, "{command:?}");
        let (answered, outcome) = answer(&mut browser).await;
        assert_eq!(answered, id);
        let words = outcome.expect("it is done");
        assert!(words.starts_with("passed on to Assetto Corsa's server"), "{words}");
        assert_eq!(words.contains("may not show"), matches!(command, ServerCommand::Tell { .. }), "{words}");
    }
    assert!(began.elapsed() >= Duration::from_millis(9 * 20), "in a pace that servers keep up with");
    // The requested interval is set again in the next session.
    scene.say(NEW_SESSION).await;
    assert_eq!(scene.asked().await, [0xc8, 0xf4, 0x01]);

    for (command, words) in [
        (ServerCommand::Interval { millis: 0 }, "too short"),
        (ServerCommand::Say { text: "a".repeat(256) }, "256 characters"),
    ] {
        order(&mut browser, 99, command).await;
        let (_, outcome) = answer(&mut browser).await;
        let why = outcome.expect_err("no");
        assert!(why.contains(words), "{why}");
    }
    scene.relay.stop().await;
}

#[tokio::test]
async fn every_errand_of_the_command_line_reaches_the_server_byte_by_byte() {
    let scene = Scene::settled().await;
    let hi = [vec![0xcb], wide("Hi all")].concat();
    let errands: [(&[&str], Vec<u8>); 7] = [
        (&["say", "Hi", "all"], hi),
        (&["tell", "3", "-A"], [vec![0xca, 3], wide("-A")].concat()),
        (&["kick", "17"], vec![0xce, 17]),
        (&["next"], vec![0xcf]),
        (&["restart"], vec![0xd0]),
        (&["interval", "250"], vec![0xc8, 0xfa, 0x00]),
        (&["admin", "/ballast", "3", "40"], [vec![0xd1], wide("/ballast 3 40")].concat()),
    ];
    for (errand, bytes) in errands {
        let (output, asked) = tokio::join!(scene.errand(errand), scene.asked());
        assert_eq!(asked, bytes, "{errand:?}");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && printed == "passed on to Assetto Corsa's server\n", "{output:?}");
    }

    // The server's answer is printed.
    let answers = async |question: &[u8], message: &[u8]| {
        assert_eq!(scene.asked().await, question);
        scene.say(message).await;
    };
    let (output, ()) = tokio::join!(scene.errand(&["info"]), answers(&[0xcc, 0xff, 0xff], SESSION));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in
        ["server_name            AC\n", "laps                   7\n", "elapsed_ms             -40000\n"]
    {
        assert!(printed.contains(line), "{printed}");
    }
    let (output, ()) = tokio::join!(scene.errand(&["car", "0"]), answers(&[0xc9, 0], CAR));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("driver_name            Ann\n"), "{printed}");
    let (output, ()) = tokio::join!(scene.errand(&["kick", "200"]), answers(&[0xce, 200], ERROR));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "the server says: no\n");

    // A session is changed from its present values: seven laps and 40 s of waiting stay.
    let change = async {
        answers(&[0xcc, 1, 0], SESSION).await;
        scene.asked().await
    };
    let wish = ["session", "1", "--name", "GP", "--minutes", "20"];
    let (output, asked) = tokio::join!(scene.errand(&wish), change);
    let expected = [&[0xcd, 1][..], &wide("GP"), &[3, 7, 0, 0, 0, 0xb0, 0x04, 0, 0, 40, 0, 0, 0]];
    assert_eq!((asked, output.status.success()), (expected.concat(), true));
    scene.relay.stop().await;
}

#[tokio::test]
async fn a_server_without_a_command_port_is_received_and_the_missing_option_is_named() {
    let server = UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
    let ports = vec![PortRequest { port: 0, feeds: vec![Feed::AcServer] }];
    let mut settings = Settings { ports, ..settings(&[]) };
    settings.asking.retain(|asking| asking.feed == Feed::AcServer);
    let relay = Running::start(settings);
    let mut browser = relay.browser().await;
    server.send_to(NEW_SESSION, relay.address_of(Feed::AcServer)).await.expect("sent");
    assert_eq!(browser.datagrams(1).await[0].bytes, NEW_SESSION);
    let status = browser.status(|status| talk(status).0 == Outlook::Trouble).await;
    assert!(talk(&status).1.contains("--ac-server 127.0.0.1:PORT"), "{:?}", talk(&status));
    order(&mut browser, 5, ServerCommand::Next).await;
    let (id, outcome) = answer(&mut browser).await;
    assert_eq!(id, 5);
    assert!(outcome.expect_err("nowhere to send it").contains("UDP_PLUGIN_LOCAL_PORT"));
    let mut room = [0; 16];
    assert!(server.try_recv(&mut room).is_err(), "nothing is sent to an unknown port");
    relay.stop().await;
}

#[tokio::test]
async fn without_a_trailbrake_there_is_nobody_to_ask() {
    let free = ([127, 0, 0, 1], free_port()).into();
    let output = errand(free, &["next"]).await;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && printed.contains(&format!("no Trailbrake runs at http://{free}/")),
        "{printed}"
    );
}

/// A browser that follows the demo's server.
struct Evening {
    browser: Browser,
    receiver: Receiver,
}

impl Evening {
    /// Receives until the session satisfies a condition.
    async fn until(&mut self, wanted: impl Fn(&Session) -> bool) {
        soon(async {
            while !self.receiver.session().is_some_and(&wanted) {
                for ReceivedPackets { at, sender, port, feed, bytes } in &self.browser.datagrams(1).await {
                    let datagram = Datagram { at: *at, sender: *sender, port: *port, feed: *feed, bytes };
                    self.receiver.receive(&datagram).expect("a message that is understood");
                }
            }
        })
        .await;
    }
}

fn drivers(session: &Session) -> usize {
    session.participants().iter().filter(|who| who.presence == Some(Presence::There)).count()
}

#[tokio::test]
async fn the_demo_is_a_server_that_obeys() {
    let relay = Running::start(settings(&["--demo=ac-server", "--port=ac-server=0", "--demo-speed=20"]));
    let mut evening = Evening { browser: relay.browser().await, receiver: Receiver::default() };
    let placed =
        |session: &Session| session.cars().filter(|(_, car)| car.value(Channel::LapShare).is_some()).count();
    evening.until(|session| drivers(session) == 10 && placed(session) == 10).await;
    order(&mut evening.browser, 1, ServerCommand::Kick { slot: 4 }).await;
    evening.until(|session| drivers(session) == 9).await;
    order(&mut evening.browser, 2, ServerCommand::Say { text: "good evening".into() }).await;
    let answered = |session: &Session| {
        session.log().any(|entry| log_words(session, entry, Units::default()).contains("copy: good evening"))
    };
    evening.until(answered).await;
    order(&mut evening.browser, 3, ServerCommand::Next).await;
    evening.until(|session| session.info().is_some_and(|info| info.kind == SessionKind::Race(1))).await;
    relay.stop().await;
}
