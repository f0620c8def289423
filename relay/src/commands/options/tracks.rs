//! What is asked of the book of tracks.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use trailbrake_shared::lap_catalogue::{LapChoice, LapQuery};

use super::compare::{one_lap, query};
use super::{BookPlace, Cutting};

/// Tracks that have a name.
#[derive(Clone, Debug, Args)]
pub struct Tracks {
    /// Something else to do than listing them.
    #[command(subcommand)]
    pub what: Option<TrackErrand>,
    /// Where the book is.
    #[command(flatten)]
    pub at: BookPlace,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// What to do with the book of tracks.
#[derive(Clone, Debug, Subcommand)]
pub enum TrackErrand {
    /// Give the track of a lap a name; it is known by its shape from then on
    Name(NameTrack),
    /// Give a corner a name, take it together with the next, or part it
    Corner(EditCorner),
}

impl TrackErrand {
    /// The same, with the book where it was said to be before the errand, unless it says so itself.
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
    /// Of several sessions in the file, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// Of several runs, as of a stage or after a restart, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// Where the book is.
    #[command(flatten)]
    pub at: BookPlace,
    /// How the packets stand in the file.
    #[command(flatten)]
    pub cutting: Cutting,
}

impl LapOfTrack {
    /// Which lap is meant.
    pub(crate) fn query(&self) -> LapQuery {
        query(Some(self.lap), self.car, self.session, self.run)
    }
}

/// A name for a track.
#[derive(Clone, Debug, Args)]
pub struct NameTrack {
    /// Which track.
    #[command(flatten)]
    pub of: LapOfTrack,
    /// What it is called
    pub name: String,
}

/// A change to a corner.
#[derive(Clone, Debug, Args)]
pub struct EditCorner {
    /// Which track.
    #[command(flatten)]
    pub of: LapOfTrack,
    /// Where the corner is, in metres from the line
    #[arg(long, value_name = "METRES", required_unless_present = "undo")]
    pub at: Option<f64>,
    /// What becomes of it.
    #[command(flatten)]
    pub what: CornerChange,
}

/// What becomes of a corner: one of these.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub struct CornerChange {
    /// Call it this; an empty name takes its name away
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// It and the one behind it are one
    #[arg(long)]
    pub merge: bool,
    /// It is two, and the second begins here
    #[arg(long)]
    pub split: bool,
    /// Take back the last change to this track's corners
    #[arg(long, conflicts_with = "at")]
    pub undo: bool,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::commands::options::{Command, CommandLine};

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
        let Some(TrackErrand::Name(name)) = name else { panic!("{name:?}") };
        assert_eq!((name.of.lap, name.name.as_str()), (LapChoice::Numbers(3, 3), "Old mill"));
        let corner = asked(&["corner", "a.mcap", "--at", "812.5", "--name", "Esses"]).expect("a corner");
        let Some(TrackErrand::Corner(corner)) = corner.what else { panic!("{corner:?}") };
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
