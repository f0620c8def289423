//! `trailbrake tracks`: the track book, which keeps names of tracks and corners beside the recordings.

mod recordings;

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::json;
use trailbrake_shared::analysis::{Corner, CornerEdit, Fingerprint, KnownTrack, ReferenceLine, find_corners};
use trailbrake_shared::lap_catalogue::{LapChoice, LapQuery};
use trailbrake_shared::number::count;

use crate::commands::lap_arguments::{one_lap, query};
use crate::files::{LapFile, OpenedLap, PacketSplit};
use crate::library::track_edits::{give_edit, give_name, take_back};
use crate::library::{BookPlace, TrackBookFile};

/// Tracks that have a name.
#[derive(Clone, Debug, Args)]
pub struct Tracks {
    /// Something else to do than listing them.
    #[command(subcommand)]
    pub what: Option<TrackAction>,
    /// The folder with the track book.
    #[command(flatten)]
    pub at: BookPlace,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// What to do with the book of tracks.
#[derive(Clone, Debug, Subcommand)]
pub enum TrackAction {
    /// Name a lap's track; it is recognised by its shape from then on
    Name(NameTrack),
    /// Name a corner, merge it with the next, or split it
    Corner(EditCorner),
}

impl TrackAction {
    /// The same action, at `place` unless it names a folder itself.
    pub(crate) fn or_at(mut self, place: &BookPlace) -> Self {
        let at = match &mut self {
            Self::Name(wish) => &mut wish.of.at,
            Self::Corner(wish) => &mut wish.of.at,
        };
        if at.recordings.is_none() {
            at.recordings.clone_from(&place.recordings);
        }
        self
    }
}

/// A lap that shows which track is meant.
#[derive(Clone, Debug, Args)]
pub struct LapOfTrack {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap, by number, or best
    #[arg(long, value_name = "N|best", default_value = "best", value_parser = one_lap)]
    pub lap: LapChoice,
    /// A lap of the car with this number instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// The session, counted from 1; by default the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// The run, counted from 1, of a stage or after a restart
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// The folder with the track book.
    #[command(flatten)]
    pub at: BookPlace,
    /// How to split the file into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

impl LapOfTrack {
    /// The query for the lap.
    pub(crate) fn query(&self) -> LapQuery {
        query(Some(self.lap), self.car, self.session, self.run)
    }
}

/// A name for a track.
#[derive(Clone, Debug, Args)]
pub struct NameTrack {
    /// The track.
    #[command(flatten)]
    pub of: LapOfTrack,
    /// Its name
    pub name: String,
}

/// A change to a corner.
#[derive(Clone, Debug, Args)]
pub struct EditCorner {
    /// The track.
    #[command(flatten)]
    pub of: LapOfTrack,
    /// Where the corner is, in metres from the line
    #[arg(long, value_name = "METRES", required_unless_present = "undo")]
    pub at: Option<f64>,
    /// The change.
    #[command(flatten)]
    pub what: CornerChange,
}

/// What becomes of a corner: one of these.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub struct CornerChange {
    /// Its name; an empty one removes it
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Merge it with the next corner
    #[arg(long)]
    pub merge: bool,
    /// Split it; the second part begins here
    #[arg(long)]
    pub split: bool,
    /// Undo the last change to this track's corners
    #[arg(long, conflicts_with = "at")]
    pub undo: bool,
}

/// Lists the named tracks, names one, or changes a corner.
pub fn run(request: &Tracks, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let errand = request.what.clone().map(|errand| errand.or_at(&request.at));
    if errand.is_some() && request.json {
        bail!("--json is for the list of tracks: leave it out");
    }
    match &errand {
        None => list(request, &mut out, &mut notes),
        Some(TrackAction::Name(wish)) => name(wish, &mut out, &mut notes),
        Some(TrackAction::Corner(wish)) => corner(wish, &mut out, &mut notes),
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
                many => format!("  {} to its corners", count(many, "change", "changes")),
            };
            writeln!(out, "{name:<30}  {:>6.0} m  {kind}{edits}", fingerprint.length_m)?;
        }
    }
    Ok(())
}

/// Opens the lap that shows the track, with its line.
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
        // A track named by its game needs no other name.
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::commands::{Command, CommandLine};

    fn asked(arguments: &[&str]) -> Result<Tracks, String> {
        let line = CommandLine::try_parse_from(["trailbrake", "tracks"].iter().chain(arguments));
        match line.map_err(|error| error.to_string())?.command {
            Some(Command::Tracks(tracks)) => Ok(tracks),
            _ => Err("something else".to_owned()),
        }
    }

    #[test]
    fn tracks_are_listed_and_named_and_their_corners_changed() {
        assert!(asked(&["--json"]).expect("a list").what.is_none());
        let name = asked(&["name", "a.mcap", "--lap", "3", "Old mill"]).expect("a name").what;
        let Some(TrackAction::Name(name)) = name else { panic!("{name:?}") };
        assert_eq!((name.of.lap, name.name.as_str()), (LapChoice::Numbers(3, 3), "Old mill"));
        let corner = asked(&["corner", "a.mcap", "--at", "812.5", "--name", "Esses"]).expect("a corner");
        let Some(TrackAction::Corner(corner)) = corner.what else { panic!("{corner:?}") };
        assert_eq!((corner.at, corner.of.lap), (Some(812.5), LapChoice::Best));
        assert_eq!(corner.what.name.as_deref(), Some("Esses"));
        assert!(asked(&["corner", "a.mcap", "--undo"]).is_ok());
        for wrong in [
            &["corner", "a.mcap", "--at", "5"][..],
            &["corner", "a.mcap", "--at", "5", "--undo"],
            &["corner", "a.mcap", "--merge"],
            &["corner", "a.mcap", "--at", "5", "--merge", "--split"],
            &["name", "a.mcap"],
        ] {
            assert!(asked(wrong).is_err(), "{wrong:?}");
        }
    }
}
