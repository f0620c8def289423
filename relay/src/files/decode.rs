//! Decodes a whole file, and explains why a file has no laps.

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use trailbrake_shared::session::Archive;

use super::packets::Packets;

/// Decodes everything in a file.
pub(crate) fn decoded(packets: Packets, notes: &mut dyn Write) -> anyhow::Result<Archive> {
    let mut archive = Archive::default();
    packets.datagrams(notes, &mut |datagram| {
        // The archive counts rejected packets.
        let _ = archive.take(datagram);
        Ok(())
    })?;
    Ok(archive)
}

/// An error for a file without laps, with what was found instead where all of it was decoded.
pub(crate) fn without_laps(file: &Path, archive: Option<&Archive>) -> anyhow::Error {
    let file = file.display();
    let Some(archive) = archive else { return anyhow!("{file}: no lap is in this recording") };
    let packets: u64 = archive.sources().iter().map(|source| source.packets).sum();
    if packets > 0 {
        let games: Vec<&str> =
            archive.sources().iter().map(|source| source.origin.feed.info().game).collect();
        return anyhow!("{file}: there are {packets} packets of {} and no lap in them", games.join(" and "));
    }
    let why = archive.rejections().reasons().next();
    let why = why.map_or_else(String::new, |(reason, _)| format!(" ({reason})"));
    anyhow!("{file}: nothing in it is a packet of a known game{why}; `trailbrake decode {file}` says more")
}
