//! Follows the event's clock: running, paused, or replaced by another event's clock.

use trailbrake_model::time::Micros;

/// A packet this many seconds older than the newest is not merely late: the clock was reset.
const APART_S: f64 = 0.5;
/// A shorter packet within this many seconds of a longer one adds nothing.
const FULLER_S: f64 = 0.25;
/// Packets that differ only in their clock for this many seconds mean that the game is paused.
const PAUSE_S: f64 = 0.25;

/// What a packet means for the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tick {
    /// The clock advances.
    Flows,
    /// The clock advances after a pause.
    Resumes,
    /// Same content as the previous packet.
    Still,
    /// Same content for so long that the game must be paused.
    Pauses,
    /// Older than a previous packet, or not yet known to belong to this event.
    Stray,
    /// The first packet of another event.
    Begins,
}

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

/// Follows the clock of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    newest: Option<f64>,
    /// The last packet, if it did not fit the previous ones: late, or the first of another event.
    suspect: Option<(f64, Identity)>,
    identity: Identity,
    body: Vec<u8>,
    /// Length of the longest body in bytes, and when it was received.
    longest: (usize, Micros),
    moved: Micros,
    paused: bool,
}

impl Timeline {
    /// Whether longer packets than this body also arrive: it is a stray packet, or the game's settings list the same
    /// address twice.
    pub(super) fn has_fuller(&self, at: Micros, body: &[u8]) -> bool {
        let (longest, received) = self.longest;
        body.len() < longest && at.seconds_since(received) < FULLER_S
    }

    /// Processes the next packet: its clock, the event's constants, and everything after the clock.
    pub(super) fn tick(&mut self, at: Micros, seconds: f64, identity: Identity, body: &[u8]) -> Tick {
        let Some(newest) = self.newest else {
            return self.begin(at, seconds, identity, body);
        };
        if self.identity.differs_from(&identity) || newest - seconds > APART_S {
            // Two such packets in a row, in order: the game is in another event now.
            let confirmed = self.suspect.is_some_and(|(first, suspect)| {
                seconds >= first && seconds - first < APART_S && !suspect.differs_from(&identity)
            });
            if confirmed {
                return self.begin(at, seconds, identity, body);
            }
            self.suspect = Some((seconds, identity));
            return Tick::Stray;
        }
        if seconds < newest {
            return Tick::Stray;
        }
        self.identity.complete_with(&identity);
        self.believe(at, seconds, body);
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

    fn begin(&mut self, at: Micros, seconds: f64, identity: Identity, body: &[u8]) -> Tick {
        (self.identity, self.paused) = (identity, false);
        self.believe(at, seconds, body);
        self.keep(at, body);
        Tick::Begins
    }

    fn believe(&mut self, at: Micros, seconds: f64, body: &[u8]) {
        (self.newest, self.suspect) = (Some(seconds), None);
        if !self.has_fuller(at, body) {
            self.longest = (body.len(), at);
        }
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

    /// Packets 1/60 s apart: clock, identity, body. Identity 0 means that the packet holds none.
    fn check(packets: &[(f64, u8, u8)], expected: &str) {
        let mut timeline = Timeline::default();
        let mut at = Micros(1_000_000);
        let seen: String = packets
            .iter()
            .map(|&(seconds, identity, body)| {
                at = at.plus_seconds(1.0 / 60.0);
                let identity = Identity([Some(f32::from(identity)).filter(|id| *id > 0.0), None, None, None]);
                match timeline.tick(at, seconds, identity, &[body]) {
                    Tick::Flows => '.',
                    Tick::Resumes => '>',
                    Tick::Still => '=',
                    Tick::Pauses => 'P',
                    Tick::Stray => '?',
                    Tick::Begins => 'B',
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
