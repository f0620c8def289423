//! How the track map is shown.

use trailbrake_shared::analysis::Unavailable;
use trailbrake_shared::model::Wheel;
use trailbrake_shared::number;
use trailbrake_shared::plot::MapWindow;
use trailbrake_shared::plot::colouring::{ColouredLap, Colouring, colour_lap};
use trailbrake_shared::units::Units;

use crate::analyse::ShownLaps;

/// How the track map is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MapView {
    /// The chosen colouring; `None` for the default.
    pub(crate) by: Option<Colouring>,
    /// The wheel whose value colours the track. `None` takes the wheel with the largest value at each point.
    pub(crate) wheel: Option<Wheel>,
    /// The part of the track that is shown.
    pub(crate) look: MapArea,
    /// Whether all racing lines are drawn at every zoom, not only where they can be distinguished.
    pub(crate) lines: bool,
}

/// The part of the track that the map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum MapArea {
    /// The part that the lanes show.
    #[default]
    Follows,
    /// The complete track.
    All,
    /// A part chosen on the map itself.
    At(MapWindow),
}

impl MapArea {
    /// Its value in addresses; `None` for the default.
    pub(crate) fn word(self) -> Option<String> {
        match self {
            Self::Follows => None,
            Self::All => Some("all".to_owned()),
            Self::At(MapWindow { middle: [x, z], across_m }) => Some(format!("{x:.1},{z:.1},{across_m:.1}")),
        }
    }

    /// Reads a value from an address. Anything invalid follows the lanes.
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
    /// The colouring; by default the delta, or the speed of a lap without a reference.
    pub(crate) fn by(self, shown: &ShownLaps) -> Colouring {
        self.by.unwrap_or(if shown.compared { Colouring::Delta } else { Colouring::Speed })
    }
}

/// All colourings, each with the reason if the main lap can't have it.
pub(super) fn colourings(shown: &ShownLaps) -> Vec<(Colouring, Option<Unavailable>)> {
    let Some(lap) = shown.laps.first() else { return Vec::new() };
    let columns = lap.loaded.columns();
    Colouring::ALL.iter().map(|by| (*by, by.missing(&columns, shown.compared))).collect()
}

/// Whether a colouring of the main lap has a value for each wheel.
pub(super) fn is_per_wheel(shown: &ShownLaps, by: Colouring) -> bool {
    shown.laps.first().is_some_and(|lap| by.is_per_wheel(&lap.loaded.columns()))
}

/// The main lap with the colours of a colouring.
pub(crate) fn coloured(
    shown: &ShownLaps,
    by: Colouring,
    wheel: Option<Wheel>,
    units: Units,
) -> Result<ColouredLap, Unavailable> {
    let Some(lap) = shown.laps.first() else { return Err(Unavailable::TooLittle("a lap")) };
    let beside = Some(shown.comparison()).filter(|_| shown.compared);
    colour_lap(by, &lap.columns(), beside, &lap.distance_m, wheel, &units)
}

/// The wheel with a short name, as in addresses and the chooser; `None` for all wheels.
pub(crate) fn wheel_of(id: &str) -> Option<Wheel> {
    Wheel::ALL.into_iter().find(|wheel| wheel.short().eq_ignore_ascii_case(id))
}
