//! Tables written or changed by other programs.

use trailbrake_shared::export::csv;
use trailbrake_shared::import::garage61;

use crate::motec::packets;

/// A table, ours or Garage 61's. Its laps become packets, as in an import.
pub fn csv(bytes: &[u8]) {
    let _ = (csv::begins(bytes), garage61::begins(bytes));
    let text = String::from_utf8_lossy(bytes);
    if garage61::has_heading(&text) {
        match garage61::read(&text) {
            Ok(file) => packets(&file),
            Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
        }
    }
    match csv::read(&text) {
        Ok(file) => packets(&file),
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}
