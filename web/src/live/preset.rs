//! The presets: which panels a view shows, and where, until the driver changes that.

use super::panel::Panel::{self, *};

/// The window sizes that have their own arrangement. A phone has one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    Phone,
    Tablet,
    Wide,
}

impl Size {
    pub(super) const ALL: [Self; 3] = [Self::Phone, Self::Tablet, Self::Wide];

    /// The size of a window by its width in CSS pixels. The style sheet has the same limits.
    pub(super) fn of(width: f64) -> Self {
        if width <= 640.0 {
            Self::Phone
        } else if width < 1280.0 {
            Self::Tablet
        } else {
            Self::Wide
        }
    }

    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Tablet => "tablet",
            Self::Wide => "wide",
        }
    }

    /// The number of columns.
    pub(super) const fn columns(self) -> usize {
        match self {
            Self::Phone => 1,
            Self::Tablet => 2,
            Self::Wide => 3,
        }
    }
}

/// A view, for one kind of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Preset {
    /// For drivers, to read on a straight.
    Driver,
    /// For engineers on the pit wall.
    Engineer,
    /// For one car on a rally stage.
    Rally,
    /// For all cars of a server.
    Server,
}

/// The panels of a preset on one size of window.
#[derive(Clone, Copy, Debug)]
pub(super) struct PresetPanels {
    /// The columns from the left.
    pub(super) columns: &'static [&'static [Panel]],
    /// If the game can fill no large panel of the left column, the first of these that it can fill moves there.
    pub(super) instead: &'static [Panel],
    /// In a game without a timing table, these take its room.
    pub(super) for_timing: &'static [Panel],
}

impl Preset {
    pub(super) const ALL: [Self; 4] = [Self::Driver, Self::Engineer, Self::Rally, Self::Server];

    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Driver => "driver",
            Self::Engineer => "engineer",
            Self::Rally => "rally",
            Self::Server => "server",
        }
    }

    /// The preset with this name.
    pub(super) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.id() == id)
    }

    /// Its name for drivers.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Driver => "Driver",
            Self::Engineer => "Engineer",
            Self::Rally => "Rally",
            Self::Server => "Server",
        }
    }

    /// Its panels on a size of window.
    pub(super) const fn panels(self, size: Size) -> PresetPanels {
        let columns: &[&[Panel]] = match (self, size) {
            (Self::Driver, Size::Wide) => &[&[Dash, Trace, Tyres, Laps], &[Track, Timing], &[]],
            // A tablet is read at arm's length: the driver's own car alone, over the whole width. A desk has room for
            // the others beside it.
            (Self::Driver, Size::Tablet) => &[&[Dash, Trace, Tyres, Laps, Track], &[]],
            (Self::Driver, Size::Phone) => {
                &[&[Dash, Trace, Braking, Laps, Track, Energy, Tyres, Timing, Events]]
            }
            (Self::Engineer, Size::Wide) => &[
                &[Dash, Timing, Tyres, Energy],
                &[Track, Laps, TyreSets, Forecast],
                &[Session, Car, Damage, Events],
            ],
            (Self::Engineer, Size::Tablet) => {
                &[&[Dash, Timing, Tyres, Energy], &[Session, Damage, Laps, Events]]
            }
            (Self::Engineer, Size::Phone) => &[&[
                Dash, Timing, Session, Forecast, Energy, Tyres, TyreSets, Car, Damage, Laps, Track, Events,
            ]],
            (Self::Rally, Size::Wide) => &[&[Dash, Trace, Stage, Laps], &[Track, Tyres, Damage, Events], &[]],
            (Self::Rally, Size::Tablet) => &[&[Dash, Trace, Stage, Laps, Track], &[]],
            (Self::Rally, Size::Phone) => {
                &[&[Dash, Stage, Trace, Braking, Laps, Track, Tyres, Damage, Events]]
            }
            (Self::Server, Size::Wide) => &[&[Dash, Track], &[Timing, Laps], &[Session, Events]],
            (Self::Server, Size::Tablet) => &[&[Dash, Track], &[Timing, Laps, Session, Events]],
            (Self::Server, Size::Phone) => &[&[Dash, Track, Timing, Session, Laps, Events]],
        };
        let instead: &[Panel] = match self {
            Self::Driver | Self::Rally => &[Track],
            Self::Engineer => &[Trace, Track],
            Self::Server => &[Timing],
        };
        let for_timing: &[Panel] = match (self, size) {
            (Self::Driver, Size::Wide) => &[Energy, Events],
            _ => &[],
        };
        PresetPanels { columns, instead, for_timing }
    }
}
