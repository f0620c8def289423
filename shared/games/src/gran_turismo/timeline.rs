//! The order of packets: repeated, late, or after a reset of the tick count.

/// A packet this many ticks behind the newest is not merely late: the console's tick count was reset.
const RESET_TICKS: i64 = 60;

/// A packet's position in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Newer than all previous packets.
    Next,
    /// Repeated or late.
    Stale,
    /// The tick count was reset: previous packets no longer apply.
    Reset,
}

/// Follows the packet ids of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    newest: Option<i32>,
    /// A single packet far behind the newest one: late, or the first after a reset.
    suspect: Option<i32>,
}

impl Timeline {
    /// Processes the next packet's id.
    pub(super) fn order(&mut self, id: i32) -> Order {
        let Some(newest) = self.newest else {
            self.newest = Some(id);
            return Order::Next;
        };
        if id > newest {
            (self.newest, self.suspect) = (Some(id), None);
            return Order::Next;
        }
        if i64::from(newest) - i64::from(id) <= RESET_TICKS {
            return Order::Stale;
        }
        match self.suspect {
            Some(first) if id > first && i64::from(id) - i64::from(first) <= RESET_TICKS => {
                (self.newest, self.suspect) = (Some(id), None);
                Order::Reset
            }
            _ => {
                self.suspect = Some(id);
                Order::Stale
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[i32], expected: &str) {
        let mut timeline = Timeline::default();
        let seen: String = ids
            .iter()
            .map(|&id| match timeline.order(id) {
                Order::Next => '.',
                Order::Stale => '?',
                Order::Reset => 'R',
            })
            .collect();
        assert_eq!(seen, expected);
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
