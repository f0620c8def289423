//! When a batch leaves: at once, or under load after a moment.

use std::time::{Duration, Instant};

/// So many batches may leave at once in a row: a frame of a game is a burst of packets, which may arrive one by one.
const MOST: f64 = 32.0;
/// The time in which one more batch may leave at once.
const EACH: Duration = Duration::from_millis(1);

/// How many batches may leave at once.
#[derive(Default)]
pub(super) struct Pace {
    /// How many were left, and when.
    left: Option<(f64, Instant)>,
    /// Whether a batch waits for more datagrams.
    waits: bool,
}

/// What happens with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It leaves at once.
    Leaves,
    /// From now on it waits for more datagrams.
    BeginsToWait,
    /// It is waiting already.
    Waits,
}

impl Pace {
    /// A socket has no more datagrams.
    pub(super) fn next(&mut self, now: Instant) -> Next {
        if self.waits {
            return Next::Waits;
        }
        let left = self.left.map_or(MOST, |(left, then)| {
            let more = now.saturating_duration_since(then).as_secs_f64() / EACH.as_secs_f64();
            MOST.min(left + more)
        });
        self.waits = left < 1.0;
        if self.waits {
            return Next::BeginsToWait;
        }
        self.left = Some((left - 1.0, now));
        Next::Leaves
    }

    /// A batch has waited, and left: the next leaves at once only if it is not crowded any more.
    pub(super) fn waited(&mut self, now: Instant) {
        self.waits = false;
        self.left = Some((0.0, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What happens with batches that are a time apart, of which those that wait leave after six milliseconds.
    fn paced(apart: Duration, count: u32) -> Vec<Next> {
        let (mut pace, began) = (Pace::default(), Instant::now());
        let mut leaves = None;
        let at = |number: u32| {
            let now = began + apart * number;
            if leaves.is_some_and(|leaves| leaves <= now) {
                pace.waited(now);
                leaves = None;
            }
            let next = pace.next(now);
            if next == Next::BeginsToWait {
                leaves = Some(now + Duration::from_millis(6));
            }
            next
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn what_a_game_sends_never_waits() {
        assert!(paced(Duration::from_millis(16), 1000).iter().all(|next| *next == Next::Leaves));
        assert!(paced(Duration::from_micros(1000), 1000).iter().all(|next| *next == Next::Leaves));
    }

    #[test]
    fn a_burst_leaves_at_once() {
        assert!(paced(Duration::from_micros(50), 32).iter().all(|next| *next == Next::Leaves));
    }

    #[test]
    fn under_load_batches_wait() {
        let leaving =
            paced(Duration::from_micros(20), 50_000).iter().filter(|next| **next != Next::Waits).count();
        // In a second: a burst, then one after each wait.
        assert!((150..250).contains(&leaving), "{leaving}");
    }
}
