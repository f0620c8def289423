//! What the relay does, as its options say.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use super::demo::DemoOptions;
use super::forward::Target;
use super::ports::PortRequest;
use super::talk::TalkRequest;
use crate::library::RetentionLimits;

/// Everything that the relay needs to know before it starts.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the page is served to this machine. When the port is taken, the next free one is used.
    pub http: SocketAddr,
    /// Where it is served to tablets.
    pub lan: Lan,
    /// The address of this machine that games send to.
    pub udp_bind: IpAddr,
    /// The UDP ports.
    pub ports: Vec<PortRequest>,
    /// Where packets are passed on to.
    pub forwards: Vec<Target>,
    /// Whom and how to ask, of the games that send only then.
    pub asking: Vec<TalkRequest>,
    /// The simulated race.
    pub demo: Option<DemoOptions>,
    /// What is recorded, and where recordings are kept.
    pub recording: RecordingSettings,
    /// The folder that the page is served from, instead of the one inside the program.
    pub web_dir: Option<PathBuf>,
    /// Whether to open the browser.
    pub open_browser: bool,
    /// Reports to the person what becomes of talking to games.
    pub tell: fn(&str, &str),
}

/// What is recorded, and where recordings are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingSettings {
    /// The folder; `None` where the system names none and nobody else did.
    pub folder: Option<PathBuf>,
    /// Whether games are recorded.
    pub games: bool,
    /// Whether the demo is.
    pub demo: bool,
    /// What takes less than so many seconds is not kept.
    pub shortest_s: f64,
    /// What is kept.
    pub keep: RetentionLimits,
    /// Bytes of sessions that are not recorded which are kept in memory.
    pub memory: usize,
}

/// Where the page is served to tablets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lan {
    /// Nowhere.
    Closed,
    /// At every address that this machine has on a network.
    Open,
    /// At these addresses.
    At(Vec<IpAddr>),
}
