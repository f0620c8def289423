//! The names of compared laps: the number, and the driver where it is not the main lap's.

use leptos::prelude::*;

use crate::analyse::{Analyse, LapKey, Sources};
use crate::laps::number;

impl Sources {
    /// The name of a lap: its number, and what [`Self::whose`] adds.
    fn lap_name(&self, key: LapKey, main: Option<LapKey>) -> String {
        let Some((source, entry)) = self.entry(key) else { return "A lap".to_owned() };
        let what = if source.stage { "Run" } else { "Lap" };
        let name = format!("{what} {}", number(&entry.lap, source.stage));
        match self.whose(key, main) {
            Some(whose) => format!("{name} · {whose}"),
            None => name,
        }
    }

    /// The driver of a lap, and its session's date if it is of another source than the main lap. `None` for the main
    /// lap, and for laps of the same driver, car and session.
    pub(crate) fn whose(&self, key: LapKey, main: Option<LapKey>) -> Option<String> {
        let main = main.filter(|main| *main != key)?;
        let (source, entry) = self.entry(key)?;
        match source.entry(main) {
            Some(main) => (!entry.is_of_seat(main)).then(|| entry.driver_words()),
            None => Some(format!("{}, {}", entry.driver_words(), source.when)),
        }
    }
}

impl Analyse {
    /// The main lap, whether it is loaded or not.
    pub(crate) fn main_lap(self) -> Option<LapKey> {
        self.selection.with(|selection| selection.chosen.main)
    }

    /// The name of a lap: its number, and what [`Self::whose`] adds.
    pub(crate) fn lap_name(self, key: LapKey) -> String {
        let main = self.main_lap();
        self.sources.with(|sources| sources.lap_name(key, main))
    }

    /// Like [`Sources::whose`], against the current main lap.
    pub(crate) fn whose(self, key: LapKey) -> Option<String> {
        let main = self.main_lap();
        self.sources.with(|sources| sources.whose(key, main))
    }
}
