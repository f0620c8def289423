//! What a browser receives over the WebSocket.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::{self, PortState, ToRelay};

use crate::running::{Browser, Game, KINDS, MessageKind, ReceivedPackets, Running, packet, soon};

#[tokio::test]
async fn a_browser_gets_every_datagram_whole_and_in_order() {
    let relay = Running::usual();
    let udp_address = relay.address_of(Feed::F1);
    let mut browser = relay.browser().await;
    assert_eq!(browser.relay, env!("CARGO_PKG_VERSION"));
    let MessageKind::Status(status) = browser.next().await else { panic!("the status comes at once") };
    assert_eq!((status.ports.len(), status.browsers), (1, 1));
    assert_eq!((status.ports[0].port, &status.ports[0].state), (udp_address.port(), &PortState::Open));

    let (game, other) = (Game::start().await, Game::start().await);
    let sent: Vec<Vec<u8>> =
        (0..200).map(|n| packet(KINDS[usize::from(n) % KINDS.len()], n)).chain([b"else".to_vec()]).collect();
    for bytes in &sent {
        game.send(udp_address, bytes).await;
    }
    let received = browser.datagrams(sent.len()).await;
    assert!(received.iter().map(|one| &one.bytes).eq(&sent));
    assert!(received.iter().all(|one| (one.sender, one.port) == (game.address(), udp_address.port())));
    assert!(received.is_sorted_by_key(|one| one.at));
    let feeds: Vec<Option<Feed>> = received.iter().map(|one| one.feed).collect();
    assert!(feeds[..200].iter().all(|feed| *feed == Some(Feed::F1)));
    assert_eq!(feeds[200], None);

    other.send(udp_address, &sent[0]).await;
    assert_eq!(browser.datagrams(1).await[0].sender, other.address());
    let status = browser.status(|status| status.ports[0].packets == 202).await;
    let port = &status.ports[0];
    assert_eq!((port.sender, port.rejected), (Some(other.address()), 1));
    assert_eq!(port.recognised, [wire::Recognised { feed: Feed::F1, packets: 201 }]);
    assert!(port.last_reason().is_some_and(|reason| reason.contains("4 bytes")), "{:?}", port.rejects);
    assert_eq!(status.lost_batches, 0);
    relay.stop().await;
}

#[tokio::test]
async fn garbage_from_a_browser_closes_its_connection_and_nothing_else() {
    let relay = Running::usual();
    let mut good = relay.browser().await;
    let hello = wire::encode(&ToRelay::Hello { page: "0.1.0".into() }).expect("a message");
    good.send(Message::Binary(hello.into())).await;
    let other_version = vec![wire::VERSION + 1, 0];
    for (garbage, code) in [
        (Message::Binary(vec![].into()), 1008),
        (Message::Binary(vec![wire::VERSION, 200, 3].into()), 1008),
        (Message::Binary(other_version.into()), 1008),
        (Message::Text("hello".into()), 1003),
        (Message::Binary(vec![0; 100_000].into()), 1002),
    ] {
        let mut bad: Browser = relay.browser().await;
        bad.send(garbage.clone()).await;
        let reason = bad.closed().await;
        assert_eq!(reason.0, code, "{reason:?}");
        assert!(!reason.1.is_empty());
    }
    Game::start().await.send(relay.address_of(Feed::F1), b"still here").await;
    assert_eq!(good.datagrams(1).await[0].bytes, b"still here");
    relay.stop().await;
}

#[tokio::test]
async fn browsers_learn_when_the_relay_ends() {
    let relay = Running::usual();
    let mut browsers = Vec::new();
    for _ in 0..5 {
        browsers.push(relay.browser().await);
    }
    relay.stop().await;
    for mut browser in browsers {
        assert_eq!(browser.closed().await, (1001, "Trailbrake was closed".to_owned()));
    }
}

#[tokio::test]
async fn a_browser_that_does_not_read_loses_its_own_oldest_and_no_other_loses_any() {
    /// Three of these fill a batch, which is then sent at once.
    const LARGE: usize = 48 << 10;
    /// Far more than the sockets between relay and browser can buffer.
    const ALL: u32 = 900;
    let relay = Running::usual();
    let udp_address = relay.address_of(Feed::F1);
    let (mut quick, mut slow) = (relay.browser().await, relay.browser().await);
    let both = quick.status(|status| status.browsers == 2).await;
    assert_eq!(both.lost_batches, 0);
    let game = Game::start().await;
    let numbered = |number: u32| {
        let mut bytes = vec![0; LARGE];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        bytes
    };
    let number =
        |datagram: &ReceivedPackets| u32::from_le_bytes(datagram.bytes[..4].try_into().expect("four bytes"));
    let numbers: Vec<u32> = (0..ALL).collect();
    for portion in numbers.chunks(3) {
        for one in portion {
            game.send(udp_address, &numbered(*one)).await;
        }
        let received = quick.datagrams(portion.len()).await;
        assert!(received.iter().map(number).eq(portion.iter().copied()));
    }
    assert_eq!(quick.status(|_| true).await.lost_batches, 0);

    let mut received = Vec::new();
    let mut lost = 0;
    slow.find("last datagram and a count of those lost", |message| {
        match message {
            MessageKind::Batch(batch) => received.extend(batch.iter().map(number)),
            MessageKind::Status(status) => lost = status.lost_batches,
            _ => {}
        }
        (received.last() == Some(&(ALL - 1)) && lost > 0).then_some(())
    })
    .await;
    assert!(received.is_sorted() && received.len() < numbers.len(), "{} of {ALL}", received.len());
    assert_eq!(received.first(), Some(&0), "what was under way already is not lost");
    let newest = received.iter().rev().zip(numbers.iter().rev()).take_while(|(a, b)| a == b).count();
    assert!(newest >= 60, "the queue kept the newest: {newest}");
    relay.stop().await;
}

#[tokio::test]
async fn a_message_in_endless_fragments_is_cut_off() {
    const MOST: usize = 16 << 20;
    let relay = Running::usual();
    let address = relay.report.http;
    for path in ["/live", "/room"] {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dHJhaWxicmFrZXRyYWlsYg==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut head = vec![0; 12];
        stream.read_exact(&mut head).await.expect("an answer");
        assert_eq!(head, b"HTTP/1.1 101", "{path}");
        // A binary message that goes on and on with nothing in it, behind a mask of zeros.
        let (mut reader, mut writer) = stream.into_split();
        let reading = tokio::spawn(async move { tokio::io::copy(&mut reader, &mut tokio::io::sink()).await });
        writer.write_all(&[0x02, 0x80, 0, 0, 0, 0]).await.expect("a first fragment");
        let fragments = [0x00, 0x80, 0, 0, 0, 0].repeat(1000);
        let mut sent = 0;
        while soon(writer.write_all(&fragments)).await.is_ok() {
            sent += fragments.len();
            assert!(sent < MOST, "{path} takes {sent} bytes of a message without end");
        }
        let _ = soon(reading).await;
    }
    let mut browser = relay.browser().await;
    browser.status(|status| status.browsers == 1).await;
    relay.stop().await;
}

#[tokio::test]
async fn a_browser_that_floods_is_cut_off_and_learns_why() {
    let relay = Running::usual();
    let mut other = relay.browser().await;
    let hello = wire::encode(&ToRelay::Hello { page: "0.1.0".into() }).expect("a message");
    for message in [Message::Binary(hello.into()), Message::Ping(vec![1].into())] {
        let mut flood = relay.browser().await;
        for _ in 0..200 {
            flood.send(message.clone()).await;
        }
        let (code, reason) = flood.closed().await;
        assert_eq!(
            (code, reason.as_str()),
            (1008, "this page sends too many messages, so Trailbrake cut it off")
        );
    }
    other.status(|status| status.browsers == 1).await;
    relay.stop().await;
}
