//! The settings of a relay.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use trailbrake_shared::settings::ForwardTarget;

use super::demo::DemoOptions;
use super::ports::PortRequest;
use super::talk::TalkRequest;
use crate::kept_settings::KeptSettings;
use crate::library::RetentionLimits;
#[cfg(feature = "team")]
use crate::team::Invitation;

/// All settings of a relay.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to serve the page to this machine. When the port is taken, the next free one is used.
    pub http: SocketAddr,
    /// Whether to serve it to tablets from the start. The page's owner can open it later.
    pub lan: bool,
    /// Where to serve it to tablets; `None` for all of this machine's network addresses.
    pub tablet_addresses: Option<Vec<IpAddr>>,
    /// The local address that games send to.
    pub udp_bind: IpAddr,
    /// The addresses that games may send from, besides this machine's; empty for any.
    pub udp_from: Vec<IpAddr>,
    /// The UDP ports.
    pub ports: Vec<PortRequest>,
    /// Targets of forwarding.
    pub forwards: Vec<ForwardTarget>,
    /// Talkers for the games that send only on request.
    pub asking: Vec<TalkRequest>,
    /// The demo, if any.
    pub demo: Option<DemoOptions>,
    /// What to record, and where.
    pub recording: RecordingSettings,
    /// The team that gets what is recorded.
    #[cfg(feature = "team")]
    pub team: TeamSettings,
    /// What the driver set on the page, and what the command line sets; changes are kept there.
    pub kept: KeptSettings,
    /// A folder to serve the page from, instead of the embedded one.
    pub web_dir: Option<PathBuf>,
    /// Whether to open the browser.
    pub open_browser: bool,
    /// Reports to the user about the talkers.
    pub announce: fn(&str, &str),
}

/// The team that gets what is recorded.
#[cfg(feature = "team")]
#[derive(Clone, Debug, Default)]
pub struct TeamSettings {
    /// The invitation that the command line names.
    pub invitation: Option<Invitation>,
    /// The file that keeps a membership which began on the page; `None` where nothing can be kept.
    pub file: Option<PathBuf>,
}

/// What to record, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingSettings {
    /// The folder; `None` where neither the user nor the system names one.
    pub folder: Option<PathBuf>,
    /// Whether games are recorded.
    pub games: bool,
    /// Whether the demo is recorded where games are.
    pub demo: bool,
    /// Shorter recordings are not kept, seconds.
    pub shortest_s: f64,
    /// How much is kept.
    pub keep: RetentionLimits,
    /// Most bytes in memory for sessions that are not recorded.
    pub memory: usize,
}
