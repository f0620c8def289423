//! Logs that somebody else's program wrote.

use trailbrake_shared::export::motec;

/// A log and behind it the beacons' file, which begins with its first tag.
pub fn motec(bytes: &[u8]) {
    let tag = bytes.windows(5).position(|window| window == b"<?xml").unwrap_or(bytes.len());
    let (ld, ldx) = bytes.split_at(tag);
    let beacons = motec::read_ldx(&String::from_utf8_lossy(ldx));
    let Ok(log) = motec::read_ld(ld) else { return };
    let samples: usize = log.channels.iter().map(|channel| channel.samples.len()).sum();
    assert!(samples <= ld.len() / 2, "more samples than the file has room for");
    let Ok(laps) = motec::laps_of(&log, &beacons) else { return };
    for lap in &laps {
        assert!(lap.columns.seconds().is_sorted(), "a lap goes forward");
        let _ = lap.reference();
    }
}
