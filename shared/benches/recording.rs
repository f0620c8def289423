//! The speed of packing and unpacking recording blocks relative to LZ4 on the same bytes. Only the ratio is meaningful.

use std::hint::black_box;
use std::net::SocketAddr;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Packet, block};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// A second of a feed, half a minute into a session.
fn second(feed: Feed) -> Vec<Packet> {
    let Some(mut demo) = Demo::new(feed, Options::default(), BEGAN) else { return Vec::new() };
    let mut packets = Vec::new();
    let sender = SocketAddr::from(([192, 168, 1, 20], 33_739));
    demo.advance(BEGAN.plus_seconds(30.0), &mut |_, _| {});
    demo.advance(BEGAN.plus_seconds(31.0), &mut |at, bytes| {
        let (number, feed, bytes) = (packets.len() as u64, feed.id().into(), bytes.to_vec());
        packets.push(Packet { number, at, sender, port: 20777, feed, bytes });
    });
    packets
}

fn blocks(criterion: &mut Criterion) {
    for feed in [Feed::F1, Feed::GranTurismo, Feed::DirtRally] {
        let packets = second(feed);
        let bytes: Vec<u8> = packets.iter().flat_map(|packet| &packet.bytes).copied().collect();
        let blocks = block::blocks(packets.clone());
        let by_lz4 = lz4_flex::block::compress(&bytes);
        let mut group = criterion.benchmark_group(format!("{}, a second", feed.id()));
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("unpacked by lz4", |bencher| {
            let mut unpacked = vec![0; bytes.len()];
            bencher.iter(|| lz4_flex::block::decompress_into(black_box(&by_lz4), &mut unpacked));
        });
        group.bench_function("unpacked", |bencher| {
            let unpack = |packed: &block::FinishedBlock| {
                block::decode(&packed.feed, &packed.bytes).map(|all| all.len())
            };
            bencher.iter(|| black_box(&blocks).iter().flat_map(unpack).sum::<usize>());
        });
        group.bench_function("packed", |bencher| {
            bencher.iter(|| block::blocks(black_box(&packets).clone()).len());
        });
        group.finish();
    }
}

criterion_group!(benches, blocks);
criterion_main!(benches);
