//! Locates the car on the reference lap, row by row while driving.

use trailbrake_analysis::{Follower, LapColumns, Method, NoDelta, PlacedLap, Reference, ReferenceLine};
use trailbrake_model::{Axis, Channel, Columns, Slot};

const CLOCK: Slot = Channel::LapClock.slot();
const DISTANCE: Slot = Channel::LapDistance.slot();
const SPEED: Slot = Channel::Speed.slot();
/// Near the line the game can still send the previous lap's fraction. One above this counts as such within
/// [`SHORTLY_S`] of the start.
const OLD_SHARE: f32 = 0.9;
const SHORTLY_S: f32 = 3.0;
/// Stands in for the lap length where the game sends none: positions are then in thousandths of a lap.
const THOUSANDTHS: f64 = 1000.0;

/// Metres from the reference's line, and the lap clock there in seconds.
type Located = Result<(f32, f32), NoDelta>;

/// How the car is located on a reference lap.
#[derive(Clone, Debug)]
pub(super) enum Locator {
    /// By its position on the reference's path.
    Position(Box<ReferenceLine>, Follower),
    /// By the game's lap fraction, times this length in metres.
    Share(Slot, f32),
    /// By the game's lap distance.
    Distance,
}

impl Locator {
    /// The best locator that the lap's channels allow, and the lap clock along it; `None` without any position channel.
    pub(super) fn of(rows: &LapColumns<'_>, columns: &Columns) -> Option<(Self, Reference)> {
        if let Ok(line) = ReferenceLine::learn(rows) {
            let on_line = Self::Position(Box::new(line), Follower::default());
            if let Some(curve) = on_line.curve(rows, columns) {
                return Some((on_line, curve));
            }
        }
        let share = [Channel::LapShare, Channel::StageProgress].map(Channel::slot);
        let locator = match share.into_iter().find(|slot| rows.has(*slot)) {
            Some(slot) => Self::Share(slot, PlacedLap::length_of(rows).unwrap_or(THOUSANDTHS) as f32),
            None => Self::Distance,
        };
        let curve = locator.curve(rows, columns)?;
        Some((locator, curve))
    }

    /// The clock of a lap along this locator's places.
    pub(super) fn curve(&self, rows: &LapColumns<'_>, columns: &Columns) -> Option<Reference> {
        let placed = match self {
            Self::Position(line, _) => PlacedLap::on_line(rows, line, None)?,
            Self::Share(_, length_m) => PlacedLap::measured(rows, f64::from(*length_m))?,
            Self::Distance => {
                let point = |row| columns.value(DISTANCE, row).zip(columns.value(CLOCK, row));
                return Reference::new((0..columns.len()).filter_map(point), rows.time?).ok();
            }
        };
        let points = placed.rows().map(|(place, clock)| (place as f32, clock as f32));
        Reference::new(points, rows.time?).ok()
    }

    /// The line that positions are placed on.
    pub(super) fn line(&self) -> Option<&ReferenceLine> {
        match self {
            Self::Position(line, _) => Some(line),
            Self::Share(..) | Self::Distance => None,
        }
    }

    pub(super) fn method(&self) -> Method {
        match self {
            Self::Position(..) => Method::Position,
            Self::Share(..) => Method::Share,
            Self::Distance => Method::Distance,
        }
    }

    /// Forgets the position: another lap begins, or the car was moved.
    pub(super) fn lose(&mut self) {
        if let Self::Position(_, follower) = self {
            follower.lose();
        }
    }

    /// The car's location in a row; `None` if the row has none, or not yet. A `whole` row receives no more values.
    pub(super) fn look(&mut self, columns: &Columns, row: usize, whole: bool) -> Option<Located> {
        let clock = columns.value(CLOCK, row)?;
        let place = match self {
            Self::Position(line, follower) => {
                let [x, y, z] = Axis::ALL.map(|axis| columns.value(Channel::Position.along(axis), row));
                let position = [x?, y?, z?].map(f64::from);
                // While the clock waits for the line, it says nothing about the distance to it.
                if clock <= 0.0 {
                    return Some(Err(NoDelta::NotOnLap));
                }
                let speed = columns.value(SPEED, row);
                if speed.is_none() && !whole && columns.line(SPEED).is_some() {
                    return None;
                }
                let speed = speed.or_else(|| columns.latest(SPEED, row)).map(f64::from);
                follower.place(line, position, f64::from(clock), speed).map(|place| place as f32)
            }
            Self::Share(slot, length_m) => {
                let share = columns.value(*slot, row)?;
                let before = clock < SHORTLY_S && share > OLD_SHARE;
                Some(if before { share - 1.0 } else { share } * *length_m)
            }
            Self::Distance => Some(columns.value(DISTANCE, row)?),
        };
        Some(place.map(|place| (place, clock)).ok_or(NoDelta::NotOnLap))
    }
}
