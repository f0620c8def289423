//! Ideal laps: the theoretical best of sectors, and the rolling best, which may begin anywhere.

use serde::Serialize;
use trailbrake_model::time::LapTime;

use super::{Reference, Unavailable};
use crate::laps::Lap;

/// Number of mini-sectors of a lap, all of the same length.
pub const MINI_SECTORS: usize = 25;
/// Number of places where a rolling lap may begin.
const PLACES: usize = 400;

/// The theoretical best of the official sectors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IdealSectors {
    /// The sum of the sectors' times.
    #[serde(rename = "time_ms")]
    pub time: LapTime,
    /// The best sectors.
    pub sectors: Vec<BestSector>,
    /// Milliseconds by which the best lap was slower.
    pub best_lap_behind_ms: i64,
}

/// The best time of one sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BestSector {
    /// Its time.
    #[serde(rename = "time_ms")]
    pub time: LapTime,
    /// The number of the lap that drove it.
    pub lap: u16,
    /// The serial of that lap.
    #[serde(skip)]
    pub serial: u32,
}

/// The theoretical best of the official sectors of the counted laps.
pub fn ideal_of_sectors(laps: &[Lap]) -> Result<IdealSectors, Unavailable> {
    const NEEDED: Unavailable = Unavailable::TooLittle("a lap that counts with the times of its sectors");
    let counting = || laps.iter().filter(|lap| lap.counts().is_some());
    let best = |sector: usize| {
        let times = counting().filter_map(|lap| {
            let time = lap.sectors.get(sector).copied()??;
            Some(BestSector { time, lap: lap.number, serial: lap.serial })
        });
        times.min_by_key(|best| best.time).ok_or(NEEDED)
    };
    let count = counting().map(|lap| lap.sectors.len()).max().ok_or(NEEDED)?;
    let sectors = (0..count).map(best).collect::<Result<Vec<_>, _>>()?;
    let time = LapTime(sectors.iter().fold(0, |sum, best| sum.saturating_add(best.time.0)));
    let best_lap = counting().filter_map(Lap::counts).min().ok_or(NEEDED)?;
    Ok(IdealSectors { time, sectors, best_lap_behind_ms: best_lap.minus(time) })
}

/// A lap with its clock over distance.
#[derive(Clone, Copy, Debug)]
pub struct TimedLap<'a> {
    /// The lap's number.
    pub lap: u16,
    /// The session's run that it belongs to.
    pub run: u16,
    /// Its clock over distance.
    pub curve: &'a Reference,
}

impl TimedLap<'_> {
    /// The clock at a fraction of the lap's own distance, since the distances of two laps differ by how they were
    /// driven.
    fn clock(&self, share: f64) -> Option<f64> {
        let length = f64::from(self.curve.length_m());
        self.curve.clock_at((share * length) as f32).map(f64::from)
    }

    fn seconds(&self) -> f64 {
        self.curve.time().seconds()
    }
}

/// The theoretical best of mini-sectors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IdealParts {
    /// The sum of the parts' times, seconds.
    pub time_s: f64,
    /// Seconds by which the best lap was slower.
    pub best_lap_behind_s: f64,
    /// The parts, in order.
    pub parts: Vec<BestPart>,
}

/// The best of one part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BestPart {
    /// Where it begins, as a lap fraction.
    pub from: f64,
    /// Its best time, seconds.
    pub time_s: f64,
    /// The number of the lap that drove it.
    pub lap: u16,
    /// The serial of that lap.
    #[serde(skip)]
    pub serial: u32,
    /// Seconds by which the best lap was slower there.
    pub best_lap_behind_s: f64,
}

/// A lap that begins anywhere: the end of one lap and the beginning of the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RollingLap {
    /// Its time, seconds.
    pub time_s: f64,
    /// Where it begins, as a lap fraction; 0 is the start line.
    pub from: f64,
    /// The number of the lap in which it begins.
    pub lap: u16,
    /// Seconds by which the best lap from line to line was slower.
    pub best_lap_behind_s: f64,
}

/// The rolling best of laps in driving order. Only consecutive laps of one run form a rolling lap.
pub fn rolling_best(laps: &[TimedLap<'_>]) -> Result<RollingLap, Unavailable> {
    let from_line = laps.iter().map(|lap| (lap.seconds(), 0.0, lap.lap));
    let over_it = laps.windows(2).flat_map(|pair| {
        let follows = |one: &TimedLap<'_>, next: &TimedLap<'_>| {
            one.run == next.run && one.lap.checked_add(1) == Some(next.lap)
        };
        let pair = match pair {
            [one, next] if follows(one, next) => Some((*one, *next)),
            _ => None,
        };
        let places = (1..PLACES).map(|place| place as f64 / PLACES as f64);
        pair.into_iter().flat_map(move |(one, next)| {
            places.clone().filter_map(move |share| {
                Some((one.seconds() - one.clock(share)? + next.clock(share)?, share, one.lap))
            })
        })
    });
    let best = from_line.clone().chain(over_it).min_by(|(a, ..), (b, ..)| a.total_cmp(b));
    let plain = from_line.map(|(seconds, ..)| seconds).min_by(f64::total_cmp);
    let ((time_s, from, lap), plain) =
        best.zip(plain).ok_or(Unavailable::TooLittle("a lap that counts with its distance"))?;
    Ok(RollingLap { time_s, from, lap, best_lap_behind_s: plain - time_s })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rows::made;
    use super::*;

    /// A lap of 4000 m with a speed for each quarter, m/s.
    fn lap(speeds: [f64; 4]) -> Reference {
        let (mut metres, mut seconds) = (0.0, 0.0);
        let mut points = Vec::new();
        while metres < 4000.0 {
            points.push((metres as f32, seconds as f32));
            let step = 0.5_f64;
            seconds += step / speeds[(metres / 1000.0) as usize];
            metres += step;
        }
        Reference::new(points, LapTime((seconds * 1e3).round() as u32)).expect("a lap")
    }

    fn timed(curves: &[Reference]) -> Vec<TimedLap<'_>> {
        (1..).zip(curves).map(|(lap, curve)| TimedLap { lap, run: 0, curve }).collect()
    }

    #[test]
    fn the_best_rolling_lap_begins_where_the_driver_got_going() {
        let curves = [lap([40.0, 40.0, 50.0, 50.0]), lap([50.0, 50.0, 40.0, 40.0]), lap([40.0; 4])];
        let laps = timed(&curves);
        let rolling = rolling_best(&laps).expect("a lap");
        assert_eq!((rolling.lap, rolling.from), (1, 0.5));
        assert!((rolling.time_s - 80.0).abs() < 0.02 && (rolling.best_lap_behind_s - 10.0).abs() < 0.02);
        // These laps are not consecutive.
        let apart = [laps[0], laps[2]];
        assert_eq!(rolling_best(&apart).expect("a lap").from, 0.0);
        assert!(rolling_best(&[]).is_err());
    }

    #[test]
    fn official_sectors_make_a_theoretical_best() {
        let mut laps = made::laps(&[90_000, 90_300]);
        laps[0].sectors = [30_000, 30_000, 30_000].map(|time| Some(LapTime(time))).into();
        laps[1].sectors = [29_800, 30_400, 30_100].map(|time| Some(LapTime(time))).into();
        let ideal = ideal_of_sectors(&laps).expect("an ideal lap");
        assert_eq!((ideal.time, ideal.best_lap_behind_ms), (LapTime(89_800), 200));
        assert_eq!(ideal.sectors.iter().map(|best| best.lap).collect::<Vec<_>>(), [2, 1, 1]);
        laps.iter_mut().for_each(|lap| lap.sectors = Default::default());
        assert!(ideal_of_sectors(&laps).is_err());
    }

    proptest! {
        #[test]
        fn nothing_is_slower_than_the_best_lap(
            laps in prop::collection::vec(prop::array::uniform4(20.0_f64..80.0), 1..5),
        ) {
            let curves: Vec<Reference> = laps.into_iter().map(lap).collect();
            let laps = timed(&curves);
            prop_assert!(rolling_best(&laps).expect("a lap").best_lap_behind_s >= 0.0);
        }
    }
}
