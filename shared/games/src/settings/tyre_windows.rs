//! The temperatures at which the driver's tyres work, which no game sends.

use trailbrake_model::Channel;

/// The layers of a tyre whose temperature games send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TyreLayer {
    /// The tread's surface.
    Surface,
    /// The inside, or the one temperature of games that send only one.
    Inside,
}

impl TyreLayer {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Surface, Self::Inside];

    /// The layer that a channel measures.
    pub const fn of(channel: Channel) -> Option<Self> {
        match channel {
            Channel::TyreSurfaceTemperature => Some(Self::Surface),
            Channel::TyreInnerTemperature | Channel::TyreTemperature => Some(Self::Inside),
            _ => None,
        }
    }
}

/// A range of temperatures, °C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TyreWindow {
    /// Below this a tyre is cold.
    pub from_c: f64,
    /// Above this it is warm, and farther above it hot.
    pub to_c: f64,
}

impl TyreWindow {
    /// Typical for the surface of racing slicks.
    pub const USUAL_SURFACE: Self = Self { from_c: 75.0, to_c: 102.0 };

    /// Whether a temperature is in it.
    pub fn contains(&self, celsius: f64) -> bool {
        (self.from_c..=self.to_c).contains(&celsius)
    }
}

/// The windows that the driver set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreWindows {
    /// Both ends of each layer's window, in the order of [`TyreLayer::ALL`], as far as they are set.
    pub(super) ends: [[Option<f64>; 2]; 2],
}

impl TyreWindows {
    /// The window that the driver set for a layer.
    pub fn of(&self, layer: TyreLayer) -> Option<TyreWindow> {
        let [surface, inside] = self.ends;
        let [from, to] = match layer {
            TyreLayer::Surface => surface,
            TyreLayer::Inside => inside,
        };
        Some(TyreWindow { from_c: from?, to_c: to? })
    }

    /// The window that the driver set for what a channel measures.
    pub fn of_channel(&self, channel: Channel) -> Option<TyreWindow> {
        self.of(TyreLayer::of(channel)?)
    }

    pub(super) fn end(&self, layer: TyreLayer, is_upper: bool) -> Option<f64> {
        let [surface, inside] = self.ends;
        let [from, to] = match layer {
            TyreLayer::Surface => surface,
            TyreLayer::Inside => inside,
        };
        if is_upper { to } else { from }
    }

    pub(super) fn set_end(&mut self, layer: TyreLayer, is_upper: bool, celsius: Option<f64>) {
        let [surface, inside] = &mut self.ends;
        let [from, to] = match layer {
            TyreLayer::Surface => surface,
            TyreLayer::Inside => inside,
        };
        *(if is_upper { to } else { from }) = celsius;
    }
}
