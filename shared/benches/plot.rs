//! Checks that drawing costs pixels, not samples: a figure of a hundred times as many samples should take about as
//! long. Prints the ratio.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Column, Domain, Polyline, Pyramid, Scale, Series, View, trace};

const FEW: usize = 10_000;
const MANY: usize = 1_000_000;
const WIDTH: f32 = 1600.0;

struct Recorded {
    x: Vec<f64>,
    y: Vec<f32>,
    extents: Pyramid,
}

impl Recorded {
    fn new(count: usize) -> Self {
        let y: Vec<f32> = (0..count).map(|index| (index as f32 * 0.37).sin()).collect();
        let x = (0..count).map(|index| index as f64 / 60.0).collect();
        Self { x, extents: Pyramid::over(&y), y }
    }

    fn draw(&self, line: &mut Polyline) {
        let view = View {
            x: Scale::new(Domain::new(0.0, self.x.len() as f64 / 60.0), 118.0, 118.0 + WIDTH),
            y: Scale::new(Domain::new(-1.0, 1.0), 200.0, 0.0),
            bridge: 0.5,
            drawing: Drawing::Line,
        };
        line.clear();
        trace(&Series { x: &self.x, y: &self.y, extents: &self.extents }, &view, line);
    }
}

fn drawing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("trace_1600_pixels");
    let mut line = Polyline::default();
    for count in [FEW, MANY] {
        let recorded = Recorded::new(count);
        group.bench_with_input(BenchmarkId::from_parameter(count), &recorded, |bencher, recorded| {
            bencher.iter(|| recorded.draw(black_box(&mut line)));
        });
    }
    group.finish();
    let (few, many) = (Recorded::new(FEW), Recorded::new(MANY));
    let ratio = median_seconds(|| many.draw(&mut line)) / median_seconds(|| few.draw(&mut line));
    println!("{MANY} samples take {ratio:.2} times as long as {FEW} on {WIDTH} pixels");
}

fn appending(criterion: &mut Criterion) {
    let mut column = Column::rolling(1024);
    criterion.bench_function("append_to_a_rolling_column", |bencher| {
        bencher.iter(|| column.push(black_box(0.5)));
    });
    let fill = |count: usize| {
        median_seconds(|| {
            let mut column = Column::growing();
            (0..count).for_each(|index| column.push(index as f32));
            black_box(&column);
        }) / count as f64
    };
    println!("one append among {MANY} takes {:.2} times one among {FEW}", fill(MANY) / fill(FEW));
}

/// The median of a few runs, so that one interruption does not matter.
fn median_seconds(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..31)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(15).copied().unwrap_or(f64::NAN)
}

criterion_group!(benches, drawing, appending);
criterion_main!(benches);
