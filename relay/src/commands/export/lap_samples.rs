//! Samples of the chosen laps. Of a recording, only their own blocks are decoded.

use std::io::Write;

use anyhow::bail;
use trailbrake_shared::export::{About, ExportedLap};
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};

use super::arguments::Export;
use crate::files::{LapFile, OpenedLap};
use crate::progress::Progress;

/// Receives the laps.
type Take<'a> = &'a mut dyn FnMut(&[ExportedLap<'_>], &About) -> anyhow::Result<()>;

/// Passes the requested laps to `take`, with what they have in common.
pub(super) fn with_laps(request: &Export, notes: &mut dyn Write, take: Take<'_>) -> anyhow::Result<()> {
    let mut file = LapFile::open(&request.file, &request.cutting, notes)?;
    let chosen: Vec<LapEntry> = choose(file.catalogue(), request, notes)?.into_iter().cloned().collect();
    let mut progress = Progress::new(chosen.len() as u64);
    let mut opened = Vec::new();
    for (nth, entry) in (0..).zip(&chosen) {
        progress.reached(nth);
        opened.extend(file.samples_of(entry)?);
    }
    drop(progress);
    if opened.is_empty() {
        bail!("{}: the game sent no samples of these laps, only their times", request.file.display());
    }
    if let Some(all) = file.blocks() {
        let blocks: u64 = opened.iter().map(|lap| lap.blocks).sum();
        match opened.len() {
            1 => writeln!(notes, "laps decoded: 1, by {blocks} of {all} blocks")?,
            // A block that holds several laps is unpacked for each of them.
            laps => writeln!(
                notes,
                "laps decoded: {laps}, each by its own blocks: {blocks} unpacked, of a recording of {all}"
            )?,
        }
    }
    let laps: Vec<ExportedLap<'_>> = opened.iter().map(driven).collect();
    let subject = opened.iter().find(|lap| lap.entry.is_players_seat()).or(opened.first());
    take(&laps, &subject.map(|lap| lap.entry.about()).unwrap_or_default())
}

/// The requested laps: of the requested session, else of the last one that has any.
pub(super) fn choose<'a>(
    catalogue: &'a LapCatalogue,
    request: &Export,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<&'a LapEntry>> {
    let mut chosen = catalogue.select(&request.query());
    let Some(last) = chosen.iter().map(|entry| entry.id.session).max() else {
        let file = request.file.display();
        bail!("no such laps: `trailbrake laps --car all {file}` lists what there is");
    };
    chosen.retain(|entry| entry.id.session == last);
    let sessions = catalogue.laps().last().map_or(0, |entry| entry.id.session + 1);
    if request.session.is_none() && sessions > 1 {
        writeln!(notes, "session {} of {sessions} in the file; --session N takes another", last + 1)?;
    }
    Ok(chosen)
}

fn driven(opened: &OpenedLap) -> ExportedLap<'_> {
    ExportedLap { lap: &opened.lap, ..opened.entry.driven(&opened.columns) }
}
