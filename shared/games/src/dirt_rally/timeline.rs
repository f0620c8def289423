//! Follows the event's clock: running, paused, or replaced by another event's clock.

use trailbrake_model::time::Micros;

use crate::pause_detector::PauseDetector;
use crate::session_clock::{Policy, SessionClock, Step};

/// A packet this many seconds older than the newest is not merely late: the clock was reset.
const APART_S: f64 = 0.5;
/// A shorter packet within this many seconds of a longer one adds nothing.
const FULLER_S: f64 = 0.25;

/// Values that are constant during an event; `None` where the packet is too short to hold them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Identity(pub(super) [Option<f32>; 4]);

impl Identity {
    /// Whether both hold a value and the values differ. Packets of different sizes can belong to the same event.
    fn differs_from(&self, other: &Self) -> bool {
        let both = self.0.iter().zip(other.0).filter_map(|(own, other)| (*own).zip(other));
        both.into_iter().any(|(own, other)| own != other)
    }

    fn complete_with(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own = own.or(other));
    }
}

/// An event has no number: it is over when its constants change, or when the clock is reset.
#[derive(Debug, Default)]
struct Events;

#[derive(Clone, Copy, Debug, Default)]
struct EventTime {
    seconds: f64,
    identity: Identity,
}

impl Policy for Events {
    type Time = EventTime;

    fn judge(&self, newest: &EventTime, now: &EventTime) -> (Step, u32) {
        if newest.identity.differs_from(&now.identity) || newest.seconds - now.seconds > APART_S {
            return (Step::Begins, 2);
        }
        (if now.seconds < newest.seconds { Step::Late } else { Step::Flows }, 1)
    }

    fn confirms(&self, _newest: &EventTime, doubted: &EventTime, now: &EventTime) -> bool {
        let passed = now.seconds - doubted.seconds;
        (0.0..APART_S).contains(&passed) && !doubted.identity.differs_from(&now.identity)
    }

    fn believe(&mut self, step: Step, newest: Option<&EventTime>, now: &mut EventTime) {
        if let Some(newest) = newest.filter(|_| step == Step::Flows) {
            now.identity.complete_with(&newest.identity);
        }
    }
}

/// Follows the clock of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    clock: SessionClock<Events>,
    pause: PauseDetector<250>,
    /// Length of the longest body in bytes, and when it was received.
    longest: (usize, Micros),
}

impl Timeline {
    /// Whether longer packets than this body also arrive: it is a stray packet, or the game's settings list the same
    /// address twice.
    pub(super) fn has_fuller(&self, at: Micros, body: &[u8]) -> bool {
        let (longest, received) = self.longest;
        body.len() < longest && at.seconds_since(received) < FULLER_S
    }

    /// Takes the next packet: its clock, the event's constants, and everything after the clock.
    pub(super) fn step(&mut self, at: Micros, seconds: f64, identity: Identity, body: &[u8]) -> Step {
        let step = self.clock.step(EventTime { seconds, identity });
        if step.moves() && !self.has_fuller(at, body) {
            self.longest = (body.len(), at);
        }
        self.pause.follow(step, body, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets 1/60 s apart: clock, identity, body. Identity 0 means that the packet holds none.
    fn check(packets: &[(f64, u8, u8)], expected: &str) {
        let mut timeline = Timeline::default();
        let mut at = Micros(1_000_000);
        let seen: String = packets
            .iter()
            .map(|&(seconds, identity, body)| {
                at = at.plus_seconds(1.0 / 60.0);
                let identity = Identity([Some(f32::from(identity)).filter(|id| *id > 0.0), None, None, None]);
                match timeline.step(at, seconds, identity, &[body]) {
                    Step::Flows => '.',
                    Step::Resumes => '>',
                    Step::Still => '=',
                    Step::Pauses => 'P',
                    Step::Late | Step::Stray => '?',
                    Step::Begins => 'B',
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_clock_flows_and_resets() {
        check(&[(10.0, 1, 1), (10.1, 1, 2), (10.2, 1, 3)], "B..");
        check(&[(10.0, 1, 1), (0.1, 1, 2), (0.2, 1, 3), (0.3, 1, 4)], "B?B.");
        check(&[(10.0, 1, 1), (10.1, 2, 2), (10.2, 2, 3), (10.3, 2, 4)], "B?B.");
    }

    #[test]
    fn stragglers_change_nothing() {
        check(&[(10.0, 1, 1), (10.1, 1, 2), (10.05, 1, 7), (10.2, 1, 3)], "B.?.");
        check(&[(10.0, 1, 1), (2.0, 1, 2), (10.1, 1, 3), (2.1, 1, 4), (10.2, 1, 5)], "B?.?.");
    }

    #[test]
    fn one_packet_of_another_event_begins_none() {
        check(&[(10.0, 1, 1), (10.1, 2, 2), (10.2, 1, 3), (10.3, 2, 4), (10.4, 1, 5)], "B?.?.");
        check(&[(10.0, 1, 1), (10.1, 2, 2), (10.2, 3, 3), (10.3, 1, 4)], "B??.");
    }

    #[test]
    fn packets_that_hold_less_are_of_the_same_event() {
        check(&[(10.0, 1, 1), (10.1, 0, 2), (10.2, 1, 3)], "B..");
        check(&[(10.0, 0, 1), (10.1, 1, 2), (10.2, 0, 3), (10.3, 2, 4), (10.4, 2, 5)], "B..?B");
    }

    #[test]
    fn standing_still_for_a_quarter_of_a_second_is_a_pause() {
        let still = |count: usize| (1..=count).map(|step| (10.0 + step as f64 / 60.0, 1, 1));
        let packets: Vec<_> =
            [(10.0, 1, 1)].into_iter().chain(still(17)).chain([(10.4, 1, 2), (10.5, 1, 3)]).collect();
        check(&packets, "B==============P==>.");
        let packets: Vec<_> = [(10.0, 1, 1)].into_iter().chain(still(3)).chain([(10.4, 1, 2)]).collect();
        check(&packets, "B===.");
    }
}
