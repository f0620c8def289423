//! Passing packets on to other programs.

use trailbrake_relay::Relay;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1_2018::Kind;
use trailbrake_shared::wire::ForwardStatus;

use crate::running::{Game, Running, packet, settings};

#[tokio::test]
async fn a_feeds_packets_reach_every_target_unchanged() {
    let (one, other) = (Game::start().await, Game::start().await);
    let targets = [one.address(), other.address()];
    let options = targets.map(|to| format!("--forward=f1-2018={to}"));
    let relay = Running::start(settings(&[&options[0], &options[1]]));
    let hears = relay.hears(Feed::F12018);
    let game = Game::start().await;
    let sent: Vec<Vec<u8>> = Kind::ALL.iter().map(|kind| packet(*kind, 9)).collect();
    for bytes in &sent {
        game.send(hears, b"not a packet").await;
        game.send(hears, bytes).await;
    }
    for target in [&one, &other] {
        for bytes in &sent {
            assert_eq!(&target.receive().await, bytes);
        }
    }
    let all = sent.len() as u64;
    let mut browser = relay.browser().await;
    let status = browser.status(|status| status.forwards.iter().all(|row| row.packets == all)).await;
    let row = |to| ForwardStatus { feed: Feed::F12018, to, packets: all, failed: 0 };
    assert_eq!(status.forwards, targets.map(row));
    relay.stop().await;
}

#[tokio::test]
async fn forwarding_into_an_own_port_is_refused() {
    let free = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket").local_addr().expect("an address");
    let port = format!("--port=f1-2018={}", free.port());
    let forward = format!("--forward=f1-2018={free}");
    let error = Relay::open(settings(&[&port, &forward])).err().expect("an error").to_string();
    assert!(error.contains("back into Trailbrake") && error.contains(&free.to_string()), "{error}");
}
