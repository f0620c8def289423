//! Laps as comma-separated values, as RFC 4180 has them: a row for each sample, or for each place on the track; and read
//! back.

mod read;
mod write;

use crate::model::MOST_SECTORS;

pub use read::{NotOurs, begins, read};
pub use write::{Rows, write};

/// When, on the session's clock and on the lap's.
const CLOCK: &str = "session_time [s]";
const LAP_CLOCK: &str = "lap_time [s]";
/// The columns in front: whose lap, which, and when.
const FRONT: [&str; 5] = ["driver", "car", "lap", CLOCK, LAP_CLOCK];
/// What is the same for all of a lap: where and when it was driven, and how it was timed.
const GAME: &str = "game";
const SESSION: &str = "session";
const TRACK: &str = "track";
const VEHICLE: &str = "vehicle";
const DATE: &str = "date";
const OFFICIAL: &str = "official_time [s]";
const SECTORS: [&str; MOST_SECTORS] = ["sector_1 [s]", "sector_2 [s]", "sector_3 [s]", "sector_4 [s]"];
const FLAGS: &str = "flags";
/// The place on the track, where rows are by place.
const PLACE: &str = "place [m]";

/// Whether a spreadsheet would run a text as a formula.
pub(crate) fn is_formula(text: &str) -> bool {
    text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}
