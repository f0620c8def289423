//! When each packet is due. Reads no clock.

use trailbrake_shared::time::Micros;

use super::speed::Speed;

/// A longer delay, of a machine that slept or was too busy, is not caught up in a burst.
const MOST_BEHIND_S: f64 = 1.0;
/// The pause before a file starts again.
const BREATH_S: f64 = 1.0;

/// The timing of a file's packets at a speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    speed: Speed,
    anchor: Option<Anchor>,
    /// File time of the last packet.
    last: Micros,
}

/// A moment of the file, and when it is due.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    file: Micros,
    clock: Micros,
}

impl Schedule {
    pub(super) fn new(speed: Speed) -> Self {
        Self { speed, anchor: None, last: Micros(0) }
    }

    /// When a packet received `at` is due, at the present time `now`; the first one is due at once.
    pub(super) fn due(&mut self, at: Micros, now: Micros) -> Micros {
        let Speed::Times(times) = self.speed else { return now };
        // Joined files may go back in time; packets still go out in their order.
        self.last = at.max(self.last);
        let Anchor { file, clock } = *self.anchor.get_or_insert(Anchor { file: self.last, clock: now });
        let due = clock.plus_seconds(self.last.seconds_since(file) / times);
        if now.seconds_since(due) <= MOST_BEHIND_S {
            return due;
        }
        self.anchor = Some(Anchor { file: self.last, clock: now });
        now
    }

    /// Starts the file again; returns when that is due.
    pub(super) fn again(&mut self, now: Micros) -> Micros {
        (self.anchor, self.last) = (None, Micros(0));
        now.plus_seconds(BREATH_S)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a file with a clock that jumps to each due time; returns when each packet went out, in milliseconds.
    fn played(speed: Speed, at_ms: &[u64]) -> Vec<u64> {
        let (mut schedule, mut now) = (Schedule::new(speed), Micros(5_000_000));
        let sent = at_ms.iter().map(|at| {
            now = schedule.due(Micros(at * 1000), now).max(now);
            (now.0 - 5_000_000) / 1000
        });
        sent.collect()
    }

    #[test]
    fn packets_follow_each_other_as_they_came_or_faster() {
        let file = [70_000, 70_016, 70_033, 71_033, 70_900, 200_000];
        assert_eq!(played(Speed::Times(1.0), &file), [0, 16, 33, 1033, 1033, 130_000]);
        assert_eq!(played(Speed::Times(0.25), &file), [0, 64, 132, 4132, 4132, 520_000]);
        assert_eq!(played(Speed::Times(8.0), &file), [0, 2, 4, 129, 129, 16_250]);
        assert_eq!(played(Speed::Max, &file), [0; 6]);
    }

    #[test]
    fn hours_later_nothing_has_drifted() {
        let file: Vec<u64> = (0..1_000_000).map(|packet| packet * 1000 / 60).collect();
        assert_eq!(played(Speed::Times(1.0), &file), file);
    }

    #[test]
    fn a_moment_s_delay_is_made_up_for_and_a_long_one_is_not() {
        let mut schedule = Schedule::new(Speed::Times(1.0));
        let second = |seconds: u64| Micros(seconds * 1_000_000);
        assert_eq!(schedule.due(second(10), second(100)), second(100));
        assert_eq!(schedule.due(second(11), Micros(101_900_000)), second(101), "sent at once");
        assert_eq!(schedule.due(second(12), Micros(101_900_000)), second(102), "and the next one in time");
        // The machine slept for an hour.
        assert_eq!(schedule.due(second(13), second(3700)), second(3700));
        assert_eq!(schedule.due(second(14), second(3700)), second(3701));
    }

    #[test]
    fn a_repeat_begins_after_a_pause() {
        let mut schedule = Schedule::new(Speed::Times(2.0));
        let second = |seconds: u64| Micros(seconds * 1_000_000);
        schedule.due(second(10), second(100));
        schedule.due(second(20), second(105));
        assert_eq!(schedule.again(second(105)), second(106));
        assert_eq!(schedule.due(second(10), second(106)), second(106));
        assert_eq!(schedule.due(second(12), second(106)), second(107));
    }
}
