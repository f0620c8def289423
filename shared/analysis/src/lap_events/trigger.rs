//! Finds stretches in which a value is high, with hysteresis, so that a fluctuating value is not many events.

/// When an event begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventTrigger {
    /// An event begins when the value rises above this.
    pub(super) on: f32,
    /// It ends when the value falls below this.
    pub(super) off: f32,
    /// Shorter events are ignored, seconds.
    pub(super) least_s: f64,
    /// Shorter interruptions belong to the event, seconds.
    pub(super) bridge_s: f64,
}

/// The span of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EventSpan {
    pub(super) from_s: f64,
    pub(super) until_s: f64,
    /// The peak value.
    pub(super) peak: f32,
    /// The time of the peak, seconds.
    pub(super) peak_s: f64,
}

/// A gap longer than this ends an event, seconds.
const GAP_S: f64 = 0.5;

impl EventTrigger {
    /// Finds the events in a value over time. Times must ascend.
    pub(super) fn find(self, values: impl IntoIterator<Item = (f64, f32)>) -> Vec<EventSpan> {
        let mut found: Vec<EventSpan> = Vec::new();
        let mut open: Option<EventSpan> = None;
        let mut last_s = f64::NEG_INFINITY;
        for (seconds, value) in values {
            if seconds - last_s > GAP_S {
                found.extend(open.take());
            }
            last_s = seconds;
            match &mut open {
                Some(stretch) => {
                    stretch.until_s = seconds;
                    if value > stretch.peak {
                        (stretch.peak, stretch.peak_s) = (value, seconds);
                    }
                    if value < self.off {
                        found.extend(open.take());
                    }
                }
                None if value > self.on => {
                    let again = found.pop_if(|last| seconds - last.until_s <= self.bridge_s);
                    let fresh = EventSpan { from_s: seconds, until_s: seconds, peak: value, peak_s: seconds };
                    let mut stretch = again.unwrap_or(fresh);
                    stretch.until_s = seconds;
                    if value > stretch.peak {
                        (stretch.peak, stretch.peak_s) = (value, seconds);
                    }
                    open = Some(stretch);
                }
                None => {}
            }
        }
        found.extend(open);
        found.retain(|stretch| stretch.until_s - stretch.from_s >= self.least_s);
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TRIGGER: EventTrigger = EventTrigger { on: 0.5, off: 0.3, least_s: 0.1, bridge_s: 0.05 };

    /// Finds events in values at 100 Hz, each held for a number of samples.
    fn find(parts: &[(f32, usize)]) -> Vec<(f64, f64)> {
        let values = parts.iter().flat_map(|(value, samples)| std::iter::repeat_n(*value, *samples));
        let found = TRIGGER.find((0..).map(|sample| f64::from(sample) / 100.0).zip(values));
        found.iter().map(|stretch| (stretch.from_s, stretch.until_s)).collect()
    }

    #[test]
    fn a_trembling_value_is_one_stretch() {
        assert_eq!(find(&[(0.0, 10), (0.6, 10), (0.4, 5), (0.6, 5), (0.0, 20)]), [(0.1, 0.3)]);
        assert_eq!(find(&[(0.0, 10), (0.6, 10), (0.0, 4), (0.6, 10), (0.0, 9)]), [(0.1, 0.34)]);
        assert_eq!(
            find(&[(0.0, 10), (0.6, 11), (0.0, 20), (0.6, 11), (0.0, 9)]),
            [(0.1, 0.21), (0.41, 0.52)]
        );
    }

    #[test]
    fn short_ones_are_none_and_a_gap_ends_one() {
        assert_eq!(find(&[(0.0, 10), (0.9, 5), (0.0, 10)]), []);
        let values = [(0.0, 0.9), (0.2, 0.9), (5.0, 0.9), (5.3, 0.9)];
        let found = TRIGGER.find(values);
        assert_eq!(found.iter().map(|stretch| stretch.from_s).collect::<Vec<_>>(), [0.0, 5.0]);
    }

    proptest! {
        #[test]
        fn stretches_come_in_order_and_apart(values in prop::collection::vec(prop::num::f32::ANY, 0..300)) {
            let found = TRIGGER.find((0..).map(|sample| f64::from(sample) / 60.0).zip(values));
            prop_assert!(found.iter().all(|stretch| stretch.until_s - stretch.from_s >= TRIGGER.least_s));
            prop_assert!(found.windows(2).all(|pair| pair[1].from_s - pair[0].until_s > TRIGGER.bridge_s));
            prop_assert!(found.iter().all(|stretch| stretch.peak > TRIGGER.on));
        }
    }
}
