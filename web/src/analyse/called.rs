//! What laps are called where they stand side by side: by their numbers, and by whose they are where that is needed.

use super::{Key, State};
use crate::laps::number;

impl State {
    /// What a lap is called: its number, with whose it is and where from as far as the main lap's are others.
    pub(crate) fn called(&self, key: Key) -> String {
        let Some((origin, known)) = self.known(key) else { return "A lap".to_owned() };
        let what = if origin.stage { "Run" } else { "Lap" };
        let name = format!("{what} {}", number(&known.lap, origin.stage));
        match self.whose(key) {
            Some(whose) => format!("{name} · {whose}"),
            None => name,
        }
    }

    /// Whose a lap is, or where it is from, where that differs from the main lap's.
    pub(crate) fn whose(&self, key: Key) -> Option<String> {
        let main = self.chosen.main.filter(|main| *main != key)?;
        let (origin, _) = self.known(key)?;
        let seat = origin.seats.iter().find(|seat| seat.has(key))?;
        match main.of == key.of {
            true => (!seat.has(main)).then(|| seat.driver.clone()),
            false => Some(format!("{}, {}", seat.driver, origin.when)),
        }
    }
}
