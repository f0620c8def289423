//! How a lap slows for a corner: the lift, the brake, the release, up to the slowest place.
//!
//! ```text
//!   speed
//!     ---------.  lift
//!               `---.  brake point
//!                    `-.   build-up
//!                       \
//!                        \   braking
//!                         \
//!                          `.
//!                            `-._  release
//!                                `--.._________.--   slow enough (`slow_m`), from here to the slowest place and out
//! ```
//!
//! Braking is followed backwards from the corner: a lap that brakes less must begin earlier to be as slow there. So
//! the brake point follows from everything else, and what is left of its difference is a place at which the car is slow
//! enough too early or too late.

use super::ability::Ability;
use super::forward::Effort;
use super::stretch::Stretch;
use crate::CornerRow;

/// A car is slow enough where it slows less than this part of the way from rolling to full braking, and in any case less
/// than this part of full braking.
const SLOW_ENOUGH: f64 = 0.25;
const LEAST_PART: f64 = 0.5;
/// The deceleration is averaged over this many steps to either side.
const AVERAGED: usize = 2;
/// A lap that rolls down by this much more than the other one was off the brake too early, m/s.
const ROLLS_MS: f64 = 1.0;
/// Smaller drops of speed are no slowing, m/s.
const LEAST_DROP_MS: f64 = 2.0;
/// A lift for which no brake follows within this distance, metres, is measured by the lift alone.
const SHORTEST_COAST_M: f64 = 1.5;
/// Deceleration of a car without any pedal where none was measured, m/s².
const COASTING_MS2: f64 = 3.0;
/// The brake has built up at this part of its peak, and takes no longer than this, seconds.
const BUILT_UP: f64 = 0.9;
const LONGEST_BUILD_UP_S: f64 = 0.9;
/// The brake is released where it goes back by this much in this time, pedal travel and seconds.
const RELEASES: f64 = 0.09;
const RELEASES_S: f64 = 0.15;
/// The brake is off below this pedal travel.
const OFF: f64 = 0.05;
/// Least deceleration of a braking, m/s².
const LEAST_MS2: f64 = 1.0;
/// The fastest third of a braking begins at this share of the squared speed above its end.
const FAST: f64 = 2.0 / 3.0;
/// Two laps of which one brakes this many times as hard are not alike.
const ALIKE: f64 = 1.5;
/// Without a pedal, braking begins at this part of the largest deceleration.
const SLOWS: f64 = 0.4;

/// A lap's way into a corner.
#[derive(Clone, Debug)]
pub(super) struct Slowing {
    /// Where the throttle was released, metres from the start line.
    pub(super) lift_m: f64,
    /// The brake point.
    pub(super) on_m: f64,
    /// Deceleration between lift and brake point, m/s².
    pub(super) coasting_ms2: f64,
    /// How much later full braking would begin at once, seconds after the brake point.
    pub(super) delay_s: f64,
    /// The time to build up, seconds.
    pub(super) build_up_s: f64,
    /// Mean deceleration from there to the release, m/s².
    pub(super) braking_ms2: f64,
    /// Where the car is slow enough.
    pub(super) slow_m: f64,
    /// The minimum speed, m/s, and its place.
    pub(super) min_ms: f64,
    pub(super) min_m: f64,
    /// How much it rolls down from there to the slowest place, as squared speeds, m²/s².
    pub(super) rolls2: f64,
    /// How much lower the squared speed still gets on the exit, m²/s².
    pub(super) dips2: f64,
    /// How much the squared speed is higher where the release begins, m²/s².
    pub(super) release2: f64,
    /// The way back from `slow_m`: squared speed above the one there, and metres before; both rise.
    curve: Vec<(f64, f64)>,
    /// The way on from `slow_m` to the slowest place: metres, and squared speed below the one there.
    tail: Vec<(f64, f64)>,
    /// Metres for each m²/s² beyond the curve's end.
    beyond: f64,
}

impl Slowing {
    /// How two laps slow in a stretch with one corner. `None` if one of them does not.
    pub(super) fn of_both(laps: [&Stretch; 2], rows: [&CornerRow; 2]) -> Option<[Self; 2]> {
        let [own, best] = rows;
        // Once one of them is on the throttle, the other one no longer slows but waits.
        let throttle_m = rows.iter().filter_map(|row| row.throttle_on_m).fold(f64::INFINITY, f64::min);
        let until = |row: &CornerRow| row.release_m.map_or(throttle_m, |release_m| throttle_m.max(release_m));
        let [lap, reference] = laps;
        let mut slowings = [Self::of(lap, own, until(own))?, Self::of(reference, best, until(best))?];
        let [own, best] = &mut slowings;
        own.continue_as(best);
        best.continue_as(own);
        Some(slowings)
    }

    /// Continues the braking above the speed at which it began, as another lap brakes there that came in faster: with
    /// downforce, a car slows harder the faster it is.
    fn continue_as(&mut self, other: &Self) {
        let slow2 = |lap: &Self| lap.min_ms.powi(2) + lap.rolls2;
        let apart2 = slow2(self) - slow2(other);
        let Some(&(top2, top_m)) = self.curve.last() else { return };
        let fast2 = FAST * top2;
        let other_m = |above2: f64| other.before_m(above2 + apart2);
        let harder = (top_m - self.before_m(fast2)) / (other_m(top2) - other_m(fast2));
        if !(1.0 / ALIKE..ALIKE).contains(&harder) {
            return;
        }
        let since_m = other_m(top2);
        let known = other.curve.iter().map(|(above2, metres)| (above2 - apart2, metres));
        let faster = known.filter(|(above2, _)| *above2 > top2 + 1.0);
        let more: Vec<(f64, f64)> =
            faster.map(|(above2, metres)| (above2, top_m + harder * (metres - since_m))).collect();
        if !more.is_empty() {
            self.curve.extend(more);
            self.beyond = harder * other.beyond;
        }
    }

    /// How a lap slows in a stretch with one corner, up to a place. `None` if it does not.
    fn of(stretch: &Stretch, row: &CornerRow, until_m: f64) -> Option<Self> {
        let brakes = row.brake_on_m.is_some();
        let (lift_m, on_m) = match (row.brake_on_m, row.lift_m) {
            (Some(on_m), lift_m) => (lift_m.unwrap_or(on_m), on_m),
            (None, Some(lift_m)) => (lift_m, lift_m),
            (None, None) if stretch.throttle.is_none() => slowed(stretch)?,
            (None, None) => return None,
        };
        let on_m = on_m.max(stretch.from_m);
        let on = stretch.nearest(on_m);
        // Until the car is faster again than where it began to slow.
        let on2 = *stretch.speed2.get(on)?;
        let mut least = on;
        for (end, speed2) in stretch.speed2.iter().enumerate().skip(on) {
            if *speed2 < *stretch.speed2.get(least)? {
                least = end;
            }
            if (*speed2 > on2 + 1.0 && end > on + 20) || stretch.place_m(end) >= until_m {
                break;
            }
        }
        let min_ms = stretch.speed_ms(least);
        if stretch.speed_at(on_m) - min_ms < LEAST_DROP_MS {
            return None;
        }
        let built_up_m = if brakes { built_up_m(stretch, on, least) } else { on_m };
        let built_up = stretch.nearest(built_up_m);
        let slow = slow_enough(stretch, built_up, least)?;
        let slow_m = stretch.from_m + stretch.step_m * slow;
        let slow2 = stretch.speed_at(slow_m).powi(2);
        let mut curve = vec![(0.0, 0.0)];
        for end in (built_up..slow.ceil() as usize).rev() {
            let above2 = stretch.speed2.get(end).copied()? - slow2;
            if above2 > curve.last().map_or(0.0, |(last, _)| *last) + 1e-6 {
                curve.push((above2, slow_m - stretch.place_m(end)));
            }
        }
        let mut tail = vec![(0.0, 0.0)];
        for end in slow as usize + 1..=least {
            tail.push((stretch.place_m(end) - slow_m, slow2 - stretch.speed2.get(end).copied()?));
        }
        let exit2 = stretch.speed2.iter().skip(least).copied().fold(f64::INFINITY, f64::min);
        let beyond = beyond(&curve)?;
        let release2 = if brakes { release2(stretch, on, least) - slow2 } else { 0.0 };
        let coast_m = on_m - lift_m;
        let coasting_ms2 = if coast_m > SHORTEST_COAST_M {
            (stretch.speed_at(lift_m).powi(2) - stretch.speed_at(on_m).powi(2)) / (2.0 * coast_m)
        } else {
            COASTING_MS2
        };
        let coasting_ms2 = coasting_ms2.max(0.0);
        let full_ms2 = 0.5 / beyond;
        let build_up_s = stretch.clock_at(built_up_m) - stretch.clock_at(on_m);
        let lost_ms = full_ms2 * build_up_s - (stretch.speed_at(on_m) - stretch.speed_at(built_up_m));
        let delay_s = (lost_ms / (full_ms2 - coasting_ms2).max(LEAST_MS2)).clamp(0.0, build_up_s.max(0.0));
        let mut slowing = Self {
            lift_m,
            on_m,
            coasting_ms2,
            delay_s,
            build_up_s,
            braking_ms2: full_ms2,
            slow_m,
            min_ms,
            min_m: stretch.place_m(least),
            rolls2: (slow2 - min_ms.powi(2)).max(0.0),
            dips2: (min_ms.powi(2) - exit2).max(0.0),
            release2: release2.max(0.0),
            curve,
            tail,
            beyond,
        };
        let (top2, top_m) = *slowing.curve.last()?;
        let braked_m = top_m - slowing.before_m(slowing.release2);
        if braked_m > 1.0 {
            slowing.braking_ms2 = (top2 - slowing.release2) / (2.0 * braked_m);
        }
        Some(slowing)
    }

    /// How much lower the squared speed is some metres behind `slow_m`, m²/s². `None` behind the slowest place.
    fn rolled2(&self, behind_m: f64) -> Option<f64> {
        let after = self.tail.partition_point(|(metres, _)| *metres <= behind_m);
        let ((from_m, from2), (to_m, to2)) = (*self.tail.get(after.checked_sub(1)?)?, *self.tail.get(after)?);
        Some(from2 + (to2 - from2) * (behind_m - from_m) / (to_m - from_m))
    }

    /// Whether one of two laps is off the brake at a higher speed, and rolls down further.
    pub(super) fn one_rolls([own, best]: &[Self; 2]) -> bool {
        let slow_ms = |lap: &Self| (lap.min_ms.powi(2) + lap.rolls2).sqrt();
        let faster_ms = slow_ms(own) - slow_ms(best);
        let rolls_ms = faster_ms - (own.min_ms - best.min_ms);
        faster_ms.abs().min(rolls_ms.abs()) > ROLLS_MS && faster_ms.signum() == rolls_ms.signum()
    }

    /// Metres before `slow_m` at which the squared speed is this much higher.
    pub(super) fn before_m(&self, above2: f64) -> f64 {
        let after = self.curve.partition_point(|(known2, _)| *known2 <= above2);
        let (Some(&(from2, from_m)), to) = (self.curve.get(after.saturating_sub(1)), self.curve.get(after))
        else {
            return 0.0;
        };
        match to {
            Some((to2, to_m)) if after > 0 => from_m + (to_m - from_m) * (above2 - from2) / (to2 - from2),
            _ => from_m + (above2 - from2).max(0.0) * self.beyond,
        }
    }
}

/// Without pedals: where the car is fastest before it slows, and where it slows in earnest.
fn slowed(stretch: &Stretch) -> Option<(f64, f64)> {
    let ends = || stretch.speed2.iter().enumerate();
    let (least, _) = ends().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let (fastest, _) = ends().take(least + 1).max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let slowings: Vec<f64> = stretch.accelerations().iter().map(|ms2| -ms2).collect();
    let hardest = slowings.get(fastest..least)?.iter().copied().fold(0.0, f64::max);
    let on = (fastest..least).find(|step| slowings.get(*step).is_some_and(|ms2| *ms2 >= SLOWS * hardest))?;
    Some((stretch.place_m(fastest), stretch.place_m(on)))
}

/// Where the car no longer slows in earnest before its slowest place, in steps from the beginning.
fn slow_enough(stretch: &Stretch, from: usize, least: usize) -> Option<f64> {
    let slows = |step: usize| {
        let (from, to) = (step.saturating_sub(AVERAGED), (step + 1 + AVERAGED).min(stretch.steps()));
        let speed2 = |end: usize| stretch.speed2.get(end).copied().unwrap_or_default();
        (speed2(from) - speed2(to)) / (2.0 * stretch.step_m * (to - from).max(1) as f64)
    };
    let hardest = (from..least).map(slows).fold(0.0, f64::max);
    let enough = (COASTING_MS2 + SLOW_ENOUGH * (hardest - COASTING_MS2)).min(LEAST_PART * hardest);
    let last = (from..least).rev().find(|step| slows(*step) >= enough)?;
    let (before, after) = (slows(last), slows(last + 1));
    let share = if before > after { ((before - enough) / (before - after)).clamp(0.0, 1.0) } else { 0.0 };
    // A step's deceleration is that of its middle.
    Some((last as f64 + 0.5 + share).min(least as f64))
}

/// Where the brake has built up.
fn built_up_m(stretch: &Stretch, on: usize, least: usize) -> f64 {
    let Some(brake) = &stretch.brake else { return stretch.place_m(on) };
    let since_s = stretch.clock_s.get(on).copied().unwrap_or_default();
    let first = (on..least).take_while(|end| {
        stretch.clock_s.get(*end).is_some_and(|clock| clock - since_s <= LONGEST_BUILD_UP_S)
    });
    let pedal = |end: usize| brake.get(end).copied().unwrap_or_default();
    let peak = first.clone().map(pedal).fold(0.0, f64::max);
    let mut ends = first;
    stretch.place_m(ends.find(|end| pedal(*end) >= BUILT_UP * peak).unwrap_or(on))
}

/// The squared speed where the brake begins to be released, m²/s².
fn release2(stretch: &Stretch, on: usize, least: usize) -> f64 {
    let speed2 = |end: usize| stretch.speed2.get(end).copied().unwrap_or_default();
    let Some(brake) = &stretch.brake else { return speed2(least) };
    let pedal = |end: usize| brake.get(end).copied().unwrap_or_default();
    let Some(mut end) = (on..=least).rev().find(|end| pedal(*end) >= OFF) else { return speed2(least) };
    let clock = |end: usize| stretch.clock_s.get(end).copied().unwrap_or_default();
    // Back to where the pedal no longer goes back fast.
    while end > on {
        let until_s = clock(end) - RELEASES_S;
        let before = (on..end).rev().find(|before| clock(*before) <= until_s).unwrap_or(on);
        if pedal(before) - pedal(end) < RELEASES {
            break;
        }
        end -= 1;
    }
    speed2(end)
}

/// Metres for each m²/s² in the fastest third of a braking.
fn beyond(curve: &[(f64, f64)]) -> Option<f64> {
    let &(top2, top_m) = curve.last()?;
    let &(from2, from_m) =
        curve.get(curve.partition_point(|(above2, _)| *above2 < FAST * top2).checked_sub(1)?)?;
    let rises2 = top2 - from2;
    (rises2 > 0.0).then(|| ((top_m - from_m) / rises2).clamp(1e-3, 0.5 / LEAST_MS2))
}

/// A drive through a corner that is put together from both laps.
pub(super) struct HybridCorner<'a> {
    pub(super) step_m: f64,
    pub(super) from_m: f64,
    pub(super) steps: usize,
    pub(super) begins2: f64,
    /// What is done in each step before the lift.
    pub(super) approach: &'a [Effort],
    pub(super) coast: &'a Slowing,
    pub(super) place: &'a Slowing,
    pub(super) build_up: &'a Slowing,
    pub(super) braking: &'a Slowing,
    pub(super) release: &'a Slowing,
    pub(super) throttle: &'a Slowing,
    /// The squared speed where the car is slow enough, m²/s².
    pub(super) slow2: f64,
    /// What is done in each step after that.
    pub(super) exit: &'a [Effort],
}

impl HybridCorner<'_> {
    /// The squared speed at the end of each step, m²/s².
    pub(super) fn drive(&self, ability: &Ability) -> Vec<f64> {
        let Self { step_m, from_m, steps, .. } = *self;
        let place = |end: usize| from_m + step_m * end as f64;
        let mut approach = vec![self.begins2];
        for effort in self.approach {
            let speed2 = approach.last().copied().unwrap_or(self.begins2);
            approach.push(effort.drive(speed2, step_m, ability));
        }
        let slow_m = self.place.slow_m;
        let slowing = self.curve(approach.iter().copied().fold(self.begins2, f64::max));
        let coast_m = self.coast.on_m - self.coast.lift_m;
        let coasting_ms2 = self.coast.coasting_ms2;
        // Where the throttle is released: the car then just gets slow enough. Each candidate gives how much too fast it
        // would be where full braking begins.
        let too_fast = |lift: usize| {
            let lift2 = approach.get(lift)?;
            let on2 = (lift2 - 2.0 * coasting_ms2 * coast_m).max(1.0);
            let delay_m = on2.sqrt() * self.build_up.delay_s;
            let full2 = (on2 - 2.0 * coasting_ms2 * delay_m).max(1.0);
            let full_m = place(lift) + coast_m + delay_m;
            let allowed2 = self.slow2 + slowing.above2(slow_m - full_m);
            Some((full2 - allowed2, full_m))
        };
        let mut found = None;
        let mut before: Option<(usize, f64, f64)> = None;
        for lift in 0..=steps {
            let Some((over2, full_m)) = too_fast(lift) else { break };
            if over2 >= 0.0 {
                found = Some(match before {
                    Some((last, last2, last_m)) => {
                        let share = last2 / (last2 - over2);
                        (last as f64 + share, last_m + share * (full_m - last_m))
                    }
                    None => (0.0, full_m.max(from_m)),
                });
                break;
            }
            before = Some((lift, over2, full_m));
        }
        let (lift, full_m) = found.unwrap_or((steps as f64, slow_m));
        let lift_m = from_m + step_m * lift;
        let lift2 = {
            let at = |end: usize| approach.get(end).or(approach.last()).copied().unwrap_or(self.begins2);
            let (from, to) = (at(lift as usize), at(lift as usize + 1));
            from + (to - from) * lift.fract()
        };
        let mut speeds2 = Vec::with_capacity(steps + 1);
        let floor2 = self.slow2 - self.release.rolls2 - self.throttle.dips2;
        // The last squared speed behind the place where the car is slow enough.
        let mut least2 = None;
        for end in 0..=steps {
            let here_m = place(end);
            let speed2 = if here_m <= lift_m {
                approach.get(end).copied().unwrap_or(lift2)
            } else if here_m < full_m {
                (lift2 - 2.0 * coasting_ms2 * (here_m - lift_m)).max(1.0)
            } else if here_m < slow_m {
                self.slow2 + slowing.above2(slow_m - here_m)
            } else {
                let onward = || {
                    let effort = self.exit.get(end.checked_sub(1)?)?;
                    // A car on the exit is no slower than at its slowest place, unless the lap gets slower still.
                    Some(effort.drive(least2?, step_m, ability).max(floor2))
                };
                let rolled2 = self.release.rolled2(here_m - slow_m);
                let speed2 = rolled2.map(|rolled2| self.slow2 - rolled2).or_else(onward);
                let speed2 = speed2.unwrap_or(self.slow2 - self.release.rolls2).max(1.0);
                least2 = Some(speed2);
                speed2
            };
            speeds2.push(speed2);
        }
        speeds2
    }

    /// The way back from where the car is slow enough, up to a squared speed.
    fn curve(&self, most2: f64) -> Curve {
        let most2 = (most2 - self.slow2).max(1.0) * 1.1;
        let release2 = self.release.release2.max(self.braking.release2);
        let points = 240;
        let point = |point: usize| {
            // Closer together where the car is slow.
            let share = point as f64 / points as f64;
            let above2 = most2 * share * share;
            let released_m = self.release.before_m(above2.min(release2));
            let braked_m = (self.braking.before_m(above2) - self.braking.before_m(release2)).max(0.0);
            (released_m + braked_m, above2)
        };
        Curve((0..=points).map(point).collect())
    }
}

/// Metres before the place where the car is slow enough, and the squared speed above the one there.
struct Curve(Vec<(f64, f64)>);

impl Curve {
    fn above2(&self, before_m: f64) -> f64 {
        let after = self.0.partition_point(|(metres, _)| *metres <= before_m);
        let (Some(&(from_m, from2)), to) = (self.0.get(after.saturating_sub(1)), self.0.get(after)) else {
            return 0.0;
        };
        let last = self.0.get(after.saturating_sub(2)).copied().unwrap_or_default();
        match to {
            Some((to_m, to2)) if after > 0 => {
                from2 + (to2 - from2) * (before_m - from_m) / (to_m - from_m).max(1e-9)
            }
            None if from_m > last.0 => from2 + (before_m - from_m) * (from2 - last.1) / (from_m - last.0),
            _ => from2,
        }
    }
}
