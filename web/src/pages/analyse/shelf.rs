//! The row of the shelf's lap, in the head of the list.

use crate::analyse::{Name, Origin, Shelf, State};
use crate::browser;
use crate::dom::{Part, button, part};
use crate::laps;
use crate::library::date;

/// What the shelf has of what is listed, and its one press.
pub(super) fn row(state: &State, origin: &Origin) -> Part {
    let row = part("div", "shelf").set("data-figure", "shelf");
    let (key, time, at, number) = match &state.shelf {
        Shelf::Asking => return row,
        Shelf::None(why) => return row.with(part("p", "soft").says("Shelf: ").says(why)),
        Shelf::Lap { key, time, at, number } => (*key, *time, *at, *number),
    };
    let when = match key.of == origin.name {
        // Each run of a stage is lap 1 to the game.
        true if origin.stage => match origin.entry(key) {
            Some(entry) => format!("run {} here", laps::number(&entry.lap, true)),
            None => String::new(),
        },
        true => format!("lap {number} here"),
        false => date(at, browser::minutes_west(at)),
    };
    let is_reference = state.chosen.reference == Some(key);
    let press = button("vs", "quiet", "shelf")
        .set("aria-pressed", if is_reference { "true" } else { "false" })
        .set("aria-label", "Make the shelf's lap the reference")
        .set(
            "title",
            if is_reference { "This is the reference" } else { "Make the shelf's lap the reference" },
        );
    let title = match key.of {
        Name::Recording(id) => format!("The best lap of this game, track and car in all recordings: {id}"),
        Name::Live => String::new(),
    };
    row.set("title", &title)
        .with(part("span", "soft").says("Shelf "))
        .with(part("b", "").says(&time.to_string()))
        .with(part("span", "soft when").says(&when))
        .with(press)
}
