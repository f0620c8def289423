//! How many packets a second, measured over about one.

/// Counts within a second before the last full one is replaced.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    since: f64,
    count: u64,
    per_second: f32,
}

impl Rate {
    /// A rate that starts to be measured now, in milliseconds.
    pub(crate) fn new(now: f64) -> Self {
        Self { since: now, count: 0, per_second: 0.0 }
    }

    /// So many more.
    pub(crate) fn add(&mut self, count: u64) {
        self.count += count;
    }

    /// Time went on; to be called several times a second.
    pub(crate) fn tick(&mut self, now: f64) {
        let passed = now - self.since;
        if passed >= 1_000.0 {
            self.per_second = (self.count as f64 * 1e3 / passed) as f32;
            (self.since, self.count) = (now, 0);
        }
    }

    /// The latest measure.
    pub(crate) fn per_second(&self) -> f32 {
        self.per_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_stream_is_measured_whatever_the_ticks() {
        let mut rate = Rate::new(0.0);
        for step in 1..=250 {
            rate.add(2);
            rate.tick(f64::from(step) * 10.0);
        }
        assert!((rate.per_second() - 200.0).abs() < 1.0, "{rate:?}");
    }

    #[test]
    fn silence_falls_to_zero() {
        let mut rate = Rate::new(0.0);
        rate.add(60);
        rate.tick(1_000.0);
        assert_eq!(rate.per_second(), 60.0);
        rate.tick(2_100.0);
        assert_eq!(rate.per_second(), 0.0);
    }
}
