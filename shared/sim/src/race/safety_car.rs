//! The safety car.

/// The safety car's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SafetyCar {
    /// Not deployed.
    #[default]
    None,
    /// A safety car on track.
    Full,
    /// A virtual safety car.
    Virtual,
}

impl SafetyCar {
    /// Share of the usual pace that is allowed.
    pub(super) fn pace(self) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Full => 0.6,
            Self::Virtual => 0.7,
        }
    }
}
