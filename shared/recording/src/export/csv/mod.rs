//! Laps as comma-separated values (RFC 4180), with one row per sample or per track position; written and read back.

mod read;
mod write;

use trailbrake_model::MOST_SECTORS;

pub use read::{BadRow, NotOurs, Reading, begins, has_heading, read};
pub use write::{Rows, write};

/// Seconds since the start of the session and of the lap.
const CLOCK: &str = "session_time [s]";
const LAP_CLOCK: &str = "lap_time [s]";
/// The first columns.
const FRONT: [&str; 5] = ["driver", "car", "lap", CLOCK, LAP_CLOCK];
/// Columns that are constant within a lap.
const GAME: &str = "game";
const SESSION: &str = "session";
const TRACK: &str = "track";
const VEHICLE: &str = "vehicle";
const DATE: &str = "date";
const OFFICIAL: &str = "official_time [s]";
const SECTORS: [&str; MOST_SECTORS] = ["sector_1 [s]", "sector_2 [s]", "sector_3 [s]", "sector_4 [s]"];
const FLAGS: &str = "flags";
/// The track position; a column only of tables with one row per position.
const PLACE: &str = "place [m]";

/// Whether a spreadsheet would run the text as a formula.
pub fn is_formula(text: &str) -> bool {
    text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}
