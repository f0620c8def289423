//! `trailbrake inspect`: everything a file holds.

mod inspection;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::files::{self, PacketSplit};
use inspection::Inspection;

/// Which file to look into.
#[derive(Clone, Debug, Args)]
pub struct Inspect {
    /// A recording, a capture, an iRacing .ibt file, a MoTeC log, CSV laps, or bare packets
    pub file: PathBuf,
    /// One JSON object on one line
    #[arg(long)]
    pub json: bool,
    /// How to split it into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

/// Prints what a file holds: one JSON object, or a summary for people.
pub fn run(request: &Inspect, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let packets = files::open(&request.file, &request.cutting)?;
    let inspection = Inspection::of(&request.file, packets, &mut notes)?;
    if request.json {
        serde_json::to_writer(&mut out, &inspection)?;
        writeln!(out)?;
    } else {
        write!(out, "{inspection}")?;
    }
    Ok(())
}
