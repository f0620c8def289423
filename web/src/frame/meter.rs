//! How long frames took in the last two seconds.

use std::collections::VecDeque;

use js_sys::{Object, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;

use super::Phase;

/// The number of remembered frames.
const REMEMBERED: usize = 120;
/// A longer pause between two frames was rest, not slowness.
const REST_MS: f64 = 250.0;

/// The time of the remembered frames in one phase, or altogether.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The mean in milliseconds.
    pub mean_ms: f64,
    /// The longest in milliseconds.
    pub max_ms: f64,
}

/// The times of the remembered frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The number of all frames.
    pub frames: u64,
    /// Frames per second while the loop did not rest.
    pub per_second: f64,
    /// All script of a frame.
    pub script: Times,
    /// Each phase, in order.
    pub phases: [Times; Phase::ALL.len()],
}

/// Measures the latest frames.
#[derive(Debug, Default)]
pub struct Meter {
    latest: VecDeque<Frame>,
    frames: u64,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    began_ms: f64,
    spent: [f64; Phase::ALL.len()],
}

impl Meter {
    /// Adds a frame: its start and the time of each phase, in milliseconds.
    pub fn record(&mut self, began_ms: f64, spent: [f64; Phase::ALL.len()]) {
        if self.latest.len() == REMEMBERED {
            self.latest.pop_front();
        }
        self.latest.push_back(Frame { began_ms, spent });
        self.frames += 1;
    }

    /// Sums up the remembered frames.
    pub fn statistics(&self) -> Statistics {
        let intervals = self.latest.iter().zip(self.latest.iter().skip(1));
        let lengths = intervals.map(|(one, next)| next.began_ms - one.began_ms);
        let (mut busy_ms, mut busy) = (0.0, 0.0);
        for length in lengths.filter(|length| *length < REST_MS) {
            busy_ms += length;
            busy += 1.0;
        }
        let phases = std::array::from_fn(|phase| {
            times(self.latest.iter().filter_map(|frame| frame.spent.get(phase).copied()))
        });
        Statistics {
            frames: self.frames,
            per_second: if busy_ms > 0.0 { busy * 1e3 / busy_ms } else { 0.0 },
            script: times(self.latest.iter().map(|frame| frame.spent.iter().sum())),
            phases,
        }
    }
}

fn times(spent: impl Iterator<Item = f64>) -> Times {
    let (mut sum, mut count, mut max_ms) = (0.0, 0.0, 0.0f64);
    for one in spent {
        sum += one;
        count += 1.0;
        max_ms = max_ms.max(one);
    }
    Times { mean_ms: if count > 0.0 { sum / count } else { 0.0 }, max_ms }
}

/// Makes the statistics available as `trailbrakeFrame()`.
pub(super) fn publish(read: impl Fn() -> Statistics + 'static) {
    let answer = Closure::<dyn Fn() -> JsValue>::new(move || object(&read()).into());
    let _ = Reflect::set(&window(), &"trailbrakeFrame".into(), answer.as_ref());
    // It lasts as long as the page is open.
    answer.forget();
}

fn object(statistics: &Statistics) -> Object {
    let phases = Phase::ALL.iter().zip(&statistics.phases).map(|(phase, times)| (phase.name(), pair(times)));
    fields([
        ("frames", (statistics.frames as f64).into()),
        ("perSecond", statistics.per_second.into()),
        ("script", pair(&statistics.script)),
        ("phases", fields(phases).into()),
    ])
}

fn pair(times: &Times) -> JsValue {
    fields([("meanMs", times.mean_ms.into()), ("maxMs", times.max_ms.into())]).into()
}

fn fields<'a>(fields: impl IntoIterator<Item = (&'a str, JsValue)>) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_latest_frames_count() {
        let mut meter = Meter::default();
        meter.record(0.0, [50.0; 4]);
        for frame in 1..=120 {
            meter.record(f64::from(frame) * 10.0, [0.0, 1.0, 0.0, if frame == 60 { 5.0 } else { 2.0 }]);
        }
        let statistics = meter.statistics();
        assert_eq!(statistics.frames, 121);
        assert_eq!(statistics.phases[1], Times { mean_ms: 1.0, max_ms: 1.0 });
        assert_eq!(statistics.script.max_ms, 6.0);
        assert!((statistics.script.mean_ms - 3.025).abs() < 1e-9, "{statistics:?}");
        assert!((statistics.per_second - 100.0).abs() < 1e-9);
    }

    #[test]
    fn rest_is_not_slowness() {
        let mut meter = Meter::default();
        for began_ms in [0.0, 20.0, 40.0, 9_000.0, 9_020.0] {
            meter.record(began_ms, [1.0; 4]);
        }
        assert!((meter.statistics().per_second - 50.0).abs() < 1e-9);
        assert_eq!(Meter::default().statistics(), Statistics::default());
    }
}
