//! Colours a map: sorts each row of a lap into one of a few bands, and names the bands.
//!
//! A colour is given as a [`Tone`], its role; the painter has a palette for the tones.

mod bands;
mod colour;
mod row_values;

pub use colour::{colour_lap, row_words};

use trailbrake_analysis::ledger::PartGroup;
use trailbrake_analysis::{LapColumns, Unavailable};
use trailbrake_model::units::DisplayUnit;
use trailbrake_model::{Channel, Wheel};

/// Colours of the ramp, from low to high.
pub const RAMP: u8 = 8;

/// Declares the colourings: variant, id in addresses, title, and the channels needed: one of each group.
macro_rules! colourings {
    ($($variant:ident $id:literal $title:literal [$([$($channel:ident)*])*];)*) => {
        /// What a map is coloured by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Colouring {
            $(#[doc = $title] $variant,)*
        }

        impl Colouring {
            /// All colourings, in menu order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable id in addresses.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The title for drivers.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The channels it needs: one of each group, the first available one.
            const fn needs(self) -> &'static [&'static [Channel]] {
                match self { $(Self::$variant => &[$(&[$(Channel::$channel),*]),*],)* }
            }
        }
    };
}

colourings! {
    Delta "delta" "Delta" [];
    Cause "cause" "Cause" [];
    Speed "speed" "Speed" [[Speed]];
    Pedals "pedals" "Pedals" [[Throttle ThrottlePedal] [Brake BrakeApplied]];
    Gear "gear" "Gear" [[Gear]];
    // Wheel slip against the car's speed means the same in every game; the games' own slip measures differ and come
    // after it.
    Slip "slip" "Slip" [[WheelSpeed CombinedSlip WheelSlip SlipLevel Slip] [Speed]];
    Temperature "temperature" "Tyre temperature" [[TyreSurfaceTemperature TyreInnerTemperature TyreTemperature]];
    Surface "surface" "Surface" [[Surface]];
}

/// The role of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A step of the ramp, counted from 0 and below [`RAMP`].
    Ramp(u8),
    /// Neutral.
    Plain,
    /// Much time gained.
    Gain,
    /// Some time gained.
    SomeGain,
    /// Some time lost.
    SomeLoss,
    /// Much time lost.
    Loss,
    /// On the throttle.
    Throttle,
    /// On the brake.
    Brake,
    /// On neither pedal.
    Coast,
    /// Lost by a part of the ledger.
    Part(PartGroup),
}

/// A band of values with one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Its colour.
    pub tone: Tone,
    /// Its name; empty for a step of a scale.
    pub says: String,
}

/// A lap with a colour for each row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColouredLap {
    /// The value of each row; NaN where there is none.
    values: Vec<f32>,
    /// The lower edge of each band but the first.
    edges: Vec<f32>,
    /// The bands, from low to high if they are steps of a scale.
    pub bands: Vec<Band>,
    /// The labels at the ends of a scale, with the unit; `None` for named bands.
    pub ends: Option<[String; 2]>,
    /// What is coloured, in more detail than the title.
    pub about: String,
    /// The unit of the values; `None` where the bands have names.
    unit: Option<&'static DisplayUnit>,
    /// Whether values above zero get a plus sign.
    signed: bool,
}

impl Colouring {
    /// The colouring with this id.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|colouring| colouring.id() == id)
    }

    /// Whether each wheel has its own value.
    pub fn is_per_wheel(self, lap: &LapColumns<'_>) -> bool {
        let of_wheel = |channel: &&Channel| lap.has(channel.of(Wheel::FrontLeft));
        let first = self.needs().first().and_then(|group| group.iter().find(of_wheel));
        first.is_some_and(|channel| channel.scope() == trailbrake_model::Scope::Wheels)
    }

    /// Why a lap cannot be coloured this way; `None` if it can.
    pub fn missing(self, lap: &LapColumns<'_>, compared: bool) -> Option<Unavailable> {
        if matches!(self, Self::Delta | Self::Cause) && !compared {
            return Some(Unavailable::TooLittle("a second lap to compare with"));
        }
        let sent = |channel: &Channel| lap.has(channel.of(Wheel::FrontLeft));
        let lacks = self.needs().iter().find(|group| !group.iter().any(sent))?;
        Some(Unavailable::not_sent(lacks))
    }
}

impl ColouredLap {
    /// The band of a row; `None` without a value.
    pub fn band(&self, row: usize) -> Option<usize> {
        let value = self.values.get(row).filter(|value| value.is_finite())?;
        Some(self.edges.partition_point(|edge| edge <= value))
    }

    /// The display unit of the values; `None` for named classes.
    pub fn unit(&self) -> Option<&'static DisplayUnit> {
        self.unit
    }

    /// A row's value in the display unit; `None` in a class or without a value.
    pub fn value(&self, row: usize) -> Option<f64> {
        let value = self.values.get(row).filter(|value| value.is_finite())?;
        Some(self.unit?.value(f64::from(*value)))
    }
}

#[cfg(test)]
mod tests;
