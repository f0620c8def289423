//! The clock that timestamps packets.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use trailbrake_shared::time::Micros;

/// The time of day at the start plus the time passed since, so it never runs back when the system's clock is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Micros,
    /// What it showed at the anchor.
    shown: Micros,
    anchor: Instant,
}

impl Clock {
    /// A clock that agrees with the system's now.
    pub(crate) fn start() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Micros(micros(since_1970));
        Self { started: now, shown: now, anchor: Instant::now() }
    }

    /// Another machine's clock, which shows this time now.
    #[cfg(feature = "team")]
    pub(crate) fn following(started: Micros, now: Micros) -> Self {
        Self { started, shown: now, anchor: Instant::now() }
    }

    /// When it started.
    pub(crate) fn started(&self) -> Micros {
        self.started
    }

    /// The present time.
    pub(crate) fn now(&self) -> Micros {
        Micros(self.shown.0.saturating_add(micros(self.anchor.elapsed())))
    }
}

/// The local time zone's offset from UTC, in seconds.
pub(crate) fn seconds_ahead_of_utc() -> i32 {
    jiff::Zoned::now().offset().seconds()
}

fn micros(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_with_the_systems_time_and_never_runs_back() {
        let before = micros(SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970"));
        let clock = Clock::start();
        let shown: Vec<Micros> = (0..1000).map(|_| clock.now()).collect();
        assert!(shown.is_sorted());
        assert!(shown[0].0 >= before);
    }
}
