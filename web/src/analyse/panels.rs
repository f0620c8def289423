//! Which panel is open beside the lanes, and what is chosen in it.

use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::plot::panel::{Laps, Panel};

use super::{Analyse, Aspect, Key, State};

/// What addresses call the panel that is open at first: the corner table, and the three things to fix.
pub(crate) const CORNERS: &str = "corners";

/// The open panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Open {
    /// What an address calls it; empty for the one that is open at first.
    pub(crate) id: &'static str,
    /// Which of its choices is wanted; empty for the first.
    pub(crate) wanted: String,
}

impl Open {
    /// The panel of an id, with one of its choices.
    pub(crate) fn named(id: &str, wanted: &str) -> Self {
        let panel = Panel::named(id);
        panel.map_or_else(Self::default, |panel| Self { id: panel.id, wanted: wanted.to_owned() })
    }

    /// What makes its content; the corners are drawn by themselves.
    pub(crate) fn panel(&self) -> Option<&'static Panel> {
        Panel::named(self.id)
    }
}

impl State {
    /// Hands out what the panels tell of; `None` while no lap is shown.
    pub(crate) fn tell<T>(&self, tell: impl FnOnce(&Laps<'_>) -> T) -> Option<T> {
        let shown = self.shown.as_ref()?;
        let main = &shown.laps.first()?.driven;
        let reference = shown.laps.get(1).filter(|_| shown.compared).map(|lap| &lap.driven);
        let (key, of) = (main.key, self.known(main.key));
        let same = |lap: &Lap, other: Key| {
            (other.of, other.session, other.car) == (key.of, key.session, key.car)
                && (lap.stint == main.lap.stint || of.is_some_and(|(origin, _)| origin.stage))
        };
        let mut stint: Vec<LapColumns<'_>> = Vec::new();
        let near = reference.filter(|other| same(&other.lap, other.key));
        for lap in self.of_stint.laps.iter().chain([main]).chain(near) {
            // There are few of them.
            let place = stint.iter().position(|other| other.number > lap.lap.number);
            stint.insert(place.unwrap_or(stint.len()), lap.columns());
        }
        let mut besides = vec![&shown.comparison];
        besides.extend(&self.of_stint.beside);
        let mut driven = Vec::new();
        for known in of.iter().flat_map(|(origin, _)| &origin.laps) {
            driven.extend(same(&known.lap, known.key).then(|| known.lap.clone()));
        }
        let mut own = main.told();
        own.columns = shown.comparison.in_order(&own.columns);
        Some(tell(&Laps {
            main: own,
            reference: reference.map(|lap| lap.told()),
            comparison: &shown.comparison,
            stint: &stint,
            besides: &besides,
            driven: &driven,
            stage: of.is_some_and(|(origin, _)| origin.stage),
        }))
    }
}

impl Analyse {
    /// Opens a panel.
    pub(crate) fn open_panel(&self, id: &str) {
        self.change(&[Aspect::Panel], |state| state.open = Open::named(id, ""));
        self.say_address();
    }

    /// Opens a panel, or the corners where it is open already.
    pub(crate) fn turn_panel(&self, id: &str) {
        let open = self.read(|state| state.open.id == id);
        self.open_panel(if open { CORNERS } else { id });
    }

    /// Shows another choice of the open panel.
    pub(crate) fn want(&self, choice: &str) {
        self.change(&[Aspect::Panel], |state| state.open.wanted = choice.to_owned());
        self.say_address();
    }
}
