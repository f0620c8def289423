//! Recordings: opened by their index, and read a megabyte at a time.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::number::count;
use trailbrake_shared::recording::{
    DecodedLap, Gap, LapReading, LapRow, Opening, Packets, Reading, Recording,
};

use super::item::{FileItem, Reception};
use crate::lock::Lock;

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

/// The place of a lap among those to be decoded, and the lap with the number of blocks unpacked for it.
type NumberedLap = (usize, Option<(DecodedLap, u64)>);

/// Decodes laps of a recording on all cores. What their packets do not contain is `None`.
pub(super) fn laps(
    file: &mut (impl Read + Seek + Send),
    recording: &Recording,
    rows: &[LapRow],
) -> io::Result<Vec<Option<(DecodedLap, u64)>>> {
    let (file, next) = (Lock::new(file), AtomicUsize::new(0));
    let work = || -> io::Result<Vec<NumberedLap>> {
        let mut decoded = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = rows.get(place) else { return Ok(decoded) };
            let mut reading = LapReading::new(recording, row);
            while let Some(range) = reading.needs() {
                let bytes = bytes_of(&mut **file.lock(), range)?;
                reading.give(&bytes);
            }
            let blocks = reading.packets().blocks();
            decoded.push((place, reading.finish().map(|lap| (lap, blocks))));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(rows.len());
    let decoded: Vec<io::Result<Vec<NumberedLap>>> = thread::scope(|scope| {
        let workers: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|why| resume_unwind(why)));
        std::iter::once(own).chain(joined).collect()
    });
    let decoded: Vec<Vec<NumberedLap>> = decoded.into_iter().collect::<io::Result<_>>()?;
    let mut decoded: Vec<NumberedLap> = decoded.into_iter().flatten().collect();
    decoded.sort_by_key(|(place, _)| *place);
    Ok(decoded.into_iter().map(|(_, lap)| lap).collect())
}

/// Gives a reading what it needs next; returns whether it needed anything.
pub(crate) fn step(file: &mut (impl Read + Seek), reading: &mut dyn Reading) -> io::Result<bool> {
    let Some(range) = reading.needs() else { return Ok(false) };
    reading.give(&bytes_of(file, range)?);
    Ok(true)
}

fn bytes_of(file: &mut (impl Read + Seek), range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    file.by_ref().take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
