//! `trailbrake tracks`: what people call tracks and corners, kept beside the recordings.

mod recordings;

use std::io::Write;

use anyhow::bail;
use serde_json::json;
use trailbrake_shared::analysis::{Corner, CornerEdit, Fingerprint, KnownTrack, ReferenceLine, find_corners};

use crate::commands::options::{EditCorner, LapOfTrack, NameTrack, TrackErrand, Tracks};
use crate::files::{LapFile, OpenedLap};
use crate::library::TrackBookFile;
use crate::library::track_edits::{give_edit, give_name, take_back};

/// Lists the tracks that have a name, names one, or changes a corner.
pub fn run(request: &Tracks, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let errand = request.what.clone().map(|errand| errand.or_at(&request.at));
    if errand.is_some() && request.json {
        bail!("--json is for the list of tracks: leave it out");
    }
    match &errand {
        None => list(request, &mut out, &mut notes),
        Some(TrackErrand::Name(wish)) => name(wish, &mut out, &mut notes),
        Some(TrackErrand::Corner(wish)) => corner(wish, &mut out, &mut notes),
    }
}

fn list(request: &Tracks, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let file = TrackBookFile::new(&request.at.folder()?);
    let book = file.read(notes)?;
    if book.tracks().is_empty() {
        let file = file.file().display();
        writeln!(notes, "no track has a name yet in {file}: `trailbrake tracks name FILE NAME` gives one")?;
    }
    for KnownTrack { name, fingerprint, edits } in book.tracks() {
        if request.json {
            let line = json!({
                "name": name,
                "length_m": fingerprint.length_m,
                "closed": fingerprint.closed,
                "edits": edits,
            });
            writeln!(out, "{line}")?;
        } else {
            let kind = if fingerprint.closed { "circuit" } else { "stage" };
            let edits = match edits.len() {
                0 => String::new(),
                1 => "  1 change to its corners".to_owned(),
                many => format!("  {many} changes to its corners"),
            };
            writeln!(out, "{name:<30}  {:>6.0} m  {kind}{edits}", fingerprint.length_m)?;
        }
    }
    Ok(())
}

/// The lap that shows which track is meant, with its line.
fn shown(of: &LapOfTrack, notes: &mut dyn Write) -> anyhow::Result<(OpenedLap, ReferenceLine)> {
    let mut file = LapFile::open(&of.file, &of.cutting, notes)?.with_book(of.at.book(notes));
    let entry = file.pick(&of.query(), None, notes)?;
    let found = file.open_lap(&entry)?;
    let line = ReferenceLine::learn(&found.lap_columns());
    let line = line.map_err(|why| anyhow::anyhow!("the track can't be known by this lap: {why}"))?;
    Ok((found, line))
}

fn name(wish: &NameTrack, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let (_, line) = shown(&wish.of, notes)?;
    let fingerprint = Fingerprint::of(&line);
    let folder = wish.of.at.folder()?;
    let book = TrackBookFile::new(&folder).change(notes, |book| {
        give_name(book, &fingerprint, &wish.name)?;
        Ok(book.clone())
    })?;
    let Some((track, _)) = book.recognise(&fingerprint) else { bail!("the book has no such track") };
    writeln!(out, "{}  {:.0} m", track.name, fingerprint.length_m)?;
    recordings::write_into_recordings(&folder, &wish.of.file, &book, notes)
}

fn corner(wish: &EditCorner, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let (found, line) = shown(&wish.of, notes)?;
    let fingerprint = Fingerprint::of(&line);
    let edit = match (&wish.what, wish.at) {
        (what, _) if what.undo => None,
        (_, None) => bail!("--at METRES is needed: which corner?"),
        (what, Some(at_m)) if what.merge => Some(CornerEdit::Merge { at_m }),
        (what, Some(at_m)) if what.split => Some(CornerEdit::Split { at_m }),
        (what, Some(at_m)) => Some(CornerEdit::Rename { at_m, name: what.name.clone().unwrap_or_default() }),
    };
    let folder = wish.of.at.folder()?;
    let book = TrackBookFile::new(&folder).change(notes, |book| {
        let Some(edit) = edit else {
            take_back(book, &fingerprint)?;
            return Ok(book.clone());
        };
        let before = book.corners(&fingerprint, find_corners(&line));
        let at_m = edit.at_m();
        // A track that its game names needs no other name.
        give_edit(book, &fingerprint, found.combo.track.as_deref(), edit)?;
        if book.corners(&fingerprint, find_corners(&line)) == before {
            bail!("nothing is to be changed at {at_m:.0} m: `trailbrake compare` lists the corners");
        }
        Ok(book.clone())
    })?;
    for corner in book.corners(&fingerprint, find_corners(&line)) {
        let Corner { entry_m, apex_m, exit_m, .. } = corner;
        writeln!(out, "{:<20} {entry_m:>6.0} {apex_m:>6.0} {exit_m:>6.0} m", corner.title())?;
    }
    recordings::write_into_recordings(&folder, &wish.of.file, &book, notes)
}
