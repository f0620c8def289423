//! What it costs to write and to read recordings, beside packing the same bytes with LZ4.
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, reason = "a tool for the bench: it says what it expects by panicking")]

use std::net::SocketAddr;
use std::time::Instant;

use trailbrake_shared::recording::{
    Info, Opening, Reading, RecordingBuilder, RecordingId, Writer, read_whole,
};
use trailbrake_shared::sim::Demo;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;
use trailbrake_tests::figures::{figure, median};
use trailbrake_tests::recorded::{BEGAN, packets};

/// How much driving is recorded.
const SECONDS: f64 = 60.0;
/// How often; the median counts.
const ROUNDS: usize = 9;

fn main() {
    let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
    for feed in Demo::feeds() {
        let packets = packets(feed, SECONDS);
        let raw: Vec<u8> = packets.iter().flat_map(|(_, bytes)| bytes).copied().collect();
        let port = feed.info().ports.first().copied().unwrap_or(50_000);
        let info = Info {
            id: RecordingId(1),
            parent: None,
            created: BEGAN,
            feed: feed.id().to_owned(),
            program: "the benchmark".to_owned(),
            others_left_out: false,
        };
        let datagram = |at: &Micros, bytes| Datagram { at: *at, sender, port, feed: Some(feed), bytes };
        let (mut written, mut with_laps, mut read, mut packed) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut file = Vec::new();
        for _ in 0..ROUNDS {
            let began = Instant::now();
            let mut writer = Writer::new(&info);
            packets.iter().for_each(|(at, bytes)| writer.take(&datagram(at, bytes)));
            let bare = [writer.bytes(), writer.finish()].concat();
            written.push(began.elapsed().as_secs_f64());

            let began = Instant::now();
            let mut builder = RecordingBuilder::new(&info);
            packets.iter().for_each(|(at, bytes)| builder.take(&datagram(at, bytes)));
            file = [builder.bytes(), builder.finish().bytes].concat();
            with_laps.push(began.elapsed().as_secs_f64());

            let began = Instant::now();
            let mut opening = Opening::new(bare.len() as u64);
            read_whole(&mut opening, &bare);
            let mut reading = opening.finish().expect("a recording").all_packets();
            let mut count = 0;
            while let Some(range) = reading.needs() {
                let place = |offset: u64| usize::try_from(offset).expect("a place");
                reading.give(bare.get(place(range.start)..place(range.end)).expect("bytes"));
                count += reading.take().len();
            }
            read.push(began.elapsed().as_secs_f64());
            assert_eq!(count, packets.len());

            let began = Instant::now();
            let smaller = lz4_flex::block::compress(&raw);
            packed.push(began.elapsed().as_secs_f64());
            assert!(!smaller.is_empty());
        }
        let rate = |seconds: Vec<f64>| raw.len() as f64 / 1e6 / median(seconds);
        let name = |what: &str| format!("{}: {what}", feed.id());
        figure("recordings", &name("written"), rate(written), "MB/s");
        figure("recordings", &name("written with its laps"), rate(with_laps), "MB/s");
        figure("recordings", &name("packed by LZ4"), rate(packed), "MB/s");
        figure("recordings", &name("read"), rate(read), "MB/s");
        figure(
            "recordings",
            &name("file, of its packets"),
            100.0 * file.len() as f64 / raw.len() as f64,
            "%",
        );
    }
}
