//! The games' UDP ports: what arrives, what is rejected, and a port that another program uses.

use std::net::{TcpListener, UdpSocket};

use trailbrake_relay::commands::listen::banner;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1::Kind;
use trailbrake_shared::games::imported_laps::{self, Heading, LapSummary, Stamp};
use trailbrake_shared::wire::PortState;

use crate::noise::Noise;
use crate::running::{Game, Running, packet, settings};

#[tokio::test]
async fn random_bytes_of_every_size_are_rejected_and_nothing_else_happens() {
    let relay = Running::usual();
    let to = relay.address_of(Feed::F1);
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    let mut noise = Noise::seeded(20777);
    let sent: Vec<Vec<u8>> = (0..=2000).map(|len| noise.bytes(len)).collect();
    // In portions that fit into a socket's buffer.
    for portion in sent.chunks(50) {
        for bytes in portion {
            game.send(to, bytes).await;
        }
        let received = browser.datagrams(portion.len()).await;
        assert!(received.iter().map(|one| &one.bytes).eq(portion));
        assert!(received.iter().all(|one| one.feed.is_none()));
    }
    let status = browser.status(|status| status.ports[0].rejected == 2001).await;
    assert_eq!(status.ports[0].packets, 2001);
    assert!(status.ports[0].last_reason().is_some_and(|reason| !reason.is_empty()));
    assert_eq!(status.ports[0].state, PortState::Open);

    let good = packet(Kind::Motion, 7);
    game.send(to, &good).await;
    let received = browser.datagrams(1).await;
    assert_eq!((received[0].feed, &received[0].bytes), (Some(Feed::F1), &good));
    relay.stop().await;
}

// Other systems have no second address of their own.
#[cfg(any(target_os = "linux", windows))]
#[tokio::test]
async fn games_from_other_addresses_than_the_named_ones_are_turned_away() {
    let relay = Running::start(settings(&["--udp-from=127.0.0.5"]));
    let to = relay.address_of(Feed::F1);
    let mut browser = relay.browser().await;
    let from = |address: &str| UdpSocket::bind((address, 0)).expect("a socket");
    let good = packet(Kind::Motion, 7);
    let stranger = from("127.0.0.9");
    for _ in 0..3 {
        stranger.send_to(&good, to).expect("sent");
    }
    for (known, last) in [("127.0.0.5", 1), ("127.0.0.1", 2)] {
        from(known).send_to(&packet(Kind::Motion, last), to).expect("sent");
        let received = browser.datagrams(1).await;
        assert_eq!(received[0].bytes, packet(Kind::Motion, last), "the first that arrives is from {known}");
    }
    let status = browser.status(|status| status.ports[0].rejected == 3).await;
    let reason = status.ports[0].last_reason().expect("a reason");
    assert!(reason.contains("--udp-from"), "{reason}");
    relay.stop().await;
}

#[tokio::test]
async fn feeds_found_only_in_files_are_not_recognised_at_a_port() {
    let relay = Running::usual();
    let to = relay.address_of(Feed::F1);
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    let stamp = Stamp { session: 7, ..Stamp::default() };
    let imported = [
        imported_laps::head(stamp, &Heading::default()),
        imported_laps::lap(stamp, &LapSummary::default()),
        imported_laps::values(stamp, [Some(50.0)].into_iter()),
    ];
    for bytes in &imported {
        assert!(imported_laps::recognise(bytes).is_ok(), "it is one all the same");
        game.send(to, bytes).await;
        let received = browser.datagrams(1).await;
        assert_eq!((received[0].feed, &received[0].bytes), (None, bytes));
    }
    let status = browser.status(|status| status.ports[0].packets == 3).await;
    assert_eq!((status.ports[0].rejected, status.ports[0].recognised.len()), (3, 0));
    relay.stop().await;
}

#[tokio::test]
async fn a_packet_is_known_whatever_port_it_comes_by() {
    let relay = Running::start(settings(&["--port=f1-2018=0", "--port=gran-turismo=0"]));
    let (f1, gran_turismo) = (relay.address_of(Feed::F1), relay.address_of(Feed::GranTurismo));
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    // An unencrypted packet of Gran Turismo 7, and DiRT Rally 2.0's packet without a car.
    let gt7 = [b"0S7G".as_slice(), &[0; 292]].concat();
    for (to, bytes, feed) in [
        (f1, gt7.clone(), Feed::GranTurismo),
        (f1, vec![0; 264], Feed::DirtRally),
        (gran_turismo, packet(Kind::Motion, 7), Feed::F1),
        (gran_turismo, gt7, Feed::GranTurismo),
    ] {
        game.send(to, &bytes).await;
        let received = browser.datagrams(1).await;
        assert_eq!((received[0].feed, &received[0].bytes), (Some(feed), &bytes));
    }
    // A motion packet of a year to come.
    let mut newer = packet(Kind::Motion, 7);
    newer[..2].copy_from_slice(&2027_u16.to_le_bytes());
    game.send(gran_turismo, &newer).await;
    let status = browser.status(|status| status.ports.iter().any(|port| port.rejected == 1)).await;
    let port = status.ports.iter().find(|port| port.rejected == 1).expect("a port");
    let reason = port.last_reason().expect("a reason");
    assert!(reason.starts_with("this looks like F1 2027: it is newer than this version"), "{reason}");
    relay.stop().await;
}

#[tokio::test]
async fn what_is_too_large_is_counted_and_dropped_and_never_cut() {
    let relay = Running::usual();
    let to = relay.address_of(Feed::F1);
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    let largest = 65_332;
    for len in [largest + 1, 65_500] {
        game.send(to, &vec![1; len]).await;
    }
    game.send(to, &vec![2; largest]).await;
    let received = browser.datagrams(1).await;
    assert_eq!(
        (received.len(), received[0].bytes.len()),
        (1, largest),
        "the first that comes through is one that fits"
    );
    game.send(to, &vec![3; 65_400]).await;
    let status = browser.status(|status| status.ports[0].packets == 4).await;
    assert_eq!(status.ports[0].rejected, 4);
    let reason = status.ports[0].last_reason().expect("a reason").to_owned();
    assert!(reason.contains("65400 bytes") && reason.contains(&largest.to_string()), "{reason}");
    relay.stop().await;
}

#[tokio::test]
async fn as_many_cars_as_one_datagram_holds_come_through() {
    let relay = Running::start(settings(&["--port=ac-telemetry-tool=0"]));
    let mut browser = relay.browser().await;
    let mut record = vec![0; 357];
    record[93..97].copy_from_slice(&666.666_f32.to_le_bytes());
    record[177..181].copy_from_slice(&666_u32.to_le_bytes());
    let packet = [vec![22], record.repeat(183)].concat();
    Game::start().await.send(relay.address_of(Feed::AcTelemetryTool), &packet).await;
    let received = browser.datagrams(1).await;
    assert_eq!((received[0].feed, received[0].bytes == packet), (Some(Feed::AcTelemetryTool), true));
    relay.stop().await;
}

#[tokio::test]
async fn a_taken_port_is_named_with_its_holder_and_the_rest_goes_on() {
    let other = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let taken = other.local_addr().expect("an address").port();
    let relay = Running::start(settings(&[
        &format!("--port=dirt-rally={taken}"),
        "--port=f1-2018=0",
        "--port=ac-lua=0",
    ]));
    let row = relay.report.ports.iter().find(|port| port.port == taken).expect("the taken port");
    assert_eq!(row.feeds, [Feed::DirtRally]);
    let PortState::Taken { holder } = &row.state else { panic!("{:?}", row.state) };
    let block = banner::block(&relay.report);
    let line = block.lines().find(|line| line.contains("TAKEN")).expect("a line about it");
    assert!(line.contains(&format!("UDP {taken}")) && line.contains("--port"), "{line}");
    if cfg!(target_os = "linux") {
        let holder = holder.as_deref().expect("the holder's name");
        assert!(holder.contains(&format!("process {}", std::process::id())), "{holder}");
        assert!(line.contains(holder), "{line}");
    }

    let mut browser = relay.browser().await;
    let status = browser.status(|_| true).await;
    let states: Vec<bool> = status.ports.iter().map(|port| port.state == PortState::Open).collect();
    assert_eq!(states.iter().filter(|open| !**open).count(), 1, "{states:?}");
    let good = packet(Kind::Session, 1);
    Game::start().await.send(relay.address_of(Feed::F1), &good).await;
    assert_eq!(browser.datagrams(1).await[0].bytes, good);
    relay.stop().await;
}

#[tokio::test]
async fn a_taken_page_port_moves_to_the_next_and_says_so() {
    let other = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let taken = other.local_addr().expect("an address").port();
    let mut wanted = settings(&[]);
    wanted.http.set_port(taken);
    let relay = Running::start(wanted);
    let moved = relay.report.http.port();
    assert!(moved > taken, "{moved} comes after {taken}");
    let block = banner::block(&relay.report);
    assert!(block.contains(&format!("http://127.0.0.1:{moved}/")), "{block}");
    assert!(block.contains(&format!("port {taken} in use, using {moved}")), "{block}");
    relay.browser().await;
    relay.stop().await;
}
