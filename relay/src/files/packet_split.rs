//! How to split a file into packets, and how to read a table of laps.

use std::path::PathBuf;

use clap::Args;
use trailbrake_shared::time::LapTime;

use crate::feed_name::FeedName;

/// How packets stand in a file that is neither a recording nor a capture.
#[derive(Clone, Debug, Default, Args)]
pub struct PacketSplit {
    /// The feed that the packets belong to, when they should not be recognised one by one
    #[arg(long)]
    pub feed: Option<FeedName>,
    /// The file is packets of this many bytes each
    #[arg(long, value_name = "N", conflicts_with = "stream", value_parser = clap::value_parser!(u32).range(1..=65_507))]
    pub record_size: Option<u32>,
    /// The file is packets end to end, each telling its own size
    #[arg(long)]
    pub stream: bool,
    /// How the columns of a CSV of another program are read; `import --map-out` writes a first one
    #[arg(long = "map", value_name = "MAP.json")]
    pub maps: Vec<PathBuf>,
    /// The official time of a lap whose file has none, such as 1:18.786
    #[arg(long, value_name = "M:SS.mmm")]
    pub lap_time: Option<LapTime>,
}
