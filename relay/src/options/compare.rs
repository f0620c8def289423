//! What is asked of two laps: to be laid side by side.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::Cutting;

/// Which laps to lay side by side.
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap, by number, or best
    #[arg(long, value_name = "N|best")]
    pub lap: LapName,
    /// The lap that it is compared with, by number, or the best other one that counts
    #[arg(long, value_name = "N|best", default_value = "best")]
    pub reference: LapName,
    /// The file that the reference is in, where that is another one
    #[arg(long, value_name = "FILE2")]
    pub reference_file: Option<PathBuf>,
    /// Laps of the car with this number instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// The reference's car, where that has another number
    #[arg(long, value_name = "N")]
    pub reference_car: Option<u8>,
    /// Of several sessions in the file, this one, counted from 1
    #[arg(long, value_name = "N")]
    pub session: Option<u32>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// How the packets stand in the files.
    #[command(flatten)]
    pub cutting: Cutting,
}

/// Which lap is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LapName {
    /// The best one that counts.
    Best,
    /// The one with this number.
    Number(u16),
}

impl FromStr for LapName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "best" => Ok(Self::Best),
            number => number.parse().map(Self::Number).map_err(|_| "a lap's number, or best".to_owned()),
        }
    }
}
