//! The session, its laps, and the laps that are compared.

mod best_row;
mod chips;
mod focus;
mod icons;
mod list;
mod row;
mod session;
mod toolbar;

pub(super) use chips::LapChips;
pub(super) use list::LapList;
pub(super) use row::toggle_excluded;
pub(super) use session::SessionHeading;
pub(super) use toolbar::Toolbar;

use crate::analyse::INKS;

/// The CSS class of a lap's colour, by its index among the compared laps; empty for other laps.
pub(super) fn ink(place: Option<usize>) -> &'static str {
    let ink = place.and_then(|place| INKS.get(place));
    ink.map_or("", |ink| ink.token().trim_start_matches('-'))
}
