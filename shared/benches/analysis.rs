//! What laying laps side by side costs, and that a sample heard live costs the same however long the session has been.

use std::hint::black_box;
use std::net::SocketAddr;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use trailbrake_shared::analysis::{Comparison, LapColumns, Placed, ReferenceLine};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// Seconds that a lap of the demo's first circuit takes, about.
const LAP_S: f64 = 77.0;

/// Datagrams, and when each was sent.
type Sent = Vec<(Micros, Vec<u8>)>;

/// Hears so many seconds of practice; gives what was sent in the ten seconds behind that.
fn heard(seconds: f64) -> Option<(Receiver, Sent)> {
    let options = Options { cars: 1, player: 0, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::F12018, options, Micros(1_000_000))?;
    let mut receiver = Receiver::default();
    demo.drive(seconds, &mut |at, bytes| hear(&mut receiver, at, bytes));
    let mut next = Vec::new();
    demo.drive(seconds + 10.0, &mut |at, bytes| next.push((at, bytes.to_vec())));
    Some((receiver, next))
}

fn hear(receiver: &mut Receiver, at: Micros, bytes: &[u8]) {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F12018), bytes };
    // What the demo sends is understood; the tests see to that.
    let _ = receiver.receive(&datagram);
}

/// Ten seconds of live driving in the second lap and in the twentieth: the two ought to be alike.
fn live(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("live");
    group.sample_size(10);
    for laps in [1.3, 19.3] {
        let Some((_, next)) = heard(laps * LAP_S) else { return };
        group.throughput(Throughput::Elements(next.len() as u64));
        group.bench_function(format!("after {laps:.0} laps"), |bench| {
            // The session is driven anew each time, which is not measured.
            let fresh = || heard(laps * LAP_S).map(|(receiver, _)| receiver).unwrap_or_default();
            let hear_all = |mut receiver: Receiver| {
                next.iter().for_each(|(at, bytes)| hear(&mut receiver, *at, bytes));
                receiver
            };
            bench.iter_batched(fresh, hear_all, BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// Two laps laid side by side, and the parts of that.
fn compare(criterion: &mut Criterion) {
    let Some((receiver, _)) = heard(3.5 * LAP_S) else { return };
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
        bench.iter(|| Placed::on_line(black_box(second), &line, None))
    });
    group
        .bench_function("compare two laps", |bench| bench.iter(|| Comparison::new(black_box(second), first)));
    group.finish();
}

criterion_group!(benches, live, compare);
criterion_main!(benches);
