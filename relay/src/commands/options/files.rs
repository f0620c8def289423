//! What is asked of files: to decode them, to say what they hold, to write it in another format.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use trailbrake_shared::lap_catalogue::{Drivers, LapChoice, LapQuery};

use super::FeedName;

/// How packets stand in a file that is neither a recording nor a capture.
#[derive(Clone, Debug, Default, Args)]
pub struct Cutting {
    /// The feed that the packets belong to, when they should not be recognised one by one
    #[arg(long)]
    pub feed: Option<FeedName>,
    /// The file is packets of this many bytes each
    #[arg(long, value_name = "N", conflicts_with = "stream", value_parser = clap::value_parser!(u32).range(1..=65_507))]
    pub record_size: Option<u32>,
    /// The file is packets end to end, each telling its own size
    #[arg(long)]
    pub stream: bool,
}

/// Which file to decode.
#[derive(Clone, Debug, Args)]
pub struct Decode {
    /// A recording, a capture as tcpdump and Wireshark write it, or bare packets; without further options, one packet
    pub file: PathBuf,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

/// Which file to look into.
#[derive(Clone, Debug, Args)]
pub struct Inspect {
    /// A recording, a capture, a MoTeC log, a table of laps, or bare packets
    pub file: PathBuf,
    /// One JSON object in one line
    #[arg(long)]
    pub json: bool,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

/// Which laps to list.
#[derive(Clone, Debug, Args)]
pub struct Laps {
    /// A recording, a capture, a MoTeC log, a table of laps, or bare packets
    pub file: PathBuf,
    /// Whose laps: player, all, or a car's number
    #[arg(long, value_name = "player|N|all", default_value = "player")]
    pub car: Drivers,
    /// One JSON object a line, times in milliseconds
    #[arg(long)]
    pub json: bool,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

/// What to write of a file, and how.
#[derive(Clone, Debug, Args)]
pub struct Export {
    /// A recording, a capture, a MoTeC log, a table of laps, or bare packets
    pub file: PathBuf,
    /// More files than one, to say what can be done with them.
    #[arg(hide = true, value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum)]
    pub format: Format,
    /// Only these laps, by number, such as 3,5-7, or best; of packets, those that were received meanwhile
    #[arg(long, value_name = "N,N-N,best", value_delimiter = ',')]
    pub laps: Vec<LapChoice>,
    /// Whose laps: player, all, or a car's number
    #[arg(long, value_name = "player|N|all", default_value = "player")]
    pub car: Drivers,
    /// Of several sessions in the file, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// Of several runs, as of a stage or after a restart, only this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// CSV: a row every so many metres of the lap, instead of one for each frame of the game
    #[arg(long, value_name = "METRES", value_parser = metres)]
    pub every_m: Option<f32>,
    /// A recording of some laps: leave other people's names, ids and words in it
    #[arg(long)]
    pub with_others: bool,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

impl Export {
    /// Which laps are meant.
    pub fn query(&self) -> LapQuery {
        LapQuery {
            drivers: self.car,
            session: from_zero(self.session),
            run: from_zero(self.run),
            laps: self.laps.clone(),
            ..LapQuery::default()
        }
    }
}

/// A number as people count, from 1, counted from 0.
pub(crate) fn from_zero(number: Option<u16>) -> Option<u16> {
    number.and_then(|number| number.checked_sub(1))
}

/// What to make a recording of.
#[derive(Clone, Debug, Args)]
pub struct Import {
    /// Captures, bare packets or recordings, which are put together in this order; MoTeC logs, with the .ldx beside them, and
    /// tables of laps, each a recording of its own
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The recording to write; where the files hold several feeds or are several files of laps, leave it out
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Keep packets of no known game, too
    #[arg(long)]
    pub all: bool,
    /// How their packets stand in them.
    #[command(flatten)]
    pub cutting: Cutting,
}

/// What to repair.
#[derive(Clone, Debug, Args)]
pub struct Repair {
    /// A recording that was broken off, or is damaged
    pub file: PathBuf,
    /// Write what is whole to this file, and leave the other as it is
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
}

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table with a row for each frame, units in the heading
    Csv,
    /// A MoTeC log: .ld, and .ldx with the laps
    Motec,
    /// Decoded MCAP, as Foxglove reads it
    Mcap,
    /// The packets' bytes, end to end
    Raw,
    /// The packets as a capture for Wireshark and tcpdump
    Pcap,
    /// The packets as a recording: of some laps, a small one
    Trailbrake,
}

fn metres(text: &str) -> Result<f32, String> {
    let metres = text.parse().ok().filter(|metres| (0.1..=10_000.0).contains(metres));
    metres.ok_or_else(|| "0.1 to 10000 metres".to_owned())
}
