//! Tables written or changed by other programs.

use trailbrake_shared::export::csv;

use crate::motec::packets;

/// A table. Its laps become packets, as in an import.
pub fn csv(bytes: &[u8]) {
    let _ = csv::begins(bytes);
    match csv::read(&String::from_utf8_lossy(bytes)) {
        Ok(file) => packets(&file),
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}
