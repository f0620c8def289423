//! `trailbrake laps`: the laps of a file.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use trailbrake_shared::lap_catalogue::{Drivers, LapQuery};

use super::lap_line::LapLine;
use crate::files::{LapFile, PacketSplit};

/// Which laps to list.
#[derive(Clone, Debug, Args)]
pub struct Laps {
    /// A recording, a capture, an iRacing .ibt file, a MoTeC log, CSV laps, or bare packets
    pub file: PathBuf,
    /// Whose laps: player, all, or a car's number
    #[arg(long, value_name = "player|N|all", default_value = "player")]
    pub car: Drivers,
    /// One JSON object per line, times in milliseconds
    #[arg(long)]
    pub json: bool,
    /// How to split it into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

/// Prints the laps of a file, one per line.
pub fn run(request: &Laps, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let file = LapFile::open(&request.file, &request.cutting, &mut notes)?;
    let laps = file.catalogue().select(&LapQuery { drivers: request.car, ..LapQuery::default() });
    let laps = file.catalogue().listed(laps);
    if laps.is_empty() {
        let whose = if request.car == Drivers::Player { "the player" } else { "that car" };
        bail!("{}: it has no lap of {whose}; --car all lists everyone's", request.file.display());
    }
    if !request.json {
        writeln!(out, "{}", LapLine::heading(&laps))?;
    }
    for line in LapLine::of(&laps) {
        if request.json {
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
