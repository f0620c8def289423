//! The speed of decoding relative to copying the same bytes. Only the ratio is meaningful.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1_2018::{FORMAT, Kind, VERSION, layout};
use trailbrake_shared::model::{Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::time::Micros;
use zerocopy::{FromZeros, IntoBytes};

/// Accepts all output and keeps one number, so that the compiler can't remove the work.
#[derive(Default)]
struct Sum(f32);

impl Sink for Sum {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.0 += sample.values.iter().map(|(_, value)| value).sum::<f32>();
    }
    fn progress(&mut self, progress: &LapProgress) {
        self.0 += progress.clock.unwrap_or_default();
    }
    fn event(&mut self, _: Event) {}
    fn fact(&mut self, _: Moment, _: Fact) {}
}

/// One second of the three 60 Hz packets of twenty cars.
fn second() -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    for frame in 0..60_u32 {
        let mut header = layout::Header::new_zeroed();
        header.packet_format = FORMAT.into();
        header.packet_version = VERSION;
        header.session_uid = 1.into();
        header.session_time = (frame as f32 / 60.0).into();
        header.frame_identifier = frame.into();
        let mut motion = layout::Motion::new_zeroed();
        motion.header = layout::Header { packet_id: Kind::Motion.id(), ..header };
        let mut laps = layout::LapData::new_zeroed();
        laps.header = layout::Header { packet_id: Kind::LapData.id(), ..header };
        let mut telemetry = layout::Telemetry::new_zeroed();
        telemetry.header = layout::Header { packet_id: Kind::CarTelemetry.id(), ..header };
        packets.extend([motion.as_bytes().to_vec(), laps.as_bytes().to_vec(), telemetry.as_bytes().to_vec()]);
    }
    packets
}

fn decode(criterion: &mut Criterion) {
    let packets = second();
    let bytes: usize = packets.iter().map(Vec::len).sum();
    let mut group = criterion.benchmark_group("f1-2018, a second of twenty cars");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("copied", |bencher| {
        let mut kept = Vec::with_capacity(bytes);
        bencher.iter(|| {
            kept.clear();
            packets.iter().for_each(|packet| kept.extend_from_slice(black_box(packet)));
            black_box(kept.len())
        });
    });
    group.bench_function("decoded", |bencher| {
        let Some(codec) = Feed::F12018.info().codec else { return };
        bencher.iter(|| {
            let mut decoder = (codec.decoder)();
            let mut sum = Sum::default();
            for packet in &packets {
                let _ = decoder.receive(Micros(0), black_box(packet), &mut sum);
            }
            black_box(sum.0)
        });
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
