//! The cost of drawing a lap, counted in reads of its samples: it depends on the pixels, not on the number of samples.

use std::cell::Cell;
use std::ops::Range;

use trailbrake_model::Drawing;

use super::*;

/// A very long lap: more than a quarter of an hour at 1000 samples a second.
const MILLION: usize = 1_000_000;
const PIXELS: f32 = 1280.0;
/// Maximum reads per pixel. A binary search in a million samples takes twenty, and a few edges need one each.
const PER_PIXEL: usize = 60;

/// Samples that count how often one is read.
struct CountingSamples<'a, T> {
    samples: Vec<T>,
    looks: &'a Cell<usize>,
}

impl<T: Copy> Samples for CountingSamples<'_, T> {
    type Value = T;

    fn span(&self) -> Range<usize> {
        0..self.samples.len()
    }

    fn at(&self, index: usize) -> Option<T> {
        self.looks.set(self.looks.get() + 1);
        self.samples.get(index).copied()
    }
}

/// Reads needed to draw part of a lap with this many samples: its line, the tint below it, a value in it.
fn looks(samples: usize, from: f64, to: f64) -> [usize; 3] {
    let looks = Cell::new(0);
    let length_m = 5000.0;
    let place = |index: usize| length_m * index as f64 / samples as f64;
    let value = |index: usize| (place(index) / 70.0).sin() as f32 + (index % 7) as f32 * 0.01;
    let x = CountingSamples { samples: (0..samples).map(place).collect(), looks: &looks };
    let y = CountingSamples { samples: (0..samples).map(value).collect(), looks: &looks };
    let extents = Pyramid::over(&y.samples);
    let series = Series { x: &x, y: &y, extents: &extents };
    let view = View {
        x: Scale::new(Domain::new(from * length_m, to * length_m), 0.0, PIXELS),
        y: Scale::new(Domain::new(-1.1, 1.1), 200.0, 0.0),
        bridge: 60.0,
        drawing: Drawing::Line,
    };
    let counted = |draw: &mut dyn FnMut()| {
        looks.set(0);
        draw();
        looks.get()
    };
    let (mut line, mut areas) = (Polyline::default(), Tint::default());
    [
        counted(&mut || trace(&series, &view, &mut line)),
        counted(&mut || tint(&series, &view, 0.0, &mut areas)),
        counted(&mut || {
            assert!(value_at(&series, (from + to) / 2.0 * length_m, 60.0, Drawing::Line).is_some());
        }),
    ]
}

#[test]
fn a_lap_of_a_million_samples_costs_pixels_at_every_zoom() {
    for (from, to) in [(0.0, 1.0), (0.4, 0.5), (0.123, 0.133), (0.7, 0.7001), (0.999, 1.0)] {
        let [line, areas, value] = looks(MILLION, from, to);
        let most = PER_PIXEL * PIXELS as usize;
        assert!(line <= most && areas <= most, "{from} to {to}: {line} and {areas} looks");
        assert!(value <= PER_PIXEL, "{from} to {to}: {value} looks");
        // And hardly more than a usual lap of a few thousand samples.
        let [usual, usual_areas, _] = looks(6_000, 0.0, 1.0);
        assert!(
            line <= 12 * usual && areas <= 4 * usual_areas,
            "{line} and {usual}, {areas} and {usual_areas}"
        );
    }
}
