//! The order of packets: repeated, late, or after a reset of the tick count.

use crate::session_clock::{Policy, Step};

/// A packet this many ticks behind the newest is not merely late: the console's tick count was reset.
const RESET_TICKS: i64 = 60;

/// Packets are numbered by the console's ticks, each once: an equal number is a repetition.
#[derive(Debug, Default)]
pub(super) struct PacketIds;

impl Policy for PacketIds {
    type Time = i32;

    fn judge(&self, newest: &i32, now: &i32) -> (Step, u32) {
        match i64::from(*now) - i64::from(*newest) {
            1.. => (Step::Flows, 1),
            ahead if ahead >= -RESET_TICKS => (Step::Late, 1),
            // Packets before do not apply any more.
            _ => (Step::Begins, 2),
        }
    }

    fn confirms(&self, _newest: &i32, doubted: &i32, now: &i32) -> bool {
        (1..=RESET_TICKS).contains(&(i64::from(*now) - i64::from(*doubted)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_clock::SessionClock;

    fn check(ids: &[i32], expected: &str) {
        let mut clock = SessionClock::<PacketIds>::default();
        let seen = ids.iter().enumerate().map(|(place, &id)| match clock.step(id) {
            Step::Begins if place > 0 => 'R',
            Step::Begins | Step::Flows => '.',
            Step::Late | Step::Stray => '?',
            other => panic!("{other:?}"),
        });
        assert_eq!(seen.collect::<String>(), expected);
    }

    #[test]
    fn repeated_and_late_packets_are_stale_and_gaps_are_not() {
        check(&[10, 11, 11, 12, 10, 13, 900, 14, 901], "..?.?..?.");
    }

    #[test]
    fn two_packets_far_back_are_a_new_count_and_one_is_a_straggler() {
        check(&[5000, 5001, 3, 4, 5], "..?R.");
        check(&[5000, 5001, 3, 5002, 4, 5003], "..?.?.");
        check(&[5000, 3, 3, 900, 4], ".????");
        check(&[i32::MAX, i32::MIN, i32::MIN + 1, 0], ".?R.");
    }
}
