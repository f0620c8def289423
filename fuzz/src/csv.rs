//! Tables that somebody else's program wrote, or changed.

use trailbrake_shared::export::csv;

use crate::motec::packets;

/// A table: its laps become packets, as they do when they are imported.
pub fn csv(bytes: &[u8]) {
    let _ = csv::begins(bytes);
    match csv::read(&String::from_utf8_lossy(bytes)) {
        Ok(file) => packets(&file),
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}
