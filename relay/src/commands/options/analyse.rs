//! What is asked of laps: what they tell, and which are the best.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use trailbrake_shared::lap_catalogue::{LapChoice, LapQuery};

use super::compare::{one_lap, query};
use super::{BookPlace, Cutting};

/// Which laps to analyse.
#[derive(Clone, Debug, Args)]
pub struct Analyse {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap to look at closely, by number, or best; otherwise the best one, and where none counts, the last
    #[arg(long, value_name = "N|best", value_parser = one_lap)]
    pub lap: Option<LapChoice>,
    /// Of several runs, as of a stage or after a restart, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// Laps of the car with this number instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// Of several sessions in the file, this one, counted from 1, instead of the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// What every channel did between two places of the lap, in metres from the line, such as 1200..1500
    #[arg(long, value_name = "M..M")]
    pub between: Option<Metres>,
    /// Tell what differs between the car's set-up and the one of the player's last session in this file
    #[arg(long, value_name = "FILE2")]
    pub setup_of: Option<PathBuf>,
    /// Draw figures as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// Where the book of tracks is.
    #[command(flatten)]
    pub at: BookPlace,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

impl Analyse {
    /// Which lap is meant.
    pub(crate) fn query(&self) -> LapQuery {
        query(self.lap, self.car, self.session, self.run)
    }
}

/// Which best laps to list.
#[derive(Clone, Debug, Args)]
pub struct Bests {
    /// The folder that the recordings are in, instead of the usual one
    #[arg(long, value_name = "DIR")]
    pub recordings: Option<PathBuf>,
    /// Progress from week to week instead of from day to day
    #[arg(long)]
    pub weeks: bool,
    /// Draw the progress of each game, track and car as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// From one place of a lap to another, metres from the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Metres(pub RangeInclusive<f32>);

impl FromStr for Metres {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        let rising = ends.filter(|(from, to): &(f32, f32)| from.is_finite() && to > from);
        rising
            .map(|(from, to)| Self(from..=to))
            .ok_or_else(|| "two places in metres, such as 1200..1500".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_two_numbers_that_rise() {
        assert_eq!("1200..1500.5".parse(), Ok(Metres(1200.0..=1500.5)));
        for wrong in ["", "5", "5..", "9..5", "a..b", "0..NaN", "inf..inf"] {
            assert!(wrong.parse::<Metres>().is_err(), "{wrong}");
        }
    }
}
