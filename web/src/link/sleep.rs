//! Detects that the device slept, by a time in which nothing ran. A state machine without a clock.

/// The page slept if nothing ran for this long.
const SLEPT_MS: f64 = 5_000.0;

/// A moment on the page's own clock and as a time of day, in milliseconds. Some devices stop the page's clock while
/// they sleep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) page_ms: f64,
    pub(crate) day_ms: f64,
}

/// When something last ran on the page.
#[derive(Debug, Default)]
pub(crate) struct SleepWatch(Option<Moment>);

impl SleepWatch {
    /// Call it whenever a timer or a message runs. Returns whether the page slept until now.
    pub(crate) fn slept_until(&mut self, now: Moment) -> bool {
        let before = self.0.replace(now);
        before.is_some_and(|before| {
            let passed_ms = (now.page_ms - before.page_ms).max(now.day_ms - before.day_ms);
            passed_ms > SLEPT_MS
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR_MS: f64 = 3_600_000.0;

    fn watch() -> SleepWatch {
        let mut watch = SleepWatch::default();
        assert!(!watch.slept_until(Moment { page_ms: 100.0, day_ms: 1e12 }));
        watch
    }

    #[test]
    fn an_hour_asleep_is_noticed_on_either_clock() {
        for (page_ms, day_ms) in [(HOUR_MS, HOUR_MS), (0.0, HOUR_MS), (HOUR_MS, 0.0)] {
            let mut watch = watch();
            let woken = Moment { page_ms: 100.0 + page_ms, day_ms: 1e12 + day_ms };
            assert!(watch.slept_until(woken));
            assert!(!watch.slept_until(woken), "once");
        }
    }

    #[test]
    fn a_hidden_page_with_a_slow_timer_does_not_sleep() {
        let mut watch = watch();
        for second in 1..100 {
            let passed_ms = f64::from(second) * 1e3;
            assert!(!watch.slept_until(Moment { page_ms: 100.0 + passed_ms, day_ms: 1e12 + passed_ms }));
        }
        // The day's clock was set back.
        assert!(!watch.slept_until(Moment { page_ms: 99_200.0, day_ms: 1e12 - HOUR_MS }));
    }
}
