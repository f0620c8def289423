//! How to split a file into packets.

use clap::Args;

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
}
