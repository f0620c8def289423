//! The packets themselves: end to end, as a capture, or as a recording.

use std::io::Write;
use std::ops::RangeInclusive;

use anyhow::bail;
use trailbrake_shared::export::{driven_laps, pcapng};
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use super::{Chosen, Output, archive, chosen, picked};
use crate::file;
use crate::import::Making;
use crate::options::{Export, Format};

/// So long before a lap its packets begin, and so long behind it they end: the game tells a lap's time only after it, and
/// who drives in which session only now and then.
const BEFORE_S: f64 = 6.0;
const AFTER_S: f64 = 2.0;

/// Writes the packets that were received while the chosen laps were driven, or all of them when none is chosen.
pub(super) fn write(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let spans = if request.laps.is_empty() { None } else { Some(spans(request, notes)?) };
    let wanted = |at: Micros| spans.as_ref().is_none_or(|spans| spans.iter().any(|span| span.contains(&at)));
    if request.format == Format::Trailbrake {
        return recording(request, wanted, notes);
    }
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

/// A recording of the feed that comes first: of one game that is all there is.
fn recording(request: &Export, wanted: impl Fn(Micros) -> bool, notes: &mut dyn Write) -> anyhow::Result<()> {
    let path =
        request.out.clone().unwrap_or_else(|| super::output::usual(&request.file, "laps.trailbrake.mcap"));
    let packets = file::open(&request.file, &request.cutting)?;
    let parent = packets.recording().map(|recording| recording.info().id);
    let mut making: Option<(Feed, Making)> = None;
    let mut others = 0_u64;
    packets.datagrams(notes, &mut |datagram| {
        let feed = datagram.feed.or_else(|| feed::recognise(datagram.bytes).ok().map(|known| known.feed));
        let Some(feed) = feed.filter(|_| wanted(datagram.at)) else { return Ok(()) };
        if making.is_none() {
            making = Some((feed, Making::begin(Some(feed), &path, parent, datagram)?));
        }
        match &mut making {
            Some((own, making)) if *own == feed => making.take(&Datagram { feed: Some(feed), ..*datagram }),
            _ => {
                others += 1;
                Ok(())
            }
        }
    })?;
    if others > 0 {
        writeln!(notes, "left out, being of another feed: {others} packets; --feed takes one")?;
    }
    match making {
        Some((_, making)) => making.finish(notes),
        None => bail!("no packet of a known game is in {}", request.file.display()),
    }
}

/// When the chosen laps were received.
fn spans(request: &Export, notes: &mut dyn Write) -> anyhow::Result<Vec<RangeInclusive<Micros>>> {
    let archive = archive(request, notes)?;
    let Chosen { archived, .. } = chosen(request, &archive, notes)?;
    let laps = driven_laps(archived, &picked(request));
    let spans = laps.iter().filter_map(|lap| archived.received(lap.car, lap.lap.serial));
    let spans: Vec<_> =
        spans.map(|span| span.start().plus_seconds(-BEFORE_S)..=span.end().plus_seconds(AFTER_S)).collect();
    if spans.is_empty() {
        bail!("no such laps: `trailbrake laps --car all {}` lists what there is", request.file.display());
    }
    Ok(spans)
}
