//! Follows the session's clock: new session, restart, rewind.

use trailbrake_model::time::Micros;
use trailbrake_model::{EventKind, Moment};

use super::layout::Header;

/// A packet this many seconds older than the newest is not merely late: the game went back in time.
const REWIND_S: f32 = 0.5;
/// A clock that goes back below this many seconds means a session restart.
const RESTART_S: f32 = 1.0;
/// The clock must have reached this many seconds for a reset to count as a restart, not as start-up jitter.
const DRIVEN_S: f32 = 3.0;

/// A clock that leaps ahead by more than this many seconds is accepted with the second packet, as any single packet may
/// contain anything.
const LEAP_S: f32 = 300.0;
/// No session is longer than this, in seconds: eleven days.
const LONGEST_S: f32 = 1e6;

/// What a header means for the clock.
pub(super) enum Tick {
    /// The clock advances, or the packet is a few frames late.
    Flows,
    /// Far behind the newest packet and the only such packet so far: late, or the first one after a rewind. Or far ahead
    /// of it.
    Stale,
    /// A new session, a rewind or a restart happened before this packet; with the session time at which the game
    /// continues.
    Turned(EventKind, f32),
}

/// Follows the clock of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    session: Option<u64>,
    /// The previous session. Late packets of it can still arrive.
    before: Option<u64>,
    /// Whether the last packet was of the previous session.
    returning: bool,
    newest: f32,
    suspect: Option<f32>,
    /// A single packet far ahead of the newest one.
    ahead: Option<f32>,
    /// The session time at which the game went back. Late packets from around it can still arrive.
    left: Option<f32>,
}

impl Timeline {
    /// Processes the header of the next packet that has a [`moment`](Self::moment).
    pub(super) fn tick(&mut self, header: &Header) -> Tick {
        let (uid, now) = (header.session_uid, header.session_time);
        if self.session != Some(uid) {
            if self.before == Some(uid) && !self.returning {
                self.returning = true;
                return Tick::Stale;
            }
            *self = Self { session: Some(uid), before: self.session, newest: now, ..Self::default() };
            return Tick::Turned(EventKind::SessionStarted, now);
        }
        self.returning = false;
        let before = self.ahead.take();
        let follows = |first: f32| (first..=first + LEAP_S).contains(&now);
        if now - self.newest > LEAP_S && !before.is_some_and(follows) {
            self.ahead = Some(now);
            return Tick::Stale;
        }
        let behind = self.newest - now;
        if -behind > REWIND_S && self.left.is_some_and(|left| (now - left).abs() < REWIND_S) {
            return Tick::Stale;
        }
        if behind <= REWIND_S {
            if now > self.newest {
                self.newest = now;
                // Only a packet at a newer time proves that the old packet was late.
                self.suspect = None;
                self.left = self.left.filter(|left| now < left + REWIND_S);
            }
            return Tick::Flows;
        }
        match self.suspect {
            // Two packets close together in the past, in order: the game went back.
            Some(first) if now >= first && now - first < REWIND_S => {
                let restarted = first < RESTART_S && self.newest > DRIVEN_S;
                let millis = ((self.newest - first) * 1e3).round() as u32;
                (self.left, self.newest, self.suspect) = (Some(self.newest), now, None);
                let kind = if restarted { EventKind::Restarted } else { EventKind::Rewound { millis } };
                Tick::Turned(kind, first)
            }
            _ => {
                self.suspect = Some(now);
                Tick::Stale
            }
        }
    }

    /// Resets the clock within the same session, when the game reports a session start. Returns whether the session had
    /// already been driven.
    pub(super) fn restart(&mut self, header: &Header) -> bool {
        let driven = self.newest > DRIVEN_S;
        self.newest = header.session_time;
        (self.suspect, self.left) = (None, None);
        driven
    }

    /// The moment of a packet. `None` if its session time is no time of a session: the packet can't be put in order.
    pub(super) fn moment(at: Micros, header: &Header) -> Option<Moment> {
        let seconds = Some(header.session_time).filter(|seconds| seconds.abs() < LONGEST_S)?;
        Some(Moment { at, session_time: Some(f64::from(seconds)), frame: Some(header.frame_identifier) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ticks: &[(u64, f32)], expected: &str) {
        let mut timeline = Timeline::default();
        let seen: Vec<String> = ticks
            .iter()
            .map(|&(uid, seconds)| {
                let header = Header { session_uid: uid, session_time: seconds, ..Header::default() };
                match timeline.tick(&header) {
                    Tick::Flows => ".".to_owned(),
                    Tick::Stale => "?".to_owned(),
                    Tick::Turned(EventKind::SessionStarted, _) => "S".to_owned(),
                    Tick::Turned(EventKind::Restarted, _) => "R".to_owned(),
                    Tick::Turned(EventKind::Rewound { millis }, _) => format!("<{millis}>"),
                    Tick::Turned(other, _) => format!("{other:?}"),
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
            assert_eq!(Timeline::moment(Micros(0), &header).is_some(), is_time, "{seconds}");
        }
    }

    #[test]
    fn a_straggler_of_the_session_before_turns_nothing() {
        check(&[(1, 95.0), (2, 0.0), (1, 95.1), (2, 0.02), (1, 95.2), (2, 0.04)], "SS?.?.");
        check(&[(1, 95.0), (0, 0.0), (1, 95.1), (1, 95.2)], "SS?S");
    }
}
