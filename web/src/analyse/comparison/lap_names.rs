//! The names of compared laps: by number, and by whose they are where that is needed.

use leptos::prelude::*;

use crate::analyse::{Analyse, LapKey, Sources};
use crate::laps::number;

impl Sources {
    /// The name of a lap compared with the main one: its number, and the driver if the main lap has another.
    fn lap_name(&self, key: LapKey, main: Option<LapKey>) -> String {
        let Some((source, entry)) = self.entry(key) else { return "A lap".to_owned() };
        let what = if source.stage { "Run" } else { "Lap" };
        let name = format!("{what} {}", number(&entry.lap, source.stage));
        match self.whose(key, main) {
            Some(whose) => format!("{name} · {whose}"),
            None => name,
        }
    }

    /// Whose a lap is, or where it is from, where that differs from the main lap's.
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

    /// The name of a lap: its number, and the driver if the main lap has another.
    pub(crate) fn lap_name(self, key: LapKey) -> String {
        let main = self.main_lap();
        self.sources.with(|sources| sources.lap_name(key, main))
    }

    /// Whose a lap is, or where it is from, where that differs from the main lap's.
    pub(crate) fn whose(self, key: LapKey) -> Option<String> {
        let main = self.main_lap();
        self.sources.with(|sources| sources.whose(key, main))
    }
}
