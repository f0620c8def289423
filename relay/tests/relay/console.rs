//! A console that sends only on request: what the relay sends, receives and reports.

use std::net::SocketAddr;

use tokio::net::UdpSocket;
use trailbrake_relay::relaying::Settings;
use trailbrake_relay::relaying::{PortRequest, Reach, TalkRequest};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::games::{Outlook, TalkOptions, TalkStatus};
use trailbrake_shared::session::{Receiver, Session};
use trailbrake_shared::wire::{Datagram, Status};

use crate::running::{ReceivedPackets, Running, settings, soon};

const SEARCH: &[u8] = b"SRCH * HTTP/1.1\ndevice-discovery-protocol-version:00030010";

/// A console on this machine: one socket receives searches, one heartbeats.
struct Console {
    searched: UdpSocket,
    asked: UdpSocket,
}

impl Console {
    async fn start() -> Self {
        let socket = async || UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
        Self { searched: socket().await, asked: socket().await }
    }

    /// The addresses that a relay under test may contact: only this console.
    fn reach(&self) -> Reach {
        let address = |socket: &UdpSocket| socket.local_addr().expect("an address");
        Reach::Only(vec![(9302, address(&self.searched)), (33739, address(&self.asked))])
    }

    /// A relay that contacts this console.
    fn relay(&self, options: TalkOptions) -> Running {
        let ports = vec![PortRequest { port: 0, feeds: vec![Feed::GranTurismo] }];
        let asking = vec![TalkRequest { feed: Feed::GranTurismo, options, reach: self.reach() }];
        Running::start(Settings { ports, asking, ..settings(&[]) })
    }

    /// Waits for a search and answers it.
    async fn found(&self, line: &str) {
        let mut room = [0; 100];
        let (len, from) = soon(self.searched.recv_from(&mut room)).await.expect("a search");
        assert_eq!(&room[..len], SEARCH);
        let answer = format!("HTTP/1.1 {line}\nhost-type:PS5\n");
        self.searched.send_to(answer.as_bytes(), from).await.expect("sent");
    }

    /// Waits for a heartbeat with this letter. Returns its sender.
    async fn asked_with(&self, letter: Letter) -> SocketAddr {
        let mut room = [0; 100];
        soon(async {
            loop {
                let (len, from) = self.asked.recv_from(&mut room).await.expect("a heartbeat");
                if room[..len] == [letter.byte()] {
                    return from;
                }
            }
        })
        .await
    }

    /// Sends encrypted packets of the kind that a letter requests. Returns them.
    async fn stream(&self, to: SocketAddr, letter: Letter, packets: u8) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        for number in 0..packets {
            let mut packet = vec![0; letter.size()];
            packet[..4].copy_from_slice(&letter.scheme().magic());
            packet[0x70] = number;
            letter.scheme().seal([number, 1, 2, 3], &mut packet);
            self.asked.send_to(&packet, to).await.expect("sent");
            sent.push(packet);
        }
        sent
    }
}

fn talk(status: &Status) -> &TalkStatus {
    let talk = status.talks.iter().find(|talk| talk.feed == Feed::GranTurismo);
    &talk.unwrap_or_else(|| panic!("{:?}", status.talks)).status
}

#[tokio::test]
async fn a_console_is_found_and_asked_and_its_packets_received_through_one_socket() {
    let console = Console::start().await;
    let relay = console.relay(TalkOptions::default());
    let mut browser = relay.browser().await;
    console.found("200 Ok").await;
    let asking = console.asked_with(Letter::C).await;
    assert_eq!(
        asking,
        relay.address_of(Feed::GranTurismo),
        "the answer comes back to where packets are received"
    );
    let sent = console.stream(asking, Letter::C, 20).await;

    let received = browser.datagrams(20).await;
    assert!(received.iter().map(|one| &one.bytes).eq(&sent), "whole and unchanged");
    assert!(received.iter().all(|one| one.feed == Some(Feed::GranTurismo)));
    let status = browser.status(|status| talk(status).outlook == Outlook::Good).await;
    assert_eq!(talk(&status).words, "the PS5 at 127.0.0.1 sends C (368 bytes)");
    let port = &status.ports[0];
    assert_eq!((port.packets, port.rejected), (20, 0), "the answer to the search is no telemetry");
    // The relay repeats the heartbeat before the packets of the last one run out.
    console.asked_with(Letter::C).await;
    relay.stop().await;
}

#[tokio::test]
async fn a_lesser_stream_that_somebody_else_asked_for_is_explained() {
    let console = Console::start().await;
    let relay = console.relay(TalkOptions { letter: Some('C'), ..TalkOptions::default() });
    let mut browser = relay.browser().await;
    let asking = console.asked_with(Letter::C).await;
    console.stream(asking, Letter::A, 5).await;
    let status = browser.status(|status| talk(status).words.contains("although")).await;
    let words = &talk(&status).words;
    assert!(words.contains("sends A (296 bytes) although C was asked"), "{words}");
    relay.stop().await;
}

#[tokio::test]
async fn a_console_in_standby_is_reported() {
    let console = Console::start().await;
    let relay = console.relay(TalkOptions::default());
    let mut browser = relay.browser().await;
    let status = browser.status(|_| true).await;
    assert_eq!(talk(&status).words, "looking for a console");
    console.found("620 Server Standby").await;
    let status = browser.status(|status| talk(status).outlook == Outlook::Trouble).await;
    assert_eq!(talk(&status).words, "the PS5 at 127.0.0.1 is in standby: switch it on");
    assert_eq!(status.ports[0].packets, 0);
    relay.stop().await;
}

#[tokio::test]
async fn where_no_console_can_answer_none_is_asked() {
    let console = Console::start().await;
    let ports = vec![PortRequest { port: 0, feeds: vec![Feed::GranTurismo] }];
    let relay = Running::start(Settings { ports, ..settings(&["--heartbeat=B"]) });
    let mut browser = relay.browser().await;
    let status = browser.status(|_| true).await;
    // Consoles don't answer to the test's port.
    assert!(talk(&status).words.contains("33740 and 33340"), "{:?}", status.talks);
    let mut room = [0; 10];
    assert!(console.asked.try_recv(&mut room).is_err());
    relay.stop().await;

    let relay = Running::start(settings(&["--demo=gran-turismo", "--port=gran-turismo=0"]));
    let mut browser = relay.browser().await;
    let status = browser.status(|_| true).await;
    let asked = status.talks.iter().any(|talk| talk.feed == Feed::GranTurismo);
    assert!(!asked, "the demo takes the console's place");
    let mut session = Receiver::default();
    for received in browser.datagrams(100).await {
        let ReceivedPackets { at, sender, port, feed, bytes } = &received;
        assert_eq!(*feed, Some(Feed::GranTurismo));
        let datagram = Datagram { at: *at, sender: *sender, port: *port, feed: *feed, bytes };
        session.receive(&datagram).expect("a packet that is understood");
    }
    assert_eq!(session.session().and_then(Session::game), Some("Gran Turismo 7"));
    relay.stop().await;
}
