//! Counts down to the next brake point, of the reference or set by hand: three short tones and a long one.
//!
//! A tone belongs to a place: where the reference was 1.5, 1.0, 0.5 and 0 seconds before its brake point, earlier by the
//! lead that the driver chose. One whose place is in the corner before is left out. Packets arrive late by a varying time, so the car's place is dated by the game's clock,
//! which the fastest packets of the last seconds tie to the device's.

use std::collections::VecDeque;

use super::Tone;
use crate::{NextCorner, ReferenceLap, Session};

/// The tones, and how long before the brake point each sounds, seconds.
const TONES: [(Tone, f64); 4] =
    [(Tone::Short, 1.5), (Tone::Short, 1.0), (Tone::Short, 0.5), (Tone::Long, 0.0)];
/// A tone is scheduled this long before it sounds, seconds: the device draws a frame at least that often.
const AHEAD_S: f64 = 0.05;
/// A tone that is later than this is left out, seconds.
const LATE_S: f64 = 0.03;
/// Without packets for longer than this the place is unknown, seconds.
const SILENT_S: f64 = 0.3;
/// The clocks are compared over this time, seconds.
const WINDOW_S: f64 = 3.0;
/// The game's clock was set when the clocks differ from before by more than this, seconds.
const RESET_S: f64 = 1.0;
/// The brake point is another one when it is suddenly this much further away, seconds.
const ANOTHER_S: f64 = 1.0;

/// A tone and when it begins, in seconds on the device's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// When it begins.
    pub at_s: f64,
    /// The tone.
    pub tone: Tone,
}

/// The countdown of one car.
#[derive(Clone, Debug, Default)]
pub struct Countdown {
    /// When packets arrived, and how far the device's clock was ahead of the game's, seconds; the smallest first.
    offsets: VecDeque<(f64, f64)>,
    /// The corner that is counted down to, the seconds to it, and the tones that were scheduled or missed.
    approach: Option<(u16, f64, usize)>,
}

impl Countdown {
    /// The tones to schedule now. `arrived_s` is when the newest packet arrived, on the same clock as `now_s`.
    pub fn follow(&mut self, session: &Session, arrived_s: f64, now_s: f64, lead_s: f64) -> Vec<Onset> {
        let Some(offset_s) = self.offset(session.now().seconds(), arrived_s) else { return Vec::new() };
        let comparison = session.live_comparison();
        let corners = comparison.corners();
        let reference = comparison.reference();
        let next =
            reference.and_then(|reference| Some((reference, corners.next(reference, !session.is_stage())?)));
        let Some(((reference, next), located_s)) = next.zip(corners.located_s()) else {
            self.approach = None;
            return Vec::new();
        };
        if now_s - arrived_s > SILENT_S {
            return Vec::new();
        }
        let before = self
            .approach
            .filter(|(number, ahead_s, _)| *number == next.number && next.ahead_s < ahead_s + ANOTHER_S);
        let mut done = before.map_or(0, |(.., done)| done);
        let mut onsets = Vec::new();
        for (tone, early_s) in TONES.into_iter().skip(done) {
            let at_s = offset_s + located_s + next.ahead_s - early_s - lead_s;
            if at_s > now_s + AHEAD_S {
                break;
            }
            done += 1;
            if at_s >= now_s - LATE_S && !is_in_corner(reference, &next, early_s + lead_s) {
                onsets.push(Onset { at_s: at_s.max(now_s), tone });
            }
        }
        self.approach = Some((next.number, next.ahead_s, done));
        onsets
    }

    /// How far the device's clock is ahead of the game's, by the packets that arrived fastest.
    fn offset(&mut self, game_s: f64, arrived_s: f64) -> Option<f64> {
        let offset_s = arrived_s - game_s;
        if self.offsets.front().is_some_and(|(_, least_s)| (offset_s - least_s).abs() > RESET_S) {
            self.offsets.clear();
        }
        while self.offsets.pop_back_if(|(_, later_s)| *later_s >= offset_s).is_some() {}
        self.offsets.push_back((arrived_s, offset_s));
        while self.offsets.pop_front_if(|(at_s, _)| arrived_s - *at_s > WINDOW_S).is_some() {}
        self.offsets.front().map(|(_, least_s)| *least_s)
    }
}

/// Whether the reference was still in another corner so many seconds before a brake point.
fn is_in_corner(reference: &ReferenceLap, next: &NextCorner, before_s: f64) -> bool {
    let place_m = || {
        let clock_s = f64::from(reference.curve.clock_at(next.brake_m as f32)?) - before_s;
        // Behind the line it was in the lap before.
        let clock_s = if clock_s < 0.0 { clock_s + reference.curve.time().seconds() } else { clock_s };
        reference.curve.place_at(clock_s as f32).map(f64::from)
    };
    let corners = reference.corners.as_ref().zip(place_m());
    corners.is_some_and(|(corners, place_m)| corners.is_in_other_corner(place_m, next.number))
}
