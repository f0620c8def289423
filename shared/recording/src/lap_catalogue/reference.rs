//! The reference and the stint of a lap.

use trailbrake_model::Car;

use super::LapEntry;

/// Maximum laps of a stint, besides the compared one: each takes some two megabytes in memory.
pub const MOST_STINT_LAPS: usize = 60;

/// How near a reference is to its lap, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// The same driver in the same car and session.
    Seat,
    /// Another driver or car of the session.
    Session,
    /// Another session on the same track.
    Track,
}

impl Nearness {
    /// What the reference is, as text.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Seat => "the best other lap of the same car",
            Self::Session => "the best lap of another car in this session",
            Self::Track => "the best lap of another session on this track",
        }
    }
}

/// The best reference for a lap, optionally of one car only. Never the lap itself.
pub(super) fn best_reference<'a>(
    laps: &'a [LapEntry],
    of: &LapEntry,
    car: Option<Car>,
) -> Option<(&'a LapEntry, Nearness)> {
    let near = |entry: &LapEntry| {
        if entry.is_of_seat(of) {
            return Some(Nearness::Seat);
        }
        if entry.id.session == of.id.session {
            return Some(Nearness::Session);
        }
        let track = entry.session.summary.track();
        let is_known = track.is_some_and(|track| track.layout().is_some());
        let same_track = is_known && track == of.session.summary.track();
        // Other drivers of another session are considered only if their car was chosen.
        (same_track && (car.is_some() || entry.is_player())).then_some(Nearness::Track)
    };
    let others = laps.iter().filter(|entry| entry.id != of.id);
    let others = others.filter(|entry| car.is_none_or(|car| entry.id.car == car));
    let counted = others.filter_map(|entry| Some((near(entry)?, entry.lap.counts()?, entry)));
    let best = counted.min_by_key(|(near, time, entry)| (*near, *time, entry.id));
    best.map(|(near, _, entry)| (entry, near))
}

/// The other counted laps of a lap's stint, in driving order. Of a stint longer than [`MOST_STINT_LAPS`] the nearest.
pub(super) fn stint<'a>(laps: &'a [LapEntry], of: &LapEntry) -> Vec<&'a LapEntry> {
    let belongs = |entry: &&LapEntry| entry.is_of_stint(of) && entry.lap.counts().is_some();
    let laps: Vec<&LapEntry> = laps.iter().filter(belongs).filter(|entry| entry.id != of.id).collect();
    let place = laps.partition_point(|entry| entry.id < of.id);
    let mut nearest: Vec<(usize, &LapEntry)> =
        laps.into_iter().enumerate().map(|(at, entry)| (distance(at, place), entry)).collect();
    nearest.sort_by_key(|(distance, entry)| (*distance, entry.id));
    nearest.truncate(MOST_STINT_LAPS);
    nearest.sort_by_key(|(_, entry)| entry.id);
    nearest.into_iter().map(|(_, entry)| entry).collect()
}

/// How many laps lie between a lap and the insertion position of another.
fn distance(at: usize, place: usize) -> usize {
    if at < place { place - at } else { at - place + 1 }
}
