//! Consistency of laps: best, median, deviation, and slow outliers that are not counted.

use serde::Serialize;
use trailbrake_model::time::LapTime;

use super::{Unavailable, statistics};
use crate::laps::Lap;

/// A lap is an outlier if it is slower than the median by more than this many deviations,
const DEVIATIONS: f64 = 3.0;
/// and by more than this part of the median, so that very consistent laps have no outliers. A fast lap is never one.
const LEAST_SHARE: f64 = 0.01;

/// Consistency of laps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Consistency {
    /// Spread of the lap times.
    pub lap: Spread,
    /// Spread of each sector's times, if at least three laps have them.
    pub sectors: Vec<Option<Spread>>,
    /// Sentences on how many times are counted, and which laps are outliers.
    pub notes: Vec<String>,
}

/// Spread of times about their median.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Number of counted times.
    pub counted: usize,
    /// The best time, seconds.
    pub best_s: f64,
    /// The median, seconds.
    pub median_s: f64,
    /// Robust standard deviation about the median, seconds.
    pub deviation_s: f64,
    /// From the best to the slowest counted time, seconds.
    pub range_s: f64,
    /// Numbers of the laps that are too slow to be counted.
    pub outliers: Vec<u16>,
}

/// Consistency of the counted laps. Three are needed.
pub fn consistency(laps: &[Lap]) -> Result<Consistency, Unavailable> {
    let counting = || laps.iter().filter(|lap| lap.counts().is_some());
    let times: Vec<(u16, LapTime)> = counting().filter_map(|lap| Some((lap.number, lap.counts()?))).collect();
    let sector = |place: usize| {
        let times = counting().filter_map(|lap| Some((lap.number, lap.sectors.get(place).copied()??)));
        spread(&times.collect::<Vec<_>>())
    };
    let lap = spread(&times).ok_or(Unavailable::TooLittle("three laps that count"))?;
    let most = laps.iter().map(|lap| lap.sectors.len()).max().unwrap_or_default();
    let sectors: Vec<Option<Spread>> = (0..most).map(sector).collect();
    let of_sectors = (1..).zip(&sectors).filter_map(|(number, sector)| Some((number, sector.as_ref()?)));
    let of_sectors = of_sectors.filter(|(_, sector)| !sector.outliers.is_empty());
    let of_sectors = of_sectors.map(|(number, sector)| format!("Sector {number}: {}", sector.note()));
    let notes = [lap.note()].into_iter().chain(of_sectors).collect();
    Ok(Consistency { lap, sectors, notes })
}

impl Spread {
    /// A sentence with the number of counted times, and the outliers.
    fn note(&self) -> String {
        let Self { counted, outliers, .. } = self;
        let all = counted + outliers.len();
        if outliers.is_empty() {
            return format!("{all} of {all} times counted.");
        }
        let numbers: Vec<String> = outliers.iter().map(u16::to_string).collect();
        format!("{counted} of {all} times counted. Slow outliers: {}.", numbers.join(", "))
    }
}

fn spread(times: &[(u16, LapTime)]) -> Option<Spread> {
    const LEAST: usize = 3;
    let seconds: Vec<f64> = times.iter().map(|(_, time)| time.seconds()).collect();
    if seconds.len() < LEAST {
        return None;
    }
    let middle = statistics::median(&seconds)?;
    let slowest = middle + (DEVIATIONS * statistics::deviation(&seconds)?).max(LEAST_SHARE * middle);
    let counts = |time: &LapTime| time.seconds() <= slowest;
    let counted: Vec<f64> = seconds.iter().copied().filter(|seconds| *seconds <= slowest).collect();
    let best_s = statistics::quantile(&counted, 0.0)?;
    Some(Spread {
        counted: counted.len(),
        best_s,
        median_s: statistics::median(&counted)?,
        deviation_s: statistics::deviation(&counted)?,
        range_s: statistics::quantile(&counted, 1.0)? - best_s,
        outliers: times.iter().filter(|(_, time)| !counts(time)).map(|(number, _)| *number).collect(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rows::made;
    use super::*;

    #[test]
    fn a_spin_is_an_outlier_and_moves_nothing() {
        let steady = made::laps(&[90_000, 90_200, 90_400, 90_100, 90_300]);
        let spun = made::laps(&[90_000, 90_200, 97_000, 90_400, 90_100, 90_300]);
        let (steady, spun) = (consistency(&steady).expect("laps"), consistency(&spun).expect("laps"));
        assert_eq!((spun.lap.counted, spun.lap.outliers.as_slice()), (5, [3].as_slice()));
        assert_eq!(Spread { outliers: Vec::new(), ..spun.lap.clone() }, steady.lap);
        assert!((steady.lap.median_s - 90.2).abs() < 1e-9 && (steady.lap.range_s - 0.4).abs() < 1e-9);
        assert!((steady.lap.deviation_s - 0.148).abs() < 1e-3, "{:?}", steady.lap);
        assert_eq!(steady.sectors, [None, None, None]);
    }

    #[test]
    fn laps_that_are_all_alike_have_no_outlier() {
        let laps = made::laps(&[90_000, 90_000, 90_000, 90_000, 90_004]);
        assert!(consistency(&laps).expect("laps").lap.outliers.is_empty());
        assert_eq!(consistency(&laps[..2]), Err(Unavailable::TooLittle("three laps that count")));
    }

    #[test]
    fn sectors_have_their_own_spread() {
        let mut laps = made::laps(&[90_000, 90_500, 91_000]);
        for (lap, second) in laps.iter_mut().zip([30_000, 30_000, 31_000]) {
            lap.sectors = [Some(LapTime(30_000)), Some(LapTime(second)), None].into();
        }
        let [first, second, third] =
            consistency(&laps).expect("laps").sectors.try_into().expect("three sectors");
        assert_eq!(first.map(|spread| spread.range_s), Some(0.0));
        assert_eq!(second.map(|spread| (spread.counted, spread.outliers)), Some((2, vec![3])));
        assert_eq!(third, None);
    }

    #[test]
    fn fast_laps_and_sectors_are_never_outliers() {
        // Three quick laps on fresh tyres, fifteen steady ones, and one in traffic.
        let first_sectors =
            [23_518, 23_504, 23_478].into_iter().chain((0..15).map(|nth| 23_900 + nth * 4)).chain([26_000]);
        let times: Vec<u32> = first_sectors.clone().map(|sector| sector + 54_000).collect();
        let mut laps = made::laps(&times);
        for (lap, first) in laps.iter_mut().zip(first_sectors) {
            lap.sectors = [Some(LapTime(first)), None, None].into();
        }
        let found = consistency(&laps).expect("laps");
        let [first, ..] = &found.sectors[..] else { panic!("sectors") };
        let first = first.as_ref().expect("a sector");
        assert_eq!((first.best_s, first.counted), (23.478, 18));
        assert_eq!((found.lap.best_s, found.lap.counted), (77.478, 18));
        assert_eq!((&first.outliers, &found.lap.outliers), (&vec![19], &vec![19]));
        assert_eq!(
            found.notes,
            [
                "18 of 19 times counted. Slow outliers: 19.",
                "Sector 1: 18 of 19 times counted. Slow outliers: 19."
            ]
        );
        assert_eq!(consistency(&laps[3..18]).expect("laps").notes, ["15 of 15 times counted."]);
    }

    proptest! {
        #[test]
        fn every_lap_is_counted_or_named(times in prop::collection::vec(20_000_u32..200_000, 3..30)) {
            let laps = made::laps(&times);
            let best = laps.iter().filter_map(Lap::counts).min().expect("a lap").seconds();
            let spread = consistency(&laps).expect("laps").lap;
            prop_assert_eq!(spread.counted + spread.outliers.len(), laps.len());
            prop_assert_eq!(spread.best_s, best);
            prop_assert!(spread.best_s <= spread.median_s && spread.deviation_s <= spread.range_s * 1.5 + 1e-9);
        }
    }
}
