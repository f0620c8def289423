//! Which panel is open beside the lanes, and what is chosen in it.

use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::plot::panel::{Laps, Panel};

use super::{Analyse, Aspect, State};
use crate::laps::number;

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
    /// Whether the main lap is the driver's own, or nobody knows whose: of other drivers' cars less may be sent.
    pub(crate) fn drives_own(&self) -> bool {
        let main = self.shown.as_ref().and_then(|shown| self.entry(shown.laps.first()?.driven.key));
        main.is_none_or(|(_, entry)| entry.session.summary.player.is_none() || entry.is_players_seat())
    }

    /// Hands out what the panels tell of; `None` while no lap is shown.
    pub(crate) fn tell<T>(&self, tell: impl FnOnce(&Laps<'_>) -> T) -> Option<T> {
        let shown = self.shown.as_ref()?;
        let main = &shown.laps.first()?.driven;
        let reference = shown.laps.get(1).filter(|_| shown.compared).map(|lap| &lap.driven);
        let (origin, own) = self.entry(main.key)?;
        let stage = origin.stage;
        let same = |entry: &LapEntry| entry.is_of_stint(own) || stage && entry.is_of_seat(own);
        // A stage's runs are numbered as the list has them: to the game each is the first.
        let mut stint: Vec<LapColumns<'_>> = Vec::new();
        let near = reference.filter(|other| origin.entry(other.key).is_some_and(same));
        for lap in self.stint.iter().chain([main]).chain(near) {
            // There are few of them.
            let mut columns = lap.columns();
            columns.number = number(&lap.lap, stage);
            let place = stint.iter().position(|other| other.number > columns.number);
            stint.insert(place.unwrap_or(stint.len()), columns);
        }
        let mut besides = vec![shown.comparison()];
        besides.extend(&shown.lap_comparison.others);
        let mut driven = Vec::new();
        for entry in origin.catalogue.laps() {
            if same(entry) {
                let mut lap = entry.lap.clone();
                lap.number = number(&lap, stage);
                driven.push(lap);
            }
        }
        let mut own = main.told();
        own.columns = shown.comparison().in_order(&own.columns);
        Some(tell(&Laps {
            main: own,
            reference: reference.map(|lap| lap.told()),
            comparison: shown.comparison(),
            stint: &stint,
            besides: &besides,
            driven: &driven,
            stage,
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
