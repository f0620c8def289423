//! What the colours of a map mean: each row of a lap in one of a few bands, and what the bands are called.
//!
//! Colours are told by the part that they play; whoever draws has a palette for them.

mod bands;
mod row_values;

use crate::analysis::{Comparison, LapColumns, Unavailable};
use crate::model::{Channel, Wheel};
use crate::units::DisplayUnit;

/// How many colours a ramp has, from little to much.
pub const RAMP: u8 = 8;

/// Declares what a map can be coloured by: variant, what addresses call it, what a driver calls it, and the channels
/// that it takes: of each group one.
macro_rules! colourings {
    ($($variant:ident $id:literal $title:literal [$([$($channel:ident)*])*];)*) => {
        /// What a map is coloured by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Colouring {
            $(#[doc = $title] $variant,)*
        }

        impl Colouring {
            /// All of them, in the order in which they are offered.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name used in addresses.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// What a driver calls it.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The channels that it takes: of each group one, the best of them first.
            const fn needs(self) -> &'static [&'static [Channel]] {
                match self { $(Self::$variant => &[$(&[$(Channel::$channel),*]),*],)* }
            }
        }
    };
}

colourings! {
    Delta "delta" "Delta" [];
    Speed "speed" "Speed" [[Speed]];
    Pedals "pedals" "Pedals" [[Throttle ThrottlePedal] [Brake BrakeApplied]];
    Gear "gear" "Gear" [[Gear]];
    // What wheels do beside the car means the same in every game; their own measures differ, and come after it.
    Slip "slip" "Slip" [[WheelSpeed CombinedSlip WheelSlip SlipLevel Slip] [Speed]];
    Temperature "temperature" "Tyre temperature" [[TyreSurfaceTemperature TyreInnerTemperature TyreTemperature]];
    Surface "surface" "Surface" [[Surface]];
}

/// The part that a colour plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A step from little to much, counted from 0 and below [`RAMP`].
    Ramp(u8),
    /// Nothing to speak of.
    Plain,
    /// Much time gained.
    Gain,
    /// A little time gained.
    SomeGain,
    /// A little time lost.
    SomeLoss,
    /// Much time lost.
    Loss,
    /// On the throttle.
    Throttle,
    /// On the brake.
    Brake,
    /// On neither.
    Coast,
}

/// One of the bands.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// What it is coloured with.
    pub tone: Tone,
    /// What it is called; nothing where it is a step of a scale.
    pub says: String,
}

/// A lap, coloured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColouredLap {
    /// What is told of each row.
    values: Vec<f32>,
    /// From which value on each band but the first begins.
    edges: Vec<f32>,
    /// The bands, from low to high where they are steps of a scale.
    pub bands: Vec<Band>,
    /// What stands at the ends of a scale, with the unit; bands that have names are no scale.
    pub ends: Option<[String; 2]>,
    /// What is coloured, closer than its title says it.
    pub about: String,
    /// How values are printed; where there is no unit, the band says it.
    unit: Option<&'static DisplayUnit>,
    /// Whether a plus stands in front of what is above zero.
    signed: bool,
}

impl Colouring {
    /// The one that an address means.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|colouring| colouring.id() == id)
    }

    /// Whether each wheel has a value of its own.
    pub fn is_per_wheel(self, lap: &LapColumns<'_>) -> bool {
        let of_wheel = |channel: &&Channel| lap.has(channel.of(Wheel::FrontLeft));
        let first = self.needs().first().and_then(|group| group.iter().find(of_wheel));
        first.is_some_and(|channel| channel.scope() == crate::model::Scope::Wheels)
    }

    /// Why a lap can't be coloured by it; `None` where it can.
    pub fn missing(self, lap: &LapColumns<'_>, compared: bool) -> Option<Unavailable> {
        if self == Self::Delta && !compared {
            return Some(Unavailable::TooLittle("a second lap to compare with"));
        }
        let sent = |channel: &Channel| lap.has(channel.of(Wheel::FrontLeft));
        let lacks = self.needs().iter().find(|group| !group.iter().any(sent))?;
        Some(Unavailable::not_sent(lacks))
    }

    /// A lap of a comparison, coloured: by what one wheel does, or by that of the wheel that does most. Places of the rows
    /// are metres from the line, and matter for the delta alone.
    pub fn of(
        self,
        lap: &LapColumns<'_>,
        beside: Option<&Comparison>,
        places_m: &[f64],
        wheel: Option<Wheel>,
    ) -> Result<ColouredLap, Unavailable> {
        match self.missing(lap, beside.is_some()) {
            Some(why) => Err(why),
            None => row_values::coloured(self, &row_values::RowValues { lap, beside, places_m, wheel }),
        }
    }
}

impl ColouredLap {
    /// Which band a row is in; `None` where nothing was told.
    pub fn band(&self, row: usize) -> Option<usize> {
        let value = self.values.get(row).filter(|value| value.is_finite())?;
        Some(self.edges.partition_point(|edge| edge <= value))
    }

    /// The unit in which values are shown; `None` where each row is in a class that has a name.
    pub fn unit(&self) -> Option<&'static DisplayUnit> {
        self.unit
    }

    /// The value of a row as it is shown; `None` where it is in a class, and where nothing was told.
    pub fn value(&self, row: usize) -> Option<f64> {
        let value = self.values.get(row).filter(|value| value.is_finite())?;
        Some(self.unit?.value(f64::from(*value)))
    }

    /// What is told of a row, with the unit.
    pub fn says(&self, row: usize) -> Option<String> {
        let band = self.bands.get(self.band(row)?)?;
        let Some(unit) = self.unit else { return Some(band.says.clone()) };
        Some(bands::printed(f64::from(*self.values.get(row)?), unit, self.signed))
    }
}

#[cfg(test)]
mod tests;
