//! Laps that were not driven in this session, and yet its reference.

use std::fmt;

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::{Combo, LapColumns, PlacedLap, TrackBook};
use trailbrake_model::{Channel, Columns};

use super::driver_choices::DriverChoices;
use super::reference_lap::{LapOrigin, ReferenceLap};

/// By which part two lengths of one track may differ: games measure along different lines.
const LENGTH_TOLERANCE: f64 = 0.02;

/// Anybody's lap in a recording or a file, chosen as the reference.
#[derive(Clone, Debug)]
pub struct RivalLap {
    /// Its driver and time, in words.
    pub name: String,
    /// Its game, track and car.
    pub combo: Combo,
    /// The lap.
    pub lap: Lap,
    /// Its channels.
    pub columns: Columns,
}

/// Why a lap can't be the reference of this session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RivalMismatch {
    /// It is of another track, of this name.
    OtherTrack(String),
    /// It is from elsewhere, and as long as no lap here.
    OtherLength,
    /// It is from elsewhere, and how long the track here is, is not known yet.
    LengthUnknown,
    /// It has no time, or nothing that says where the car was.
    NotPlaced,
}

impl fmt::Display for RivalMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherTrack(track) => write!(f, "the rival's lap is of {track}"),
            Self::OtherLength => f.write_str("the rival's lap is of a longer or shorter track"),
            Self::LengthUnknown => f.write_str("the rival's lap needs the length of this track: drive a lap"),
            Self::NotPlaced => f.write_str("the rival's lap has no time or no places"),
        }
    }
}

/// A lap that was not driven in this session, as its reference.
#[derive(Clone, Debug)]
pub(super) struct OutsideLap {
    pub(super) reference: ReferenceLap,
    lap: Lap,
    pub(super) columns: Columns,
}

impl OutsideLap {
    /// The reference made of this lap, if its rows can be placed.
    pub(super) fn of(
        lap: &Lap,
        columns: &Columns,
        origin: LapOrigin,
        choices: &DriverChoices,
    ) -> Option<Self> {
        let mut reference = ReferenceLap { origin, ..ReferenceLap::of(lap, columns)? };
        reference.find_corners(lap, columns, &choices.book, &choices.brake_points);
        Some(Self { reference, lap: lap.clone(), columns: columns.clone() })
    }

    /// The reference made of a rival's lap for a session with this combination and track length.
    ///
    /// Positions are compared only within one game: another program may have another origin or other axes. Laps from
    /// elsewhere are placed by their distance, and must be of the same length.
    pub(super) fn of_rival(
        rival: &RivalLap,
        own: &Combo,
        length_m: Option<f64>,
        choices: &DriverChoices,
    ) -> Result<Self, RivalMismatch> {
        if let Some(track) = rival.combo.track.as_ref().filter(|_| rival.combo.is_elsewhere(own)) {
            return Err(RivalMismatch::OtherTrack(track.clone()));
        }
        let mut columns = rival.columns.clone();
        if rival.combo.game.is_none() || rival.combo.game != own.game {
            columns.retain(|slot| slot.channel() != Channel::Position);
            let rows = LapColumns::new(&rival.lap, &columns);
            let theirs = PlacedLap::length_of(&rows).ok_or(RivalMismatch::NotPlaced)?;
            let here = length_m.ok_or(RivalMismatch::LengthUnknown)?;
            if (theirs - here).abs() > LENGTH_TOLERANCE * here {
                return Err(RivalMismatch::OtherLength);
            }
        }
        Self::of(&rival.lap, &columns, LapOrigin::Rival, choices).ok_or(RivalMismatch::NotPlaced)
    }

    /// Finds its corners and brake points, named by another track book.
    pub(super) fn find_corners(&mut self, book: &TrackBook, by_hand: &[f64]) {
        self.reference.find_corners(&self.lap, &self.columns, book, by_hand);
    }
}
