//! A car's progress in its lap, in terms common to all games.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Car, Moment};
use crate::time::LapTime;

/// The most sectors a lap has in any game.
pub const MOST_SECTORS: usize = 4;

/// The times of a lap's sectors, each on its own, as far as known: three on a circuit; on a rally stage as many as the
/// game has. It dereferences to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorTimes {
    times: [Option<LapTime>; MOST_SECTORS],
    count: usize,
}

impl SectorTimes {
    /// The times of as many sectors as the slice has.
    pub fn of(times: &[Option<LapTime>]) -> Self {
        let mut all = [None; MOST_SECTORS];
        all.iter_mut().zip(times).for_each(|(to, time)| *to = *time);
        Self { times: all, count: times.len().min(MOST_SECTORS) }
    }

    /// Takes newer times; a time that is missing there stays.
    pub fn update(&mut self, newer: Self) {
        self.count = newer.count;
        self.times.iter_mut().zip(newer.times).for_each(|(own, newer)| *own = newer.or(*own));
    }

    /// Sets the last sector to the lap time less the other sectors; unknown if any of those is unknown.
    pub fn complete(&mut self, lap: Option<LapTime>) {
        let Some((last, others)) = self.split_last_mut() else { return };
        let rest =
            others.iter().try_fold(lap, |rest, time| Some(rest?.0.checked_sub((*time)?.0).map(LapTime)));
        *last = rest.flatten().filter(|rest| rest.0 > 0);
    }
}

impl Default for SectorTimes {
    fn default() -> Self {
        Self::of(&[None; 3])
    }
}

impl<const COUNT: usize> From<[Option<LapTime>; COUNT]> for SectorTimes {
    fn from(times: [Option<LapTime>; COUNT]) -> Self {
        const { assert!(COUNT <= MOST_SECTORS) };
        Self::of(&times)
    }
}

impl FromIterator<Option<LapTime>> for SectorTimes {
    fn from_iter<I: IntoIterator<Item = Option<LapTime>>>(times: I) -> Self {
        Self::of(&times.into_iter().take(MOST_SECTORS).collect::<Vec<_>>())
    }
}

impl Deref for SectorTimes {
    type Target = [Option<LapTime>];

    fn deref(&self) -> &Self::Target {
        self.times.get(..self.count).unwrap_or_default()
    }
}

impl DerefMut for SectorTimes {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.times.get_mut(..self.count).unwrap_or_default()
    }
}

impl IntoIterator for SectorTimes {
    type Item = Option<LapTime>;
    type IntoIter = std::iter::Take<std::array::IntoIter<Option<LapTime>, MOST_SECTORS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.times.into_iter().take(self.count)
    }
}

impl Serialize for SectorTimes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SectorTimes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|times| Self::of(&times))
    }
}

/// Whether a car is in the pits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PitStatus {
    /// On the track.
    #[default]
    OnTrack,
    /// In the pit lane.
    Pitting,
    /// At its pit box.
    InPitArea,
    /// A number that this version does not know.
    Other(u8),
}

impl PitStatus {
    /// Whether the car is in the pit lane or at its box.
    pub const fn is_in_pits(self) -> bool {
        matches!(self, Self::Pitting | Self::InPitArea)
    }
}

/// What a driver is doing in this lap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriverStatus {
    /// In the garage.
    Garage,
    /// On a timed lap.
    FlyingLap,
    /// On an in lap.
    InLap,
    /// On an out lap.
    OutLap,
    /// Racing.
    #[default]
    OnTrack,
    /// A number that this version does not know.
    Other(u8),
}

/// A car's state in the classification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultStatus {
    /// The slot holds no car.
    Invalid,
    /// Not taking part at the moment.
    Inactive,
    /// Driving.
    #[default]
    Active,
    /// Took the chequered flag.
    Finished,
    /// Disqualified.
    Disqualified,
    /// Not classified.
    NotClassified,
    /// Retired.
    Retired,
    /// A number that this version does not know.
    Other(u8),
}

impl ResultStatus {
    /// Why a car has no result; `None` for one that drives or has finished.
    pub const fn why_out(self) -> Option<&'static str> {
        match self {
            Self::Retired => Some("retired"),
            Self::Disqualified => Some("disqualified"),
            Self::NotClassified => Some("not classified"),
            _ => None,
        }
    }
}

impl ResultStatus {
    /// Whether the car's race is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Disqualified | Self::NotClassified | Self::Retired)
    }
}

/// Remarks of a file about a lap. Games send none of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LapRemarks {
    /// The lap was not received from its start, or not driven to its end.
    pub incomplete: bool,
    /// The game was rewound during the lap.
    pub rewound: bool,
    /// The game was paused during the lap.
    pub paused: bool,
    /// The driver excluded the lap.
    pub excluded: bool,
    /// Nothing shows that the game counted the lap.
    pub unconfirmed: bool,
    /// The lap was watched in a replay.
    pub replay: bool,
    /// The car was reset to the track during the lap.
    pub reset: bool,
    /// It rained.
    pub rain: bool,
}

/// A car's place in its lap, and what its game sends about this lap and the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LapProgress {
    /// The car.
    pub car: Car,
    /// When.
    pub moment: Moment,
    /// The current lap, from 1.
    pub lap: u16,
    /// Seconds since this lap began. `None` if the game sends no lap clock.
    pub clock: Option<f32>,
    /// Lap distance in metres; negative before the start line is first crossed. `None` if the game sends no distance.
    pub distance: Option<f32>,
    /// Metres driven since the session began; falls on a rewind.
    pub total_distance: Option<f32>,
    /// The official time of the lap before, once known.
    pub last_lap: Option<LapTime>,
    /// The official time of the car's best lap.
    pub best_lap: Option<LapTime>,
    /// Whether the game invalidated the lap before, for games that send this only after the lap.
    pub last_struck: bool,
    /// The official race time at the last crossing of the line.
    pub race_time: Option<LapTime>,
    /// The current sector, from 0.
    pub sector: u8,
    /// The finished sectors of this lap, without the last one, which ends with the lap.
    pub sectors: SectorTimes,
    /// Whether laps are inferred from a lap clock that restarted, because the game counts none.
    pub inferred: bool,
    /// Whether the game has invalidated this lap.
    pub invalid: bool,
    /// Remarks of a file about this lap.
    pub remarks: LapRemarks,
    /// Whether the car is in the pits.
    pub pit: PitStatus,
    /// What the driver is doing.
    pub driver: DriverStatus,
    /// The car's state in the classification.
    pub result: ResultStatus,
    /// The race position, from 1; 0 if unknown.
    pub position: u8,
    /// The grid position, from 1; 0 if unknown.
    pub grid: u8,
    /// Penalty seconds, to be added at the end.
    pub penalties: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(millis: &[u32]) -> Vec<Option<LapTime>> {
        millis.iter().map(|millis| (*millis > 0).then_some(LapTime(*millis))).collect()
    }

    #[test]
    fn the_last_sector_is_what_the_others_leave() {
        let check = |sectors: &[u32], lap: u32, last: u32| {
            let mut sectors = SectorTimes::of(&times(sectors));
            sectors.complete(times(&[lap])[0]);
            assert_eq!(sectors.last().copied(), Some(times(&[last])[0]), "{sectors:?}");
        };
        check(&[30_000, 31_000, 0], 90_000, 29_000);
        check(&[30_000, 31_000, 32_000, 0], 120_000, 27_000);
        // An unknown sector, no lap time, and contradictory times.
        check(&[30_000, 31_000, 0, 0], 120_000, 0);
        check(&[30_000, 31_000, 9_000], 0, 0);
        check(&[30_000, 31_000, 0], 60_000, 0);
    }

    #[test]
    fn sectors_are_a_list_of_as_many_as_there_are() {
        for millis in [&[1, 0, 3][..], &[1, 2, 3, 0], &[]] {
            let sectors = SectorTimes::of(&times(millis));
            let json = serde_json::to_string(&sectors).expect("json");
            assert_eq!(json, serde_json::to_string(&times(millis)).expect("json"));
            assert_eq!(serde_json::from_str::<SectorTimes>(&json).expect("sectors"), sectors);
        }
        assert_eq!(SectorTimes::default().to_vec(), [None; 3]);
    }

    #[test]
    fn what_was_known_of_a_sector_stays() {
        let mut sectors = SectorTimes::default();
        sectors.update(SectorTimes::of(&times(&[1, 0, 0, 0])));
        sectors.update(SectorTimes::of(&times(&[0, 2, 0, 0])));
        assert_eq!(sectors.to_vec(), times(&[1, 2, 0, 0]));
    }
}
