//! The lap that live driving is compared with.

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::{
    BrakeWatch, BrakingZone, CornerReference, Fingerprint, LapColumns, Reference, TrackBook,
};
use trailbrake_model::{Channel, Columns};

use super::brake_points::{BrakePoint, brake_points};
use super::locator::Locator;

const DISTANCE: trailbrake_model::Slot = Channel::LapDistance.slot();
const BRAKE: trailbrake_model::Slot = Channel::Brake.slot();

/// Where a reference lap was driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LapOrigin {
    /// In this session, by its serial.
    Session(u32),
    /// In an earlier session of the driver.
    Earlier,
    /// Anywhere, by anybody: the driver chose it.
    Rival,
}

/// The reference lap of the live comparison.
#[derive(Clone, Debug)]
pub struct ReferenceLap {
    /// Where it was driven.
    pub origin: LapOrigin,
    /// The lap number, as the game counts.
    pub number: u16,
    /// The lap clock along the track.
    pub curve: Reference,
    /// Its braking zones, in the game's own metres from the line.
    pub zones: Vec<BrakingZone>,
    /// Its corners, if it can be placed in metres.
    pub corners: Option<Box<CornerReference>>,
    /// The name of its track in the track book.
    pub track: Option<String>,
    /// Its brake points, and those set by hand, in the order of the track.
    pub brake_points: Vec<BrakePoint>,
    /// How a position is located on it.
    pub(super) locator: Locator,
}

impl ReferenceLap {
    /// The reference made of this lap, if its rows can be placed.
    pub(super) fn of(lap: &Lap, columns: &Columns) -> Option<Self> {
        let rows = LapColumns::new(lap, columns);
        let (locator, curve) = Locator::of(&rows, columns)?;
        let mut watch = BrakeWatch::default();
        let mut zones = Vec::new();
        for (row, &seconds) in columns.seconds().iter().enumerate() {
            let values = columns.value(DISTANCE, row).zip(columns.value(BRAKE, row));
            if let Some((distance, brake)) = values {
                zones.extend(watch.sample(distance, seconds, brake).cloned());
            }
        }
        zones.extend(watch.finish(columns.seconds().last().copied()?).cloned());
        let (corners, brake_points) = (None, Vec::new());
        Some(Self {
            origin: LapOrigin::Session(lap.serial),
            number: lap.number,
            curve,
            zones,
            corners,
            track: None,
            brake_points,
            locator,
        })
    }

    /// The lap's serial in this session.
    pub fn serial(&self) -> Option<u32> {
        match self.origin {
            LapOrigin::Session(serial) => Some(serial),
            LapOrigin::Earlier | LapOrigin::Rival => None,
        }
    }

    /// Finds its corners, named by the book, the track's name there, and the brake points.
    pub(super) fn find_corners(&mut self, lap: &Lap, columns: &Columns, book: &TrackBook, by_hand: &[f64]) {
        let rows = LapColumns::new(lap, columns);
        self.corners = CornerReference::learn(&rows, self.locator.line(), book).map(Box::new);
        let line = self.locator.line().filter(|_| !book.tracks().is_empty());
        let known = line.and_then(|line| book.recognise(&Fingerprint::of(line)));
        self.track = known.map(|(track, _)| track.name.clone());
        self.set_brake_points(by_hand);
    }

    /// Takes the brake points that the driver set, metres from the start line.
    pub(super) fn set_brake_points(&mut self, by_hand: &[f64]) {
        let corners = self.corners.as_ref();
        self.brake_points = corners.map_or_else(Vec::new, |corners| brake_points(corners, by_hand));
    }
}
