//! What decoding costs for each feed: into a sink that keeps nothing, and into a session with all its columns. Here, and
//! as WebAssembly in a browser.
//!
//! A minute of the simulator's packets is decoded again and again on one thread. Names of feeds
//! as options measure only those.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use std::net::SocketAddr;
use std::time::Instant;

use salsa20::Salsa20;
use salsa20::cipher::{KeyIvInit, StreamCipher};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::Demo;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;
use trailbrake_tests::bench_page::BenchPage;
use trailbrake_tests::figures::{figure, median};
use trailbrake_tests::recorded::packets;

/// How much driving is decoded.
const SECONDS: f64 = 60.0;
/// How often; the median counts.
const ROUNDS: usize = 15;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let page = BenchPage::open().await;
    let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
    let wanted: Vec<String> = std::env::args().skip(1).filter(|option| !option.starts_with('-')).collect();
    let is_wanted = |feed: &Feed| wanted.is_empty() || wanted.iter().any(|name| name == feed.id());
    for feed in Demo::feeds().filter(is_wanted) {
        let packets = packets(feed, SECONDS);
        let name = feed.id();
        let codec = feed.info().codec.expect("a feed with packets");
        let port = feed.info().ports.first().copied().unwrap_or(50_000);
        let (mut sink, mut session) = (Vec::new(), Vec::new());
        let (mut page_sink, mut page_session) = (Vec::new(), Vec::new());
        // In turn, so that a busy moment of the machine meets both.
        for _ in 0..ROUNDS {
            let began = Instant::now();
            let mut decoder = (codec.decoder)();
            let mut is_good = |(at, bytes): &&(Micros, Vec<u8>)| decoder.receive(*at, bytes, &mut ()).is_ok();
            let good = packets.iter().filter(&mut is_good).count();
            sink.push(began.elapsed().as_secs_f64());
            assert_eq!(good, packets.len(), "{name}");

            let began = Instant::now();
            let mut receiver = Receiver::default();
            for (at, bytes) in &packets {
                let datagram = Datagram { at: *at, sender, port, feed: Some(feed), bytes };
                let _ = receiver.receive(&datagram);
            }
            session.push(began.elapsed().as_secs_f64());
            assert!(receiver.session().is_some(), "{name}");

            let in_page = page.call(&format!("decoded('{name}')")).await;
            assert_eq!(in_page[0].as_u64(), Some(packets.len() as u64), "{name}: the same packets");
            page_sink.push(in_page[1].as_f64().expect("seconds"));
            page_session.push(in_page[2].as_f64().expect("seconds"));
        }
        let rate = |seconds: Vec<f64>| packets.len() as f64 / median(seconds) / 1e6;
        let (sink, session) = (rate(sink), rate(session));
        figure("decoders", &format!("{name}: decoded"), sink, "million packets/s");
        figure("decoders", &format!("{name}: with a session's columns"), session, "million packets/s");
        figure("decoders", &format!("{name}: columns beside decoding"), sink / session - 1.0, "times");
        let (page_sink, page_session) = (rate(page_sink), rate(page_session));
        figure("decoders", &format!("{name}: decoded in the page"), page_sink, "million packets/s");
        figure(
            "decoders",
            &format!("{name}: with a session's columns in the page"),
            page_session,
            "million packets/s",
        );
        figure("decoders", &format!("{name}: page beside program"), session / page_session, "times");
        if feed == Feed::GranTurismo {
            let seconds = median((0..ROUNDS).map(|_| decipher(&packets)).collect());
            let rate = packets.len() as f64 / seconds / 1e6;
            figure(
                "decoders",
                &format!("{name}: deciphered by the salsa20 crate alone"),
                rate,
                "million packets/s",
            );
        }
    }
    page.close().await;
}

/// Deciphers packets with the crate that the decoder uses, too: no decoder can be faster.
fn decipher(packets: &[(Micros, Vec<u8>)]) -> f64 {
    let (mut room, mut sum) = ([0; 512], 0_u64);
    let began = Instant::now();
    for (_, bytes) in packets {
        let room = &mut room[..bytes.len()];
        room.copy_from_slice(bytes);
        Salsa20::new(&[7; 32].into(), &[1; 8].into()).apply_keystream(room);
        sum += u64::from(room[0]);
    }
    let seconds = began.elapsed().as_secs_f64();
    assert!(sum > 0, "the work was done");
    seconds
}
