//! The options of a relay, on the command line and in the options file.

mod file;
mod fixed;
mod settings;
mod values;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{ArgAction, Args};
use serde::Deserialize;
use trailbrake_shared::sim::DEFAULT_DEMO;

pub(crate) use settings::settings_of;
pub(crate) use values::{DemoName, FeedPort, FeedTarget, GameAddress, Heartbeat};

/// Declares the options once, for the command line and the file. The command line takes precedence.
macro_rules! options {
    ($($(#[$meta:meta])* $name:ident: $type:ty,)*) => {
        /// The options, as far as they were given.
        #[derive(Clone, Debug, Default, Args, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct Options {
            $($(#[$meta])* pub $name: $type,)*
        }

        impl Options {
            /// These options; those not given come from `other`.
            pub fn or(self, other: Self) -> Self {
                Self { $($name: Precedence::or(self.$name, other.$name),)* }
            }
        }
    };
}

options! {
    /// Serve the page to this machine at this address
    #[arg(long, value_name = "IP:PORT")]
    http: Option<SocketAddr>,
    /// Serve the page to tablets on the network too; they need the printed link
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    lan: Option<bool>,
    /// Serve it to tablets at this address of this machine instead of all; repeatable
    #[arg(long, value_name = "IP", action = ArgAction::Append)]
    lan_address: Vec<IpAddr>,
    /// Receive games at this local address only
    #[arg(long, value_name = "IP")]
    udp_bind: Option<IpAddr>,
    /// Receive games that send from this address only, and from this machine; repeatable
    #[arg(long, value_name = "IP", action = ArgAction::Append)]
    udp_from: Vec<IpAddr>,
    /// Keep recordings in this folder
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Keep at most this many gigabytes of recordings; the oldest without a tag go first
    #[arg(long, value_name = "GB")]
    keep_gb: Option<f64>,
    /// Keep recordings without a tag for this many days
    #[arg(long, value_name = "DAYS")]
    keep_days: Option<u32>,
    /// Do not record
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    no_record: Option<bool>,
    /// Send what is recorded to the hub of a team, with this invitation
    #[arg(long, value_name = "FILE", hide = cfg!(not(feature = "team")))]
    team: Option<PathBuf>,
    /// Megabytes of memory for a session that is not recorded, for pages that connect late (256)
    #[arg(long, value_name = "MB")]
    session_memory: Option<u32>,
    /// Do not open the browser
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    no_open: Option<bool>,
    #[arg(long, help = DemoName::help(), value_name = "GAME", num_args = 0..=1, default_missing_value = DEFAULT_DEMO.id)]
    demo: Option<DemoName>,
    /// The demo's seed: the same seed gives the same race
    #[arg(long, value_name = "N")]
    demo_seed: Option<u64>,
    /// Record the demo too
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    record_demo: Option<bool>,
    /// Write the demo's true laps as JSON after each lap
    #[arg(long, value_name = "FILE")]
    demo_truth: Option<PathBuf>,
    /// Speed of the demo: 2 is twice as fast as real
    #[arg(long, value_name = "N", hide = true)]
    demo_speed: Option<f64>,
    /// Where in the race the demo starts; what was driven until then arrives at once
    #[arg(long, value_name = "SECONDS", hide = true)]
    demo_from: Option<f64>,
    /// Receive a feed at this port instead of its usual ones; repeatable
    #[arg(long, value_name = "FEED=PORT", action = ArgAction::Append)]
    port: Vec<FeedPort>,
    /// Forward a feed's packets to another program; repeatable
    #[arg(long, value_name = "FEED=ADDR:PORT", action = ArgAction::Append)]
    forward: Vec<FeedTarget>,
    /// Gran Turismo: the console's address, if it isn't found automatically
    #[arg(long, value_name = "ADDR")]
    console: Option<IpAddr>,
    /// Gran Turismo: which packet to request; auto finds the most detailed one
    #[arg(long, value_name = "auto|A|B|~|C")]
    heartbeat: Option<Heartbeat>,
    /// Assetto Corsa: the address of the machine that the game runs on
    #[arg(long, value_name = "ADDR[:9996]")]
    ac_game: Option<GameAddress>,
    /// Assetto Corsa: use the short handshake of an older protocol description; no known version answers it
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    ac_short_registration: Option<bool>,
    /// Assetto Corsa: the address of the dedicated server's plugin port
    #[arg(long, value_name = "ADDR:PORT")]
    ac_server: Option<SocketAddr>,
    /// Serve the page from a folder, and reload browsers when it changes
    #[arg(long, value_name = "DIR", hide = true)]
    web_dir: Option<PathBuf>,
}

/// A value that may be absent.
trait Precedence {
    fn or(self, other: Self) -> Self;
}

impl<T> Precedence for Option<T> {
    fn or(self, other: Self) -> Self {
        Option::or(self, other)
    }
}

impl<T> Precedence for Vec<T> {
    fn or(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}
