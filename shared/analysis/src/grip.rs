//! The g-g diagram: how hard the car is pushed in each direction, and how much of its envelope is used.

use serde::Serialize;
use trailbrake_model::Channel;

use super::{LapColumns, Row, Unavailable, statistics};

/// Number of directions of the envelope.
const DIRECTIONS: usize = 36;
/// Least number of samples in a direction.
const LEAST_SAMPLES: usize = 8;
/// The envelope contains this part of a direction's samples. Single blows of a kerb or a wall are outside.
const WITHIN: f64 = 0.97;
/// With less g than this the car just rolls.
const AT_WORK_G: f64 = 0.2;
/// At lower speeds g does not come from grip, m/s.
const DRIVING_MPS: f32 = 5.0;
/// Single samples jump with every gear change: grip used at a place is averaged over this time, seconds.
pub(crate) const OVER_S: f64 = 0.15;
/// From this part of the envelope on, a driver is at the limit.
const AT_LIMIT: f64 = 0.9;

/// One sample of the g-g diagram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Push {
    /// Lateral g, positive to the left.
    pub lateral_g: f32,
    /// Longitudinal g, positive when accelerating.
    pub longitudinal_g: f32,
    /// Grip used: the part of the envelope in that direction.
    pub share: Option<f32>,
    /// Time on the lap's clock, seconds.
    #[serde(skip)]
    pub clock_s: f64,
    #[serde(skip)]
    lasts_s: f64,
}

/// A lap's g-g diagram.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grip {
    /// The envelope in each direction.
    pub envelope: Envelope,
    /// Mean grip used over the time in which the car is pushed at all.
    pub usage: f64,
    /// The part of that time at nine tenths of the envelope or more.
    pub at_limit: f64,
    /// The envelope in four directions, in g.
    pub hardest: Hardest,
    /// Every sample.
    #[serde(skip)]
    pub pushes: Vec<Push>,
}

/// The envelope in four directions, in g. `None` without enough samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hardest {
    /// Braking.
    pub braking_g: Option<f64>,
    /// Acceleration.
    pub accelerating_g: Option<f64>,
    /// To the left, in a left turn.
    pub left_g: Option<f64>,
    /// To the right, in a right turn.
    pub right_g: Option<f64>,
}

/// How hard a car was pushed in each direction, without single blows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Envelope {
    /// The envelope in g every ten degrees, from ahead over the left. `None` without enough samples.
    pub g: Vec<Option<f64>>,
}

impl Envelope {
    /// The envelope of samples, each given as degrees from ahead over the left, and g.
    fn of(pushes: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut by_direction = vec![Vec::new(); DIRECTIONS];
        for (degrees, size) in pushes.filter(|(_, size)| *size >= AT_WORK_G) {
            let direction = (degrees / 360.0 * DIRECTIONS as f64).round() as usize % DIRECTIONS;
            if let Some(sizes) = by_direction.get_mut(direction) {
                sizes.push(size);
            }
        }
        let enough = |sizes: &Vec<f64>| sizes.len() >= LEAST_SAMPLES;
        let reach = |sizes: &Vec<f64>| if enough(sizes) { statistics::quantile(sizes, WITHIN) } else { None };
        Self { g: by_direction.iter().map(reach).collect() }
    }

    /// The envelope in a direction, in degrees from ahead over the left, interpolated.
    pub fn reach(&self, degrees: f64) -> Option<f64> {
        let place = degrees.rem_euclid(360.0) / 360.0 * DIRECTIONS as f64;
        let (before, after) = (place.floor() as usize % DIRECTIONS, place.ceil() as usize % DIRECTIONS);
        let (before, after) = (self.g.get(before).copied()??, self.g.get(after).copied()??);
        Some(before + (after - before) * place.fract())
    }
}

/// The g-g diagram of a lap.
pub fn grip(lap: &LapColumns<'_>) -> Result<Grip, Unavailable> {
    let felt = felt(lap)?;
    let size = |row: &Row<2>| f64::from(row.values[0].hypot(row.values[1]));
    let degrees = |row: &Row<2>| f64::from(row.values[0].atan2(row.values[1])).to_degrees().rem_euclid(360.0);
    let envelope = Envelope::of(felt.iter().map(|row| (degrees(row), size(row))));
    let push = |row: &Row<2>| {
        let at_work = size(row) >= AT_WORK_G;
        let reach = envelope.reach(degrees(row)).filter(|reach| at_work && *reach > 0.0);
        let [lateral_g, longitudinal_g] = row.values;
        let share = reach.map(|reach| (size(row) / reach) as f32);
        Push { lateral_g, longitudinal_g, share, clock_s: row.clock_s, lasts_s: row.lasts_s }
    };
    let pushes: Vec<Push> = felt.iter().map(push).collect();
    let shares = || pushes.iter().filter_map(|push| Some((f64::from(push.share?), push.lasts_s)));
    let worked_s: f64 = shares().map(|(_, lasts_s)| lasts_s).sum();
    if worked_s <= 0.0 {
        return Err(Unavailable::TooLittle("some corners and brakings"));
    }
    let usage = shares().map(|(share, lasts_s)| share.min(1.0) * lasts_s).sum::<f64>() / worked_s;
    let limit_s: f64 = shares().filter(|(share, _)| *share >= AT_LIMIT).map(|(_, lasts_s)| lasts_s).sum();
    let hardest = Hardest {
        braking_g: envelope.reach(180.0),
        accelerating_g: envelope.reach(0.0),
        left_g: envelope.reach(90.0),
        right_g: envelope.reach(270.0),
    };
    Ok(Grip { envelope, usage, at_limit: limit_s / worked_s, hardest, pushes })
}

/// Grip used around each row of a lap, averaged over 0.15 s: the part of its envelope in that direction, at most 1. NaN
/// while the car just rolls. `None` if the game does not send both accelerations.
pub fn grip_used(lap: &LapColumns<'_>) -> Option<Vec<f32>> {
    let grip = grip(lap).ok()?;
    let around = |clock_s: &f64| usage_between(&grip, clock_s - 0.5 * OVER_S, clock_s + 0.5 * OVER_S);
    Some(lap.clock_s().iter().map(|clock_s| around(clock_s).map_or(f32::NAN, |used| used as f32)).collect())
}

/// Mean grip used between two times on the lap's clock, weighted by time.
pub fn usage_between(grip: &Grip, from_s: f64, until_s: f64) -> Option<f64> {
    let row_at = |clock_s: f64| grip.pushes.partition_point(|push| push.clock_s < clock_s);
    let within = grip.pushes.get(row_at(from_s)..row_at(until_s)).unwrap_or_default().iter();
    let (sum, seconds) = within
        .filter_map(|push| Some((f64::from(push.share?), push.lasts_s)))
        .fold((0.0, 0.0), |(sum, seconds), (share, lasts_s)| {
            (sum + share.min(1.0) * lasts_s, seconds + lasts_s)
        });
    (seconds > 0.0).then(|| sum / seconds)
}

/// Lateral and longitudinal g while the car drives.
fn felt(lap: &LapColumns<'_>) -> Result<Vec<Row<2>>, Unavailable> {
    let slots = [Channel::GLateral.slot(), Channel::GLongitudinal.slot(), Channel::Speed.slot()];
    let driven = lap.rows(slots)?.into_iter().filter(|row| row.values[2] >= DRIVING_MPS);
    let felt = driven.map(|Row { clock_s, lasts_s, values: [lateral, longitudinal, _] }| Row {
        clock_s,
        lasts_s,
        values: [lateral, longitudinal],
    });
    Ok(felt.collect())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use proptest::prelude::*;
    use trailbrake_model::Columns;

    use super::super::rows::made;
    use super::*;

    /// A lap that pushes the car in all directions in turn, by a g that depends on the direction.
    fn round(size: impl Fn(f64) -> f64) -> Columns {
        made::columns(3600, |seconds| {
            let angle = seconds * TAU / 3.0;
            let g = size(angle.to_degrees().rem_euclid(360.0));
            [
                (Channel::GLateral.slot(), (g * angle.sin()) as f32),
                (Channel::GLongitudinal.slot(), (g * angle.cos()) as f32),
                (Channel::Speed.slot(), 50.0),
            ]
        })
    }

    fn grip_of(columns: &Columns) -> Result<Grip, Unavailable> {
        let laps = made::laps(&[60_000]);
        grip(&LapColumns::new(&laps[0], columns))
    }

    #[test]
    fn the_envelope_is_what_was_driven_in_each_direction() {
        let grip = grip_of(&round(|degrees| if (100.0..260.0).contains(&degrees) { 4.0 } else { 2.0 }))
            .expect("grip");
        let near = |found: Option<f64>, known: f64| {
            assert!((found.expect("a reach") - known).abs() < 0.05, "{found:?}")
        };
        near(grip.hardest.braking_g, 4.0);
        near(grip.hardest.accelerating_g, 2.0);
        near(grip.hardest.left_g, 2.0);
        near(grip.hardest.right_g, 2.0);
        assert!(grip.usage > 0.97 && grip.at_limit > 0.9, "{} {}", grip.usage, grip.at_limit);
        assert!(grip.envelope.g.iter().all(Option::is_some));
    }

    #[test]
    fn usage_is_the_share_of_the_envelope() {
        // Every other round goes only half as far.
        let columns = made::columns(3600, |seconds| {
            let (angle, size) =
                (seconds * TAU / 3.0, if ((seconds / 3.0) as u32).is_multiple_of(2) { 3.0 } else { 1.5 });
            [
                (Channel::GLateral.slot(), (size * angle.sin()) as f32),
                (Channel::GLongitudinal.slot(), (size * angle.cos()) as f32),
                (Channel::Speed.slot(), 50.0),
            ]
        });
        let grip = grip_of(&columns).expect("grip");
        assert!((grip.usage - 0.75).abs() < 0.01 && (grip.at_limit - 0.5).abs() < 0.02, "{grip:?}");
        assert!((usage_between(&grip, 0.0, 3.0).expect("usage") - 1.0).abs() < 0.02);
        assert!((usage_between(&grip, 3.0, 6.0).expect("usage") - 0.5).abs() < 0.02);
        assert_eq!(usage_between(&grip, 90.0, 91.0), None);
    }

    #[test]
    fn a_blow_does_not_widen_the_envelope() {
        let mut columns = round(|_| 2.0);
        columns.push(
            made::moment(60.1),
            [
                (Channel::GLateral.slot(), 30.0),
                (Channel::GLongitudinal.slot(), 0.0),
                (Channel::Speed.slot(), 20.0),
            ],
        );
        let reach = grip_of(&columns).expect("grip").hardest.left_g.expect("a reach");
        assert!(reach < 2.01, "{reach}");
    }

    #[test]
    fn a_car_that_stands_is_pushed_nowhere() {
        let standing = made::columns(100, |_| {
            [
                (Channel::GLateral.slot(), 3.0),
                (Channel::GLongitudinal.slot(), 0.0),
                (Channel::Speed.slot(), 0.0),
            ]
        });
        assert_eq!(grip_of(&standing), Err(Unavailable::TooLittle("some corners and brakings")));
        let silent = made::columns(100, |_| [(Channel::Speed.slot(), 50.0)]);
        assert_eq!(grip_of(&silent), Err(Unavailable::not_sent(&[Channel::GLateral])));
    }

    proptest! {
        #[test]
        fn anything_felt_gives_shares_or_a_reason(
            felt in prop::collection::vec((prop::num::f32::ANY, -6.0_f32..6.0, -10.0_f32..90.0), 0..300),
        ) {
            let columns = made::columns(felt.len(), |seconds| {
                let (lateral, longitudinal, speed) = felt[(seconds * 60.0).round() as usize];
                [
                    (Channel::GLateral.slot(), lateral),
                    (Channel::GLongitudinal.slot(), longitudinal),
                    (Channel::Speed.slot(), speed),
                ]
            });
            if let Ok(grip) = grip_of(&columns) {
                prop_assert!((0.0..=1.0).contains(&grip.usage) && (0.0..=1.0).contains(&grip.at_limit));
            }
        }
    }
}
