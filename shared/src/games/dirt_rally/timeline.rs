//! The event's clock: whether it goes on, stands still, or is another event's.

use crate::time::Micros;

/// A packet this many seconds older than the newest is no straggler of the network: the clock began anew.
const ANEW_S: f64 = 0.5;
/// Packets that differ in nothing but their clock for this many seconds mean that the game is paused.
const PAUSE_S: f64 = 0.25;

/// What a packet says about time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tick {
    /// Goes on.
    Flows,
    /// Goes on after a pause.
    Resumes,
    /// Tells the same as the packet before: nothing moves.
    Still,
    /// Tells the same for so long by now that the game must be paused.
    Pauses,
    /// Is older than what came before it.
    Late,
    /// Is the first of another event.
    Begins,
}

/// Follows the packets of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    newest: Option<f64>,
    /// A clock from before the newest, heard once: a lost straggler, or the first of another event.
    suspect: Option<f64>,
    identity: Vec<u8>,
    body: Vec<u8>,
    moved: Micros,
    paused: bool,
}

impl Timeline {
    /// Takes the next packet: its clock, what stays the same through an event, and everything but the clock.
    pub(super) fn tick(&mut self, at: Micros, seconds: f64, identity: &[u8], body: &[u8]) -> Tick {
        let Some(newest) = self.newest.filter(|_| self.identity == identity) else {
            return self.begin(at, seconds, identity, body);
        };
        if newest - seconds > ANEW_S {
            // Two in a row, in order: the clock itself is there now.
            if self.suspect.is_some_and(|first| seconds >= first && seconds - first < ANEW_S) {
                return self.begin(at, seconds, identity, body);
            }
            self.suspect = Some(seconds);
            return Tick::Late;
        }
        if seconds < newest {
            return Tick::Late;
        }
        (self.newest, self.suspect) = (Some(seconds), None);
        if self.body == body {
            if !self.paused && at.seconds_since(self.moved) >= PAUSE_S {
                self.paused = true;
                return Tick::Pauses;
            }
            return Tick::Still;
        }
        self.keep(at, body);
        if std::mem::take(&mut self.paused) { Tick::Resumes } else { Tick::Flows }
    }

    fn begin(&mut self, at: Micros, seconds: f64, identity: &[u8], body: &[u8]) -> Tick {
        (self.newest, self.suspect, self.paused) = (Some(seconds), None, false);
        self.identity.clear();
        self.identity.extend_from_slice(identity);
        self.keep(at, body);
        Tick::Begins
    }

    fn keep(&mut self, at: Micros, body: &[u8]) {
        self.moved = at;
        self.body.clear();
        self.body.extend_from_slice(body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets a sixtieth of a second apart: clock, identity, body.
    fn check(packets: &[(f64, u8, u8)], expected: &str) {
        let mut timeline = Timeline::default();
        let mut at = Micros(1_000_000);
        let seen: String = packets
            .iter()
            .map(|&(seconds, identity, body)| {
                at = at.plus_seconds(1.0 / 60.0);
                match timeline.tick(at, seconds, &[identity], &[body]) {
                    Tick::Flows => '.',
                    Tick::Resumes => '>',
                    Tick::Still => '=',
                    Tick::Pauses => 'P',
                    Tick::Late => '?',
                    Tick::Begins => 'B',
                }
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_clock_flows_and_begins_anew() {
        check(&[(10.0, 1, 1), (10.1, 1, 2), (10.2, 1, 3)], "B..");
        check(&[(10.0, 1, 1), (0.1, 1, 2), (0.2, 1, 3), (0.3, 1, 4)], "B?B.");
        check(&[(10.0, 1, 1), (10.1, 2, 2), (10.2, 2, 3)], "BB.");
    }

    #[test]
    fn stragglers_change_nothing() {
        check(&[(10.0, 1, 1), (10.1, 1, 2), (10.05, 1, 7), (10.2, 1, 3)], "B.?.");
        check(&[(10.0, 1, 1), (2.0, 1, 2), (10.1, 1, 3), (2.1, 1, 4), (10.2, 1, 5)], "B?.?.");
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
