//! What a browser gets over the WebSocket.

use tokio_tungstenite::tungstenite::Message;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1_2018::{FORMAT, Kind, VERSION};
use trailbrake_shared::wire::{self, PortState, ToRelay};

use crate::running::{Browser, Game, Got, Running};

/// A packet of F1 2018 with an empty content, apart from one byte at its end.
fn packet(kind: Kind, last: u8) -> Vec<u8> {
    let mut packet = vec![0; kind.size()];
    packet[..2].copy_from_slice(&FORMAT.to_le_bytes());
    packet[2] = VERSION;
    packet[3] = kind.id();
    *packet.last_mut().expect("a last byte") = last;
    packet
}

#[tokio::test]
async fn a_browser_gets_every_datagram_whole_and_in_order() {
    let relay = Running::usual();
    let hears = relay.hears(Feed::F12018);
    let mut browser = relay.browser().await;
    assert_eq!(browser.next().await, Got::Hello(env!("CARGO_PKG_VERSION").to_owned()));
    let Got::Status(status) = browser.next().await else { panic!("the status comes at once") };
    assert_eq!((status.ports.len(), status.browsers), (1, 1));
    assert_eq!((status.ports[0].port, &status.ports[0].state), (hears.port(), &PortState::Open));

    let (game, other) = (Game::start().await, Game::start().await);
    let sent: Vec<Vec<u8>> = (0..200)
        .map(|n| packet(Kind::ALL[usize::from(n) % Kind::ALL.len()], n))
        .chain([b"else".to_vec()])
        .collect();
    for bytes in &sent {
        game.send(hears, bytes).await;
    }
    let heard = browser.datagrams(sent.len()).await;
    assert!(heard.iter().map(|one| &one.bytes).eq(&sent));
    assert!(heard.iter().all(|one| (one.sender, one.port) == (game.address(), hears.port())));
    assert!(heard.is_sorted_by_key(|one| one.at));
    let feeds: Vec<Option<Feed>> = heard.iter().map(|one| one.feed).collect();
    assert!(feeds[..200].iter().all(|feed| *feed == Some(Feed::F12018)));
    assert_eq!(feeds[200], None);

    other.send(hears, &sent[0]).await;
    assert_eq!(browser.datagrams(1).await[0].sender, other.address());
    let status = browser.status(|status| status.ports[0].packets == 202).await;
    let port = &status.ports[0];
    assert_eq!((port.sender, port.rejected), (Some(other.address()), 1));
    assert_eq!(port.recognised, [wire::Recognised { feed: Feed::F12018, packets: 201 }]);
    assert!(port.reason.as_deref().is_some_and(|reason| reason.contains("4 bytes")), "{:?}", port.reason);
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
        let reason = loop {
            match bad.next().await {
                Got::Closed(closed, reason) => break (closed, reason),
                _ => continue,
            }
        };
        assert_eq!(reason.0, code, "{reason:?}");
        assert!(!reason.1.is_empty());
    }
    Game::start().await.send(relay.hears(Feed::F12018), b"still here").await;
    assert_eq!(good.datagrams(1).await[0].bytes, b"still here");
    relay.stop().await;
}

#[tokio::test]
async fn browsers_are_told_when_the_relay_ends() {
    let relay = Running::usual();
    let mut browsers = Vec::new();
    for _ in 0..5 {
        browsers.push(relay.browser().await);
    }
    relay.stop().await;
    for mut browser in browsers {
        loop {
            match browser.next().await {
                Got::Closed(code, reason) => {
                    assert_eq!((code, reason.as_str()), (1001, "Trailbrake was closed"));
                    break;
                }
                _ => continue,
            }
        }
    }
}
