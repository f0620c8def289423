//! Recordings: opened by their index, and read a megabyte at a time.

use std::io::{self, Read, Seek, SeekFrom, Write};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::number::count;
use trailbrake_shared::recording::{DecodedLap, Gap, LapRow, Opening, Packets, Reading, Recording};

use super::item::{FileItem, Reception};

/// Opens a recording of a known length.
pub(super) fn open(file: &mut (impl Read + Seek), len: u64) -> anyhow::Result<Recording> {
    let mut opening = Opening::new(len);
    while step(file, &mut opening)? {}
    Ok(opening.finish()?)
}

/// Passes on packets that are still to be read.
pub(super) fn each(
    file: &mut (impl Read + Seek),
    mut packets: Packets,
    notes: &mut dyn Write,
    take: &mut dyn FnMut(FileItem<'_>) -> io::Result<()>,
) -> io::Result<Vec<Gap>> {
    while step(file, &mut packets)? {
        for packet in packets.take() {
            let came = Reception {
                at: Some(packet.at),
                sender: Some(packet.sender),
                port: Some(packet.port),
                // Recognise packets again: this version may know more than the one that recorded them.
                feed: Feed::from_id(&packet.feed).filter(|feed| !feed.info().networked),
            };
            take(FileItem::Packet { bytes: &packet.bytes, offset: packet.number, came })?;
        }
    }
    let lost: u64 = packets.gaps().iter().map(|gap| gap.lost).sum();
    if packets.damaged() > 0 {
        writeln!(
            notes,
            "{} blocks of the recording are damaged; {lost} packets are missing",
            packets.damaged()
        )?;
    } else if !packets.gaps().is_empty() {
        // Blocks that were damaged are left out when a recording is repaired, and their places stay.
        let places = count(packets.gaps().len(), "place", "places");
        writeln!(notes, "{lost} packets are missing, at {places}")?;
    }
    Ok(packets.gaps().to_vec())
}

/// Decodes one lap of a recording from its blocks; `None` where its packets do not contain the lap.
pub(super) fn lap(
    file: &mut (impl Read + Seek),
    recording: &Recording,
    row: &LapRow,
) -> io::Result<Option<(DecodedLap, u64)>> {
    let mut reading = recording.lap(row);
    while step(file, &mut reading)? {}
    let blocks = reading.packets().blocks();
    Ok(reading.finish().map(|lap| (lap, blocks)))
}

/// Gives a reading what it needs next; returns whether it needed anything.
pub(crate) fn step(file: &mut (impl Read + Seek), reading: &mut dyn Reading) -> io::Result<bool> {
    let Some(range) = reading.needs() else { return Ok(false) };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    file.by_ref().take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
    reading.give(&bytes);
    Ok(true)
}
