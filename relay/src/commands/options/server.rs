//! What can be asked of Assetto Corsa's dedicated server from the command line.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};

/// What to have Assetto Corsa's dedicated server do, through a Trailbrake that runs.
#[derive(Clone, Debug, Args)]
pub struct Server {
    /// What to do.
    #[command(subcommand)]
    pub what: Errand,
    /// Where the Trailbrake serves its page
    #[arg(long, value_name = "IP:PORT", global = true)]
    pub http: Option<SocketAddr>,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// What to have the server do.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Errand {
    /// Say something to everybody
    Say {
        /// What to say
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
        text: Vec<String>,
    },
    /// Say something to one driver
    Tell {
        /// The driver's slot, from 0
        slot: u8,
        /// What to say
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
        text: Vec<String>,
    },
    /// Send a driver away
    Kick {
        /// The driver's slot, from 0
        slot: u8,
    },
    /// Go on to the next session
    Next,
    /// Start the session anew
    Restart,
    /// Make a session another; what is not given stays
    Session(SessionWish),
    /// Show what a session is like
    Info {
        /// Which one, from 0; without it the one under way
        index: Option<u8>,
    },
    /// Show who has a slot
    Car {
        /// The slot, from 0
        slot: u8,
    },
    /// Have the server tell where the cars are this often
    Interval {
        /// Milliseconds, from 50 on
        millis: u16,
    },
    /// Do what an administrator types into the chat, such as /help
    Admin {
        /// The command, with its slash
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

/// What a session is to be.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct SessionWish {
    /// Which one, from 0
    pub index: u8,
    /// Its name
    #[arg(long)]
    pub name: Option<String>,
    /// practice, qualifying or race
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<SessionType>,
    /// Laps of a race
    #[arg(long)]
    pub laps: Option<u32>,
    /// How long it takes
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=71_582_788))]
    pub minutes: Option<u32>,
    /// Seconds that everybody waits before it
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u32>,
}

/// A kind of session, by name or by the server's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionType(pub u8);

impl SessionType {
    const NAMES: [(&'static str, u8); 4] = [("booking", 0), ("practice", 1), ("qualifying", 2), ("race", 3)];
}

impl FromStr for SessionType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::NAMES.iter().find(|(name, _)| *name == text).map(|(_, number)| *number);
        known.or_else(|| text.parse().ok()).map(Self).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            format!("the types of session are {}, or a number of the server's", names.join(", "))
        })
    }
}
