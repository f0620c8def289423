//! Telemetry files of iRacing, written or changed by other programs.

use trailbrake_shared::import::ibt::{self, IbtReader};

use crate::motec::packets;

/// A file, read at once and in pieces. Its laps become packets, as in an import.
pub fn ibt(bytes: &[u8]) {
    let _ = ibt::begins(bytes);
    let whole = ibt::read(bytes);
    let mut reader = IbtReader::default();
    let pushed = bytes.chunks(97).try_for_each(|piece| reader.push(piece));
    let pieces = pushed.and_then(|()| reader.finish());
    match (whole, pieces) {
        (Ok(file), Ok(same)) => {
            let rows = |laps: &trailbrake_shared::export::ImportedLaps| {
                laps.laps.iter().map(|lap| (lap.number, lap.time, lap.columns.len())).collect::<Vec<_>>()
            };
            assert_eq!(rows(&file), rows(&same), "pieces make the same laps");
            packets(&file);
        }
        (Err(reason), Err(_)) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
        (whole, pieces) => assert_eq!(whole.is_ok(), pieces.is_ok(), "pieces are read as the whole is"),
    }
}
