//! From games to browsers, other programs and the recorder.
//!
//! A datagram goes from its socket (`receive`) to the `hub`, which batches it for each listener; `http` serves the page
//! and the WebSocket for browsers. Nothing on that path decodes a packet.

pub(crate) mod addresses;
mod allowance;
pub(crate) mod demo;
mod device;
pub(crate) mod forward;
pub(crate) mod http;
pub mod hub;
pub(crate) mod live;
pub(crate) mod live_settings;
mod meter;
mod port_counters;
mod port_owner;
pub(crate) mod ports;
mod receive;
mod recent;
mod reception;
pub(crate) mod recorder;
mod recorders;
mod reject_log;
mod rejects;
pub(crate) mod relay;
#[cfg(feature = "team")]
mod rig_drive;
#[cfg(feature = "team")]
pub(crate) mod rigs;
mod room;
mod sampling;
mod seats;
mod settings;
mod status;
mod tablet_view;
mod tablets;
pub(crate) mod talk;
#[cfg(feature = "team")]
mod team_source;
mod web_dir;
mod web_socket;

pub(crate) use http::viewer_file;
pub use ports::PortRequest;
pub use relay::{Relay, Report};
#[cfg(feature = "team")]
pub use settings::TeamSettings;
pub use settings::{RecordingSettings, Settings};
pub use tablets::Link;
pub use talk::{Reach, TalkRequest};
