//! Follows the session's clock: new session, restart, rewind.

use trailbrake_model::Moment;
use trailbrake_model::time::Micros;

use super::layout::Header;
use crate::session_clock::{Policy, Step};

/// A packet this many seconds older than the newest is not merely late: the game went back in time.
const REWIND_S: f32 = 0.5;
/// A clock that goes back below this many seconds means a session restart.
const RESTART_S: f32 = 1.0;
/// So many packets in a row take it back to the session before: less than a second. Two games that send from one
/// address take turns, and only the one that began last is followed.
const RETURNS: u32 = 120;
/// The clock must have reached this many seconds for a reset to count as a restart, not as start-up jitter.
const DRIVEN_S: f32 = 3.0;
/// A clock that leaps ahead by more than this many seconds is accepted with the second packet.
const LEAP_S: f32 = 300.0;
/// No session is longer than this, in seconds: eleven days.
const LONGEST_S: f32 = 1e6;

/// Where late packets can still arrive from.
#[derive(Debug, Default)]
pub(super) struct F1 {
    /// The previous session.
    before: Option<u64>,
    /// The session time at which the game went back.
    left: Option<f32>,
    /// The session time that the game said it goes back to.
    announced: Option<f32>,
}

impl F1 {
    /// The game says that it goes back to a session time.
    pub(super) fn announce_rewind(&mut self, seconds: f32) {
        self.announced = Some(seconds);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Time {
    session: u64,
    pub(super) seconds: f32,
}

impl Policy for F1 {
    type Time = Time;

    fn judge(&self, newest: &Time, now: &Time) -> (Step, u32) {
        let ahead = now.seconds - newest.seconds;
        let near = |left: f32| (now.seconds - left).abs() < REWIND_S;
        match ahead {
            // A menu between belongs to no session.
            _ if self.before == Some(now.session) && newest.session == 0 => (Step::Begins, 2),
            _ if self.before == Some(now.session) => (Step::Begins, RETURNS),
            _ if now.session != newest.session => (Step::Begins, 1),
            // However many come late from around the time that the game went back from, it has not gone there again.
            _ if ahead > REWIND_S && self.left.is_some_and(near) => (Step::Stray, 1),
            _ if ahead > LEAP_S => (Step::Flows, 2),
            0.0.. => (Step::Flows, 1),
            _ if ahead >= -REWIND_S => (Step::Late, 1),
            _ if self.announced.is_some_and(near) => {
                (Step::Rewinds { millis: (-ahead * 1e3).round() as u32 }, 1)
            }
            _ if now.seconds < RESTART_S && newest.is_driven() => (Step::Restarts, 2),
            _ => (Step::Rewinds { millis: (-ahead * 1e3).round() as u32 }, 2),
        }
    }

    fn confirms(&self, newest: &Time, doubted: &Time, now: &Time) -> bool {
        let ahead = now.seconds - doubted.seconds;
        let leaps = now.seconds > newest.seconds;
        now.session == doubted.session && ahead >= 0.0 && (ahead < REWIND_S || leaps && ahead <= LEAP_S)
    }

    fn is_settled_by_late(&self, doubted: Step) -> bool {
        // The session still sends. Only a packet at a newer time proves that an older one was late.
        matches!(doubted, Step::Begins | Step::Flows)
    }

    fn believe(&mut self, step: Step, newest: Option<&Time>, now: &mut Time) {
        let another = newest.filter(|newest| newest.session != now.session);
        self.before = another.map(|newest| newest.session).or(self.before);
        if !matches!(step, Step::Flows) {
            self.announced = None;
        }
        self.left = match step {
            Step::Flows => self.left.filter(|left| now.seconds < left + REWIND_S),
            Step::Begins => None,
            _ => newest.map(|newest| newest.seconds),
        };
    }
}

impl Time {
    pub(super) fn of(header: &Header) -> Self {
        Self { session: header.session_uid, seconds: header.session_time }
    }

    /// Whether it is a time of a session.
    pub(super) fn is_of(self, session: u64) -> bool {
        self.session == session
    }

    /// Whether the session has already been driven.
    pub(super) fn is_driven(self) -> bool {
        self.seconds > DRIVEN_S
    }

    /// The moment of a packet. `None` if its session time is no time of a session: the packet can't be put in order.
    pub(super) fn moment(self, at: Micros, header: &Header) -> Option<Moment> {
        let frame = Some(header.frame_identifier);
        let session_time = Some(f64::from(self.seconds));
        (self.seconds.abs() < LONGEST_S).then_some(Moment { at, session_time, frame })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_clock::SessionClock;

    fn check(ticks: &[(u64, f32)], expected: &str) {
        let mut clock = SessionClock::<F1>::default();
        let seen: Vec<String> = ticks
            .iter()
            .map(|&(uid, seconds)| {
                let header = Header { session_uid: uid, session_time: seconds, ..Header::default() };
                match clock.step(Time::of(&header)) {
                    Step::Flows | Step::Late => ".".to_owned(),
                    Step::Stray => "?".to_owned(),
                    Step::Begins => "S".to_owned(),
                    Step::Restarts => "R".to_owned(),
                    Step::Rewinds { millis } => format!("<{millis}>"),
                    other => format!("{other:?}"),
                }
            })
            .collect();
        assert_eq!(seen.concat(), expected);
    }

    #[test]
    fn time_flows_through_jitter() {
        check(&[(1, 10.0), (1, 10.016), (1, 10.0), (1, 10.033), (1, 10.4)], "S....");
    }

    #[test]
    fn one_straggler_is_no_rewind() {
        check(&[(1, 10.0), (1, 20.0), (1, 12.0), (1, 20.016), (1, 12.1), (1, 20.03)], "S.?.?.");
    }

    #[test]
    fn two_packets_in_the_past_are_a_rewind() {
        check(&[(1, 10.0), (1, 20.0), (1, 12.5), (1, 12.516), (1, 12.533)], "S.?<7500>.");
    }

    #[test]
    fn a_straggler_from_before_a_rewind_is_no_leap() {
        check(
            &[(1, 20.0), (1, 12.5), (1, 12.516), (1, 20.016), (1, 12.533), (1, 12.55), (1, 19.9), (1, 12.6)],
            "S?<7500>?..?.",
        );
        // Two of them in a row are none either, however far ahead they are.
        check(&[(1, 900.0), (1, 0.0), (1, 0.016), (1, 900.0), (1, 900.0), (1, 0.03), (1, 0.05)], "S?R??..");
        // After driving up to that time again, packets with it are accepted.
        check(
            &[
                (1, 20.0),
                (1, 18.0),
                (1, 18.1),
                (1, 18.8),
                (1, 19.4),
                (1, 19.8),
                (1, 20.2),
                (1, 20.7),
                (1, 25.0),
            ],
            "S?<2000>......",
        );
    }

    #[test]
    fn a_fall_to_zero_is_a_restart_and_a_new_uid_a_new_session() {
        check(&[(1, 0.1), (1, 95.0), (1, 0.0), (1, 0.016), (1, 0.03)], "S.?R.");
        check(&[(1, 95.0), (2, 0.0), (2, 0.016)], "SS.");
    }

    #[test]
    fn one_packet_far_ahead_is_no_leap_and_two_are() {
        check(&[(1, 10.0), (1, 9e5), (1, 10.016), (1, 10.03)], "S?..");
        check(&[(1, 10.0), (1, 9e5), (1, 10.016), (1, 8e5), (1, 9e5), (1, 10.03)], "S?.??.");
        // Nothing was received for an hour.
        check(&[(1, 10.0), (1, 3700.0), (1, 3700.016), (1, 3700.03)], "S?..");
        check(&[(1, 10.0), (1, 3700.0), (1, 3999.0), (1, 3700.03)], "S?.?");
    }

    #[test]
    fn a_time_that_no_session_has_is_none() {
        for (seconds, is_time) in [
            (3e38, false),
            (-3e38, false),
            (f32::NAN, false),
            (f32::INFINITY, false),
            (9e5, true),
            (0.0, true),
        ] {
            let header = Header { session_time: seconds, ..Header::default() };
            assert_eq!(Time::of(&header).moment(Micros(0), &header).is_some(), is_time, "{seconds}");
        }
    }

    #[test]
    fn a_straggler_of_the_session_before_turns_nothing() {
        check(&[(1, 95.0), (2, 0.0), (1, 95.1), (2, 0.02), (1, 95.2), (2, 0.04)], "SS?.?.");
        check(&[(1, 95.0), (0, 0.0), (1, 95.1), (1, 95.2)], "SS?S");
        // A sender that really returns to it keeps sending.
        let returns: Vec<(u64, f32)> = (0..RETURNS).map(|packet| (1, 95.0 + packet as f32 / 60.0)).collect();
        let verdicts = format!("SS{}S", "?".repeat(RETURNS as usize - 1));
        check(&[&[(1, 94.0), (2, 0.0)], &returns[..]].concat(), &verdicts);
        // A late packet of the session lies between two stragglers of the one before, or two leaps.
        check(&[(1, 95.0), (2, 0.0), (2, 0.02), (1, 95.1), (2, 0.01), (1, 95.2), (2, 0.04)], "SS.?.?.");
        check(&[(1, 10.0), (1, 10.02), (1, 9e5), (1, 10.01), (1, 9e5), (1, 10.03)], "S.?.?.");
    }
}
