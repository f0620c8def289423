//! The relay: hears racing games over UDP, hands their packets to browsers, passes them on to other programs.
//!
//! A datagram goes from its socket (`receive`) to the `hub`, which batches it for everyone who listens; `http`
//! serves the page and the WebSocket that browsers listen through. Nothing on that way decodes a packet.
#![forbid(unsafe_code)]

mod addresses;
pub mod analyse;
pub mod banner;
pub mod bests;
mod board;
pub mod browser;
mod clock;
pub mod compare;
pub mod decode;
pub mod demo;
mod disk;
pub mod export;
mod figures;
mod file;
mod forward;
pub mod holder;
mod http;
pub mod hub;
pub mod import;
mod join;
pub mod laps;
mod library;
mod live;
mod lock;
pub mod options;
mod ports;
mod receive;
mod recorder;
mod recording_id;
mod relay;
pub mod repair;
pub mod replay;
pub mod report;
pub mod server;
pub mod shutdown;
mod talk;
mod tally;
mod teller;
mod terminal;
pub mod tracks;
pub mod watch;
mod web_dir;

pub use forward::Target;
pub use http::Token;
pub use ports::Wanted;
pub use relay::{Link, Relay, Report};
pub use talk::{Asking, Reach};
