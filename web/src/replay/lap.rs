//! Reads one lap of a recording.

use trailbrake_shared::recording::{DecodedLap, LapId, LapReading, LapRow, Reading, Recording};

use super::{Opened, Trouble};
use crate::browser::Slices;

/// Reads and decodes one lap, in slices that leave the page responsive.
pub(crate) async fn read_lap(opened: &Opened, id: LapId) -> Result<DecodedLap, Trouble> {
    let row = opened.recording.laps().laps.iter().find(|row| row.id() == id);
    let row = row.ok_or_else(|| Trouble::Gone("The recording has no such lap.".to_owned()))?;
    let mut slices = Slices::begin();
    // Other cars take nine tenths of the bytes, and none of them is drawn.
    if opened.recording.has_other_cars()
        && let Ok(Some(bytes)) = opened.source.lap(id).await
        && let Ok(recording) = Recording::of_bytes(&bytes)
    {
        let mut reading = LapReading::new(&recording, row);
        while let Some(range) = reading.needs() {
            let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
            let piece = bytes.get(place(range.start)..place(range.end)).unwrap_or_default();
            decode(&mut reading, piece, &mut slices).await;
        }
        if let Some(lap) = lap(&reading, row) {
            return Ok(lap);
        }
    }
    let mut reading = LapReading::new(&opened.recording, row);
    while let Some(range) = reading.needs() {
        decode(&mut reading, &opened.bytes(range).await?, &mut slices).await;
    }
    let gone = || Trouble::Gone(format!("Lap {} is not whole in the recording.", row.lap.number));
    lap(&reading, row).ok_or_else(gone)
}

async fn decode(reading: &mut LapReading, bytes: &[u8], slices: &mut Slices) {
    reading.unpack(bytes);
    slices.breathe().await;
    while reading.step() {
        slices.breathe().await;
    }
}

fn lap(reading: &LapReading, row: &LapRow) -> Option<DecodedLap> {
    let mut decoded = reading.finish()?;
    // The lap table has the lap's time even if the game sent it long after the line.
    decoded.lap.time = row.lap.time.or(decoded.lap.time);
    Some(decoded)
}
