//! `trailbrake tracks`: what people call tracks and corners, kept beside the recordings.

mod keeper;
pub(crate) mod recordings;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use serde_json::json;
use trailbrake_shared::analysis::{
    Corner, CornerEdit, Fingerprint, KnownTrack, LapColumns, ReferenceLine, TrackBook, find_corners,
};
use trailbrake_shared::model::Track;

use crate::commands::options::{self, BookPlace, EditCorner, LapOfTrack, NameTrack, TrackErrand, Tracks};
use crate::files::{LapFile, OpenedLap};
pub(crate) use keeper::Keeper;

/// The longest name of a track or a corner, in letters.
const LONGEST_NAME: usize = 60;

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

/// The book, for whoever only wants to know what things are called; an empty one where it can't be read, and why is noted.
pub(crate) fn book(place: &BookPlace, notes: &mut dyn Write) -> TrackBook {
    let read = folder(place).ok().map(|folder| Keeper::new(&folder).read(notes));
    match read {
        Some(Ok(book)) => book,
        Some(Err(why)) => {
            let _ = writeln!(notes, "names of tracks are left out: {why:#}");
            TrackBook::default()
        }
        None => TrackBook::default(),
    }
}

/// What the track of a lap is called: as its game does, else as the book does, else by the game's own word or number.
pub(crate) fn title(track: Option<&Track>, book: &TrackBook, lap: &LapColumns<'_>) -> Option<String> {
    let named = track.filter(|track| track.name.is_some()).map(Track::title);
    let known = || {
        let line = ReferenceLine::learn(lap).ok().filter(|_| !book.tracks().is_empty())?;
        book.recognise(&Fingerprint::of(&line)).map(|(known, _)| known.name.clone())
    };
    named.or_else(known).or_else(|| track.map(Track::title))
}

/// A name that fits into a line; empty where nothing is left of it.
pub(crate) fn plain(name: &str) -> anyhow::Result<String> {
    let name = name.trim();
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        bail!("a name is one line of at most {LONGEST_NAME} letters");
    }
    Ok(name.to_owned())
}

/// Gives a track a name in the book.
pub(crate) fn give_name(book: &mut TrackBook, fingerprint: &Fingerprint, name: &str) -> anyhow::Result<()> {
    let name = plain(name)?;
    if name.is_empty() {
        bail!("a track's name is not empty");
    }
    book.name(fingerprint, &name);
    Ok(())
}

/// Notes a change to the corners of a track. One that is not in the book comes into it by its name.
pub(crate) fn give_edit(
    book: &mut TrackBook,
    fingerprint: &Fingerprint,
    name: Option<&str>,
    mut edit: CornerEdit,
) -> anyhow::Result<()> {
    if let CornerEdit::Rename { name, .. } = &mut edit {
        *name = plain(name)?;
    }
    if !(0.0..=fingerprint.length_m).contains(&edit.at_m()) {
        bail!("a lap of this track is {:.0} m long", fingerprint.length_m);
    }
    if let Some(name) = name.filter(|_| book.recognise(fingerprint).is_none()) {
        give_name(book, fingerprint, name)?;
    }
    if !book.edit(fingerprint, edit) {
        bail!("the track has no name yet: give it one first");
    }
    Ok(())
}

/// Takes back the last change to the corners of a track.
pub(crate) fn take_back(book: &mut TrackBook, fingerprint: &Fingerprint) -> anyhow::Result<()> {
    if !book.take_back(fingerprint) {
        bail!("no corner of this track was changed");
    }
    Ok(())
}

/// Where the book is.
fn folder(place: &BookPlace) -> anyhow::Result<PathBuf> {
    let folder = place.recordings.clone().or_else(options::usual_folder);
    folder.context("--recordings DIR is needed: the system names no folder for them")
}

fn list(request: &Tracks, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let keeper = Keeper::new(&folder(&request.at)?);
    let book = keeper.read(notes)?;
    if book.tracks().is_empty() {
        let file = keeper.file().display();
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
    let mut file = LapFile::open(&of.file, &of.cutting, notes)?.with_book(&of.at, notes);
    let entry = file.pick(&of.query(), None, notes)?;
    let found = file.open_lap(&entry)?;
    let line = ReferenceLine::learn(&found.lap_columns());
    let line = line.map_err(|why| anyhow::anyhow!("the track can't be known by this lap: {why}"))?;
    Ok((found, line))
}

fn name(wish: &NameTrack, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let (_, line) = shown(&wish.of, notes)?;
    let fingerprint = Fingerprint::of(&line);
    let folder = folder(&wish.of.at)?;
    let book = Keeper::new(&folder).change(notes, |book| {
        give_name(book, &fingerprint, &wish.name)?;
        Ok(book.clone())
    })?;
    let Some((track, _)) = book.recognise(&fingerprint) else { bail!("the book has no such track") };
    writeln!(out, "{}  {:.0} m", track.name, fingerprint.length_m)?;
    recordings::spread(&folder, &wish.of.file, &book, notes)
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
    let folder = folder(&wish.of.at)?;
    let book = Keeper::new(&folder).change(notes, |book| {
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
    recordings::spread(&folder, &wish.of.file, &book, notes)
}
