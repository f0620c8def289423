//! What is seen of the track from above.

use trailbrake_shared::analysis::Unavailable;
use trailbrake_shared::model::Wheel;
use trailbrake_shared::number;
use trailbrake_shared::plot::MapWindow;
use trailbrake_shared::plot::colouring::{ColouredLap, Colouring};

use super::{Analyse, Aspect, Shown};

/// How the track is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// By what it is coloured, once somebody has chosen.
    pub(crate) by: Option<Colouring>,
    /// The wheel whose value colours it; without one that of the wheel that does most.
    pub(crate) wheel: Option<Wheel>,
    /// What part of it is shown.
    pub(crate) look: Look,
    /// Whether the lines of all laps are drawn however little of the track is shown.
    pub(crate) lines: bool,
}

/// What part of the track is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Look {
    /// What the lanes show.
    #[default]
    Follows,
    /// All of it.
    All,
    /// A part that somebody went to on the map itself.
    At(MapWindow),
}

impl Look {
    /// What an address says of it: nothing where it follows the lanes.
    pub(super) fn word(self) -> Option<String> {
        match self {
            Self::Follows => None,
            Self::All => Some("all".to_owned()),
            Self::At(MapWindow { middle: [x, z], across_m }) => Some(format!("{x:.1},{z:.1},{across_m:.1}")),
        }
    }

    /// What an address means.
    pub(super) fn of_word(word: &str) -> Self {
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

impl Seen {
    /// By what the track is coloured: by the delta, as long as nobody has chosen.
    pub(crate) fn by(self, shown: &Shown) -> Colouring {
        self.by.unwrap_or(if shown.compared { Colouring::Delta } else { Colouring::Speed })
    }
}

impl Analyse {
    /// Looks at the track otherwise.
    pub(crate) fn see(&self, change: impl FnOnce(&mut Seen)) {
        self.change(&[Aspect::Seen], |state| change(&mut state.seen));
        self.say_address();
    }

    /// Colours the track by the next thing that the game sends.
    pub(crate) fn colour_next(&self) {
        let next = self.read(|state| {
            let shown = state.shown.as_ref()?;
            let here = state.seen.by(shown);
            let mut colourings = shown.colourings();
            colourings.retain(|(by, why)| why.is_none() || *by == here);
            let place = colourings.iter().position(|(by, _)| *by == here)?;
            colourings.into_iter().cycle().nth(place + 1).map(|(by, _)| by)
        });
        self.see(|seen| seen.by = next.or(seen.by));
    }
}

impl Shown {
    /// By what the main lap can be coloured, and why by some it can't.
    pub(crate) fn colourings(&self) -> Vec<(Colouring, Option<Unavailable>)> {
        let Some(lap) = self.laps.first() else { return Vec::new() };
        let columns = lap.driven.columns();
        Colouring::ALL.iter().map(|by| (*by, by.missing(&columns, self.compared))).collect()
    }

    /// Whether wheels can be told apart.
    pub(crate) fn is_per_wheel(&self, by: Colouring) -> bool {
        self.laps.first().is_some_and(|lap| by.is_per_wheel(&lap.driven.columns()))
    }

    /// The main lap, coloured.
    pub(crate) fn coloured(&self, by: Colouring, wheel: Option<Wheel>) -> Result<ColouredLap, Unavailable> {
        let Some(lap) = self.laps.first() else { return Err(Unavailable::TooLittle("a lap")) };
        let beside = Some(self.comparison()).filter(|_| self.compared);
        by.of(&lap.columns(), beside, &lap.distance_m, wheel)
    }
}

/// The wheel that an address or a chooser means.
pub(crate) fn wheel_of(id: &str) -> Option<Wheel> {
    Wheel::ALL.into_iter().find(|wheel| wheel.short().eq_ignore_ascii_case(id))
}
