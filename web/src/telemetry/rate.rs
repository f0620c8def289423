//! Packets per second, measured over about one second.

/// The rate of a growing count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    /// When the current measurement began, in milliseconds.
    since: f64,
    /// The count at that time.
    from: u64,
    per_second: f32,
}

impl Rate {
    /// Starts measuring at `now`, in milliseconds, when the count is `from`.
    pub(crate) fn new(now: f64, from: u64) -> Self {
        Self { since: now, from, per_second: 0.0 }
    }

    /// Takes the current time in milliseconds and the count.
    pub(crate) fn tick(&mut self, now: f64, count: u64) {
        let passed = now - self.since;
        if passed >= 1_000.0 {
            self.per_second = (count.saturating_sub(self.from) as f64 * 1e3 / passed) as f32;
            (self.since, self.from) = (now, count);
        }
    }

    /// The latest measured rate, rounded; 0 in the first second.
    pub(crate) fn per_second(&self) -> u32 {
        self.per_second.round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_stream_is_measured_whatever_the_ticks() {
        let mut rate = Rate::new(0.0, 1_000);
        for step in 1..=250_u32 {
            rate.tick(f64::from(step) * 10.0, 1_000 + u64::from(step) * 2);
        }
        assert_eq!(rate.per_second(), 200);
    }

    #[test]
    fn silence_falls_to_zero() {
        let mut rate = Rate::new(0.0, 0);
        rate.tick(1_000.0, 60);
        assert_eq!(rate.per_second(), 60);
        rate.tick(2_100.0, 60);
        assert_eq!(rate.per_second(), 0);
    }
}
