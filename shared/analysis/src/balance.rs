//! Balance: whether the front or the rear slides more, by slip angles if the game sends them, otherwise by how much
//! further the wheel is turned than the path needs.

use std::ops::{Range, RangeInclusive};

use serde::Serialize;
use trailbrake_model::{Axis, Channel, Slot, Wheel};

use super::{LapColumns, Unavailable, statistics};

/// At lower speeds a car only manoeuvres, m/s.
const DRIVING_MPS: f32 = 8.0;
/// A car that turns more slowly than this drives straight, rad/s.
const TURNS_RADPS: f32 = 0.05;
/// Lateral acceleration of gentle turning, in which tyres hardly slip and the steering follows the path, m/s².
const GENTLE_MPS2: std::ops::Range<f32> = 0.8..4.0;
/// Least number of gentle samples from which the steering ratio is known.
const LEAST_GENTLE: usize = 30;
/// Steering channels, the nearest to the road first.
const STEERED: &[Channel] =
    &[Channel::WheelAngle, Channel::FrontWheelsAngle, Channel::SteeringAngle, Channel::Steering];
/// Least pedal travel that counts as pressed: brake, and throttle.
const BRAKES_FROM: f32 = 0.05;
const DRIVES_FROM: f32 = 0.2;

/// The balance of a lap over time, as the angle by which the front slides more than the rear. Positive is understeer.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The channel it was measured by, in its unit: front minus rear slip angle; or the steering beyond what the path
    /// needs, known from the car's own gentle turns. A driver steers further to make up for a front that slides.
    pub measured_by: Channel,
    moments: Vec<Moment>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    clock_s: f64,
    distance_m: Option<f32>,
    lasts_s: f64,
    understeer: f64,
    feet: Option<Feet>,
}

/// What the driver's feet do, which gives the phases of a corner where corners are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feet {
    /// On the brakes: the entry.
    Braking,
    /// On neither pedal: the middle.
    Rolling,
    /// On the throttle: the exit.
    Driving,
}

impl Feet {
    /// All of them, in the order of a corner.
    pub const ALL: [Self; 3] = [Self::Braking, Self::Rolling, Self::Driving];
}

/// The mean balance over a part of a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// Mean over time, in the unit of [`Balance::measured_by`]; positive is understeer.
    pub understeer: f64,
    /// How long the car turned in it, seconds.
    pub seconds: f64,
}

impl Balance {
    /// The mean over the whole lap.
    pub fn over_lap(&self) -> Option<Mean> {
        mean(self.moments.iter())
    }

    /// The mean over the time in which the driver's feet do one thing.
    pub fn during(&self, feet: Feet) -> Option<Mean> {
        mean(self.moments.iter().filter(|moment| moment.feet == Some(feet)))
    }

    /// The mean over a phase of a corner, in metres from the start line.
    pub fn over(&self, phase: &RangeInclusive<f32>) -> Option<Mean> {
        let inside = |moment: &&Moment| moment.distance_m.is_some_and(|metres| phase.contains(&metres));
        mean(self.moments.iter().filter(inside))
    }

    /// The mean over a part of the lap, in seconds of its clock.
    pub fn between(&self, seconds: Range<f64>) -> Option<Mean> {
        mean(self.moments.iter().filter(|moment| seconds.contains(&moment.clock_s)))
    }
}

impl Mean {
    /// The mean of several means, weighted by time.
    pub fn together(means: impl Iterator<Item = Self>) -> Option<Self> {
        weighed(means.map(|mean| (mean.understeer, mean.seconds)))
    }
}

fn mean<'a>(moments: impl Iterator<Item = &'a Moment>) -> Option<Mean> {
    weighed(moments.map(|moment| (moment.understeer, moment.lasts_s)))
}

fn weighed(angles: impl Iterator<Item = (f64, f64)>) -> Option<Mean> {
    let add =
        |(sum, seconds): (f64, f64), (angle, lasts_s): (f64, f64)| (sum + angle * lasts_s, seconds + lasts_s);
    let (sum, seconds) = angles.fold((0.0, 0.0), add);
    (seconds > 0.0).then(|| Mean { understeer: sum / seconds, seconds })
}

/// The balance of a lap.
pub fn balance(lap: &LapColumns<'_>) -> Result<Balance, Unavailable> {
    match by_slip_angles(lap) {
        Ok(balance) => Ok(balance),
        Err(_) => by_steering(lap),
    }
}

/// One sample of turning, before its place is known.
struct CorneringSample {
    clock_s: f64,
    lasts_s: f64,
    understeer: f64,
}

fn by_slip_angles(lap: &LapColumns<'_>) -> Result<Balance, Unavailable> {
    let [fl, fr, rl, rr] = Wheel::ALL.map(|wheel| Channel::SlipAngle.of(wheel));
    let rows = lap.rows([fl, fr, rl, rr, Channel::Speed.slot(), Channel::GLateral.slot()])?;
    let turning = rows.iter().filter_map(|row| {
        let [fl, fr, rl, rr, speed, lateral] = row.values;
        let turns =
            speed >= DRIVING_MPS && lateral.abs() * trailbrake_model::units::MPS2_PER_G > TURNS_RADPS * speed;
        // In a steady turn both axles slip to the same side. Which sign that has depends on the game.
        let (front, rear) = ((fl + fr) / 2.0, (rl + rr) / 2.0);
        let side = if (front + rear) < 0.0 { -1.0 } else { 1.0 };
        let understeer = f64::from((front - rear) * side);
        turns.then_some(CorneringSample { clock_s: row.clock_s, lasts_s: row.lasts_s, understeer })
    });
    from_samples(lap, Channel::SlipAngle, turning.collect())
}

fn by_steering(lap: &LapColumns<'_>) -> Result<Balance, Unavailable> {
    let steered = lap.first_sent(STEERED)?;
    // Of the two front wheels, the inner one turns further, so take the mean.
    let [left, right] = match steered {
        Channel::WheelAngle => {
            [Wheel::FrontLeft, Wheel::FrontRight].map(|wheel| Channel::WheelAngle.of(wheel))
        }
        other => [other.slot(); 2],
    };
    let rows = lap.rows([left, right, yaw_rate(lap)?, Channel::Speed.slot()])?;
    // Steering per curvature of the path, where tyres hardly slip.
    let gentle = rows.iter().filter_map(|row| {
        let [left, right, yaw, speed] = row.values;
        let turns = speed >= DRIVING_MPS && GENTLE_MPS2.contains(&(yaw * speed).abs());
        turns.then(|| f64::from((left + right) / 2.0 * speed / yaw))
    });
    let gentle: Vec<f64> = gentle.collect();
    let gain = statistics::median(&gentle).filter(|gain| gentle.len() >= LEAST_GENTLE && gain.abs() > 0.0);
    let gain = gain.ok_or(Unavailable::TooLittle("some gentle turning, to know how the car steers"))?;
    let turning = rows.iter().filter_map(|row| {
        let [left, right, yaw, speed] = row.values.map(f64::from);
        let needed = gain * yaw / speed;
        let understeer = ((left + right) / 2.0 - needed) * needed.signum();
        let turns = speed >= f64::from(DRIVING_MPS) && yaw.abs() > f64::from(TURNS_RADPS);
        turns.then_some(CorneringSample { clock_s: row.clock_s, lasts_s: row.lasts_s, understeer })
    });
    from_samples(lap, steered, turning.collect())
}

fn yaw_rate(lap: &LapColumns<'_>) -> Result<Slot, Unavailable> {
    let slot = Channel::AngularVelocity.along(Axis::Y);
    if lap.has(slot) { Ok(slot) } else { Err(Unavailable::not_sent(&[Channel::AngularVelocity])) }
}

fn from_samples(
    lap: &LapColumns<'_>,
    measured_by: Channel,
    turning: Vec<CorneringSample>,
) -> Result<Balance, Unavailable> {
    if turning.is_empty() {
        return Err(Unavailable::TooLittle("a corner"));
    }
    let pedals = lap.rows([Channel::Brake.slot(), Channel::Throttle.slot()]).unwrap_or_default();
    let feet = |clock_s: f64| {
        let after = pedals.partition_point(|row| row.clock_s <= clock_s);
        pedals.get(after.checked_sub(1)?).map(|row| match row.values {
            [brake, _] if brake >= BRAKES_FROM => Feet::Braking,
            [_, throttle] if throttle >= DRIVES_FROM => Feet::Driving,
            _ => Feet::Rolling,
        })
    };
    let moments = turning.iter().map(|turning| Moment {
        clock_s: turning.clock_s,
        distance_m: lap.place(turning.clock_s).distance_m,
        lasts_s: turning.lasts_s,
        understeer: turning.understeer,
        feet: feet(turning.clock_s),
    });
    Ok(Balance { measured_by, moments: moments.collect() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::Columns;

    use super::super::rows::made;
    use super::*;

    fn balance_of(columns: &Columns) -> Result<Balance, Unavailable> {
        let laps = made::laps(&[60_000]);
        balance(&LapColumns::new(&laps[0], columns))
    }

    /// A minute of left and right turns: first gentle, then hard, in which the wheel is turned by `more` than needed.
    fn steered(more: f32, on: Channel) -> Columns {
        made::columns(3600, |seconds| {
            let side = if (seconds as u32).is_multiple_of(2) { 1.0 } else { -1.0 };
            let hard = seconds > 30.0;
            let (yaw, more) = if hard { (0.6, more) } else { (0.1, 0.0) };
            [
                (Channel::FrontWheelsAngle.slot(), side * yaw / 20.0 * 2.8 * (1.0 + more)),
                (Channel::AngularVelocity.along(Axis::Y), side * yaw),
                (Channel::Speed.slot(), 20.0),
                (on.slot(), if hard { 0.5 } else { 0.0 }),
                (if on == Channel::Brake { Channel::Throttle } else { Channel::Brake }.slot(), 0.0),
                (Channel::LapDistance.slot(), seconds as f32 * 20.0),
            ]
        })
    }

    /// Steering that the path of the hard turns needs, radians.
    const NEED: f64 = 0.6 / 20.0 * 2.8;

    #[test]
    fn a_wheel_that_is_turned_further_than_needed_is_understeer() {
        let balance = balance_of(&steered(0.3, Channel::Throttle)).expect("a balance");
        assert_eq!(balance.measured_by, Channel::FrontWheelsAngle);
        let exit = balance.during(Feet::Driving).expect("an exit");
        assert!((exit.understeer - 0.3 * NEED).abs() < 1e-4 && (exit.seconds - 30.0).abs() < 0.1, "{exit:?}");
        assert_eq!(balance.during(Feet::Braking), None);
        assert!(balance.during(Feet::Rolling).expect("a middle").understeer.abs() < 1e-4);
        let first = balance.over(&(0.0..=400.0)).expect("a phase");
        assert!(first.understeer.abs() < 1e-4 && (first.seconds - 20.0).abs() < 0.1, "{first:?}");
        assert_eq!(balance.over(&(5000.0..=6000.0)), None);
        let entry = balance_of(&steered(-0.2, Channel::Brake)).expect("a balance").during(Feet::Braking);
        assert!((entry.expect("an entry").understeer + 0.2 * NEED).abs() < 1e-4);
    }

    #[test]
    fn slip_angles_go_first() {
        for side in [1.0, -1.0] {
            let columns = made::columns(600, |_| {
                let angles = [0.10, 0.08, 0.05, 0.05].map(|angle: f32| angle * side);
                let slots = Wheel::ALL.map(|wheel| Channel::SlipAngle.of(wheel));
                let rest = [(Channel::Speed.slot(), 40.0), (Channel::GLateral.slot(), 1.5 * side)];
                slots.into_iter().zip(angles).chain(rest)
            });
            let balance = balance_of(&columns).expect("a balance");
            let mean = balance.over_lap().expect("a mean");
            assert!(
                balance.measured_by == Channel::SlipAngle && (mean.understeer - 0.04).abs() < 1e-6,
                "{mean:?}"
            );
        }
    }

    #[test]
    fn without_turning_there_is_no_balance() {
        let straight = made::columns(600, |_| {
            [
                (Channel::Steering.slot(), 0.0),
                (Channel::AngularVelocity.along(Axis::Y), 0.0),
                (Channel::Speed.slot(), 60.0),
            ]
        });
        assert_eq!(
            balance_of(&straight),
            Err(Unavailable::TooLittle("some gentle turning, to know how the car steers"))
        );
        let silent = made::columns(600, |_| [(Channel::Steering.slot(), 0.1)]);
        assert_eq!(balance_of(&silent), Err(Unavailable::not_sent(&[Channel::AngularVelocity])));
    }

    proptest! {
        #[test]
        fn any_driving_has_a_finite_balance_or_none(
            sent in prop::collection::vec((prop::num::f32::ANY, -3.0_f32..3.0, -10.0_f32..90.0), 0..200),
        ) {
            let columns = made::columns(sent.len(), |seconds| {
                let (steering, yaw, speed) = sent[(seconds * 60.0).round() as usize];
                [
                    (Channel::Steering.slot(), steering),
                    (Channel::AngularVelocity.along(Axis::Y), yaw),
                    (Channel::Speed.slot(), speed),
                ]
            });
            let mean = balance_of(&columns).ok().and_then(|balance| balance.over_lap());
            prop_assert!(mean.is_none_or(|mean| mean.understeer.is_finite()));
        }
    }
}
