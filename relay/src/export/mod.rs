//! `trailbrake export`: laps and packets of a file in other programs' formats.

mod output;
mod packets;

use std::io::Write;

use anyhow::{Context, bail};
use trailbrake_shared::export::csv::Rows;
use trailbrake_shared::export::{About, DrivenLap, Picked, Whose, csv, decoded, driven_laps, motec};
use trailbrake_shared::model::Car;
use trailbrake_shared::session::{Archive, ArchivedSession};

use crate::file;
use crate::options::{CarName, Export, Format};
use output::Output;

/// Writes what was asked for, and says to `notes` what and where.
pub fn run(request: &Export, mut notes: impl Write) -> anyhow::Result<()> {
    match request.format {
        Format::Raw | Format::Pcap | Format::Trailbrake => packets::write(request, &mut notes),
        Format::Csv | Format::Motec | Format::Mcap => laps(request, &mut notes),
    }
}

fn laps(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let archive = archive(request, notes)?;
    let Chosen { archived, about } = chosen(request, &archive, notes)?;
    let laps = driven_laps(archived, &picked(request));
    if laps.is_empty() {
        bail!("no such laps: `trailbrake laps --car all {}` lists what there is", request.file.display());
    }
    match request.format {
        Format::Motec => motec_logs(request, &laps, &about, notes),
        Format::Mcap => {
            let bytes = decoded::write(&laps, &about).context("the messages could not be written")?;
            Output::open(request, "mcap")?.write_all(&bytes, notes)
        }
        _ => {
            let rows = request.every_m.map_or(Rows::Native, Rows::EveryMetres);
            let mut text = String::new();
            csv::write(&laps, rows, &mut text).context("the table could not be written")?;
            Output::open(request, "csv")?.write_all(text.as_bytes(), notes)
        }
    }
}

/// A log for each car, since a log has one driver.
fn motec_logs(
    request: &Export,
    laps: &[DrivenLap<'_>],
    about: &About,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let several = laps.iter().any(|lap| Some(lap.car) != laps.first().map(|lap| lap.car));
    for own in laps.chunk_by(|one, next| one.car == next.car) {
        let Some((first, log)) = own.first().zip(motec::write(own, about)) else { continue };
        let suffix = if several { format!("-car{}", first.car.0) } else { String::new() };
        Output::named(request, &format!("{suffix}.ld"))?.write_all(&log.ld, notes)?;
        Output::named(request, &format!("{suffix}.ldx"))?.write_all(log.ldx.as_bytes(), notes)?;
    }
    Ok(())
}

/// Everything that the file holds, decoded.
fn archive(request: &Export, notes: &mut dyn Write) -> anyhow::Result<Archive> {
    let mut archive = Archive::default();
    let packets = file::open(&request.file, &request.cutting)?;
    packets.datagrams(notes, &mut |datagram| {
        // What is not understood has no laps; `trailbrake inspect` tells why.
        let _ = archive.take(datagram);
        Ok(())
    })?;
    Ok(archive)
}

/// The session that is exported.
struct Chosen<'a> {
    archived: &'a ArchivedSession,
    about: About,
}

/// The session that is asked for, else the last one with laps of the car that is asked for.
fn chosen<'a>(request: &Export, archive: &'a Archive, notes: &mut dyn Write) -> anyhow::Result<Chosen<'a>> {
    let all =
        archive.sources().iter().flat_map(|source| source.sessions().map(move |session| (source, session)));
    let all: Vec<_> = all.collect();
    let has_laps = |session: &ArchivedSession| !driven_laps(session, &picked(request)).is_empty();
    let place = match request.session {
        Some(number) => (number as usize).checked_sub(1),
        None => all.iter().rposition(|(_, session)| has_laps(session)),
    };
    let Some((source, archived)) = place.and_then(|place| all.get(place)) else {
        bail!("no such laps: `trailbrake laps --car all {}` lists what there is", request.file.display());
    };
    if all.len() > 1 && request.session.is_none() {
        let number = place.unwrap_or_default() + 1;
        writeln!(
            notes,
            "of {} sessions in the file this is number {number}; --session N takes another",
            all.len()
        )?;
    }
    let car = match request.car {
        CarName::Car(number) => Some(Car(number)),
        CarName::Player | CarName::All => archived.session.player().or(archived.session.watched()),
    };
    let about = About::of(source.origin.feed, &archived.session, car.unwrap_or_default());
    Ok(Chosen { archived, about })
}

fn picked(request: &Export) -> Picked {
    let whose = match request.car {
        CarName::Player => Whose::Player,
        CarName::Car(number) => Whose::Car(Car(number)),
        CarName::All => Whose::All,
    };
    Picked { whose, laps: request.laps.clone() }
}
