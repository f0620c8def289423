//! How much a page may send to the room.

/// Messages that a page may send at once, and so many a second after that. A page sends a cursor ten times a second and
/// a view four times.
const AT_ONCE: f64 = 60.0;
const PER_SECOND: f64 = 30.0;

/// What is left of a page's allowance.
#[derive(Debug)]
pub(super) struct Allowance {
    left: f64,
    since_s: f64,
}

impl Allowance {
    /// The whole allowance.
    pub(super) fn new(now_s: f64) -> Self {
        Self { left: AT_ONCE, since_s: now_s }
    }

    /// Whether a page may send another message; if so, it is counted.
    pub(super) fn take(&mut self, now_s: f64) -> bool {
        let passed_s = (now_s - self.since_s).max(0.0);
        self.left = (self.left + passed_s * PER_SECOND).min(AT_ONCE);
        self.since_s = now_s;
        let has_room = self.left >= 1.0;
        self.left -= f64::from(u8::from(has_room));
        has_room
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_may_send_what_it_needs_for_hours() {
        let mut allowance = Allowance::new(0.0);
        // A cursor every 100 ms and a view every 250 ms, both late by up to a second and then at once.
        for second in 0..7_200 {
            for message in 0..14 {
                assert!(allowance.take(f64::from(second)), "message {message} of second {second}");
            }
        }
    }

    proptest! {
        #[test]
        fn nobody_sends_more_than_the_allowance(gaps_s in prop::collection::vec(0.0_f64..0.2, 1..800)) {
            let mut allowance = Allowance::new(0.0);
            let (mut now_s, mut taken) = (0.0, 0_u32);
            for gap_s in gaps_s {
                now_s += gap_s;
                taken += u32::from(allowance.take(now_s));
                prop_assert!(f64::from(taken) <= AT_ONCE + PER_SECOND * now_s + 1e-6, "{} in {} s", taken, now_s);
            }
        }
    }
}
