//! Packets: end to end, or as a capture.

use std::io::Write;
use std::ops::{Range, RangeInclusive};

use trailbrake_shared::export::pcapng;
use trailbrake_shared::time::Micros;

use super::arguments::{Export, Format};
use super::lap_samples::choose;
use super::output::Output;
use crate::files::{self, LapFile};

/// Seconds before and after a lap whose packets belong to it: the game sends a lap's time only after it, and drivers
/// and session only now and then.
const BEFORE_S: f64 = 6.0;
const AFTER_S: f64 = 2.0;

/// Writes the packets received during the chosen laps, or all of them when none is chosen. Of a recording nothing else
/// is read.
pub(super) fn write(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let stretches =
        if request.laps.is_empty() { vec![Micros(0)..Micros(u64::MAX)] } else { stretches(request, notes)? };
    let is_capture = request.format == Format::Pcap;
    let mut output = Output::open(request, if is_capture { "pcapng" } else { "bin" })?;
    if is_capture {
        output.put(&pcapng::beginning())?;
    }
    for stretch in stretches {
        let packets = files::open(&request.file, &request.cutting)?.within(stretch);
        packets.datagrams(notes, &mut |datagram| match is_capture {
            true => pcapng::packet(datagram).map_or(Ok(()), |packet| output.put(&packet)),
            false => output.put(datagram.bytes),
        })?;
    }
    output.finish(notes)
}

/// When the chosen laps were received: time ranges in order that do not touch.
fn stretches(request: &Export, notes: &mut dyn Write) -> anyhow::Result<Vec<Range<Micros>>> {
    let file = LapFile::open(&request.file, &request.cutting, notes)?;
    let laps = choose(file.catalogue(), request, notes)?;
    let around = |received: &RangeInclusive<Micros>| {
        received.start().plus_seconds(-BEFORE_S)..received.end().plus_seconds(AFTER_S)
    };
    let mut all: Vec<_> = laps.iter().filter_map(|lap| Some(around(lap.received.as_ref()?))).collect();
    all.sort_by_key(|stretch| stretch.start);
    let mut joined: Vec<Range<Micros>> = Vec::new();
    for stretch in all {
        match joined.last_mut().filter(|last| stretch.start <= last.end) {
            Some(last) => last.end = last.end.max(stretch.end),
            None => joined.push(stretch),
        }
    }
    Ok(joined)
}
