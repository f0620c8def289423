//! Finds lap events in a lap's channels: lock-ups, wheelspin, shifts, jumps, impacts and others.
//!
//! Events that the game sends itself replace those found at the same time.

mod aids;
mod find;
mod gears;
mod road;
mod trigger;
mod wheels;

use serde::{Serialize, Serializer};
use trailbrake_model::Wheel;
use trailbrake_model::units::Unit;

use super::{LapColumns, Place, Unavailable};
pub use find::{lap_events, of_stages};
use trigger::EventSpan;

/// Declares the kinds: variant, id, label, and unit and meaning of the size.
macro_rules! kinds {
    ($($kind:ident $id:literal $label:literal $unit:ident $size:literal;)*) => {
        /// A kind of lap event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $(#[doc = $label] $kind,)* }

        impl Kind {
            /// Every kind, in the table's order.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable name used in files and scripts.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$kind => $id,)* }
            }

            /// The name that a driver uses.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$kind => $label,)* }
            }

            /// The unit of the size.
            pub const fn unit(self) -> Unit {
                match self { $(Self::$kind => Unit::$unit,)* }
            }

            /// What the size measures.
            pub const fn size(self) -> &'static str {
                match self { $(Self::$kind => $size,)* }
            }
        }
    };
}

kinds! {
    LockUp "lock-up" "Lock-up" Ratio "slip as a share of the car's speed";
    Wheelspin "wheelspin" "Wheelspin" Ratio "slip as a share of the car's speed";
    Kerb "kerb" "Kerb strike" Count "";
    BottomingFront "bottoming-front" "Front bottoming" Metres "lowest ride height";
    BottomingRear "bottoming-rear" "Rear bottoming" Metres "lowest ride height";
    Jump "jump" "Jump" Metres "length of the jump";
    Impact "impact" "Impact" G "peak g";
    ShiftUp "shift-up" "Upshift" Rpm "engine speed at the shift";
    ShiftDown "shift-down" "Downshift" Rpm "engine speed at the shift";
    MissedShift "missed-shift" "Missed shift" Rpm "highest engine speed";
    RevLimit "rev-limit" "Rev limiter" Rpm "highest engine speed";
    Abs "abs" "ABS active" Ratio "peak pedal";
    TractionControl "traction-control" "Traction control active" Ratio "peak pedal";
    StabilityControl "stability-control" "Stability control active" Count "";
    Handbrake "handbrake" "Handbrake" Count "";
}

/// Serialised as its id.
impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// A lap event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LapEvent {
    /// Its kind.
    pub kind: Kind,
    /// Where it began.
    pub at: Place,
    /// Duration, seconds.
    pub lasts_s: f64,
    /// The wheel, if it happened to one.
    #[serde(serialize_with = "crate::names::some_wheel", skip_serializing_if = "Option::is_none")]
    pub wheel: Option<Wheel>,
    /// The gears before and after a shift: −1 is reverse, 0 neutral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gears: Option<(i8, i8)>,
    /// Its size, as [`Kind::size`] defines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f32>,
}

impl LapEvent {
    fn of(kind: Kind, lap: &LapColumns<'_>, stretch: &EventSpan) -> Self {
        Self {
            kind,
            at: lap.place(stretch.from_s),
            lasts_s: stretch.until_s - stretch.from_s,
            wheel: None,
            gears: None,
            size: None,
        }
    }

    fn sized(self, size: Option<f32>) -> Self {
        Self { size: size.filter(|size| size.is_finite()), ..self }
    }

    fn at_wheel(self, wheel: Wheel) -> Self {
        Self { wheel: Some(wheel), ..self }
    }
}

/// The events of a lap, and the kinds that can't be found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LapEvents {
    /// The events, in order.
    pub found: Vec<LapEvent>,
    /// The kinds that can't be found, and why.
    pub unavailable: Vec<(Kind, Unavailable)>,
}

impl LapEvents {
    /// Number of events of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.found.iter().filter(|event| event.kind == kind).count()
    }

    /// Whether the game sends what it takes to find a kind.
    pub fn can_find(&self, kind: Kind) -> bool {
        self.unavailable.iter().all(|(other, _)| *other != kind)
    }

    fn take(&mut self, kinds: &[Kind], found: Result<Vec<LapEvent>, Unavailable>) {
        match found {
            Ok(found) => self.found.extend(found),
            Err(reason) => self.unavailable.extend(kinds.iter().map(|kind| (*kind, reason.clone()))),
        }
    }
}

#[cfg(test)]
mod tests;
