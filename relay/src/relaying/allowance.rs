//! How much a client may do: so much at once, and so much a second after that.

use std::time::Instant;

/// A limit on how often something may be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// How much at once.
    pub(crate) at_once: f64,
    /// How much a second after that.
    pub(crate) per_second: f64,
}

/// What is left of a client's allowance.
#[derive(Debug)]
pub(crate) struct Allowance {
    rate: Rate,
    left: f64,
    since: Instant,
}

impl Allowance {
    /// The whole allowance.
    pub(crate) fn new(rate: Rate, now: Instant) -> Self {
        Self { rate, left: rate.at_once, since: now }
    }

    /// Whether anything is left.
    pub(crate) fn has_room(&mut self, now: Instant) -> bool {
        let passed_s = now.saturating_duration_since(self.since).as_secs_f64();
        self.left = (self.left + passed_s * self.rate.per_second).min(self.rate.at_once);
        self.since = now;
        self.left >= 1.0
    }

    /// Whether the client may do it once more; if so, it is counted.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        self.take_many(1.0, now)
    }

    /// Whether the client may do it so often; if so, all of it is counted.
    pub(crate) fn take_many(&mut self, amount: f64, now: Instant) -> bool {
        self.has_room(now);
        let fits = self.left >= amount;
        self.left -= if fits { amount } else { 0.0 };
        fits
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const RATE: Rate = Rate { at_once: 60.0, per_second: 30.0 };

    proptest! {
        #[test]
        fn nobody_takes_more_than_the_allowance(gaps_s in prop::collection::vec(0.0_f64..0.2, 1..800)) {
            let start = Instant::now();
            let mut allowance = Allowance::new(RATE, start);
            let (mut now_s, mut taken) = (0.0, 0_u32);
            for gap_s in gaps_s {
                now_s += gap_s;
                taken += u32::from(allowance.take(start + Duration::from_secs_f64(now_s)));
                let most = RATE.at_once + RATE.per_second * now_s + 1e-6;
                prop_assert!(f64::from(taken) <= most, "{} in {} s", taken, now_s);
            }
        }
    }

    #[test]
    fn what_was_taken_comes_back_with_time() {
        let start = Instant::now();
        let mut allowance = Allowance::new(Rate { at_once: 2.0, per_second: 0.5 }, start);
        assert!(allowance.take(start) && allowance.take(start) && !allowance.take(start));
        assert!(!allowance.has_room(start + Duration::from_secs(1)));
        assert!(allowance.take(start + Duration::from_secs(2)));
        assert!(!allowance.take(start), "a clock that goes back gives nothing");
    }
}
