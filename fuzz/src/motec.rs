//! Logs written by other programs.

use std::convert::Infallible;
use std::net::SocketAddr;

use trailbrake_shared::export::{ImportedLaps, motec};
use trailbrake_shared::session::Archive;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// A log, followed by the beacons' file, which begins at its first tag. Its laps become packets, as in an import.
pub fn motec(bytes: &[u8]) {
    let tag = bytes.windows(5).position(|window| window == b"<?xml").unwrap_or(bytes.len());
    let (ld, ldx) = bytes.split_at(tag);
    if let Ok(log) = motec::read_ld(ld) {
        let samples: usize = log.channels.iter().map(|channel| channel.samples.len()).sum();
        assert!(samples <= ld.len() / 2, "more samples than the file has room for");
    }
    match motec::import(ld, Some(&String::from_utf8_lossy(ldx))) {
        Ok(file) => packets(&file),
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}

/// Converts imported laps to packets, which must all decode.
pub(crate) fn packets(file: &ImportedLaps) {
    assert!(file.laps.iter().all(|lap| lap.columns.seconds().is_sorted()), "a lap goes forward");
    let mut archive = Archive::default();
    let sender = SocketAddr::from(([127, 0, 0, 1], 0));
    let Ok(()) = file.packets(1, Micros(0)).rest::<Infallible>(&mut |at, bytes| {
        let datagram = Datagram { at, sender, port: 0, feed: Some(ImportedLaps::FEED), bytes };
        assert_eq!(archive.take(&datagram), Ok(()), "what was written is understood");
        Ok(())
    });
}
