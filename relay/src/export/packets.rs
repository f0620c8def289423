//! The packets themselves: end to end, or as a capture.

use std::io::Write;
use std::ops::RangeInclusive;

use anyhow::bail;
use trailbrake_shared::export::{driven_laps, pcapng};
use trailbrake_shared::time::Micros;

use super::{Chosen, Output, archive, chosen, picked};
use crate::file;
use crate::options::{Export, Format};

/// Writes the packets that were received while the chosen laps were driven, or all of them when none is chosen.
pub(super) fn write(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let spans = if request.laps.is_empty() { None } else { Some(spans(request, notes)?) };
    let wanted = |at: Micros| spans.as_ref().is_none_or(|spans| spans.iter().any(|span| span.contains(&at)));
    let is_capture = request.format == Format::Pcap;
    let mut output = Output::open(request, if is_capture { "pcapng" } else { "bin" })?;
    if is_capture {
        output.put(&pcapng::beginning())?;
    }
    let packets = file::open(&request.file, &request.cutting)?;
    packets.datagrams(notes, &mut |datagram| {
        if !wanted(datagram.at) {
            return Ok(());
        }
        match is_capture {
            true => pcapng::packet(datagram).map_or(Ok(()), |packet| output.put(&packet)),
            false => output.put(datagram.bytes),
        }
    })?;
    output.finish(notes)
}

/// When the chosen laps were received.
fn spans(request: &Export, notes: &mut dyn Write) -> anyhow::Result<Vec<RangeInclusive<Micros>>> {
    let archive = archive(request, notes)?;
    let Chosen { archived, .. } = chosen(request, &archive, notes)?;
    let laps = driven_laps(archived, &picked(request));
    let spans: Vec<_> = laps.iter().filter_map(|lap| archived.received(lap.car, lap.lap.serial)).collect();
    if spans.is_empty() {
        bail!("no such laps: `trailbrake laps --car all {}` lists what there is", request.file.display());
    }
    Ok(spans)
}
