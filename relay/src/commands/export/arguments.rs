//! What to export, and as what.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use trailbrake_shared::games::OtherCars;
use trailbrake_shared::lap_catalogue::{Drivers, LapChoice, LapQuery};

use crate::commands::lap_arguments::from_zero;
use crate::files::PacketSplit;

/// What to write of a file, and how.
#[derive(Clone, Debug, Args)]
pub struct Export {
    /// A recording, a capture, an iRacing .ibt file, a MoTeC log, a table of laps, or bare packets
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
    /// A recording of some laps: what stays of the cars that drove none of them
    #[arg(long, value_enum, default_value = "left-out")]
    pub other_cars: OthersInClip,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// How to split it into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

impl Export {
    /// The query for the laps.
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

/// What stays of other cars in a recording of some laps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OthersInClip {
    /// Nothing: the smallest file
    LeftOut,
    /// Where they were and how they drove, without names, ids and chat
    Nameless,
    /// Everything, every byte as received
    Kept,
}

impl From<OthersInClip> for OtherCars {
    fn from(others: OthersInClip) -> Self {
        match others {
            OthersInClip::LeftOut => Self::LeftOut,
            OthersInClip::Nameless => Self::Nameless,
            OthersInClip::Kept => Self::Kept,
        }
    }
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
    /// That recording inside a page that opens by double click and needs nothing else
    Html,
}

fn metres(text: &str) -> Result<f32, String> {
    let metres = text.parse().ok().filter(|metres| (0.1..=10_000.0).contains(metres));
    metres.ok_or_else(|| "0.1 to 10000 metres".to_owned())
}
