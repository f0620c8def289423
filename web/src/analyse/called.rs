//! What laps are called where they stand side by side: by their numbers, and by whose they are where that is needed.

use super::{Key, State};
use crate::laps::number;

impl State {
    /// What a lap is called: its number, with whose it is and where from as far as the main lap's are others.
    pub(crate) fn called(&self, key: Key) -> String {
        let Some((origin, entry)) = self.entry(key) else { return "A lap".to_owned() };
        let what = if origin.stage { "Run" } else { "Lap" };
        let name = format!("{what} {}", number(&entry.lap, origin.stage));
        match self.whose(key) {
            Some(whose) => format!("{name} · {whose}"),
            None => name,
        }
    }

    /// Whose a lap is, or where it is from, where that differs from the main lap's.
    pub(crate) fn whose(&self, key: Key) -> Option<String> {
        let main = self.chosen.main.filter(|main| *main != key)?;
        let (origin, entry) = self.entry(key)?;
        match origin.entry(main) {
            Some(main) => (!entry.is_of_seat(main)).then(|| entry.driver_words()),
            None => Some(format!("{}, {}", entry.driver_words(), origin.when)),
        }
    }
}
