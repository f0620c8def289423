//! The handshake with Assetto Corsa: what the relay sends and receives, and that it dismisses at the end.

use std::net::SocketAddr;

use tokio::net::UdpSocket;
use trailbrake_shared::feed::Feed;

use trailbrake_shared::games::ac_remote::layout::{Answer, Lap, Update};
use trailbrake_shared::games::ac_remote::{ANSWER, UPDATE, VERSION, WideText};
use trailbrake_shared::games::table::ONLY_VERSION;
use trailbrake_shared::games::{Outlook, TalkStatus};
use trailbrake_shared::wire::{PortState, Status};

use crate::running::{Running, settings, soon};

const HANDSHAKE: [u8; 12] = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
const UPDATES: [u8; 12] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
const LAPS: [u8; 12] = [1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0];
const DISMISS: [u8; 12] = [1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0];

/// A game on this machine, at a port that isn't the default.
struct Game(UdpSocket);

impl Game {
    async fn start() -> Self {
        Self(UdpSocket::bind("127.0.0.1:0").await.expect("a socket"))
    }

    fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("an address")
    }

    fn relay(&self, more: &[&str]) -> Running {
        let game = format!("--ac-game={}", self.address());
        Running::start(settings(&[&[game.as_str()], more].concat()))
    }

    /// Waits for `expected`, and skips repeated handshakes. Returns its sender.
    async fn wait_for(&self, expected: &[u8]) -> SocketAddr {
        let mut room = [0; 100];
        soon(async {
            loop {
                let (len, from) = self.0.recv_from(&mut room).await.expect("a datagram");
                match &room[..len] {
                    bytes if bytes == expected => return from,
                    // On a busy machine the handshake may be repeated after a second.
                    bytes => assert_eq!(bytes, HANDSHAKE, "instead of {expected:?}"),
                }
            }
        })
        .await
    }

    async fn send(&self, to: SocketAddr, bytes: &[u8]) {
        self.0.send_to(bytes, to).await.expect("sent");
    }
}

fn answer() -> Vec<u8> {
    let mut answer = Answer { identifier: ANSWER, version: VERSION, ..Answer::default() };
    (answer.car_name, answer.track_name) = (WideText::write("abarth500"), WideText::write("magione"));
    answer.bytes(ONLY_VERSION)
}

fn update(clock: i32) -> Vec<u8> {
    let update = Update { identifier: UPDATE, size: 328, lap_time: clock, ..Update::default() };
    update.bytes(ONLY_VERSION)
}

fn lap() -> Vec<u8> {
    let mut lap = Lap { car_identifier: 2, lap: 1, time: 90_000, ..Lap::default() };
    (lap.driver_name, lap.car_name) = (WideText::write("Ada"), WideText::write("abarth500"));
    lap.bytes(ONLY_VERSION)
}

fn talk(status: &Status) -> &TalkStatus {
    let talk = status.talks.iter().find(|talk| talk.feed == Feed::AcRemote);
    &talk.expect("a talk").status
}

fn asked(status: &Status) -> Vec<&PortState> {
    let ports = status.ports.iter().filter(|port| port.feeds == [Feed::AcRemote]);
    ports.map(|port| &port.state).collect()
}

#[tokio::test]
async fn the_whole_conversation_goes_through_two_sockets_and_ends_with_leave() {
    let game = Game::start().await;
    let relay = game.relay(&[]);
    let mut browser = relay.browser().await;
    let status = browser.status(|_| true).await;
    assert_eq!(asked(&status), [&PortState::Asks { game: game.address() }; 2]);
    assert!(status.ports.iter().all(|port| port.port != game.address().port() && port.port != 9996));

    let updates = game.wait_for(&HANDSHAKE).await;
    game.send(updates, &answer()).await;
    assert_eq!(game.wait_for(&UPDATES).await, updates, "the wish comes from where the hand was shaken");
    // The second socket begins after the first has finished its handshake.
    let laps = soon(async {
        loop {
            let from = game.wait_for(&HANDSHAKE).await;
            if from != updates {
                return from;
            }
        }
    })
    .await;
    game.send(laps, &answer()).await;
    assert_eq!(game.wait_for(&LAPS).await, laps);

    let sent: Vec<Vec<u8>> = (0..20).map(|frame| update(1000 + frame * 16)).collect();
    for packet in &sent {
        game.send(updates, packet).await;
    }
    game.send(laps, &lap()).await;
    let received = browser.datagrams(22).await;
    assert!(received.iter().all(|one| one.feed == Some(Feed::AcRemote) && one.sender == game.address()));
    let through =
        |from: SocketAddr| received.iter().filter(move |one| one.port == from.port()).map(|one| &one.bytes);
    // The game's answer is recorded once with its packets, since only it names car and track.
    assert!(through(updates).eq([&answer()].into_iter().chain(&sent)), "whole and unchanged");
    assert!(through(laps).eq([&lap()]));
    let status = browser.status(|status| talk(status).outlook == Outlook::Good).await;
    assert_eq!(talk(&status).words, format!("the game at {} sends", game.address()));

    relay.stop().await;
    let left = [game.wait_for(&DISMISS).await, game.wait_for(&DISMISS).await];
    assert!(left == [updates, laps] || left == [laps, updates]);
}

#[tokio::test]
async fn the_demo_is_a_game_that_has_to_be_asked() {
    let relay = Running::start(settings(&["--demo=ac-remote"]));
    let mut browser = relay.browser().await;
    let received = browser.datagrams(200).await;
    let sizes: Vec<usize> = received.iter().map(|one| one.bytes.len()).collect();
    assert_eq!((sizes[0], sizes[1..].iter().all(|len| [212, 328].contains(len))), (408, true));
    let status = browser.status(|status| talk(status).outlook == Outlook::Good).await;
    assert_eq!(status.demo, Some(Feed::AcRemote));
    assert_eq!(talk(&status).words, format!("the game at {} sends", received[0].sender));
    assert!(received[0].sender.ip().is_loopback() && received[0].sender.port() != 9996);
    relay.stop().await;
}

#[tokio::test]
async fn only_the_short_registration_is_sent_when_requested() {
    let game = Game::start().await;
    let relay = game.relay(&["--ac-short-registration"]);
    let mut room = [0; 100];
    let (len, from) = soon(game.0.recv_from(&mut room)).await.expect("a registration");
    assert_eq!(room[..len], [1, 0, 0, 0]);
    let mut browser = relay.browser().await;
    game.send(from, &update(1000)).await;
    assert_eq!(browser.datagrams(1).await[0].feed, Some(Feed::AcRemote));
    relay.stop().await;
}

#[tokio::test]
async fn a_relay_bound_to_this_machine_asks_nobody_outside_it() {
    let relay = Running::start(settings(&["--ac-game=192.0.2.7"]));
    let mut browser = relay.browser().await;
    let status = browser.status(|_| true).await;
    assert!(talk(&status).words.contains("--udp-bind"), "{:?}", status.talks);
    assert_eq!(asked(&status), Vec::<&PortState>::new(), "no socket is opened for it");
    relay.stop().await;
}
