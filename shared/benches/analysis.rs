//! The cost of comparing laps; and that a live sample costs the same however long the session has been.

use std::hint::black_box;
use std::net::SocketAddr;
use std::time::Instant;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use trailbrake_shared::analysis::{LapColumns, PlacedLap, ReferenceLine, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// Approximate lap time on the demo's first circuit, in seconds.
const LAP_S: f64 = 77.0;
/// The length of the session in which a sample's cost must not grow.
const HOURS: u32 = 3;
/// The allowed ratio to the cost in the first minutes. Machines vary this much; a cost that grows would exceed it by
/// far.
const MOST_AFTER_HOURS: f64 = 1.5;

/// Datagrams, and when each was sent.
type TimedPackets = Vec<(Micros, Vec<u8>)>;

/// Receives this many seconds of practice; also returns the packets of the ten seconds that follow.
fn receive_practice(seconds: f64) -> Option<(Receiver, TimedPackets)> {
    let options = Options { cars: 1, player: 0, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::F1, options, Micros(1_000_000))?;
    let mut receiver = Receiver::default();
    demo.drive(seconds, &mut |at, bytes| receive(&mut receiver, at, bytes));
    let mut next = Vec::new();
    demo.drive(seconds + 10.0, &mut |at, bytes| next.push((at, bytes.to_vec())));
    Some((receiver, next))
}

fn receive(receiver: &mut Receiver, at: Micros, bytes: &[u8]) {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes };
    // The tests check that what the demo sends is valid.
    let _ = receiver.receive(&datagram);
}

/// Ten seconds of live driving in the second lap and in the twentieth, which should cost the same.
fn live(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("live");
    group.sample_size(10);
    for laps in [1.3, 19.3] {
        let Some((_, next)) = receive_practice(laps * LAP_S) else { return };
        group.throughput(Throughput::Elements(next.len() as u64));
        group.bench_function(format!("after {laps:.0} laps"), |bench| {
            // A fresh session each time, which is not measured.
            let fresh = || receive_practice(laps * LAP_S).map(|(receiver, _)| receiver).unwrap_or_default();
            let receive_all = |mut receiver: Receiver| {
                next.iter().for_each(|(at, bytes)| receive(&mut receiver, *at, bytes));
                receiver
            };
            bench.iter_batched(fresh, receive_all, BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// Compares the cost of a datagram in the first minutes and after hours, in one run.
fn over_hours(_: &mut Criterion) {
    let options = Options { cars: 1, player: 0, again: false, ..Options::default() };
    let Some(mut demo) = Demo::new(Feed::F1, options, Micros(1_000_000)) else { return };
    let mut receiver = Receiver::default();
    // Nanoseconds per datagram, for each ten seconds.
    let mut costs: Vec<f64> = Vec::new();
    for ten in 1..=HOURS * 360 {
        let mut sent: TimedPackets = Vec::new();
        demo.drive(f64::from(ten) * 10.0, &mut |at, bytes| sent.push((at, bytes.to_vec())));
        let began = Instant::now();
        sent.iter().for_each(|(at, bytes)| receive(&mut receiver, *at, bytes));
        costs.push(began.elapsed().as_secs_f64() * 1e9 / sent.len().max(1) as f64);
    }
    // From the second lap on there is a reference to compare with. The median over part of the run hides the machine's
    // noise.
    let middle = |part: &[f64]| {
        let mut part = part.to_vec();
        part.sort_by(f64::total_cmp);
        part.get(part.len() / 2).copied().unwrap_or_default()
    };
    let first = middle(costs.get(12..48).unwrap_or_default());
    let last = middle(costs.get(costs.len().saturating_sub(36)..).unwrap_or_default());
    let ratio = last / first;
    println!(
        "live/over hours: {first:.0} ns a datagram in minutes 2 to 8, {last:.0} ns after {HOURS} hours: {ratio:.2} times as much"
    );
    assert!(ratio < MOST_AFTER_HOURS, "a datagram costs {ratio:.2} times as much after {HOURS} hours");
}

/// Compares two laps, as a whole and in parts.
fn compare_laps(criterion: &mut Criterion) {
    let Some((receiver, _)) = receive_practice(3.5 * LAP_S) else { return };
    let Some((_, state)) = receiver.session().and_then(|session| session.cars().next()) else { return };
    let laps = state.laps.finished().iter().filter(|lap| lap.time.is_some());
    let laps: Vec<LapColumns<'_>> =
        laps.filter_map(|lap| Some(LapColumns::new(lap, state.traces.lap(lap.serial)?))).collect();
    let [first, second, ..] = laps.as_slice() else { return };
    let Ok(line) = ReferenceLine::learn(first) else { return };
    let mut group = criterion.benchmark_group("analysis");
    group.throughput(Throughput::Elements(first.len() as u64));
    group.bench_function("learn a line", |bench| bench.iter(|| ReferenceLine::learn(black_box(first))));
    group.bench_function("place a lap", |bench| {
        bench.iter(|| PlacedLap::on_line(black_box(second), &line, None))
    });
    group.bench_function("compare two laps", |bench| bench.iter(|| compare(black_box(second), first)));
    group.finish();
}

criterion_group!(benches, over_hours, live, compare_laps);
criterion_main!(benches);
