//! How a file is sent again.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::Cutting;

/// What to send again, where to, and how.
#[derive(Clone, Debug, Args)]
pub struct Replay {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// Where to send it; without this, to the Trailbrake that runs. The port that comes first in the file becomes this
    /// one, and others stay as far from it as they were
    #[arg(long, value_name = "ADDR:PORT", value_parser = target)]
    pub to: Option<SocketAddr>,
    /// How fast: 1 is as it was driven, 0.25 a quarter of that, max as fast as it is taken
    #[arg(long, value_name = "0.25..max", default_value = "1")]
    pub speed: Speed,
    /// Begin at this lap of the player, by number
    #[arg(long, value_name = "LAP")]
    pub from: Option<u16>,
    /// Begin anew at the end, until Ctrl+C
    #[arg(long = "loop")]
    pub again: bool,
    /// Where the Trailbrake that runs serves its page
    #[arg(long, value_name = "IP:PORT", conflicts_with = "to")]
    pub http: Option<SocketAddr>,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How its packets stand in it.
    #[command(flatten)]
    pub cutting: Cutting,
}

/// How fast packets follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// So many times as fast as they were received.
    Times(f64),
    /// As fast as they are taken.
    Max,
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "max" {
            return Ok(Self::Max);
        }
        let times = text.parse().ok().filter(|times| (0.25..=1000.0).contains(times));
        times.map(Self::Times).ok_or_else(|| "a number from 0.25 on, such as 2, or max".to_owned())
    }
}

fn target(text: &str) -> Result<SocketAddr, String> {
    let target: Option<SocketAddr> = text.parse().ok();
    target
        .filter(|target| target.port() != 0)
        .ok_or_else(|| "an address with a port is wanted, such as 127.0.0.1:20777".to_owned())
}
