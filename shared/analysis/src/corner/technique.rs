//! How a corner was driven, in the figures that coaches use.

use serde::Serialize;
use trailbrake_model::Channel;

use super::braking;
use super::driver_inputs::{DriverInputs, FULL, ON, TOUCH_S};
use crate::grip::{Grip, OVER_S, grip, usage_between};
use crate::{Corner, LapColumns};

/// The steering wheel, or what follows from it, the preferred one first.
pub const STEERING: &[Channel] =
    &[Channel::Steering, Channel::SteeringAngle, Channel::FrontWheelsAngle, Channel::SteeringLevel];

/// The wheel has turned in at this part of its angle in the corner.
const TURNED: f64 = 0.25;
/// A wheel that goes back by this part of its angle in the corner is corrected.
const CORRECTED: f64 = 0.1;
/// Less lateral acceleration is no turning, g.
const TURNS_G: f64 = 0.3;
/// The brake has built up at this part of its peak.
const BUILT_UP: f64 = 0.9;
/// A throttle that was pressed this far, and is eased by this much, is lifted again.
pub(crate) const PRESSED: f64 = 0.4;
pub(crate) const EASED: f64 = 0.2;
/// It was a lift if the throttle is then pressed again by this much.
const AGAIN: f64 = 0.1;
/// A car this close to its minimum speed neither slows nor gains, m/s.
const FLAT_MS: f64 = 0.5;
/// The least grip used is looked for every so many seconds.
const EVERY_S: f64 = 0.05;

/// How a lap drove a corner. Without data a figure is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Technique {
    /// How fast the brake came: pedal travel per second until nine tenths of the peak.
    pub brake_per_s: Option<f64>,
    /// The turn-in, metres from the start line: a quarter of the steering in the corner, or of the lateral g if the game
    /// sends no steering.
    pub turn_in_m: Option<f64>,
    /// Seconds from the brake's release to the turn-in; negative if the car turned in on the brake.
    pub release_to_turn_in_s: Option<f64>,
    /// Seconds around the slowest place in which the speed hardly changed.
    pub flat_s: Option<f64>,
    /// Metres by which the car was further outside than the reference line at the apex; negative for further inside.
    pub wide_m: Option<f64>,
    /// The same at the exit: the width used.
    pub wide_at_exit_m: Option<f64>,
    /// How often the steering was taken back and turned in again.
    pub corrections: Option<u32>,
    /// How fast the throttle came: pedal travel per second from the throttle point to full throttle.
    pub throttle_per_s: Option<f64>,
    /// How often the throttle was eased and pressed again on the exit.
    pub second_lifts: Option<u32>,
    /// The part of the time from the apex to some metres behind the exit at full throttle, 0 to 1.
    pub full_throttle: Option<f64>,
    /// Mean grip used, from the lift or the brake point to the exit: the part of what the lap's g-g diagram reaches in that
    /// direction.
    pub grip: Option<f64>,
    /// The least grip used between the peak brake and the slowest place: the dip between braking and turning.
    pub grip_dip: Option<f64>,
}

/// The places of a corner that figures are measured between, metres from the start line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// The lift or the brake point, or else the entry.
    pub(super) from_m: f64,
    pub(super) brake_on_m: Option<f64>,
    pub(super) peak_m: Option<f64>,
    pub(super) release_m: Option<f64>,
    pub(super) min_m: Option<f64>,
    pub(super) throttle_on_m: Option<f64>,
    pub(super) full_throttle_m: Option<f64>,
    /// The exit, or where the braking for the next corner begins.
    pub(super) until_m: f64,
    /// The end of the exit, where the throttle is watched no longer.
    pub(super) behind_m: f64,
}

/// A lap's channels that say how it is driven.
pub(super) struct TechniqueInputs<'a> {
    inputs: &'a DriverInputs<'a>,
    steering: Option<Vec<f64>>,
    /// The steering, or else the lateral g, and the same to the other side.
    turning: Option<[Vec<f64>; 2]>,
    grip: Option<Grip>,
}

impl<'a> TechniqueInputs<'a> {
    pub(super) fn new(lap: &LapColumns<'_>, inputs: &'a DriverInputs<'a>) -> Self {
        let values = |channel: Channel| lap.values(channel.slot());
        let steering = STEERING.iter().copied().find_map(values);
        let turning = steering.clone().or_else(|| values(Channel::GLateral));
        let both = |values: Vec<f64>| {
            let other = values.iter().map(|value| -value).collect();
            [values, other]
        };
        Self { inputs, steering, turning: turning.map(both), grip: grip(lap).ok() }
    }

    /// How a corner was driven.
    pub(super) fn technique(&self, corner: &Corner, marks: &Marks) -> Technique {
        let inputs = self.inputs;
        let Marks { from_m, until_m, behind_m, .. } = *marks;
        let turn_in_m = self.turn_in_m(corner.entry_m.min(from_m), corner.entry_m, until_m);
        let release_s = marks.release_m.and_then(|release_m| inputs.clock_at(release_m));
        let turn_in_s = turn_in_m.and_then(|turn_in_m| inputs.clock_at(turn_in_m));
        let outside = corner.left.map(|left| if left { -1.0 } else { 1.0 });
        let wide_m = |place_m: f64| Some(inputs.offset_at(place_m)? * outside?);
        let clocks = |from_m: f64, to_m: f64| inputs.clock_at(from_m).zip(inputs.clock_at(to_m));
        let used = clocks(from_m, until_m).filter(|_| inputs.is_covered(from_m, until_m));
        let turning = marks.peak_m.zip(marks.min_m).and_then(|(peak_m, min_m)| clocks(peak_m, min_m));
        Technique {
            brake_per_s: self.brake_per_s(marks),
            turn_in_m,
            release_to_turn_in_s: turn_in_s
                .zip(release_s)
                .map(|(turn_in_s, release_s)| turn_in_s - release_s),
            flat_s: marks.min_m.and_then(|min_m| inputs.flat_s(min_m, FLAT_MS)),
            wide_m: wide_m(corner.apex_m),
            wide_at_exit_m: wide_m(corner.exit_m),
            corrections: turn_in_m.and_then(|turn_in_m| self.corrections(turn_in_m, until_m)),
            throttle_per_s: self.throttle_per_s(marks),
            second_lifts: marks.throttle_on_m.and_then(|on_m| self.second_lifts(on_m, behind_m)),
            full_throttle: inputs.full_throttle(corner.apex_m, behind_m),
            grip: used.and_then(|(from_s, to_s)| usage_between(self.grip.as_ref()?, from_s, to_s)),
            grip_dip: turning.and_then(|(from_s, to_s)| self.grip_dip(from_s, to_s)),
        }
    }

    /// Where the car turns in, behind one place, for a bend between two more.
    fn turn_in_m(&self, from_m: f64, entry_m: f64, until_m: f64) -> Option<f64> {
        let inputs = self.inputs;
        let [one, other] = self.turning.as_ref()?;
        // Before the bend, the wheel may still be turned for the corner before.
        let bend = inputs.rows(entry_m, until_m).filter_map(|row| Some((row, *one.get(row)?)));
        let (most_row, most) = bend.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()))?;
        let least = if self.steering.is_some() { 0.0 } else { TURNS_G };
        if most.abs() <= least || !inputs.is_covered(from_m, until_m) {
            return None;
        }
        let turned = if most > 0.0 { one } else { other };
        let level = TURNED * most.abs();
        let mut before = (inputs.rows(from_m, until_m).start..most_row).rev();
        let straight = before.find(|row| turned.get(*row).is_some_and(|value| *value < level))?;
        inputs.passed(turned, straight + 1, level)
    }

    /// How often the steering is taken back and turned in again between two places. `None` if the game does not send it.
    fn corrections(&self, from_m: f64, until_m: f64) -> Option<u32> {
        let steering = self.steering.as_ref()?;
        let values: Vec<f64> =
            self.inputs.rows(from_m, until_m).filter_map(|row| steering.get(row).copied()).collect();
        let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        (most > 0.0).then(|| turns(&values, CORRECTED * most).saturating_sub(1).div_ceil(2))
    }

    fn brake_per_s(&self, marks: &Marks) -> Option<f64> {
        let inputs = self.inputs;
        let brake = inputs.brake.as_ref()?;
        let (on_m, peak_m) = marks.brake_on_m.zip(marks.peak_m)?;
        let rows = inputs.rows(on_m, peak_m);
        let peak = rows.clone().filter_map(|row| brake.get(row).copied()).fold(0.0, f64::max);
        let level = BUILT_UP * peak;
        let built_up = rows.clone().find(|row| brake.get(*row).is_some_and(|pedal| *pedal >= level))?;
        let built_up_m = inputs.passed(brake, built_up, level)?;
        per_second(level - braking::ON, inputs.clock_at(built_up_m)? - inputs.clock_at(on_m)?)
    }

    fn throttle_per_s(&self, marks: &Marks) -> Option<f64> {
        let (on_m, full_m) = marks.throttle_on_m.zip(marks.full_throttle_m)?;
        per_second(FULL - ON, self.inputs.clock_at(full_m)? - self.inputs.clock_at(on_m)?)
    }

    /// How often the throttle is eased and pressed again between two places, before the brake.
    fn second_lifts(&self, from_m: f64, until_m: f64) -> Option<u32> {
        let inputs = self.inputs;
        let throttle = inputs.throttle.as_ref().filter(|_| inputs.is_covered(from_m, until_m))?;
        let braked = |row: usize| {
            inputs.brake.as_ref().and_then(|brake| brake.get(row)).is_some_and(|brake| *brake >= braking::ON)
        };
        let mut lifts = 0;
        let mut most = 0.0_f64;
        // The clock at which the throttle was eased, and the least of it since.
        let mut eased: Option<(f64, f64)> = None;
        for row in inputs.rows(from_m, until_m).take_while(|row| !braked(*row)) {
            let (Some(&pedal), Some(&clock)) = (throttle.get(row), inputs.clocks.get(row)) else { break };
            eased = match eased {
                Some((since_s, least)) if pedal >= least + AGAIN => {
                    // Shorter ones are gear changes.
                    if clock - since_s >= TOUCH_S {
                        lifts += 1;
                    }
                    most = pedal;
                    None
                }
                Some((since_s, least)) => Some((since_s, least.min(pedal))),
                None => {
                    most = most.max(pedal);
                    (most >= PRESSED && most - pedal >= EASED).then_some((clock, pedal))
                }
            };
        }
        Some(lifts)
    }

    /// The least grip used between two clocks.
    fn grip_dip(&self, from_s: f64, to_s: f64) -> Option<f64> {
        let grip = self.grip.as_ref()?;
        let steps = ((to_s - from_s - OVER_S) / EVERY_S).floor();
        if steps < 0.0 {
            return None;
        }
        let starts = (0..=steps as u32).map(|step| from_s + EVERY_S * f64::from(step));
        let used = starts.filter_map(|start_s| usage_between(grip, start_s, start_s + OVER_S));
        used.reduce(f64::min)
    }
}

fn per_second(travel: f64, seconds: f64) -> Option<f64> {
    (travel > 0.0 && seconds > 0.0).then(|| travel / seconds)
}

/// How often values turn back by at least `least`.
fn turns(values: &[f64], least: f64) -> u32 {
    let Some(&first) = values.first() else { return 0 };
    let (mut count, mut extreme, mut side) = (0, first, 0.0);
    for value in values {
        let onward = if side == 0.0 { 0.0 } else { (value - extreme) * side };
        if side == 0.0 && (value - first).abs() >= least {
            side = (value - first).signum();
            extreme = *value;
        } else if onward > 0.0 {
            extreme = *value;
        } else if onward <= -least && side != 0.0 {
            count += 1;
            side = -side;
            extreme = *value;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use trailbrake_model::Columns;

    use super::*;
    use crate::PlacedLap;
    use crate::rows::made;

    const SPEED_MS: f64 = 40.0;

    /// A corner to the left from 80 to 200 m, at 40 m/s: braked from 40 to 100 m, slow at 140 m, on the throttle from 160 m.
    fn driven(steering: impl Fn(f64) -> f64, throttle: impl Fn(f64) -> f64) -> Columns {
        let ramp = |from: f64, to: f64, at: f64| ((at - from) / (to - from)).clamp(0.0, 1.0);
        made::columns(900, |seconds| {
            let at = seconds * SPEED_MS;
            let brake = 0.9 * (ramp(40.0, 50.0, at) - ramp(80.0, 100.0, at));
            let values = [
                (Channel::Speed, SPEED_MS),
                (Channel::LapDistance, at),
                (Channel::Brake, brake),
                (Channel::Throttle, throttle(at)),
                (Channel::Steering, steering(at)),
            ];
            values.map(|(channel, value)| (channel.slot(), value as f32))
        })
    }

    fn technique(columns: &Columns) -> Technique {
        let laps = made::laps(&[60_000]);
        let lap = LapColumns::new(&laps[0], columns);
        let placed = PlacedLap::measured(&lap, 600.0).expect("a placed lap");
        let inputs = DriverInputs::new(&lap, &placed);
        let corner = Corner {
            number: 1,
            name: None,
            left: Some(true),
            entry_m: 80.0,
            apex_m: 140.0,
            exit_m: 200.0,
            degrees: None,
            radius_m: None,
        };
        let marks = Marks {
            from_m: 40.0,
            brake_on_m: Some(40.6),
            peak_m: Some(60.0),
            release_m: Some(99.0),
            min_m: Some(140.0),
            throttle_on_m: Some(162.0),
            full_throttle_m: Some(179.0),
            until_m: 200.0,
            behind_m: 280.0,
        };
        TechniqueInputs::new(&lap, &inputs).technique(&corner, &marks)
    }

    /// The steering of a clean corner: turned in from 90 to 130 m, and opened from 150 to 200 m.
    fn clean(at: f64) -> f64 {
        0.5 * (((at - 90.0) / 40.0).clamp(0.0, 1.0) - ((at - 150.0) / 50.0).clamp(0.0, 1.0))
    }

    fn pressed(at: f64) -> f64 {
        ((at - 160.0) / 20.0).clamp(0.0, 1.0)
    }

    #[test]
    fn pedals_and_steering_are_measured_in_their_own_time() {
        let figures = technique(&driven(clean, pressed));
        let near = |figure: Option<f64>, known: f64, within: f64| {
            assert!(
                figure.is_some_and(|figure| (figure - known).abs() < within),
                "{figure:?}, not {known}: {figures:?}"
            );
        };
        // 0.9 of travel in 10 m, which takes a quarter of a second.
        near(figures.brake_per_s, 3.6, 0.1);
        near(figures.throttle_per_s, 2.0, 0.05);
        near(figures.turn_in_m, 100.0, 0.2);
        near(figures.release_to_turn_in_s, 0.025, 0.01);
        near(figures.full_throttle, (280.0 - 179.0) / (280.0 - 140.0), 0.01);
        assert_eq!((figures.corrections, figures.second_lifts), (Some(0), Some(0)));
        // Nothing tells where the car was across the track, or how hard it was pushed.
        assert_eq!((figures.wide_m, figures.grip, figures.grip_dip), (None, None, None));
    }

    #[test]
    fn lifts_and_corrections_count_once_each() {
        let corrected = |at: f64| clean(at) - if (135.0..145.0).contains(&at) { 0.2 } else { 0.0 };
        let lifted = |at: f64| if (200.0..212.0).contains(&at) { 0.3 } else { pressed(at) };
        let figures = technique(&driven(corrected, lifted));
        assert_eq!((figures.corrections, figures.second_lifts), (Some(1), Some(1)));
        // A gear change cuts the throttle, and the wheel shakes a little.
        let shaken = |at: f64| clean(at) + 0.02 * (at / 3.0).sin();
        let shifts = |at: f64| if (200.0..203.0).contains(&at) { 0.3 } else { pressed(at) };
        let figures = technique(&driven(shaken, shifts));
        assert_eq!((figures.corrections, figures.second_lifts), (Some(0), Some(0)));
    }

    #[test]
    fn a_corner_before_is_not_the_turn_in() {
        let chicane = |at: f64| if at < 75.0 { -0.8 } else { clean(at) };
        let figures = technique(&driven(chicane, pressed));
        assert!(figures.turn_in_m.is_some_and(|place| (place - 100.0).abs() < 0.2), "{figures:?}");
    }

    #[test]
    fn a_wheel_turns_back_once_at_each_end() {
        assert_eq!(turns(&[], 1.0), 0);
        assert_eq!(turns(&[0.0, 1.0, 2.0, 3.0], 1.0), 0);
        assert_eq!(turns(&[0.0, 3.0, 2.5, 3.0, 0.0], 1.0), 1);
        assert_eq!(turns(&[0.0, 3.0, 1.0, 3.0, 0.0], 1.0), 3);
    }
}
