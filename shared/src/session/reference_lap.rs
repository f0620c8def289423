//! The lap that live driving is compared with.

use super::locator::Locator;
use crate::analysis::{BrakeWatch, BrakingZone, CornerReference, LapColumns, Reference};
use crate::laps::Lap;
use crate::model::{Channel, Columns};

const DISTANCE: crate::model::Slot = Channel::LapDistance.slot();
const BRAKE: crate::model::Slot = Channel::Brake.slot();

/// The reference lap of the live comparison.
#[derive(Clone, Debug)]
pub struct ReferenceLap {
    /// The lap's serial; `None` for a lap of an earlier session.
    pub serial: Option<u32>,
    /// The lap number, as the game counts.
    pub number: u16,
    /// The lap clock along the track.
    pub curve: Reference,
    /// Its braking zones, in the game's own metres from the line.
    pub zones: Vec<BrakingZone>,
    /// Its corners, if it can be placed in metres.
    pub corners: Option<Box<CornerReference>>,
    /// How a position is located on it.
    pub(super) locator: Locator,
}

impl ReferenceLap {
    /// The reference made of this lap, if its rows can be placed.
    pub(super) fn of(lap: &Lap, columns: &Columns) -> Option<Self> {
        let rows = LapColumns::new(lap, columns);
        let (locator, curve) = Locator::of(&rows, columns)?;
        let corners = CornerReference::learn(&rows, locator.line()).map(Box::new);
        let mut watch = BrakeWatch::default();
        let mut zones = Vec::new();
        for (row, &seconds) in columns.seconds().iter().enumerate() {
            let values = columns.value(DISTANCE, row).zip(columns.value(BRAKE, row));
            if let Some((distance, brake)) = values {
                zones.extend(watch.sample(distance, seconds, brake).cloned());
            }
        }
        zones.extend(watch.finish(columns.seconds().last().copied()?).cloned());
        Some(Self { serial: Some(lap.serial), number: lap.number, curve, zones, corners, locator })
    }
}
