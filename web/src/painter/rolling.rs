//! The last seconds of some channels, for figures that scroll.

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{
    Column, Extent, Polyline, Ring, Samples, Series, Tint, View, tint, trace, value_at,
};

use super::LaneSource;

/// The right edge of a scrolling window. It moves smoothly even if samples arrive in bursts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edge {
    seconds: Option<f64>,
    frame_ms: f64,
}

/// The fraction of its lag that the edge catches up in a frame.
const CATCH_UP: f64 = 0.1;
/// A larger lag is not jitter but a pause or a jump in time, and the edge jumps with it.
const JUMP_SECONDS: f64 = 0.3;

impl Edge {
    /// The edge in a frame at `frame_ms`, with the latest sample at `latest` seconds. It moves in real time, never
    /// beyond the latest sample, and never back unless time itself jumped.
    pub fn advance(&mut self, frame_ms: f64, latest: f64) -> f64 {
        let passed = (frame_ms - self.frame_ms).max(0.0) / 1e3;
        self.frame_ms = frame_ms;
        let now = match self.seconds {
            Some(edge) if (latest - edge - passed).abs() <= JUMP_SECONDS => {
                let paced = edge + passed;
                (paced + (latest - paced) * CATCH_UP).min(latest).max(edge.min(latest))
            }
            _ => latest,
        };
        self.seconds = Some(now);
        now
    }
}

/// The latest samples of some channels of one car, one column for each channel. Memory use is constant.
pub struct RollingTraces {
    seconds: Ring<f64>,
    columns: Vec<Column>,
    bridge: f64,
}

impl RollingTraces {
    /// Traces with a number of columns that keep at least the latest `capacity` samples. Two samples more than `bridge`
    /// seconds apart are not joined.
    pub fn new(columns: usize, capacity: usize, bridge: f64) -> Self {
        let columns = (0..columns).map(|_| Column::rolling(capacity)).collect();
        Self { seconds: Ring::rolling(capacity), columns, bridge }
    }

    /// Adds a sample of every column at a time in seconds. NaN, and columns beyond the end of `values`, are gaps. If
    /// time runs back (a restart, a rewind), the samples so far are dropped.
    pub fn push(&mut self, seconds: f64, values: &[f32]) {
        if !seconds.is_finite() {
            return;
        }
        if self.latest().is_some_and(|latest| seconds < latest) {
            self.clear();
        }
        self.seconds.push(seconds);
        for (index, column) in self.columns.iter_mut().enumerate() {
            column.push(values.get(index).copied().unwrap_or(f32::NAN));
        }
    }

    /// Drops all samples but keeps the memory.
    pub fn clear(&mut self) {
        self.seconds.clear();
        self.columns.iter_mut().for_each(Column::clear);
    }

    /// The time of the latest sample.
    pub fn latest(&self) -> Option<f64> {
        self.seconds.last()
    }

    /// How many samples are kept.
    pub fn len(&self) -> usize {
        self.seconds.span().len()
    }

    /// Whether no samples are kept.
    pub fn is_empty(&self) -> bool {
        self.seconds.span().is_empty()
    }

    /// The samples of a column with their times in seconds, without gaps.
    pub fn samples(&self, column: usize) -> impl Iterator<Item = (f64, f32)> + use<'_> {
        let values = self.columns.get(column);
        let sample = move |index| self.seconds.at(index).zip(values?.at(index));
        self.seconds.span().filter_map(sample).filter(|(_, value)| value.is_finite())
    }

    fn series(&self, column: usize) -> Option<Series<'_, Ring<f64>, Column>> {
        self.columns.get(column).map(|column| Series::live(&self.seconds, column))
    }
}

impl LaneSource for RollingTraces {
    fn trace(&self, column: usize, view: &View, line: &mut Polyline) {
        if let Some(series) = self.series(column) {
            trace(&series, &View { bridge: self.bridge, ..*view }, line);
        }
    }

    fn tint(&self, column: usize, view: &View, areas: &mut Tint) {
        if let Some(series) = self.series(column) {
            tint(&series, &View { bridge: self.bridge, ..*view }, 0.0, areas);
        }
    }

    fn extent(&self, column: usize) -> Extent {
        self.columns.get(column).map_or(Extent::EMPTY, |column| column.extent(column.span()))
    }

    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64> {
        let column_values = self.columns.get(column)?;
        match at {
            Some(at) => value_at(&self.series(column)?, at, self.bridge, drawing),
            None => column_values.last().filter(|value| value.is_finite()).map(f64::from),
        }
    }
}

/// The stretches in which a value stays the same: from and to in seconds, and the value.
pub fn steps(samples: impl IntoIterator<Item = (f64, f32)>) -> Vec<(f64, f64, f32)> {
    let mut steps: Vec<(f64, f64, f32)> = Vec::new();
    for (seconds, value) in samples {
        let last = steps.last_mut();
        let is_new = last.as_ref().is_none_or(|(_, _, last)| *last != value);
        if let Some((_, to, _)) = last {
            *to = seconds;
        }
        if is_new {
            steps.push((seconds, seconds, value));
        }
    }
    steps
}

/// The latest samples of a car, and the reference's around that time. The reference's columns come after the car's.
pub struct ComparedTraces {
    /// The car's.
    pub car: RollingTraces,
    /// The reference's.
    pub reference: RollingTraces,
}

impl ComparedTraces {
    /// The traces that have a column, and the column's index there.
    fn of(&self, column: usize) -> (&RollingTraces, usize) {
        match column.checked_sub(self.car.columns.len()) {
            Some(column) => (&self.reference, column),
            None => (&self.car, column),
        }
    }
}

impl LaneSource for ComparedTraces {
    fn trace(&self, column: usize, view: &View, line: &mut Polyline) {
        let (traces, column) = self.of(column);
        traces.trace(column, view, line);
    }

    fn tint(&self, column: usize, view: &View, areas: &mut Tint) {
        let (traces, column) = self.of(column);
        traces.tint(column, view, areas);
    }

    fn extent(&self, column: usize) -> Extent {
        let (traces, column) = self.of(column);
        traces.extent(column)
    }

    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64> {
        let (traces, column) = self.of(column);
        traces.value(column, at, drawing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_scrolls_evenly_though_samples_come_in_bursts() {
        let mut edge = Edge::default();
        let mut steps = Vec::new();
        let mut last = edge.advance(0.0, 100.0);
        for frame in 1..600 {
            // Sixty frames a second; the latest sample jumps by 50 ms now and then.
            let seconds = f64::from(frame) / 60.0;
            let latest = 100.0 + (seconds / 0.05).floor() * 0.05;
            let now = edge.advance(seconds * 1e3, latest);
            assert!(now <= latest && now >= last);
            steps.push(now - last);
            last = now;
        }
        let late = &steps[200..];
        let longest = late.iter().copied().fold(0.0, f64::max);
        assert!(longest < 0.025, "{longest}");
        assert!((last - 110.0).abs() < 0.1);
    }

    #[test]
    fn the_edge_jumps_when_time_does() {
        let mut edge = Edge::default();
        edge.advance(0.0, 100.0);
        assert_eq!(edge.advance(16.0, 250.0), 250.0);
        assert_eq!(edge.advance(32.0, 3.0), 3.0, "a restart");
    }

    #[test]
    fn an_hour_takes_no_more_memory_than_a_minute() {
        let mut traces = RollingTraces::new(3, 1000, 0.5);
        for sample in 0..216_000 {
            traces.push(f64::from(sample) / 60.0, &[0.5, f32::NAN]);
        }
        assert_eq!(traces.len(), 1024);
        assert_eq!(traces.value(0, None, Drawing::Line), Some(0.5));
        assert_eq!(traces.value(1, None, Drawing::Line), None, "not measured");
        assert_eq!(traces.value(2, None, Drawing::Line), None, "missing");
        assert_eq!(traces.value(3, None, Drawing::Line), None, "no such column");
    }

    #[test]
    fn steps_are_the_stretches_of_one_value() {
        let mut traces = RollingTraces::new(1, 100, 0.5);
        for (seconds, gear) in [(1.0, 3.0), (1.1, 3.0), (1.2, f32::NAN), (1.3, 4.0), (1.5, 4.0), (1.6, 3.0)] {
            traces.push(seconds, &[gear]);
        }
        assert_eq!(steps(traces.samples(0)), [(1.0, 1.3, 3.0), (1.3, 1.6, 4.0), (1.6, 1.6, 3.0)]);
        assert_eq!(steps(traces.samples(1)), []);
    }

    #[test]
    fn a_restart_clears_the_traces() {
        let mut traces = RollingTraces::new(1, 100, 0.5);
        traces.push(50.0, &[1.0]);
        traces.push(51.0, &[1.0]);
        traces.push(2.0, &[0.25]);
        assert_eq!((traces.len(), traces.latest()), (1, Some(2.0)));
        traces.push(f64::NAN, &[1.0]);
        assert_eq!(traces.extent(0), Extent { low: 0.25, high: 0.25 });
    }
}
