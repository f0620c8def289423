//! `trailbrake export`: laps and packets of a file in other programs' formats.

mod arguments;
mod clip;
mod lap_samples;
mod output;
mod packets;

use std::io::Write;

use anyhow::{Context, bail};
use trailbrake_shared::export::csv::Rows;
use trailbrake_shared::export::{About, ExportedLap, csv, decoded, motec};

pub use arguments::{Export, Format};
use output::Output;

/// Writes what was requested, and notes what and where.
pub fn run(request: &Export, mut notes: impl Write) -> anyhow::Result<()> {
    if let Some(second) = request.more.first() {
        bail!(
            "laps are taken out of one file at a time, and not out of {} as well; `trailbrake import` with both files and \
             -o OUT makes one recording of them, whose sessions --session N tells apart",
            second.display()
        );
    }
    match request.format {
        Format::Raw | Format::Pcap => packets::write(request, &mut notes),
        Format::Trailbrake => clip::write(request, &mut notes),
        Format::Html => clip::write_page(request, &mut notes),
        Format::Csv | Format::Motec | Format::Mcap => laps(request, &mut notes),
    }
}

fn laps(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let mut output_notes = Vec::new();
    lap_samples::with_laps(request, notes, &mut |laps, about| match request.format {
        Format::Motec => motec_logs(request, laps, about, &mut output_notes),
        Format::Mcap => {
            Output::open(request, "mcap")?.write_all(&decoded::write(laps, about), &mut output_notes)
        }
        _ => {
            let rows = request.every_m.map_or(Rows::Native, Rows::EveryMetres);
            let mut output = Output::open(request, "csv")?;
            output
                .text(|out| csv::write(laps, about, rows, out))
                .context("the table could not be written")?;
            output.finish(&mut output_notes)
        }
    })?;
    Ok(notes.write_all(&output_notes)?)
}

/// A log for each car, since a log has one driver.
fn motec_logs(
    request: &Export,
    laps: &[ExportedLap<'_>],
    about: &About,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let several = laps.iter().any(|lap| Some(lap.car) != laps.first().map(|lap| lap.car));
    for own in laps.chunk_by(|one, next| one.car == next.car) {
        let Some((first, log)) = own.first().zip(motec::write(own, about)) else { continue };
        let suffix = if several { format!("-car{}", first.car.0) } else { String::new() };
        // A log without the file that marks its laps is of no use: both are written before either gets its name.
        let mut ld = Output::named(request, &format!("{suffix}.ld"))?;
        let mut ldx = Output::named(request, &format!("{suffix}.ldx"))?;
        ld.put(&log.ld)?;
        ldx.put(log.ldx.as_bytes())?;
        ld.finish(notes)?;
        ldx.finish(notes)?;
    }
    Ok(())
}
