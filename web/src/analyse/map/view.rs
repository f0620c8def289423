//! How the track map is shown.

use trailbrake_shared::analysis::Unavailable;
use trailbrake_shared::model::Wheel;
use trailbrake_shared::number;
use trailbrake_shared::plot::MapWindow;
use trailbrake_shared::plot::colouring::{ColouredLap, Colouring};
use trailbrake_shared::units::Units;

use crate::analyse::ShownLaps;

/// How the track map is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MapView {
    /// The chosen colouring.
    pub(crate) by: Option<Colouring>,
    /// The wheel whose value colours it; without one that of the wheel that does most.
    pub(crate) wheel: Option<Wheel>,
    /// What part of it is shown.
    pub(crate) look: MapArea,
    /// Whether the lines of all laps are drawn however little of the track is shown.
    pub(crate) lines: bool,
}

/// What part of the track is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum MapArea {
    /// What the lanes show.
    #[default]
    Follows,
    /// All of it.
    All,
    /// A part chosen on the map itself.
    At(MapWindow),
}

impl MapArea {
    /// Its word in addresses: none where it follows the lanes.
    pub(crate) fn word(self) -> Option<String> {
        match self {
            Self::Follows => None,
            Self::All => Some("all".to_owned()),
            Self::At(MapWindow { middle: [x, z], across_m }) => Some(format!("{x:.1},{z:.1},{across_m:.1}")),
        }
    }

    /// The part that a word in an address names.
    pub(crate) fn of_word(word: &str) -> Self {
        let mut numbers = word.split(',').map(number::read);
        let mut number = || numbers.next().flatten();
        match (word, number(), number(), number()) {
            ("all", ..) => Self::All,
            (_, Some(x), Some(z), Some(across_m)) => {
                MapWindow::new([x, z], across_m).map_or(Self::Follows, Self::At)
            }
            _ => Self::Follows,
        }
    }
}

impl MapView {
    /// The colouring; by default the delta.
    pub(crate) fn by(self, shown: &ShownLaps) -> Colouring {
        self.by.unwrap_or(if shown.compared { Colouring::Delta } else { Colouring::Speed })
    }
}

impl ShownLaps {
    /// By what the main lap can be coloured, and why by some it can't.
    pub(crate) fn colourings(&self) -> Vec<(Colouring, Option<Unavailable>)> {
        let Some(lap) = self.laps.first() else { return Vec::new() };
        let columns = lap.loaded.columns();
        Colouring::ALL.iter().map(|by| (*by, by.missing(&columns, self.compared))).collect()
    }

    /// Whether there is a value for each wheel.
    pub(crate) fn is_per_wheel(&self, by: Colouring) -> bool {
        self.laps.first().is_some_and(|lap| by.is_per_wheel(&lap.loaded.columns()))
    }

    /// The main lap, coloured.
    pub(crate) fn coloured(
        &self,
        by: Colouring,
        wheel: Option<Wheel>,
        units: Units,
    ) -> Result<ColouredLap, Unavailable> {
        let Some(lap) = self.laps.first() else { return Err(Unavailable::TooLittle("a lap")) };
        let beside = Some(self.comparison()).filter(|_| self.compared);
        by.of(&lap.columns(), beside, &lap.distance_m, wheel, &units)
    }
}

/// The wheel that an address or a chooser means.
pub(crate) fn wheel_of(id: &str) -> Option<Wheel> {
    Wheel::ALL.into_iter().find(|wheel| wheel.short().eq_ignore_ascii_case(id))
}
