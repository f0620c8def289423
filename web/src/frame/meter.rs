//! Measures how long the last frames took: two seconds of them at 60 frames a second.

use std::collections::VecDeque;

use js_sys::{Object, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;

use super::Phase;

/// How many of the latest frames are kept.
const REMEMBERED: usize = 120;
/// After a longer interval the loop had rested: that frame was not slow.
const REST_MS: f64 = 250.0;

/// The time that the kept frames spent in one phase, or in all phases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The mean in milliseconds.
    pub mean_ms: f64,
    /// The longest in milliseconds.
    pub max_ms: f64,
}

/// The times of the kept frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The number of frames since the page was opened.
    pub frames: u64,
    /// Frames per second, without the intervals in which the loop rested.
    pub per_second: f64,
    /// The time in all phases of a frame.
    pub script: Times,
    /// The time in each phase, in the order of [`Phase::ALL`].
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
    /// Milliseconds spent in each phase.
    spent: [f64; Phase::ALL.len()],
}

impl Meter {
    /// Adds a frame: its start and the time spent in each phase, in milliseconds.
    pub fn record(&mut self, began_ms: f64, spent: [f64; Phase::ALL.len()]) {
        if self.latest.len() == REMEMBERED {
            self.latest.pop_front();
        }
        self.latest.push_back(Frame { began_ms, spent });
        self.frames += 1;
    }

    /// Sums up the kept frames.
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

/// Makes the statistics available to JavaScript as `trailbrakeFrame()`.
pub(super) fn publish(read: impl Fn() -> Statistics + 'static) {
    let answer = Closure::<dyn Fn() -> JsValue>::new(move || object(&read()).into());
    let _ = Reflect::set(&window(), &"trailbrakeFrame".into(), answer.as_ref());
    // Never dropped: the function lasts as long as the page is open.
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
