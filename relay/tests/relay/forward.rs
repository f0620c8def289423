//! Forwarding packets to other programs.

use trailbrake_isolation::free_port;
use trailbrake_relay::relaying::Relay;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::ForwardStatus;

use crate::running::{Game, KINDS, Running, packet, settings};

#[tokio::test]
async fn a_feeds_packets_reach_every_target_unchanged() {
    let (one, other) = (Game::start().await, Game::start().await);
    let targets = [one.address(), other.address()];
    let options = targets.map(|to| format!("--forward=f1-2018={to}"));
    let relay = Running::start(settings(&[&options[0], &options[1]]));
    let udp_address = relay.address_of(Feed::F1);
    let game = Game::start().await;
    let sent: Vec<Vec<u8>> = KINDS.iter().map(|kind| packet(*kind, 9)).collect();
    for bytes in &sent {
        game.send(udp_address, b"not a packet").await;
        game.send(udp_address, bytes).await;
    }
    for target in [&one, &other] {
        for bytes in &sent {
            assert_eq!(&target.receive().await, bytes);
        }
    }
    let all = sent.len() as u64;
    let mut browser = relay.browser().await;
    let status = browser.status(|status| status.forwards.iter().all(|row| row.packets == all)).await;
    let row = |to| ForwardStatus { feed: Feed::F1, to, packets: all, failed: 0 };
    assert_eq!(status.forwards, targets.map(row));
    relay.stop().await;
}

#[tokio::test]
async fn a_dead_target_and_another_feeds_hold_up_nobody() {
    let (one, other, rally) = (Game::start().await, Game::start().await, Game::start().await);
    // Its socket is already closed.
    let dead = Game::start().await.address();
    let targets =
        [("f1", dead), ("f1-2018", one.address()), ("dirt-rally", rally.address()), ("f1", other.address())];
    let options = targets.map(|(feed, to)| format!("--forward={feed}={to}"));
    let relay = Running::start(settings(&options.each_ref().map(String::as_str)));
    let (udp_address, game) = (relay.address_of(Feed::F1), Game::start().await);
    let mut browser = relay.browser().await;
    // Every byte of the content takes every value, valid or not.
    let sent: Vec<Vec<u8>> = (0..=255_u8)
        .map(|step| {
            let mut bytes = packet(KINDS[usize::from(step) % KINDS.len()], 0);
            let content = bytes.iter_mut().enumerate().skip(4);
            content.for_each(|(place, byte)| *byte = (place as u8).wrapping_mul(31).wrapping_add(step));
            bytes
        })
        .collect();
    for portion in sent.chunks(16) {
        for bytes in portion {
            game.send(udp_address, bytes).await;
        }
        // Both targets and the browser receive each portion before the next one is sent.
        for target in [&one, &other] {
            for bytes in portion {
                assert_eq!(&target.receive().await, bytes);
            }
        }
        let received = browser.datagrams(portion.len()).await;
        assert!(received.iter().map(|datagram| &datagram.bytes).eq(portion));
    }
    let status = browser.status(|status| status.ports[0].packets == 256).await;
    let counts: Vec<u64> = status.forwards.iter().map(|row| row.packets + row.failed).collect();
    assert_eq!(counts, [256, 256, 0, 256]);
    // The rally target received none of them.
    game.send(rally.address(), b"first").await;
    assert_eq!(rally.receive().await, b"first");
    relay.stop().await;
}

#[tokio::test]
async fn forwarding_into_an_own_port_is_refused() {
    let own = free_port();
    let port = format!("--port=f1-2018={own}");
    let forward = format!("--forward=f1-2018=127.0.0.1:{own}");
    let error = Relay::open(settings(&[&port, &forward])).err().expect("an error").to_string();
    assert!(error.contains("back into Trailbrake") && error.contains(&format!("127.0.0.1:{own}")), "{error}");
}
